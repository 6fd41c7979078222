#include "capture/monitor/channel_segments.h"

#include <algorithm>

#include "capture/monitor/series_rows.h"

namespace xsp::monitor {

std::vector<ChannelSegment> Condense(const Series& series, std::span<const std::size_t> rows,
                                     std::size_t max_segments) {
  std::vector<ChannelSegment> condensed;
  const std::size_t length = (rows.size() + max_segments - 1) / max_segments;
  for (std::size_t at = 0; at < rows.size(); at += length) {
    const auto group = rows.subspan(at, std::min(length, rows.size() - at));
    for (const ChannelSummary& summary : Summarise(series, group)) {
      condensed.push_back({summary.channel, series.BeginOf(group.front()),
                           series.end_ns[group.back()], summary.mean, summary.most});
    }
  }
  std::stable_sort(
      condensed.begin(), condensed.end(),
      [](const ChannelSegment& a, const ChannelSegment& b) { return a.channel < b.channel; });
  return condensed;
}

}  // namespace xsp::monitor
