#ifndef XSP_ANSWER_STORE_FINDINGS_EXPERIMENT_FINDINGS_H_
#define XSP_ANSWER_STORE_FINDINGS_EXPERIMENT_FINDINGS_H_

#include <cstdint>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "answer/findings/rule.h"
#include "core/result.h"

namespace xsp::store_findings {

/// As findings::FoundGain.
struct KnownGain {
  double low_ns = 0, ns = 0, high_ns = 0;
  double whole_ns = 0;  ///< Greater than 0.
  std::string whole;    ///< "call", "step", "recording" or "program".

  double share() const { return ns / whole_ns; }
  /// It is saved again in each call or step; else once in a recording or program.
  bool is_repeated() const { return whole == "call" || whole == "step"; }
};

/// A rule that holds in an experiment.
struct KnownFinding {
  std::string rule;  ///< Its id.
  std::string sentence;
  std::optional<KnownGain> gain;  ///< None: not known.
};

/// What all rules say about one experiment: as much of findings::Findings as a list over many
/// experiments shows.
struct ExperimentFindings {
  std::int64_t point_id = 0;  ///< The point that they are about; 0: the experiment has none.
  std::string point;          ///< "PyTorch 2.15.0, cpu, float32, batch 8"; empty likewise.
  std::vector<KnownFinding> found;
  std::vector<std::string> abstained;  ///< Ids of rules that could not tell.
};

/// Asks all `rules` about the best point of the experiment in the folder `experiment`: hundreds of
/// statements, about a second. Any thread. Errors: those of Database::Open and FindAll.
Result<ExperimentFindings> Evaluate(const std::filesystem::path& experiment,
                                    const std::vector<findings::Rule>& rules);

nlohmann::json ToJson(const ExperimentFindings& findings);

/// The inverse of ToJson(). Nothing: `document` does not have that form.
std::optional<ExperimentFindings> ExperimentFindingsOf(const nlohmann::json& document);

}  // namespace xsp::store_findings

#endif  // XSP_ANSWER_STORE_FINDINGS_EXPERIMENT_FINDINGS_H_
