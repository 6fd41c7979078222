#ifndef XSP_DERIVE_TIMELINE_STREAMS_STREAMS_H_
#define XSP_DERIVE_TIMELINE_STREAMS_STREAMS_H_

#include <array>
#include <cstdint>
#include <vector>

#include "derive/timeline/timeline.h"

namespace xsp::timeline::streams {

/// What one stream of a device did.
struct Stream {
  trace::TrackId track = 0;
  std::int64_t spans = 0;
  std::int64_t busy_ns = 0;   ///< In which it ran anything: what overlaps counts once.
  std::int64_t alone_ns = 0;  ///< Of that, while no other stream of the device ran anything.
  std::array<std::int64_t, kActivityCount> sum_ns = {};  ///< Durations added up, by activity.
  std::int64_t start_ns = 0, end_ns = 0;                 ///< First start, last end.
};

/// How long how many streams ran something at once, in one window of a device's time.
struct Concurrency {
  std::int32_t step = -1;        ///< Index into Timeline::steps(); -1: all of the device's time.
  std::vector<std::int64_t> ns;  ///< By number of streams; entry 0 is idle time.
};

struct Streams {
  std::vector<Stream> streams;           ///< By first start.
  std::vector<Concurrency> concurrency;  ///< All of the device's time first, then its windows.
};

/// Every track of the device is a stream of its own. O(n log s) in spans and streams.
Streams FindStreams(const Timeline& timeline, const Device& device);

}  // namespace xsp::timeline::streams

#endif  // XSP_DERIVE_TIMELINE_STREAMS_STREAMS_H_
