#ifndef XSP_CAPTURE_MONITOR_CHANNEL_SEGMENTS_H_
#define XSP_CAPTURE_MONITOR_CHANNEL_SEGMENTS_H_

#include <span>
#include <vector>

#include "capture/monitor/monitor.h"

namespace xsp::monitor {

/// What a chart needs of a series: a channel over a segment of neighbouring rows.
struct ChannelSegment {
  const Channel* channel = nullptr;       ///< Borrowed from the series.
  std::int64_t begin_ns = 0, end_ns = 0;  ///< CLOCK_MONOTONIC.
  double mean = 0;                        ///< Weighted by the rows' length.
  double most = 0;
};

/// `rows` of `series` in at most `max_segments` groups of as many rows each (the last: what is
/// left); one entry for each channel that has a value in a group. By channel, then time.
std::vector<ChannelSegment> Condense(const Series& series, std::span<const std::size_t> rows,
                                     std::size_t max_segments);

}  // namespace xsp::monitor

#endif  // XSP_CAPTURE_MONITOR_CHANNEL_SEGMENTS_H_
