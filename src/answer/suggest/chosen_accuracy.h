#ifndef XSP_ANSWER_SUGGEST_CHOSEN_ACCURACY_H_
#define XSP_ANSWER_SUGGEST_CHOSEN_ACCURACY_H_

#include <string>
#include <vector>

#include "answer/suggest/suggestion.h"
#include "core/result.h"

namespace xsp::suggest {

struct ChosenAccuracy {
  std::string metric, dataset;     ///< Empty: no accuracy is offered.
  std::vector<std::string> notes;  ///< Why there is none, or which was chosen.
};

/// Chooses the one metric and data set by which candidates are compared, and sets the accuracy of
/// those that have it: the metric that an objective or bound names, else the first that there is of
/// top_1, ap, ap_mask, bleu, exact_match, answer_f1, macro_f1; the data set of the question, else
/// the only one. Scores on different data sets are not comparable: of several none is chosen.
/// Errors: kUsage for two metrics, and for a data set or a metric that no candidate has while
/// others are known.
Result<ChosenAccuracy> ChooseAccuracy(const Question& question, std::vector<Candidate>& candidates);

}  // namespace xsp::suggest

#endif  // XSP_ANSWER_SUGGEST_CHOSEN_ACCURACY_H_
