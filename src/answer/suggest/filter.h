#ifndef XSP_ANSWER_SUGGEST_FILTER_H_
#define XSP_ANSWER_SUGGEST_FILTER_H_

#include <string>
#include <string_view>
#include <vector>

#include "answer/suggest/candidate.h"
#include "answer/suggest/suggestion.h"
#include "core/result.h"

namespace xsp::suggest {

/// Whether `text` has all words of `words`, in whatever case: "image classification" has
/// "classification".
bool HasWords(std::string_view text, std::string_view words);

/// The candidates that pass every filter of the question. Says in `method` how many have no known
/// task. Errors: kUsage where none passes a filter, with the nearest value that there is.
Result<std::vector<Candidate>> Filter(const Question& question, std::vector<Candidate> candidates,
                                      std::vector<std::string>& method);

}  // namespace xsp::suggest

#endif  // XSP_ANSWER_SUGGEST_FILTER_H_
