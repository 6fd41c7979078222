#include "measure/protocols/conditions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <nlohmann/json.hpp>
#include <thread>

namespace xsp::protocols {
namespace {

using testing::HasSubstr;

/// Seconds of wall, busy and own CPU time on a machine of two CPUs.
MachineCounters At(double time_s, double busy_s, double own_s) {
  const auto ns = [](double seconds) { return static_cast<std::int64_t>(seconds * 1e9); };
  MachineCounters counters;
  counters.load.time_ns = ns(time_s);
  counters.load.busy_ns = ns(busy_s);
  counters.load.idle_ns = ns(2 * time_s - busy_s);
  counters.load.cpus = 2;
  counters.own_cpu_ns = ns(own_s);
  return counters;
}

TEST(InterferenceTest, IsWhatOthersTook) {
  const Interference result = Between(At(100, 50, 10), At(110, 68, 18));
  EXPECT_NEAR(result.other_share.value(), 0.5, 0.01);  // 18 s busy, 8 s ours, of 20 s.
  EXPECT_TRUE(result.busy());
  EXPECT_THAT(result.Sentence(), HasSubstr("The machine was busy"));
}

TEST(InterferenceTest, OwnWorkIsNone) {
  const Interference result = Between(At(0, 0, 0), At(10, 19, 19.5));
  EXPECT_DOUBLE_EQ(result.other_share.value(), 0);
  EXPECT_FALSE(result.busy());
  EXPECT_THAT(result.Sentence(), HasSubstr("used 0 %"));
}

TEST(InterferenceTest, CountsThrottling) {
  MachineCounters before = At(0, 0, 0), after = At(10, 10, 10);
  before.cgroup_throttled = 3;
  after.cgroup_throttled = 7;
  EXPECT_TRUE(Between(before, after).busy());
  EXPECT_THAT(Between(before, after).Sentence(), HasSubstr("ran out 4 times"));
  after.cgroup_throttled = 3;
  before.thermal_throttled = 0;
  after.thermal_throttled = 2;
  EXPECT_THAT(Between(before, after).Sentence(), HasSubstr("throttled 2 times"));
}

TEST(InterferenceTest, AdmitsWhatItCannotSee) {
  MachineCounters hidden, later;
  later.load.time_ns = 10'000'000'000;
  EXPECT_THAT(Between(hidden, later).Sentence(), HasSubstr("is unknown whether other programs"));
  // Ticks of 10 ms say nothing about a tenth of a second.
  EXPECT_FALSE(Between(At(0, 0, 0), At(0.1, 0.1, 0)).other_share.has_value());
}

TEST(CpuAllowanceTest, AQuotaBoundsTheCores) {
  CpuAllowance allowance;
  allowance.cpus = {0, 1, 2, 3};
  EXPECT_EQ(allowance.cores(), 4);
  allowance.quota_cores = 1.5;
  EXPECT_EQ(allowance.cores(), 2);
  allowance.quota_cores = 16;
  EXPECT_EQ(allowance.cores(), 4);
}

TEST(MachineCountersTest, SeeThisMachine) {
  const CpuAllowance allowance = ReadCpuAllowance();
  EXPECT_FALSE(allowance.cpus.empty());
  const MachineCounters before = ReadMachineCounters();
  volatile double sink = 0;
  const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(60);
  while (std::chrono::steady_clock::now() < end) sink = sink + 1;
  const MachineCounters after = ReadMachineCounters();
  EXPECT_GT(after.own_cpu_ns, before.own_cpu_ns);
  EXPECT_GT(after.load.cpus, 0);
  const nlohmann::json json = ToJson(allowance, Between(before, after));
  EXPECT_FALSE(json["affinity"].get<std::string>().empty());
}

}  // namespace
}  // namespace xsp::protocols
