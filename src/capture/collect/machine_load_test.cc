#include "capture/collect/machine_load.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <ctime>

#include "capture/collect/fixture_tree.h"

namespace xsp::collect {
namespace {

constexpr std::int64_t kSecond = 1'000'000'000;

MachineLoad At(std::int64_t time_ns, std::int64_t busy_ns, std::int64_t steal_ns = 0) {
  MachineLoad load;
  load.time_ns = time_ns;
  load.busy_ns = busy_ns;
  load.steal_ns = steal_ns;
  load.cpus = 2;
  return load;
}

TEST(MachineLoadTest, ReadsTheCountersOfTheWholeMachine) {
  const FixtureTree tree({{"proc/stat",
                           "cpu  100 10 20 500 30 1 2 7 50 0\ncpu0 1 1 1 1 1 1 1 1 1 1\n"
                           "cpu1 1 1 1 1 1 1 1 1 1 1\nintr 5 0 0\nctxt 12345\nprocs_running 3\n"}});
  const MachineLoad load = ReadMachineLoad(tree.root());
  const std::int64_t tick_ns = kSecond / sysconf(_SC_CLK_TCK);
  EXPECT_EQ(load.busy_ns, 133 * tick_ns);
  EXPECT_EQ(load.idle_ns, 530 * tick_ns);
  EXPECT_EQ(load.steal_ns, 7 * tick_ns);
  EXPECT_EQ(load.context_switches, 12345);
  EXPECT_EQ(load.runnable, 3);
  EXPECT_EQ(load.cpus, 2);
}

TEST(MachineLoadTest, TellsNothingWithoutCounters) {
  const FixtureTree tree({});
  const MachineLoad load = ReadMachineLoad(tree.root());
  EXPECT_EQ(load.cpus, 0);
  EXPECT_EQ(OtherLoad(load, load, 0), 0);
  EXPECT_EQ(BusyMachineSentence(load, load, 0), "");
}

TEST(MachineLoadTest, LeavesOutTheCallersOwnTime) {
  // 1 s on 2 CPUs; 1.4 s busy, 1.0 s of it our own.
  EXPECT_DOUBLE_EQ(OtherLoad(At(0, 0), At(kSecond, kSecond * 14 / 10), kSecond), 0.2);
  EXPECT_EQ(OtherLoad(At(0, 0), At(kSecond, kSecond), kSecond + 5), 0);
  EXPECT_EQ(OtherLoad(At(7, 0), At(7, kSecond), 0), 0);
}

TEST(MachineLoadTest, SaysWhoWasBusy) {
  EXPECT_EQ(BusyMachineSentence(At(0, 0), At(kSecond, kSecond), kSecond), "");
  EXPECT_EQ(
      BusyMachineSentence(At(0, 0), At(kSecond, kSecond), kSecond / 2),
      "The machine was busy: other processes took 25 % of its 2 CPUs while this was measured, "
      "so times may be too long.");
  EXPECT_EQ(BusyMachineSentence(At(0, 0), At(kSecond, 0, kSecond), 0),
            "The machine was busy: the hypervisor gave 50 % of its 2 CPUs to other machines while "
            "this was measured, so times may be too long.");
}

TEST(MachineLoadTest, CountsThisProcessAndChildrenThatEnded) {
  const std::int64_t before = OwnCpuNs();
  const pid_t child = fork();
  if (child == 0) {
    while (std::clock() < CLOCKS_PER_SEC / 50) {
    }
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_GE(OwnCpuNs() - before, 15'000'000);
}

TEST(MachineLoadTest, ReadsAProcessWhoseNameHoldsAnything) {
  const FixtureTree tree(
      {{"proc/7/stat", "7 (a) b (c) S 1 1 1 0 -1 0 10 20 30 40 250 50 0 0 20 0 1 0 5 6"}});
  EXPECT_EQ(CpuNsOfProcess(7, tree.root()), 300 * (kSecond / sysconf(_SC_CLK_TCK)));
  EXPECT_EQ(CpuNsOfProcess(8, tree.root()), 0);
  EXPECT_GE(CpuNsOfProcess(getpid()), 0);
}

}  // namespace
}  // namespace xsp::collect
