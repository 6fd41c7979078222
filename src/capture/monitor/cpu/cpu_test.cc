#include <gmock/gmock.h>

#include "capture/monitor/sampler_testing.h"

namespace xsp::monitor::cpu {

extern const SamplerSpec kSpec;

namespace {

using collect::FixtureTree;
using testing::ElementsAre;
using testing::IsEmpty;

// user nice system idle iowait irq softirq steal guest guest_nice
constexpr const char* kBefore =
    "cpu  1000 10 200 3000 50 5 5 30 400 0\n"
    "cpu0 500 5 100 1500 25 3 2 15 200 0\n"
    "cpu1 500 5 100 1500 25 2 3 15 200 0\n"
    "intr 12345 0 0\nctxt 99\n";

TEST(CpuSamplerTest, SharesAreOfTheTimeBetweenTwoSamples) {
  FixtureTree tree({{"proc/stat", kBefore}});
  ReadSampler sampler(kSpec, tree);
  EXPECT_THAT(sampler.Channels(),
              ElementsAre("cpu.busy_share [1]", "cpu.steal_share [1]", "cpu.busy_share cpu 0 [1]",
                          "cpu.busy_share cpu 1 [1]"));
  EXPECT_THAT(sampler.Hidden(), IsEmpty());
  sampler.Read();
  EXPECT_TRUE(sampler.IsUnknown("cpu.busy_share")) << "nothing to tell it from";

  // Of all: 4 user, 1 nice, 2 system, 1 irq, 1 softirq = 9 busy; 8 idle and 1 iowait; 2 stolen.
  // Guest time grows too, but is in user already.
  tree.Write("proc/stat",
             "cpu  1004 11 202 3008 51 6 6 32 404 0\n"
             "cpu0 504 6 102 1500 25 4 3 16 204 0\n"
             "cpu1 500 5 100 1508 26 2 3 16 200 0\n"
             "intr 12399 0 0\n");
  sampler.Read();
  EXPECT_DOUBLE_EQ(sampler.Value("cpu.busy_share"), 9.0 / 20);
  EXPECT_DOUBLE_EQ(sampler.Value("cpu.steal_share"), 2.0 / 20);
  EXPECT_DOUBLE_EQ(sampler.Value("cpu.busy_share", "cpu 0"), 9.0 / 10);
  EXPECT_DOUBLE_EQ(sampler.Value("cpu.busy_share", "cpu 1"), 0);
}

TEST(CpuSamplerTest, ACoreThatGoesOfflineHasNoValueUntilItIsBackForTwoSamples) {
  FixtureTree tree({{"proc/stat", kBefore}});
  ReadSampler sampler(kSpec, tree);
  sampler.Read();
  tree.Write("proc/stat",
             "cpu  1010 10 200 3010 50 5 5 30 400 0\ncpu0 510 5 100 1510 25 3 2 15 0 0\n");
  sampler.Read();
  EXPECT_DOUBLE_EQ(sampler.Value("cpu.busy_share", "cpu 0"), 0.5);
  EXPECT_TRUE(sampler.IsUnknown("cpu.busy_share", "cpu 1"));
  tree.Write("proc/stat", kBefore);
  sampler.Read();
  EXPECT_TRUE(sampler.IsUnknown("cpu.busy_share", "cpu 1"));
  tree.Write("proc/stat", "cpu1 501 5 100 1503 25 2 3 15 200 0\n");
  sampler.Read();
  EXPECT_DOUBLE_EQ(sampler.Value("cpu.busy_share", "cpu 1"), 0.25);
  EXPECT_TRUE(sampler.IsUnknown("cpu.busy_share"));
}

TEST(CpuSamplerTest, TimeThatDidNotPassIsNoShareAndFallingIowaitIsNoTime) {
  FixtureTree tree({{"proc/stat", "cpu  10 0 0 10 5 0 0 0 0 0\n"}});
  ReadSampler sampler(kSpec, tree);
  sampler.Read();
  sampler.Read();
  EXPECT_TRUE(sampler.IsUnknown("cpu.busy_share"));
  tree.Write("proc/stat", "cpu  13 0 0 11 4 0 0 0 0 0\n");
  sampler.Read();
  EXPECT_DOUBLE_EQ(sampler.Value("cpu.busy_share"), 3.0 / 3);  // 10 + 5 became 11 + 4.
}

TEST(CpuSamplerTest, WhatIsNotThereIsHiddenAndWhatVanishesIsUnknown) {
  ReadSampler none(kSpec, FixtureTree({}));
  EXPECT_THAT(none.Channels(), IsEmpty());
  EXPECT_THAT(none.Hidden(), ElementsAre("cpu.busy_share: /proc/stat: No such file or directory"));
  none.Read();

  FixtureTree tree({{"proc/stat", kBefore}});
  ReadSampler sampler(kSpec, tree);
  sampler.Read();
  tree.Write("proc/stat", "");
  sampler.Read();
  EXPECT_TRUE(sampler.IsUnknown("cpu.busy_share"));
}

}  // namespace
}  // namespace xsp::monitor::cpu
