#include "store/timeline_lanes.h"

#include <algorithm>

namespace xsp::store {
namespace {

/// Rows by track, as counting sort leaves them: in order of row within each.
void SortByTrack(const trace::SpanTable& spans, TimelineLanes& lanes) {
  trace::TrackId last = 0;
  for (const trace::TrackId track : spans.track) last = std::max(last, track);
  std::vector<std::size_t>& first = lanes.first_of_track;
  first.assign(std::size_t{last} + 2, 0);
  for (const trace::TrackId track : spans.track) ++first[track + 1];
  for (std::size_t track = 1; track < first.size(); ++track) first[track] += first[track - 1];
  std::vector<std::size_t> next = first;
  lanes.order.resize(spans.size());
  for (std::size_t row = 0; row < spans.size(); ++row)
    lanes.order[next[spans.track[row]]++] = static_cast<std::uint32_t>(row);
}

}  // namespace

std::uint8_t LaneFinder::Next(std::int64_t start_ns, std::int64_t end_ns) {
  while (used_ > 0 && end_ns_[used_ - 1] <= start_ns) --used_;
  std::size_t lane = 0;
  for (std::size_t i = 0; i < used_; ++i)
    if (end_ns_[i] > start_ns && end_ns_[i] >= end_ns) lane = i + 1;
  while (lane < used_ && end_ns_[lane] > start_ns) ++lane;
  lane = std::min<std::size_t>(lane, kMaxLanes - 1);
  end_ns_[lane] = lane < used_ ? std::max(end_ns_[lane], end_ns) : end_ns;
  used_ = std::max(used_, lane + 1);
  return static_cast<std::uint8_t>(lane);
}

TimelineLanes LayOutLanes(const trace::SpanTable& spans) {
  TimelineLanes lanes;
  SortByTrack(spans, lanes);
  lanes.lane.resize(spans.size());
  const auto is_before = [&spans](std::uint32_t a, std::uint32_t b) {
    if (spans.start_ns[a] != spans.start_ns[b]) return spans.start_ns[a] < spans.start_ns[b];
    const std::int64_t end_a = EndOf(spans, a), end_b = EndOf(spans, b);
    return end_a != end_b ? end_a > end_b : a < b;
  };
  for (std::size_t track = 0; track + 1 < lanes.first_of_track.size(); ++track) {
    const auto begin =
        lanes.order.begin() + static_cast<std::ptrdiff_t>(lanes.first_of_track[track]);
    const auto end =
        lanes.order.begin() + static_cast<std::ptrdiff_t>(lanes.first_of_track[track + 1]);
    if (!std::is_sorted(begin, end, is_before)) std::sort(begin, end, is_before);
    LaneFinder finder;
    for (auto row = begin; row != end; ++row)
      lanes.lane[*row] = finder.Next(spans.start_ns[*row], EndOf(spans, *row));
  }
  return lanes;
}

}  // namespace xsp::store
