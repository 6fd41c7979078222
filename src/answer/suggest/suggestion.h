#ifndef XSP_ANSWER_SUGGEST_SUGGESTION_H_
#define XSP_ANSWER_SUGGEST_SUGGESTION_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "answer/suggest/bounds.h"
#include "answer/suggest/candidate.h"
#include "core/result.h"

namespace xsp::suggest {

/// What a suggestion is asked for. Names are compared without regard to case; empty: any.
struct Question {
  std::string task;     ///< Words that the task has: "classification".
  std::string dataset;  ///< Of accuracy: as it was named when it was measured.
  std::vector<std::string> models;
  std::vector<std::string> backends;  ///< Worker ("torch"), or the beginning of its framework.
  std::vector<std::string> precisions;
  std::vector<std::string> devices;   ///< "cpu", or its beginning: "cuda".
  std::vector<std::string> machines;  ///< Words that the machine's name has.
  /// Whole names of CPUs and GPUs, of which the machine is to have one: those of this machine.
  std::vector<std::string> exact_machines;
  std::vector<Bound> bounds;
  /// The first decides the recommendation. Empty: latency, throughput, memory, and cost, energy or
  /// accuracy where every candidate has it.
  std::vector<NamedMetric> objectives;
  /// Per hour, by words of the machine's name; "": of every other machine.
  std::map<std::string, double> prices;
  bool include_predicted = false;  ///< Predicted candidates compete with measured ones.
  /// Models compete with each other although accuracy is no objective: they are interchangeable.
  bool compare_models = false;
};

/// What became of a candidate.
enum class Standing : std::uint8_t {
  kFront,        ///< No other dominates it.
  kDominated,    ///< Another that it competes with is better and nowhere worse, beyond the noise.
  kExcluded,     ///< It does not keep a bound.
  kNotCompared,  ///< The value of an objective or of a bound is not known.
  kPredicted,    ///< Not measured, and not asked to compete.
};

/// "front", "dominated", "excluded", "not compared" or "predicted".
std::string_view ToString(Standing standing);

struct JudgedCandidate {
  Candidate candidate;
  Standing standing = Standing::kFront;
  Fit fit = Fit::kYes;                      ///< To all bounds.
  std::vector<Fit> fits;                    ///< To each bound.
  std::string reason;                       ///< Why it is not on the front; else empty.
  std::optional<std::size_t> dominated_by;  ///< Index among the judged.
  std::vector<std::size_t> tied_with;       ///< Others of the front, equal within the noise.
};

struct Suggestion {
  std::vector<NamedMetric> objectives;
  std::vector<Bound> bounds;
  std::string accuracy_metric;  ///< Of the accuracy that is shown; empty: none.
  std::string dataset;          ///< Likewise.
  /// The front first, each standing in the order of the first objective, then of the names.
  std::vector<JudgedCandidate> judged;
  /// Whether candidates of different models compete with each other.
  bool models_compete = false;
  /// Of each model that has one, or of all where models compete; the order is that of `judged`.
  std::vector<std::size_t> recommended;
  std::vector<std::string> sentences;  ///< Most important first.
  std::vector<std::string> method;     ///< How it was judged, and what was left out.
};

/// Judges `candidates`; deterministic, whatever their order. Models compete with each other only if
/// accuracy is an objective, or the question says so: otherwise the smallest model would always be
/// the best. Errors: kUsage for a filter that no
/// candidate passes, naming the nearest value; for an objective or a bound of cost without a price;
/// for a data set without accuracy.
Result<Suggestion> Suggest(const Question& question, std::vector<Candidate> candidates);

}  // namespace xsp::suggest

#endif  // XSP_ANSWER_SUGGEST_SUGGESTION_H_
