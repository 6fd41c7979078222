#ifndef XSP_API_OPERATIONS_TIMELINE_RUN_H_
#define XSP_API_OPERATIONS_TIMELINE_RUN_H_

#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/result.h"

namespace xsp::api {

/// Which runs of an experiment have a timeline.
struct TimelineRun {
  std::string name;
  std::filesystem::path folder;
  std::int64_t spans = 0;
};

/// The runs with spans of the experiment that RUN of the command line names, or lies in: first the
/// run that it names, then those with most spans. Errors: as store::Resolve; kBadInput: no run, or
/// not the named one, has spans.
Result<std::vector<TimelineRun>> TimelineRuns(const std::filesystem::path& store,
                                              const std::string& run);

/// Details of one span of a run: its row, the spans around it, its metrics and attributes, and what
/// it is connected with on other tracks. Times count from `origin_ns`. Errors: kBadInput: the run
/// has no such span.
Result<nlohmann::json> TimelineSpan(const std::filesystem::path& run, std::int64_t span_id,
                                    std::int64_t origin_ns);

/// Spans whose name contains `text`, in any case: how many there are in the run, and the first
/// `most` that start at `from_ns` (of the run's clock) or later.
Result<nlohmann::json> TimelineHits(const std::filesystem::path& run, const std::string& text,
                                    std::int64_t from_ns, int most, std::int64_t origin_ns);

/// The time that spans have between `from_ns` and `to_ns` (of the run's clock), by level and name:
/// the `most` with the longest time, and how many there are.
Result<nlohmann::json> TimelineSums(const std::filesystem::path& run, std::int64_t from_ns,
                                    std::int64_t to_ns, int most);

}  // namespace xsp::api

#endif  // XSP_API_OPERATIONS_TIMELINE_RUN_H_
