#include "derive/timeline/occupancy/occupancy.h"

#include <gtest/gtest.h>

#include <string_view>

#include "derive/timeline/timeline_testing.h"

namespace xsp::timeline::occupancy {
namespace {

class OccupancyTest : public testing::Test {
 protected:
  OccupancyTest() : stream_(recording_.Stream(0, 7)) {
    recording_.writer().SetFact("cuda.device.0.multiprocessors", "132");
    recording_.writer().SetFact("cuda.device.0.compute_capability", "9.0");
  }

  void Add(std::string_view name, std::int64_t duration_ns, const trace::LaunchShape& shape) {
    const auto kernel = recording_.Kernel(stream_, now_ns_, duration_ns, name);
    recording_.writer().AddLaunchShape(kernel, shape);
    now_ns_ += duration_ns;
  }

  std::vector<store::OccupancyRow> Rows() { return OccupancyOf(Timeline(recording_.trace())); }

  Recording recording_;
  trace::TrackId stream_;
  std::int64_t now_ns_ = 0;
};

TEST_F(OccupancyTest, ASmallGridLeavesMultiprocessorsWithoutABlock) {
  Add("gemm", 1000, {.blocks = 33, .threads = 256, .registers = 32});
  Add("gemm", 600, {.blocks = 132, .threads = 256, .registers = 32});
  const auto rows = Rows();
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(rows[0].multiprocessors, 132);
  EXPECT_EQ(rows[0].launches, 2);
  EXPECT_EQ(rows[0].duration_ns, 1600);
  EXPECT_EQ(rows[0].small_launches, 1);
  EXPECT_EQ(rows[0].small_ns, 1000);
  EXPECT_EQ(rows[0].unused_ns, 750);
  EXPECT_EQ(rows[0].tail_ns, 0) << "one wave or less has no tail";
  EXPECT_EQ(rows[0].occupancy, 1) << "eight blocks of 256 threads";
  EXPECT_EQ(rows[0].limiter, "threads");
}

TEST_F(OccupancyTest, TheLastWaveIsATail) {
  // A multiprocessor holds two blocks of these: 1.5 waves, so that a quarter of the places is
  // empty.
  Add("gemm", 1000, {.blocks = 396, .threads = 256, .registers = 128});
  Add("gemm", 1000, {.blocks = 528, .threads = 256, .registers = 128});
  const auto rows = Rows();
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(rows[0].waves, 1.5);
  EXPECT_EQ(rows[0].tail_ns, 250);
  EXPECT_EQ(rows[0].sized_ns, 2000);
  EXPECT_EQ(rows[0].occupancy, 0.25);
  EXPECT_EQ(rows[0].limiter, "registers");
}

TEST_F(OccupancyTest, WithoutRegistersTheWavesAreNotKnown) {
  Add("gemm", 1000, {.blocks = 10, .threads = 256});
  const auto rows = Rows();
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(rows[0].small_ns, 1000);
  EXPECT_EQ(rows[0].sized_ns, 0);
  EXPECT_FALSE(rows[0].waves || rows[0].tail_ns || rows[0].occupancy || rows[0].limiter);
}

TEST_F(OccupancyTest, CommunicationAndUnstatedLaunchesAreLeftOut) {
  Add("ncclDevKernel_AllReduce_Sum_f32_RING_LL", 1000, {.blocks = 16, .threads = 512});
  recording_.Kernel(stream_, now_ns_, 100, "unknown");
  EXPECT_TRUE(Rows().empty());
}

TEST_F(OccupancyTest, KernelsComeLongestFirst) {
  Add("short", 10, {.blocks = 1000, .threads = 64, .registers = 16});
  Add("long", 90, {.blocks = 1000, .threads = 64, .registers = 16});
  const auto rows = Rows();
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0].name, "long");
}

TEST_F(OccupancyTest, TakesTheAttributesOfOurRecordings) {
  const auto kernel = recording_.Kernel(stream_, 0, 1000, "gemm");
  auto& writer = recording_.writer();
  writer.AddAttribute(kernel, "grid", "[11,3,2]");
  writer.AddAttribute(kernel, "block", "[128,1,1]");
  writer.AddAttribute(kernel, "registers", "32");
  writer.AddAttribute(kernel, "static_shared_bytes", "60000");
  writer.AddAttribute(kernel, "dynamic_shared_bytes", "55000");
  const auto other = recording_.Kernel(stream_, 1000, 10, "no_grid");
  writer.AddAttribute(other, "registers", "32");
  const auto rows = Rows();
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(rows[0].small_ns, 1000);
  EXPECT_EQ(rows[0].unused_ns, 500);
  EXPECT_EQ(rows[0].limiter, "shared memory");
}

TEST(OccupancyWithoutDeviceTest, HasNoRows) {
  Recording recording;
  const auto kernel = recording.Kernel(recording.Stream(0, 7), 0, 10);
  recording.writer().AddLaunchShape(kernel, {.blocks = 1, .threads = 1});
  EXPECT_TRUE(OccupancyOf(Timeline(recording.trace())).empty());
}

}  // namespace
}  // namespace xsp::timeline::occupancy
