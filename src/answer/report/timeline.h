#ifndef XSP_ANSWER_REPORT_TIMELINE_H_
#define XSP_ANSWER_REPORT_TIMELINE_H_

#include <cstddef>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>

#include "core/result.h"
#include "store/database.h"

namespace xsp::report {

/// One predict call of the deepest run that XSP made of each point, all levels (`Timeline[]` of the
/// page's data): the undisturbed iteration whose latency is nearest the median. Points without a
/// span are left out; a call of more than `most_spans` spans keeps its longest and notes it in
/// `cuts`.
Result<nlohmann::json> Timelines(const store::Database& database, std::size_t most_spans,
                                 nlohmann::json& cuts);

/// One call of one run, whoever recorded it, as an entry of Timelines(): the model call, else the
/// profiler step, whose duration is nearest the median, with what was launched in it; else the
/// whole run. Frames of Python functions are left out of a step. Null for a run without a span;
/// `cuts` as for Timelines().
Result<nlohmann::json> CallTimeline(const store::Database& database, std::int64_t point_id,
                                    std::int64_t run_id, std::size_t most_spans,
                                    nlohmann::json& cuts);

}  // namespace xsp::report

#endif  // XSP_ANSWER_REPORT_TIMELINE_H_
