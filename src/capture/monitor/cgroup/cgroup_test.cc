#include <gmock/gmock.h>

#include "capture/monitor/sampler_testing.h"

namespace xsp::monitor::cgroup {

extern const SamplerSpec kSpec;

namespace {

using collect::FixtureTree;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(CgroupSamplerTest, VersionTwoUsesTheGroupAndTheLimitsAboveIt) {
  FixtureTree tree({
      {"proc/self/cgroup", "0::/jobs/mine\n"},
      {"sys/fs/cgroup/cgroup.controllers", "cpu memory\n"},
      {"sys/fs/cgroup/jobs/mine/cpu.stat", "usage_usec 1000000\nuser_usec 1\nsystem_usec 2\n"},
      {"sys/fs/cgroup/jobs/mine/cpu.max", "max 100000\n"},
      {"sys/fs/cgroup/jobs/mine/memory.current", "111\n"},
      {"sys/fs/cgroup/jobs/mine/memory.max", "max\n"},
      {"sys/fs/cgroup/jobs/cpu.max", "150000 100000\n"},
      {"sys/fs/cgroup/jobs/cpu.stat",
       "usage_usec 7\nnr_periods 40\nnr_throttled 10\nthrottled_usec 99\n"},
      {"sys/fs/cgroup/jobs/memory.max", "5000\n"},
      {"sys/fs/cgroup/jobs/memory.current", "3000\n"},
  });
  ReadSampler sampler(kSpec, tree);
  EXPECT_THAT(sampler.Hidden(), IsEmpty());
  EXPECT_THAT(
      sampler.Channels(),
      ElementsAre("cgroup.cpu_cores cgroup [1]", "cgroup.throttled_share cgroup [1]",
                  "cgroup.memory_bytes cgroup [byte]", "cgroup.memory_limit_bytes cgroup [byte]"));
  sampler.Read();
  EXPECT_TRUE(sampler.IsUnknown("cgroup.cpu_cores", "cgroup"));
  EXPECT_EQ(sampler.Value("cgroup.memory_bytes", "cgroup"), 3000);
  EXPECT_EQ(sampler.Value("cgroup.memory_limit_bytes", "cgroup"), 5000);
  // 0.15 s of CPU time in a tenth of a second; one of four periods ran out.
  tree.Write("sys/fs/cgroup/jobs/mine/cpu.stat", "usage_usec 1150000\n");
  tree.Write("sys/fs/cgroup/jobs/cpu.stat", "usage_usec 7\nnr_periods 44\nnr_throttled 11\n");
  tree.Write("sys/fs/cgroup/jobs/memory.max", "max\n");
  sampler.Read();
  EXPECT_DOUBLE_EQ(sampler.Value("cgroup.cpu_cores", "cgroup"), 1.5);
  EXPECT_DOUBLE_EQ(sampler.Value("cgroup.throttled_share", "cgroup"), 0.25);
  EXPECT_TRUE(sampler.IsUnknown("cgroup.memory_limit_bytes", "cgroup"));
  // No period passed: of none, no share can have run out.
  sampler.Read();
  EXPECT_TRUE(sampler.IsUnknown("cgroup.throttled_share", "cgroup"));
  EXPECT_DOUBLE_EQ(sampler.Value("cgroup.cpu_cores", "cgroup"), 0);
}

TEST(CgroupSamplerTest, VersionOneCountsInNanoseconds) {
  FixtureTree tree({
      {"proc/self/cgroup", "4:memory:/job\n2:cpuacct:/\n1:cpu:/job\n0::/\n"},
      {"sys/fs/cgroup/cpuacct/cpuacct.usage", "500000000\n"},
      {"sys/fs/cgroup/cpu/job/cpu.cfs_quota_us", "50000\n"},
      {"sys/fs/cgroup/cpu/job/cpu.stat", "nr_periods 10\nnr_throttled 3\nthrottled_time 7\n"},
      {"sys/fs/cgroup/memory/job/memory.usage_in_bytes", "4096\n"},
      {"sys/fs/cgroup/memory/job/memory.limit_in_bytes", "9223372036854771712\n"},
      {"sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n"},
  });
  ReadSampler sampler(kSpec, tree);
  EXPECT_THAT(sampler.Hidden(),
              ElementsAre("cgroup.memory_limit_bytes: no memory limit is set for the control group "
                          "or one above it"));
  sampler.Read();
  tree.Write("sys/fs/cgroup/cpuacct/cpuacct.usage", "525000000\n");
  tree.Write("sys/fs/cgroup/cpu/job/cpu.stat", "nr_periods 12\nnr_throttled 5\n");
  sampler.Read();
  EXPECT_DOUBLE_EQ(sampler.Value("cgroup.cpu_cores", "cgroup"), 0.25);
  EXPECT_DOUBLE_EQ(sampler.Value("cgroup.throttled_share", "cgroup"), 1);
  EXPECT_EQ(sampler.Value("cgroup.memory_bytes", "cgroup"), 4096);
  // The group was removed.
  tree.Write("sys/fs/cgroup/cpuacct/cpuacct.usage", "");
  sampler.Read();
  EXPECT_TRUE(sampler.IsUnknown("cgroup.cpu_cores", "cgroup"));
}

TEST(CgroupSamplerTest, WhatIsNotThereIsHiddenWithTheReason) {
  EXPECT_THAT(ReadSampler(kSpec, FixtureTree({})).Hidden(),
              ElementsAre("cgroup: no control group is visible"));
  FixtureTree bare({{"proc/self/cgroup", "0::/\n"}, {"sys/fs/cgroup/cgroup.controllers", "\n"}});
  EXPECT_THAT(ReadSampler(kSpec, bare).Hidden(),
              ElementsAre("cgroup.cpu_cores: /sys/fs/cgroup/cpu.stat does not say it",
                          HasSubstr("cgroup.throttled_share: no CPU quota"),
                          "cgroup.memory_bytes: /sys/fs/cgroup/memory.current is not there",
                          HasSubstr("cgroup.memory_limit_bytes: no memory limit")));
}

}  // namespace
}  // namespace xsp::monitor::cgroup
