#include "ingest/correlate/launch.h"

#include <algorithm>
#include <cstdint>
#include <tuple>
#include <vector>

namespace xsp::correlate {
namespace {

constexpr trace::DiagnosticSpec kLaunchMissing = {
    "correlate_launch_missing",
    "The call that launched this device work is not in the trace, so its layer is not known; "
    "record from before the first launch, with the library level on.",
    trace::DiagnosticKind::kNote};

using trace::SpanId;

struct Launch {
  std::int64_t correlation_id;
  std::int64_t process;
  std::int64_t start;
  SpanId id;

  auto Key() const { return std::tie(correlation_id, process, start, id); }
};

std::int64_t ProcessOf(const trace::Trace& trace, std::size_t span) {
  return trace.tracks[trace.spans.track[span] - 1].process_id;
}

std::vector<Launch> CollectLaunches(const trace::Trace& trace) {
  const trace::SpanTable& spans = trace.spans;
  std::vector<Launch> launches;
  for (std::size_t i = 0; i < spans.size(); ++i)
    if (spans.level[i] == trace::Level::kLibrary && spans.correlation_id[i] != 0)
      launches.push_back({spans.correlation_id[i], ProcessOf(trace, i), spans.start_ns[i],
                          static_cast<SpanId>(i + 1)});
  std::sort(launches.begin(), launches.end(),
            [](const Launch& a, const Launch& b) { return a.Key() < b.Key(); });
  return launches;
}

// The last launch of this id and process. Device tracks often name no process of their own: then
// the id alone decides, if it is of one process only.
SpanId FindLaunch(const std::vector<Launch>& launches, std::int64_t correlation_id,
                  std::int64_t process) {
  const auto [first, last] = std::equal_range(
      launches.begin(), launches.end(), Launch{correlation_id, 0, 0, 0},
      [](const Launch& a, const Launch& b) { return a.correlation_id < b.correlation_id; });
  if (first == last) return 0;
  if (first->process == (last - 1)->process) {
    const bool other = process != trace::kNotApplicable &&
                       first->process != trace::kNotApplicable && first->process != process;
    return other ? 0 : (last - 1)->id;
  }
  const auto after = std::upper_bound(
      first, last, process,
      [](std::int64_t wanted, const Launch& launch) { return wanted < launch.process; });
  return after != first && (after - 1)->process == process ? (after - 1)->id : 0;
}

}  // namespace

void PlaceByLaunch(trace::Trace& trace) {
  trace::SpanTable& spans = trace.spans;
  const auto waits = [&](std::size_t i) {
    return spans.level[i] == trace::Level::kKernel && spans.correlation_id[i] != 0 &&
           spans.parent[i] == 0;
  };
  bool any = false;
  for (std::size_t i = 0; i < spans.size() && !any; ++i) any = waits(i);
  if (!any) return;
  const std::vector<Launch> launches = CollectLaunches(trace);
  for (std::size_t i = 0; i < spans.size(); ++i) {
    if (!waits(i)) continue;
    const SpanId launch = FindLaunch(launches, spans.correlation_id[i], ProcessOf(trace, i));
    if (launch != 0) {
      spans.parent[i] = launch;
      spans.placed_by[i] = trace::PlacedBy::kLaunch;
    } else {
      trace::TraceWriter(trace).Count(kLaunchMissing, trace.Text(spans.name[i]));
    }
  }
}

}  // namespace xsp::correlate
