#ifndef XSP_ANSWER_REPORT_RUN_TIMELINE_H_
#define XSP_ANSWER_REPORT_RUN_TIMELINE_H_

#include <nlohmann/json_fwd.hpp>

#include "core/result.h"
#include "store/database.h"

namespace xsp::report {

/// How much of a run the page may carry.
struct TimelineLimits {
  std::size_t rows = 40000;  ///< Spans and blocks of merged ones together.
  std::size_t tracks = 64;
  std::size_t steps = 2000;
  std::size_t name_bytes = 500000;          ///< Of all different names together.
  std::int64_t spans_at_once = 12'000'000;  ///< More are merged slice of time by slice.
};

/// A whole recorded run over time (`RunTimeline` of web/src/report_data.ts), null for one without a
/// span. A run of more spans than `limits.rows` keeps all of its median step, or the longest of it,
/// and elsewhere the longest; the outermost of the others are merged by track, enclosing span and
/// segment of time. What was merged or left out is added to `cuts`. Errors: those of
/// Database::Query.
Result<nlohmann::json> RunTimeline(const store::Database& database, std::int64_t point_id,
                                   std::int64_t run_id, const TimelineLimits& limits,
                                   nlohmann::json& cuts);

/// RunTimeline() of every imported run, as a list.
Result<nlohmann::json> RunTimelines(const store::Database& database, nlohmann::json& cuts);

}  // namespace xsp::report

#endif  // XSP_ANSWER_REPORT_RUN_TIMELINE_H_
