#include "capture/collect/load/load.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "capture/collect/fixture_tree.h"

namespace xsp::collect::load {
namespace {

using testing::IsEmpty;

constexpr std::int64_t kMs = 1'000'000;

Snapshot At(std::int64_t time_ms, std::int64_t busy_ms,
            std::map<std::int64_t, std::int64_t> cpu_ms) {
  Snapshot snapshot;
  snapshot.machine.time_ns = time_ms * kMs;
  snapshot.machine.busy_ns = busy_ms * kMs;
  snapshot.machine.cpus = 2;
  snapshot.machine.runnable = 3;
  for (auto& [pid, ms] : cpu_ms) snapshot.cpu_ns[pid] = ms * kMs;
  return snapshot;
}

TEST(LoadCollectorTest, CountsHeavyProcessesButNotItself) {
  const FixtureTree tree({{"proc/loadavg", "1.50 0.70 0.30 2/99 1234\n"},
                          {"proc/pressure/cpu", "some avg10=12.5 avg60=1 avg300=0 total=5\n"}});
  // In 100 ms on 2 CPUs: itself 50 ms, process 7 all, 8 a little, 9 is new and heavy.
  const auto facts = Describe(MachineFiles(tree.root()), At(0, 1000, {{1, 10}, {7, 500}, {8, 10}}),
                              At(100, 1180, {{1, 60}, {7, 600}, {8, 15}, {9, 30}}), 1);
  EXPECT_EQ(ValueOf(facts, "load.average"), "1.50 0.70 0.30");
  EXPECT_EQ(ValueOf(facts, "load.heavy_processes"), "2");
  EXPECT_EQ(ValueOf(facts, "load.other_processes_percent"), "65.0");
  EXPECT_EQ(ValueOf(facts, "load.runnable"), "3");
  EXPECT_EQ(ValueOf(facts, "load.steal_percent"), "0.0");
  EXPECT_EQ(ValueOf(facts, "load.pressure.cpu_percent"), "12.5");
  EXPECT_THAT(FactOf(facts, "load.pressure.io_percent").why, testing::HasSubstr("pressure stall"));
  EXPECT_THAT(BadFacts(facts, "load"), IsEmpty());
}

TEST(LoadCollectorTest, TakesTheCpuTimeOfEveryProcess) {
  const FixtureTree tree({{"proc/stat", "cpu 1 1 1 1 1 1 1 1\ncpu0 1 1 1 1 1 1 1 1\n"},
                          {"proc/5/stat", "5 (a) S 1 1 1 0 -1 0 1 2 3 4 100 0 0 0\n"},
                          {"proc/6/stat", "damaged\n"},
                          {"proc/self/stat", "no process id\n"}});
  const Snapshot snapshot = Take(MachineFiles(tree.root()));
  ASSERT_EQ(snapshot.cpu_ns.size(), 2U);
  EXPECT_GT(snapshot.cpu_ns.at(5), 0);
  EXPECT_EQ(snapshot.cpu_ns.at(6), 0);
}

TEST(LoadCollectorTest, SaysWhyWhereNothingIsVisible) {
  const FixtureTree tree({});
  const MachineFiles files(tree.root());
  const auto facts = Describe(files, Take(files), Take(files), 1);
  EXPECT_EQ(FactOf(facts, "load.heavy_processes").why, "/proc/stat is not readable");
  EXPECT_THAT(BadFacts(facts, "load"), IsEmpty());
}

TEST(LoadCollectorTest, WorksOnThisMachine) {
  EXPECT_THAT(BadFacts(kSpec.collect(), "load"), IsEmpty());
}

}  // namespace
}  // namespace xsp::collect::load
