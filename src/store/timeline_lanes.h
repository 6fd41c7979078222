#ifndef XSP_STORE_TIMELINE_LANES_H_
#define XSP_STORE_TIMELINE_LANES_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "trace/tables.h"

namespace xsp::store {

/// Lanes of one track. Spans that would need more share the last one, where they may overlap.
inline constexpr int kMaxLanes = 256;

/// Where the spans of a trace are drawn: each track has lanes, and no two spans of a lane overlap
/// (but in the last of kMaxLanes). A span lies below the spans of its track that contain it, in the
/// first lane that is free there.
struct TimelineLanes {
  /// Rows of the span table by track, start, descending end, row.
  std::vector<std::uint32_t> order;
  /// Where each track begins in `order`, by its id (0: no track); one more entry, the end.
  std::vector<std::size_t> first_of_track;
  /// By row of the span table.
  std::vector<std::uint8_t> lane;
};

/// Lays out all spans. A span that never ended counts as one without length. O(n log n), O(n) for a
/// track whose spans are in order already; times the depth of nesting.
TimelineLanes LayOutLanes(const trace::SpanTable& spans);

/// Lanes of one track while its spans pass by: by ascending start, those that end later first.
class LaneFinder {
 public:
  /// The lane of the next span.
  std::uint8_t Next(std::int64_t start_ns, std::int64_t end_ns);

 private:
  std::array<std::int64_t, kMaxLanes> end_ns_ = {};  ///< Of the last span of each lane.
  std::size_t used_ = 0;                             ///< Lanes from here on are free.
};

/// When a row of the span table ends, ns: its start, if that was never seen.
inline std::int64_t EndOf(const trace::SpanTable& spans, std::size_t row) {
  const std::int64_t duration = spans.duration_ns[row];
  return spans.start_ns[row] + (duration == trace::kNeverEnded ? 0 : duration);
}

}  // namespace xsp::store

#endif  // XSP_STORE_TIMELINE_LANES_H_
