#ifndef XSP_ANSWER_SUGGEST_SUGGESTION_SENTENCES_H_
#define XSP_ANSWER_SUGGEST_SUGGESTION_SENTENCES_H_

#include "answer/suggest/suggestion.h"

namespace xsp::suggest {

/// Adds the sentences and the method of a suggestion that is otherwise complete: what is
/// recommended and why, the front, what each bound excludes and, if nothing keeps the bounds, what
/// comes nearest.
void AddSentences(Suggestion& suggestion);

}  // namespace xsp::suggest

#endif  // XSP_ANSWER_SUGGEST_SUGGESTION_SENTENCES_H_
