#include "capture/collect/frequency/frequency.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "capture/collect/fixture_tree.h"

namespace xsp::collect::frequency {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

TEST(FrequencyCollectorTest, ReadsAllCpusOfAServer) {
  const FixtureTree tree(
      {{"proc/cpuinfo", "flags : fpu sse2\n"},
       {"sys/devices/system/cpu/cpu0/cpufreq/scaling_driver", "intel_pstate\n"},
       {"sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "performance\n"},
       {"sys/devices/system/cpu/cpu0/cpufreq/scaling_min_freq", "800000\n"},
       {"sys/devices/system/cpu/cpu0/cpufreq/scaling_max_freq", "3900000\n"},
       {"sys/devices/system/cpu/cpu0/cpufreq/scaling_cur_freq", "3600000\n"},
       {"sys/devices/system/cpu/cpu0/thermal_throttle/core_throttle_count", "4\n"},
       {"sys/devices/system/cpu/cpu1/cpufreq/scaling_driver", "intel_pstate\n"},
       {"sys/devices/system/cpu/cpu1/cpufreq/scaling_governor", "powersave\n"},
       {"sys/devices/system/cpu/cpu1/cpufreq/scaling_cur_freq", "800000\n"},
       {"sys/devices/system/cpu/cpu1/thermal_throttle/core_throttle_count", "2\n"},
       {"sys/devices/system/cpu/cpufreq/policy0/x", "not a CPU\n"},
       {"sys/devices/system/cpu/intel_pstate/no_turbo", "0\n"}});
  const auto facts = Collect(MachineFiles(tree.root()));
  EXPECT_EQ(ValueOf(facts, "frequency.driver"), "intel_pstate");
  EXPECT_EQ(ValueOf(facts, "frequency.governor"), "performance, powersave");
  EXPECT_EQ(ValueOf(facts, "frequency.minimum_mhz"), "800");
  EXPECT_EQ(ValueOf(facts, "frequency.maximum_mhz"), "3900");
  EXPECT_EQ(ValueOf(facts, "frequency.current_mhz"), "800 to 3600");
  EXPECT_EQ(ValueOf(facts, "frequency.turbo"), "on");
  EXPECT_EQ(ValueOf(facts, "frequency.throttled_by_heat"), "6");
}

TEST(FrequencyCollectorTest, ReadsTheBoostSwitchOfOtherDrivers) {
  const FixtureTree tree({{"sys/devices/system/cpu/cpufreq/boost", "0\n"}});
  EXPECT_EQ(ValueOf(Collect(MachineFiles(tree.root())), "frequency.turbo"), "off");
}

TEST(FrequencyCollectorTest, SaysThatAVirtualMachineHidesTheClock) {
  const FixtureTree tree({{"proc/cpuinfo", "cpu MHz : 2300.0\nflags : fpu hypervisor sse2\n"},
                          {"sys/devices/system/cpu/cpu0/online", "1"}});
  const auto facts = Collect(MachineFiles(tree.root()));
  EXPECT_THAT(FactOf(facts, "frequency.governor").why, HasSubstr("no cpufreq in this virtual"));
  EXPECT_EQ(ValueOf(facts, "frequency.current_mhz"), "");
  EXPECT_THAT(FactOf(facts, "frequency.throttled_by_heat").why, HasSubstr("virtual machine"));
  EXPECT_THAT(BadFacts(facts, "frequency"), IsEmpty());
}

TEST(FrequencyCollectorTest, TakesTheClockOfCpuinfoOnBareMetal) {
  const FixtureTree tree({{"proc/cpuinfo", "cpu MHz : 2300.5\nflags : fpu sse2\n"}});
  const auto facts = Collect(MachineFiles(tree.root()));
  EXPECT_EQ(ValueOf(facts, "frequency.current_mhz"), "2300.5");
  EXPECT_THAT(FactOf(facts, "frequency.driver").why, HasSubstr("firmware"));
}

TEST(FrequencyCollectorTest, WorksOnThisMachine) {
  EXPECT_THAT(BadFacts(kSpec.collect(), "frequency"), IsEmpty());
}

}  // namespace
}  // namespace xsp::collect::frequency
