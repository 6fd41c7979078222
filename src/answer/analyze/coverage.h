#ifndef XSP_ANSWER_ANALYZE_COVERAGE_H_
#define XSP_ANSWER_ANALYZE_COVERAGE_H_

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "answer/analyze/analysis.h"
#include "answer/analyze/level.h"
#include "answer/analyze/scope.h"
#include "core/result.h"
#include "store/database.h"

namespace xsp::analyze {

using LevelNames = std::set<std::string, std::less<>>;

/// What one point of an experiment has.
struct PointCoverage {
  std::int64_t point_id = 0;
  std::string model;
  std::optional<std::int64_t> batch;
  LevelNames levels;  ///< Those of points.
  /// What went wrong in its runs, by rung.
  std::map<std::string, std::string, std::less<>> failures;
};

/// What one experiment has, and so which analyses it can answer.
struct Coverage {
  std::string experiment;  ///< Empty where only one is open.
  bool imported = false;   ///< Its runs came from a file of another profiler.
  bool recorded = false;   ///< It is of an unchanged program (`xsp record`).
  bool monitored = false;  ///< Only the machine was sampled: its program need not be a model.
  LevelNames levels;       ///< Those of experiments.
  std::vector<PointCoverage> points;
  /// Of the imported files, by the names of their importers; empty: none, or not known.
  std::vector<std::string> formats;
  /// Who made its runs: "measured:xsp", or "reported:<backend>" of an import; joined with '+'.
  std::string runs_provenance;
};

/// One Coverage per open experiment, by the probes of `levels`. Errors: as Database::Query.
Result<std::vector<Coverage>> ReadCoverage(const store::Database& database,
                                           const Experiments& experiments,
                                           const std::vector<Level>& levels);

/// What of `needs` (names of `levels`) the experiment lacks, at all or for some points, each with a
/// sentence that says how to get it: of an import in the words of the importer of its files, where
/// that has some. A level that rests on another missing one is not named twice.
std::vector<MissingLevel> MissingLevels(const std::vector<std::string>& needs,
                                        const Coverage& coverage, const std::vector<Level>& levels);

}  // namespace xsp::analyze

#endif  // XSP_ANSWER_ANALYZE_COVERAGE_H_
