#ifndef XSP_STORE_TIMELINE_BLOCKS_H_
#define XSP_STORE_TIMELINE_BLOCKS_H_

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "store/timeline_lanes.h"
#include "trace/tables.h"

namespace xsp::store {

/// The table of blocks in a run's folder.
inline constexpr std::string_view kBlockTable = "timeline_block";

/// Spans that follow each other in a lane and are too short to be drawn one by one; or one span.
struct TimelineBlock {
  std::int64_t start_ns = 0;    ///< Of the first span.
  std::int64_t end_ns = 0;      ///< Of the last one.
  std::int64_t busy_ns = 0;     ///< Sum of their durations.
  std::int64_t longest_ns = 0;  ///< Duration of `longest`.
  std::int64_t longest = 0;     ///< Id of the longest span, the first of several.
  std::int64_t track = 0;
  std::int64_t spans = 0;   ///< How many; 0: no block.
  std::uint32_t label = 0;  ///< What the caller calls `longest` by.
  std::uint8_t lane = 0;
};

/// Merges the blocks of lanes as they pass by, into blocks of one width of bucket. A block of one
/// span that is as long as a bucket stays alone. Others are merged with those that follow directly
/// in their lane and start in the same bucket, counted from `origin_ns`. Blocks of a narrower
/// bucket that divides this one merge into the same blocks as their spans.
class BlockMerger {
 public:
  /// `bucket_ns` > 0.
  BlockMerger(std::int64_t origin_ns, std::int64_t bucket_ns)
      : origin_ns_(origin_ns), bucket_ns_(bucket_ns) {}

  /// The next block of the lane that the caller numbers `lane`, by ascending start within the lane.
  void Add(std::size_t lane, const TimelineBlock& block);

  /// Ends all open blocks, and returns all by start, track, lane.
  std::vector<TimelineBlock> Finish();

  /// Ends the blocks that are open: what follows lies in other lanes, numbered anew.
  void CloseLanes();

 private:
  bool IsLong(const TimelineBlock& block) const {
    return block.spans == 1 && block.end_ns - block.start_ns >= bucket_ns_;
  }
  std::int64_t BucketOf(const TimelineBlock& block) const {
    return (block.start_ns - origin_ns_) / bucket_ns_;
  }

  std::int64_t origin_ns_, bucket_ns_;
  std::vector<TimelineBlock> open_;  ///< By lane.
  std::vector<TimelineBlock> done_;
};

/// All blocks of one width of bucket, by start, track, lane.
struct TimelineLevel {
  std::int64_t bucket_ns;  ///< A power of 4.
  std::vector<TimelineBlock> blocks;
};

/// The first start of all spans, ns: where buckets count from; 0 without spans.
std::int64_t TimelineOrigin(const trace::SpanTable& spans);

/// The levels of detail of a trace, the coarsest first, each four times as wide as the next. The
/// finest has at most a sixteenth as many blocks as there are spans; what is finer is drawn from
/// the spans. Of the coarsest, one bucket holds the whole run. No spans: no levels. O(n).
std::vector<TimelineLevel> TimelineLevels(const trace::SpanTable& spans,
                                          const TimelineLanes& lanes);

}  // namespace xsp::store

#endif  // XSP_STORE_TIMELINE_BLOCKS_H_
