#ifndef XSP_ANSWER_SUITE_EXPERIMENT_VECTORS_H_
#define XSP_ANSWER_SUITE_EXPERIMENT_VECTORS_H_

#include <filesystem>
#include <string>
#include <vector>

#include "answer/suite/data_set.h"
#include "answer/suite/suite_command.h"
#include "core/result.h"

namespace xsp::suite {

/// A metric that the user defines: NAME=SQL or NAME[UNIT]=SQL.
struct SqlMetric {
  std::string name;
  std::string unit;
  std::string sql;  ///< A SELECT (or WITH), or what stands behind one: "count(*) FROM kernel".
};

/// Error: kUsage (no name, no SQL, a name that is no word, or that SQL takes for the name of one of
/// the columns that say what was measured).
Result<SqlMetric> SqlMetricOf(const std::string& text);

/// What one row of the table of experiments is.
enum class Per {
  kExperiment,  ///< An experiment; of its points the one of the largest batch size, the first.
  kPoint,       ///< A point: model, backend, device, precision and batch size.
};

/// The experiments that `sources` name (folders, names in the store; none: all of the store).
/// Unreadable ones of the whole store are left out, which is appended to `*treatments` (not null).
/// Errors: kBadInput (no such experiment, a run instead of an experiment, an empty store).
Result<std::vector<std::filesystem::path>> ExperimentsOf(const std::filesystem::path& store,
                                                         const std::vector<std::string>& sources,
                                                         std::vector<std::string>* treatments);

/// One row each: the columns `workload` (a label: the experiment's name; of points where an
/// experiment has several, name and what tells them apart) and those of the analysis
/// `workload_vector`, with its units and provenance; behind them each of `metrics`, whose SQL sees
/// the views of the experiment (Per::kPoint: of the point alone). Errors: kBadInput (a metric's SQL
/// fails or yields more than one value, naming the experiment; a damaged experiment).
Result<DataTable> VectorsOf(const CommandContext& context,
                            const std::vector<std::filesystem::path>& experiments, Per per,
                            const std::vector<SqlMetric>& metrics,
                            std::vector<std::string>* treatments);

}  // namespace xsp::suite

#endif  // XSP_ANSWER_SUITE_EXPERIMENT_VECTORS_H_
