#ifndef XSP_ANSWER_REPORT_EXPERIMENT_FACTS_H_
#define XSP_ANSWER_REPORT_EXPERIMENT_FACTS_H_

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "core/result.h"
#include "store/database.h"

namespace xsp::report {

/// What the page says about how an experiment came to be, read from experiment.json, run.json and
/// the point table. A key that an older writer did not write leaves its field empty.
struct ExperimentFacts {
  std::string name, model, backend, device, precision, precision_asked;
  std::vector<std::int64_t> batches;
  std::string measured_at;  ///< RFC 3339, UTC; of an import: when it was imported.
  std::string recorded_at;  ///< When an imported file's first span began; empty: it does not say.
  std::string command;
  std::vector<std::string> imported_from;
  bool recorded = false;  ///< An unchanged program, by `xsp record`.
  std::optional<std::int64_t> seed;
  std::vector<std::string> conditions;  ///< Sentences about the machine while it measured.
  nlohmann::json stack;                 ///< FactGroup[] of web/src/report_data.ts.
};

/// Errors: kBadInput when experiment.json cannot be read.
Result<ExperimentFacts> ReadExperimentFacts(const std::filesystem::path& experiment,
                                            const store::Database& database);

/// What `run`, a run.json, has of hardware and software: FactGroup[] of web/src/report_data.ts, one
/// group per part of the stack, and what the recording says of its framework.
nlohmann::json StackGroups(const nlohmann::json& run);

/// `Title` and `Method` (without attribution) of web/src/report_data.ts.
nlohmann::json TitleJson(const ExperimentFacts& facts);
nlohmann::json MethodJson(const ExperimentFacts& facts);

}  // namespace xsp::report

#endif  // XSP_ANSWER_REPORT_EXPERIMENT_FACTS_H_
