#ifndef XSP_ANSWER_FINDINGS_SENTENCE_H_
#define XSP_ANSWER_FINDINGS_SENTENCE_H_

#include <string>

#include "answer/findings/focus.h"
#include "answer/findings/rule.h"
#include "core/result.h"
#include "store/table.h"

namespace xsp::findings {

/// Whether the rule's template is a mustache template (5) that names only columns of the evidence
/// and what MakeSentence() adds. Error: kBadInput, without the file.
Status CheckSentence(const Rule& rule);

/// The rule's sentence about `evidence`, whose columns are the rule's and which has a row. The
/// template sees the columns of the first row, each written by its unit; {{#rows}} repeats for all
/// rows, {{#rest}} for all but the first; in both `first` and `last` mark the ends of the
/// repetition. NULL, false and an empty text are falsey. `where`, `of` and `backend` are those of
/// `focus`. Error: as CheckSentence().
Result<std::string> MakeSentence(const Rule& rule, const store::Table& evidence,
                                 const Focus& focus);

}  // namespace xsp::findings

#endif  // XSP_ANSWER_FINDINGS_SENTENCE_H_
