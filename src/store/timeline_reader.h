#ifndef XSP_STORE_TIMELINE_READER_H_
#define XSP_STORE_TIMELINE_READER_H_

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "core/result.h"
#include "store/timeline_blocks.h"

namespace xsp::store {

/// What a block is called by: level and name of its longest span.
struct TimelineLabel {
  std::string level, name;
};

/// A part of a run's timeline at one level of detail.
struct TimelineTile {
  std::int64_t bucket_ns = 1;         ///< A power of 2: shorter spans are merged.
  std::vector<TimelineBlock> blocks;  ///< By start.
  std::vector<TimelineLabel> labels;  ///< By TimelineBlock::label.
  std::int64_t omitted = 0;           ///< Blocks beyond the bound.
};

/// A lane of a run as a whole. Its `longest` is not known.
using LaneTotal = TimelineBlock;

/// Reads parts of the timeline of one run, each from a few row groups of its files. A run of format
/// version 3 or older has no levels of detail: they are made from all its spans when it is opened.
///
/// Threading: one thread at a time.
class TimelineReader {
 public:
  /// Blocks of one tile.
  static constexpr std::size_t kMaxBlocks = 40'000;
  /// Spans of a run without levels of detail.
  static constexpr std::int64_t kMaxOldSpans = 1'000'000;

  /// The run in `folder`. Errors: kBadInput: a damaged file; more than kMaxOldSpans spans without
  /// levels of detail.
  static Result<TimelineReader> Open(const std::filesystem::path& folder);

  TimelineReader(TimelineReader&&) noexcept;
  TimelineReader& operator=(TimelineReader&&) noexcept;
  ~TimelineReader();

  /// Of each lane that has spans: their number, time, first start and last end. By track, lane.
  const std::vector<LaneTotal>& lanes() const;

  /// First start and last end of all spans on the run's clock, ns; both 0 without spans.
  std::int64_t origin_ns() const;
  std::int64_t end_ns() const;

  /// What lies between `from_ns` and `to_ns` (of the run's clock), where spans that are shorter
  /// than `bucket_ns` need not be told apart: it is rounded down to a power of 2, and widened until
  /// there are at most kMaxBlocks blocks. Blocks at the ends may begin before or end after. Tiles
  /// that begin and end at multiples of the bucket, counted from origin_ns(), hold the same blocks
  /// as a wider one; a block that crosses an end is in both. Errors: kBadInput: a damaged file.
  Result<TimelineTile> Tile(std::int64_t from_ns, std::int64_t to_ns, std::int64_t bucket_ns) const;

 private:
  struct State;
  explicit TimelineReader(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace xsp::store

#endif  // XSP_STORE_TIMELINE_READER_H_
