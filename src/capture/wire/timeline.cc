#include "capture/wire/timeline.h"

#include <algorithm>
#include <utility>

namespace xsp::wire {
namespace {

__extension__ using Wide = __int128;  // Ticks times ns do not fit 64 bits.

constexpr std::size_t kRatePairs = 4;

std::int64_t Saturate(Wide value) {
  return static_cast<std::int64_t>(std::clamp<Wide>(value, Wide{INT64_MIN}, Wide{INT64_MAX}));
}

// The time of `ticks` on the line through `a` and `b`, counted from `origin`.
std::int64_t OnLine(const ClockPair& a, const ClockPair& b, const ClockPair& origin,
                    std::uint64_t ticks) {
  const Wide run = Wide{b.ticks} - Wide{a.ticks};
  const Wide rise = Wide{b.monotonic_ns} - Wide{a.monotonic_ns};
  const Wide ahead = Wide{ticks} - Wide{origin.ticks};
  return Saturate(Wide{origin.monotonic_ns} + ahead * rise / run);
}

std::int64_t OffsetOf(const ClockPair& pair) {
  return Saturate(Wide{pair.realtime_ns} - Wide{pair.monotonic_ns});
}

}  // namespace

Timeline::Timeline(ClockKind kind, std::vector<ClockPair> pairs)
    : is_identity_(kind == ClockKind::kMonotonicNs) {
  std::sort(pairs.begin(), pairs.end(),
            [](const ClockPair& a, const ClockPair& b) { return a.ticks < b.ticks; });
  for (const ClockPair& pair : pairs) {
    // 2^62 keeps every product below 2^127.
    const bool is_sane = pair.monotonic_ns >= 0 && pair.monotonic_ns < (std::int64_t{1} << 62);
    if (is_sane && (pairs_.empty() || (pair.ticks > pairs_.back().ticks &&
                                       pair.monotonic_ns > pairs_.back().monotonic_ns))) {
      pairs_.push_back(pair);
    } else {
      ++rejected_;
    }
  }
}

std::int64_t Timeline::ToMonotonicNs(std::uint64_t ticks) const {
  if (is_identity_) return Saturate(Wide{ticks});
  if (pairs_.empty()) return Saturate(Wide{ticks});
  if (pairs_.size() == 1) {
    return Saturate(Wide{pairs_[0].monotonic_ns} + Wide{ticks} - Wide{pairs_[0].ticks});
  }
  const std::size_t last = pairs_.size() - 1;
  if (ticks < pairs_[0].ticks) {
    return OnLine(pairs_[0], pairs_[std::min(last, kRatePairs)], pairs_[0], ticks);
  }
  if (ticks >= pairs_[last].ticks) {
    return OnLine(pairs_[last - std::min(last, kRatePairs)], pairs_[last], pairs_[last], ticks);
  }
  if (ticks < pairs_[segment_].ticks || ticks >= pairs_[segment_ + 1].ticks) {
    const auto after = std::upper_bound(
        pairs_.begin(), pairs_.end(), ticks,
        [](std::uint64_t value, const ClockPair& pair) { return value < pair.ticks; });
    segment_ = static_cast<std::size_t>(after - pairs_.begin()) - 1;
  }
  return OnLine(pairs_[segment_], pairs_[segment_ + 1], pairs_[segment_], ticks);
}

std::int64_t Timeline::realtime_offset_ns() const {
  return pairs_.empty() ? 0 : OffsetOf(pairs_[std::min<std::size_t>(1, pairs_.size() - 1)]);
}

std::int64_t Timeline::realtime_step_ns() const {
  if (pairs_.empty()) return 0;
  return Saturate(Wide{OffsetOf(pairs_.back())} - Wide{realtime_offset_ns()});
}

}  // namespace xsp::wire
