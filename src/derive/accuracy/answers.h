#ifndef XSP_DERIVE_ACCURACY_ANSWERS_H_
#define XSP_DERIVE_ACCURACY_ANSWERS_H_

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"

namespace xsp::accuracy {

/// The two published evaluation scripts of SQuAD differ where nothing is left of an answer.
enum class SquadVersion {
  k1_1,  ///< Two answers of which nothing is left share no word: F1 0.
  k2_0,  ///< They are equal: F1 1. A question without reference has the reference "".
};

/// An answer as SQuAD's scripts compare it: lower case, without ASCII punctuation, without the
/// words a, an and the, single spaces (`normalize_answer`, evaluate-v1.1.py and evaluate-v2.0.py).
/// Text is UTF-8; lower case and words are Unicode's, see Lowercase(). Pure; any thread.
std::string NormaliseAnswer(std::string_view answer);

/// Whether both are equal once normalised.
bool AnswersMatch(std::string_view prediction, std::string_view reference);

/// Harmonic mean of precision and recall of the words both have in common, counted with their
/// repetitions (Rajpurkar et al. 2016, "SQuAD", section 6.1), after normalisation. 0 ... 1.
double AnswerF1(std::string_view prediction, std::string_view reference,
                SquadVersion version = SquadVersion::k1_1);

struct AnswerScores {
  double exact_match = 0;  ///< Mean over questions of the best over references, 0 ... 1
  double f1 = 0;           ///< (the scripts print 100 times that).
};

/// Each question's best exact match and best F1 over its references, averaged over the questions.
/// `references` holds one list per prediction. Version 2.0 leaves out references of which nothing
/// is left once normalised, if others remain; in version 1.1 a question without reference is an
/// error, as are no questions and lists of different length.
Result<AnswerScores> ScoreAnswers(std::span<const std::string> predictions,
                                  std::span<const std::vector<std::string>> references,
                                  SquadVersion version = SquadVersion::k1_1);

}  // namespace xsp::accuracy

#endif  // XSP_DERIVE_ACCURACY_ANSWERS_H_
