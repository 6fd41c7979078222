#include "store/timeline_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "store/experiment_writer.h"
#include "store/store_testing.h"

namespace xsp::store {
namespace {

using testing::HasSubstr;

/// Operators with calls inside on a thread, kernels on two streams, one range over all of them.
trace::Trace BusyTrace(std::uint32_t seed, int operators) {
  std::mt19937 random(seed);
  const auto below = [&](std::uint32_t n) { return static_cast<std::int64_t>(random() % n); };
  trace::Trace trace;
  trace::TraceWriter writer(trace);
  for (int i = 0; i < 3; ++i) writer.AddTrack({trace::TrackKind::kThread, "t", 1, i});
  std::int64_t now = 1'000'000'007;
  writer.AddSpan({trace::Level::kApplication, "range", "all", 1, now, 4'000LL * operators});
  for (int i = 0; i < operators; ++i) {
    now += below(3000);
    const std::int64_t duration = below(below(40) == 0 ? 200'000 : 3000);
    writer.AddSpan({trace::Level::kLayer, "op", "op" + std::to_string(i % 7), 1, now, duration});
    writer.AddSpan({trace::Level::kLibrary, "call", "launch", 1, now + duration / 4, duration / 2});
    writer.AddSpan({trace::Level::kKernel, "kernel", "kernel" + std::to_string(i % 5),
                    static_cast<trace::TrackId>(2 + below(2)), now + below(9000), below(9000)});
    now += duration;
  }
  return trace;
}

class TimelineReaderTest : public testing::Test {
 protected:
  std::filesystem::path Store(const trace::Trace& trace) const {
    auto writer = ExperimentWriter::Create(folder_.path(), "e");
    EXPECT_TRUE(writer.ok());
    EXPECT_TRUE(writer.value().AddRun("run", trace, "{}").ok());
    const auto path = writer.value().Commit("{}");
    EXPECT_TRUE(path.ok());
    return path.value() / "run";
  }

  static TimelineReader Opened(const std::filesystem::path& run) {
    auto reader = TimelineReader::Open(run);
    EXPECT_TRUE(reader.ok()) << reader.error().what;
    return std::move(reader).value();
  }

  static TimelineTile TileOf(const TimelineReader& reader, std::int64_t from, std::int64_t to,
                             std::int64_t bucket) {
    auto tile = reader.Tile(from, to, bucket);
    EXPECT_TRUE(tile.ok()) << tile.error().what;
    return std::move(tile).value();
  }

  TestFolder folder_;
};

/// All blocks of one width, merged from the spans themselves.
std::vector<TimelineBlock> BlocksOf(const trace::Trace& trace, std::int64_t bucket) {
  const TimelineLanes lanes = LayOutLanes(trace.spans);
  BlockMerger merger(TimelineOrigin(trace.spans), bucket);
  for (const std::uint32_t row : lanes.order) {
    const std::int64_t start = trace.spans.start_ns[row], end = EndOf(trace.spans, row);
    const std::size_t lane = trace.spans.track[row] * std::size_t{kMaxLanes} + lanes.lane[row];
    merger.Add(lane, {.start_ns = start,
                      .end_ns = end,
                      .busy_ns = end - start,
                      .longest_ns = end - start,
                      .longest = row + 1,
                      .track = trace.spans.track[row],
                      .spans = 1,
                      .lane = lanes.lane[row]});
  }
  return merger.Finish();
}

using Key = std::tuple<std::int64_t, std::int64_t, std::int64_t, std::int64_t, std::int64_t,
                       std::int64_t, std::uint8_t>;
Key KeyOf(const TimelineBlock& block) {
  return {block.start_ns, block.end_ns, block.busy_ns, block.spans,
          block.longest,  block.track,  block.lane};
}

bool IsLong(const TimelineBlock& block, std::int64_t bucket) {
  return block.spans == 1 && block.end_ns - block.start_ns >= bucket;
}

/// That `tile` of [from, to), whose ends are multiples of the bucket from the origin, has what
/// starts in it as `all` has it, and what is long and reaches into it.
void ExpectTile(const trace::Trace& trace, const TimelineTile& tile,
                const std::vector<TimelineBlock>& all, std::int64_t from, std::int64_t to) {
  std::vector<Key> found, wanted;
  for (const TimelineBlock& block : tile.blocks) {
    if (block.start_ns >= from || IsLong(block, tile.bucket_ns)) found.push_back(KeyOf(block));
    ASSERT_GE(block.end_ns, from);
    const auto row = static_cast<std::size_t>(block.longest - 1);
    EXPECT_EQ(tile.labels.at(block.label).name, trace.Text(trace.spans.name[row]));
    EXPECT_EQ(tile.labels.at(block.label).level, trace::ToString(trace.spans.level[row]));
  }
  for (const TimelineBlock& block : all) {
    const bool reaches_in = IsLong(block, tile.bucket_ns) && block.end_ns >= from;
    if (block.start_ns < to && (block.start_ns >= from || reaches_in))
      wanted.push_back(KeyOf(block));
  }
  std::sort(found.begin(), found.end());
  std::sort(wanted.begin(), wanted.end());
  EXPECT_EQ(found, wanted);
}

TEST_F(TimelineReaderTest, TilesAtEveryWidthHoldWhatTheSpansOfTheirTimeSay) {
  const trace::Trace trace = BusyTrace(1, 20'000);
  const std::filesystem::path run = Store(trace);
  const TimelineReader reader = Opened(run);
  EXPECT_EQ(reader.origin_ns(), 1'000'000'007);
  std::mt19937 random(2);
  for (std::int64_t bucket = 1; bucket <= reader.end_ns() - reader.origin_ns(); bucket *= 2) {
    SCOPED_TRACE(bucket);
    const std::vector<TimelineBlock> all = BlocksOf(trace, bucket);
    for (int i = 0; i < 3; ++i) {
      const std::int64_t buckets = (reader.end_ns() - reader.origin_ns()) / bucket + 1;
      const std::int64_t from =
          reader.origin_ns() +
          bucket * static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(buckets));
      const std::int64_t to = from + 512 * bucket;
      const TimelineTile tile = TileOf(reader, from, to, bucket);
      EXPECT_EQ(tile.bucket_ns, bucket);
      ExpectTile(trace, tile, all, from, to);
    }
  }
}

TEST_F(TimelineReaderTest, ReadsARunWithoutLevelsOfDetailTheSameWay) {
  const trace::Trace trace = BusyTrace(3, 2000);
  const std::filesystem::path run = Store(trace);
  std::filesystem::remove(run / "timeline_block.parquet");
  const TimelineReader reader = Opened(run);
  for (const std::int64_t bucket : {1, 1024, 65536}) {
    SCOPED_TRACE(bucket);
    const std::int64_t from = reader.origin_ns() + 4 * bucket, to = from + 512 * bucket;
    ExpectTile(trace, TileOf(reader, from, to, bucket), BlocksOf(trace, bucket), from, to);
  }
}

TEST_F(TimelineReaderTest, SumsTheLanesOfAllTracks) {
  const trace::Trace trace = BusyTrace(4, 3000);
  const TimelineReader reader = Opened(Store(trace));
  std::int64_t spans = 0, busy = 0, busy_of_spans = 0;
  for (const LaneTotal& lane : reader.lanes()) spans += lane.spans, busy += lane.busy_ns;
  for (std::size_t row = 0; row < trace.spans.size(); ++row)
    busy_of_spans += EndOf(trace.spans, row) - trace.spans.start_ns[row];
  EXPECT_EQ(spans, 9001);
  EXPECT_EQ(busy, busy_of_spans);
}

TEST_F(TimelineReaderTest, WidensTheBucketUntilATileHasItsBound) {
  trace::Trace trace;
  trace::TraceWriter writer(trace);
  writer.AddTrack({trace::TrackKind::kThread, "t", 1, 1});
  for (int i = 0; i < 100'000; ++i) writer.AddSpan({trace::Level::kLayer, "a", "a", 1, 10 * i, 5});
  const TimelineReader reader = Opened(Store(trace));
  const TimelineTile tile = TileOf(reader, 0, 1'000'000, 1);
  EXPECT_LE(tile.blocks.size(), TimelineReader::kMaxBlocks);
  EXPECT_GT(tile.blocks.size(), TimelineReader::kMaxBlocks / 4);
  EXPECT_EQ(tile.omitted, 0);
  std::int64_t spans = 0;
  for (const TimelineBlock& block : tile.blocks) spans += block.spans;
  EXPECT_EQ(spans, 100'000);
}

TEST_F(TimelineReaderTest, ARunWithoutSpansIsEmpty) {
  const TimelineReader reader = Opened(Store(trace::Trace()));
  EXPECT_TRUE(reader.lanes().empty());
  EXPECT_TRUE(TileOf(reader, 0, 1000, 1).blocks.empty());
}

TEST_F(TimelineReaderTest, NamesADamagedFile) {
  const std::filesystem::path run = Store(BusyTrace(5, 100));
  std::ofstream(run / "timeline_block.parquet") << "damaged";
  const auto reader = TimelineReader::Open(run);
  ASSERT_FALSE(reader.ok());
  EXPECT_EQ(reader.error().kind, ErrorKind::kBadInput);
  EXPECT_THAT(reader.error().what, HasSubstr("timeline_block.parquet"));
}

}  // namespace
}  // namespace xsp::store
