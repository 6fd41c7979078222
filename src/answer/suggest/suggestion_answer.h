#ifndef XSP_ANSWER_SUGGEST_SUGGESTION_ANSWER_H_
#define XSP_ANSWER_SUGGEST_SUGGESTION_ANSWER_H_

#include <nlohmann/json_fwd.hpp>

#include "answer/suggest/suggestion.h"
#include "answer/suite/answer.h"

namespace xsp::suggest {

/// What programs read of a suggestion; suggest_operation.cc has its schema.
nlohmann::json DocumentOf(const Suggestion& suggestion);

/// The same for the page of charts: the table of candidates, and latency against throughput (and
/// against accuracy, where it is known) on logarithmic axes, with the front as a line, measured
/// candidates filled and predicted ones hollow.
suite::Answer AnswerOf(const Suggestion& suggestion);

}  // namespace xsp::suggest

#endif  // XSP_ANSWER_SUGGEST_SUGGESTION_ANSWER_H_
