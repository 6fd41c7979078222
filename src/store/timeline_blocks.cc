#include "store/timeline_blocks.h"

#include <algorithm>
#include <array>
#include <bit>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace xsp::store {
namespace {

constexpr int kExponents = 32;  // 4^31 is the widest bucket of 64 bits.
constexpr std::size_t kSpansOfABlock = 16;

std::int64_t BucketWidth(int exponent) { return std::int64_t{1} << (2 * exponent); }

/// The widest bucket, as a power of 4, that is no wider than `value`; -1: none.
int ExponentOf(std::uint64_t value) {
  return value == 0 ? -1 : (static_cast<int>(std::bit_width(value)) - 1) / 2;
}

TimelineBlock BlockOf(const trace::SpanTable& spans, const TimelineLanes& lanes,
                      std::uint32_t row) {
  const std::int64_t end = EndOf(spans, row), duration = end - spans.start_ns[row];
  return {.start_ns = spans.start_ns[row],
          .end_ns = end,
          .busy_ns = duration,
          .longest_ns = duration,
          .longest = std::int64_t{row} + 1,
          .track = spans.track[row],
          .spans = 1,
          .lane = lanes.lane[row]};
}

/// How many blocks each power of 4 as a bucket makes. A span begins a block of its own up to a
/// certain width: its duration, that of the span before it, or the last width at which the two
/// start in different buckets. So one pass over the spans counts for all widths.
class BlockCounts {
 public:
  void Add(std::int64_t from_origin_ns, std::int64_t duration_ns, std::uint8_t lane) {
    Last& last = lanes_[lane];
    int begins_up_to = kExponents - 1;
    if (last.exists) {
      const auto differ = static_cast<std::uint64_t>(from_origin_ns ^ last.from_origin_ns);
      begins_up_to = std::max({ExponentOf(differ), ExponentOf(Bits(duration_ns)), last.exponent});
    }
    ++begins_.at(static_cast<std::size_t>(begins_up_to + 1));
    last = {true, from_origin_ns, ExponentOf(Bits(duration_ns))};
  }

  void CloseLanes() { lanes_ = {}; }

  /// The narrowest bucket with at most `most` blocks, as a power of 4.
  int Narrowest(std::size_t most) const {
    std::size_t blocks = 0;
    int exponent = kExponents - 1;
    for (; exponent > 0; --exponent) {
      blocks += begins_.at(static_cast<std::size_t>(exponent + 1));
      if (blocks + begins_.at(static_cast<std::size_t>(exponent)) > most) break;
    }
    return exponent;
  }

 private:
  struct Last {
    bool exists = false;
    std::int64_t from_origin_ns = 0;
    int exponent = -1;  ///< Of its duration.
  };
  static std::uint64_t Bits(std::int64_t value) { return static_cast<std::uint64_t>(value); }

  std::array<Last, kMaxLanes> lanes_ = {};
  /// Spans that begin a block up to this exponent less 1.
  std::array<std::size_t, kExponents + 1> begins_ = {};
};

/// Calls `visit` for every row in order, and `close` after each track.
template <typename Visit, typename Close>
void EachTrack(const TimelineLanes& lanes, Visit visit, Close close) {
  for (std::size_t track = 0; track + 1 < lanes.first_of_track.size(); ++track) {
    for (std::size_t i = lanes.first_of_track[track]; i < lanes.first_of_track[track + 1]; ++i)
      visit(lanes.order[i]);
    close();
  }
}

/// The level that is four times as wide.
TimelineLevel WiderLevel(std::int64_t origin_ns, const TimelineLevel& level) {
  TimelineLevel wider{4 * level.bucket_ns, {}};
  BlockMerger merger(origin_ns, wider.bucket_ns);
  std::unordered_map<std::int64_t, std::size_t> lanes;
  for (const TimelineBlock& block : level.blocks) {
    const auto lane = lanes.try_emplace(block.track * kMaxLanes + block.lane, lanes.size()).first;
    merger.Add(lane->second, block);
  }
  wider.blocks = merger.Finish();
  return wider;
}

}  // namespace

void BlockMerger::Add(std::size_t lane, const TimelineBlock& block) {
  if (lane >= open_.size()) open_.resize(lane + 1);
  TimelineBlock& open = open_[lane];
  const bool merges =
      open.spans > 0 && !IsLong(open) && !IsLong(block) && BucketOf(open) == BucketOf(block);
  if (!merges) {
    if (open.spans > 0) done_.push_back(open);
    open = block;
    return;
  }
  open.end_ns = std::max(open.end_ns, block.end_ns);
  open.busy_ns += block.busy_ns;
  open.spans += block.spans;
  if (block.longest_ns > open.longest_ns) {
    open.longest_ns = block.longest_ns;
    open.longest = block.longest;
    open.label = block.label;
  }
}

void BlockMerger::CloseLanes() {
  for (const TimelineBlock& open : open_)
    if (open.spans > 0) done_.push_back(open);
  open_.clear();
}

std::vector<TimelineBlock> BlockMerger::Finish() {
  CloseLanes();
  std::sort(done_.begin(), done_.end(), [](const TimelineBlock& a, const TimelineBlock& b) {
    return std::tie(a.start_ns, a.track, a.lane, a.longest) <
           std::tie(b.start_ns, b.track, b.lane, b.longest);
  });
  return std::move(done_);
}

std::int64_t TimelineOrigin(const trace::SpanTable& spans) {
  return spans.size() == 0 ? 0 : *std::min_element(spans.start_ns.begin(), spans.start_ns.end());
}

std::vector<TimelineLevel> TimelineLevels(const trace::SpanTable& spans,
                                          const TimelineLanes& lanes) {
  if (spans.size() == 0) return {};
  const std::int64_t origin_ns = TimelineOrigin(spans);
  std::int64_t end_ns = origin_ns;
  BlockCounts counts;
  EachTrack(
      lanes,
      [&](std::uint32_t row) {
        const std::int64_t end = EndOf(spans, row);
        end_ns = std::max(end_ns, end);
        counts.Add(spans.start_ns[row] - origin_ns, end - spans.start_ns[row], lanes.lane[row]);
      },
      [&] { counts.CloseLanes(); });
  const int widest =
      std::min(kExponents - 1, ExponentOf(static_cast<std::uint64_t>(end_ns - origin_ns)) + 1);
  const int finest = std::min(widest, counts.Narrowest(spans.size() / kSpansOfABlock));
  std::vector<TimelineLevel> levels{{BucketWidth(finest), {}}};
  BlockMerger merger(origin_ns, levels.back().bucket_ns);
  EachTrack(
      lanes, [&](std::uint32_t row) { merger.Add(lanes.lane[row], BlockOf(spans, lanes, row)); },
      [&] { merger.CloseLanes(); });
  levels.back().blocks = merger.Finish();
  for (int exponent = finest; exponent < widest; ++exponent)
    levels.push_back(WiderLevel(origin_ns, levels.back()));
  std::reverse(levels.begin(), levels.end());
  return levels;
}

}  // namespace xsp::store
