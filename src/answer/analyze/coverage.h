#ifndef XSP_ANSWER_ANALYZE_COVERAGE_H_
#define XSP_ANSWER_ANALYZE_COVERAGE_H_

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "answer/analyze/analysis.h"
#include "answer/analyze/scope.h"
#include "core/result.h"
#include "store/database.h"

namespace xsp::analyze {

/// What one point of an experiment has.
struct PointCoverage {
  std::int64_t point_id = 0;
  std::string model;
  std::optional<std::int64_t> batch;
  std::set<std::string, std::less<>> levels;  ///< Of KnownLevels(), but batches and roof.
  /// What went wrong in its runs, by rung.
  std::map<std::string, std::string, std::less<>> failures;
};

/// What one experiment has, and so which analyses it can answer.
struct Coverage {
  std::string experiment;  ///< Empty where only one is open.
  bool imported = false;   ///< Its runs came from a file of another profiler.
  bool recorded = false;   ///< It is of an unchanged program (`xsp record`).
  bool monitored = false;  ///< Only the machine was sampled: its program need not be a model.
  bool roof = false;
  bool batches = false;  ///< One model was measured at more than one batch size.
  std::vector<PointCoverage> points;
  /// Who made its runs: "measured:xsp", or "reported:<backend>" of an import; joined with '+'.
  std::string runs_provenance;
};

/// One Coverage per open experiment. Errors: as Database::Query.
Result<std::vector<Coverage>> ReadCoverage(const store::Database& database,
                                           const Experiments& experiments);

/// What of `needs` the experiment lacks, at all or for some points, each with a sentence that says
/// how to get it. A level that rests on another missing one is not named twice.
std::vector<MissingLevel> MissingLevels(const std::vector<std::string>& needs,
                                        const Coverage& coverage);

}  // namespace xsp::analyze

#endif  // XSP_ANSWER_ANALYZE_COVERAGE_H_
