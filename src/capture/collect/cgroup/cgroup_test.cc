#include "capture/collect/cgroup/cgroup.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "capture/collect/fixture_tree.h"

namespace xsp::collect::cgroup {
namespace {

using testing::IsEmpty;

TEST(CgroupCollectorTest, TakesTheTightestLimitUpToTheRootInVersion2) {
  const FixtureTree tree({{"proc/self/cgroup", "0::/a.slice/job\n"},
                          {"sys/fs/cgroup/cgroup.controllers", "cpu memory\n"},
                          {"sys/fs/cgroup/cpuset.cpus.effective", "0-7\n"},
                          {"sys/fs/cgroup/a.slice/cpu.max", "150000 100000\n"},
                          {"sys/fs/cgroup/a.slice/memory.max", "1000000\n"},
                          {"sys/fs/cgroup/a.slice/cpu.stat",
                           "usage_usec 5\nnr_periods 9\nnr_throttled 3\nthrottled_usec 70\n"},
                          {"sys/fs/cgroup/a.slice/job/cpu.max", "max 100000\n"},
                          {"sys/fs/cgroup/a.slice/job/memory.max", "2000000\n"},
                          {"sys/fs/cgroup/a.slice/job/cpuset.cpus.effective", "0-3\n"}});
  const auto facts = Collect(MachineFiles(tree.root()));
  EXPECT_EQ(ValueOf(facts, "cgroup.version"), "2");
  EXPECT_EQ(ValueOf(facts, "cgroup.cpu_quota_cpus"), "1.5");
  EXPECT_EQ(ValueOf(facts, "cgroup.memory_limit_bytes"), "1000000");
  EXPECT_EQ(ValueOf(facts, "cgroup.cpuset"), "0-3");
  EXPECT_EQ(ValueOf(facts, "cgroup.cpu_throttled_periods"), "3");
  EXPECT_EQ(ValueOf(facts, "cgroup.cpu_throttled_ns"), "70000");
  EXPECT_THAT(BadFacts(facts, "cgroup"), IsEmpty());
}

TEST(CgroupCollectorTest, ReadsVersion1InsideAContainerFromTheMount) {
  const FixtureTree tree(
      {{"proc/self/cgroup", "4:memory:/docker/0123\n2:cpu,cpuacct:/docker/0123\n0::/\n"},
       {"sys/fs/cgroup/cpu/cpu.cfs_quota_us", "200000\n"},
       {"sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n"},
       {"sys/fs/cgroup/cpu/cpu.stat", "nr_throttled 2\nthrottled_time 99\n"},
       {"sys/fs/cgroup/memory/memory.limit_in_bytes", "4096000\n"},
       {"sys/fs/cgroup/cpuset/cpuset.cpus", "0-1\n"}});
  const auto facts = Collect(MachineFiles(tree.root()));
  EXPECT_EQ(ValueOf(facts, "cgroup.version"), "1");
  EXPECT_EQ(ValueOf(facts, "cgroup.cpu_quota_cpus"), "2");
  EXPECT_EQ(ValueOf(facts, "cgroup.memory_limit_bytes"), "4096000");
  EXPECT_EQ(ValueOf(facts, "cgroup.cpuset"), "0-1");
  EXPECT_EQ(ValueOf(facts, "cgroup.cpu_throttled_ns"), "99");
}

TEST(CgroupCollectorTest, SaysUnlimitedForTheNumbersThatMeanIt) {
  const FixtureTree one(
      {{"proc/self/cgroup", "1:cpu:/\n2:memory:/x\n"},
       {"sys/fs/cgroup/cpu/cpu.cfs_quota_us", "-1\n"},
       {"sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n"},
       {"sys/fs/cgroup/memory/x/memory.limit_in_bytes", "9223372036854771712\n"}});
  EXPECT_EQ(ValueOf(Collect(MachineFiles(one.root())), "cgroup.cpu_quota_cpus"), "unlimited");
  EXPECT_EQ(ValueOf(Collect(MachineFiles(one.root())), "cgroup.memory_limit_bytes"), "unlimited");
  const FixtureTree two({{"proc/self/cgroup", "0::/\n"},
                         {"sys/fs/cgroup/cgroup.controllers", ""},
                         {"sys/fs/cgroup/cpu.max", "max 100000\n"},
                         {"sys/fs/cgroup/memory.max", "max\n"}});
  EXPECT_EQ(ValueOf(Collect(MachineFiles(two.root())), "cgroup.cpu_quota_cpus"), "unlimited");
  EXPECT_EQ(ValueOf(Collect(MachineFiles(two.root())), "cgroup.memory_limit_bytes"), "unlimited");
}

TEST(CgroupCollectorTest, KeepsNoPath) {
  const FixtureTree tree({{"proc/self/cgroup", "0::/user-1000/secret\n"},
                          {"sys/fs/cgroup/cgroup.controllers", ""},
                          {"sys/fs/cgroup/user-1000/secret/memory.max", "5\n"}});
  for (const Fact& fact : Collect(MachineFiles(tree.root()))) {
    EXPECT_EQ(fact.value.find("secret"), std::string::npos) << fact.key;
  }
}

TEST(CgroupCollectorTest, SaysWhyWhereNothingIsVisible) {
  const FixtureTree tree({});
  const auto facts = Collect(MachineFiles(tree.root()));
  EXPECT_EQ(FactOf(facts, "cgroup.cpu_quota_cpus").why, "no control group is visible");
  EXPECT_THAT(BadFacts(facts, "cgroup"), IsEmpty());
}

TEST(CgroupCollectorTest, StaysBelowItsMountWhateverThePath) {
  const FixtureTree tree({{"proc/self/cgroup", "0::/../../..\n"},
                          {"sys/fs/cgroup/cgroup.controllers", ""},
                          {"memory.max", "5\n"}});
  EXPECT_EQ(ValueOf(Collect(MachineFiles(tree.root())), "cgroup.memory_limit_bytes"), "unlimited");
}

TEST(CgroupCollectorTest, WorksOnThisMachine) {
  EXPECT_THAT(BadFacts(kSpec.collect(), "cgroup"), IsEmpty());
}

}  // namespace
}  // namespace xsp::collect::cgroup
