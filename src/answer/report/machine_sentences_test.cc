#include "answer/report/machine_sentences.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "answer/report/sentences_testing.h"

namespace xsp::report {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

constexpr const char* kWatching =
    "All programs of the machine count here; watching it took 0.200 % of a core.";

class MachineSentencesTest : public ImportedRunTest {
 protected:
  void Watch() {
    Insert("system_usage (run_id, seconds, samples, monitor_share) VALUES (1, 4, 40, 0.002)");
  }
  /// Two segments of 1 s and 3 s.
  void Series(const std::string& name, const std::string& part, double first, double then,
              double most) {
    const std::string head = "(1, '" + name + "', '" + part + "', '1', ";
    Insert("system_series VALUES " + head + "0, 1000000000, " + std::to_string(first) + ", " +
           std::to_string(first) + "), " + head + "1000000000, 4000000000, " +
           std::to_string(then) + ", " + std::to_string(most) + ")");
  }
  std::vector<std::string> Texts() { return TextsOf(MachineSentences(database_, 1)); }
};

TEST_F(MachineSentencesTest, SaysNothingWithoutAMonitor) { EXPECT_THAT(Texts(), IsEmpty()); }

TEST_F(MachineSentencesTest, TellsBusyCpusAndMemoryAsMeansOverTime) {
  Watch();
  Series("cpu.busy_share", "machine", 0.1, 0.9, 1);
  Series("cpu.busy_share", "cpu 0", 0.1, 0.9, 1);
  Series("cpu.busy_share", "cpu 1", 0.1, 0.9, 1);
  Series("memory.used_bytes", "machine", 2e9, 2.01e9, 2.02e9);
  EXPECT_THAT(Texts(), ElementsAre("The 2 CPUs were busy 70.0 % of 4.00 s, at most 100 % at once.",
                                   "2.01 GB of memory were in use on the machine, at most 2.02 GB.",
                                   kWatching));
}

TEST_F(MachineSentencesTest, OfAMeasuredModelOnlyWhatSlowedItDownIsWorthAWord) {
  ASSERT_TRUE(database_.Query("UPDATE run SET rung = 'kernel'").ok());
  Watch();
  Series("cpu.busy_share", "machine", 0.9, 0.9, 1);
  Series("memory.used_bytes", "machine", 2e9, 3e9, 3e9);
  Series("disk.read_bytes_per_s", "disk vda", 1e9, 1e9, 1e9);
  EXPECT_THAT(Texts(), IsEmpty());
  Series("cpu.steal_share", "machine", 0.02, 0.02, 0.1);
  EXPECT_THAT(Texts(), Contains("The hypervisor gave 2.00 % of the CPUs' time to others."));
}

TEST_F(MachineSentencesTest, NamesTheCoreThatWorksAlone) {
  Watch();
  Series("cpu.busy_share", "machine", 0.5, 0.5, 0.5);
  Series("cpu.busy_share", "cpu 0", 0.02, 0.02, 0.1);
  Series("cpu.busy_share", "cpu 1", 0.98, 0.98, 1);
  EXPECT_THAT(Texts(), Contains(HasSubstr("cpu 1 alone was busy 98.0 %: work that is not spread")));
}

TEST_F(MachineSentencesTest, TellsMemoryThatGrows) {
  Watch();
  Series("memory.used_bytes", "machine", 2e9, 3e9, 3e9);
  EXPECT_THAT(Texts(), Contains(HasSubstr("1.00 GB more at the end than at the beginning")));
}

TEST_F(MachineSentencesTest, TellsWhatWasWaitedForAndWhatSlowedDown) {
  Watch();
  Series("pressure.cpu_some_share", "machine", 0.2, 0.4, 0.9);
  Series("pressure.io_some_share", "machine", 0.01, 0.01, 0.9);
  Series("cpu.steal_share", "machine", 0.02, 0.02, 0.1);
  Series("cgroup.throttled_share", "cgroup", 0.5, 0.5, 1);
  Series("nvml.throttled_by_heat", "gpu 1", 0, 1, 1);
  Series("nvml.throttled_by_heat", "gpu 0", 0, 0, 0);
  EXPECT_THAT(
      Texts(),
      ElementsAre("The hypervisor gave 2.00 % of the CPUs' time to others.",
                  "The CPU quota of the control group stopped it in 50.0 % of its periods.",
                  "gpu 1 was slowed down by heat 75.0 % of the time.",
                  "Something that could run waited for a CPU 35.0 % of the time.", kWatching));
}

TEST_F(MachineSentencesTest, TellsGpusAndTheirPower) {
  Watch();
  for (const char* gpu : {"gpu 0", "gpu 1"}) {
    const double share = gpu == std::string("gpu 0") ? 0.2 : 0.6;
    Series("nvml.gpu_busy_share", gpu, share, share, 1);
    Series("nvml.memory_used_bytes", gpu, 1e9, 1e9, 5e9);
    Series("nvml.power_watts", gpu, 100, 100, 120);
  }
  EXPECT_THAT(Texts(), ElementsAre("The 2 GPUs ran kernels 40.0 % of the time in the mean, gpu 1 "
                                   "the most (60.0 %); at most 5.00 GB of memory in use on one.",
                                   "The GPUs drew 200 W in the mean: 800 J in all, idle or not.",
                                   kWatching));
}

TEST_F(MachineSentencesTest, CountsAPackageOnceThoughItsPartsAreSampledToo) {
  Watch();
  Series("rapl.power_watts", "package-0", 50, 30, 50);
  Series("rapl.power_watts", "package-0 dram", 10, 10, 10);
  EXPECT_THAT(Texts(),
              Contains("The processor drew 35.0 W in the mean: 140 J in all, idle or not."));
}

TEST_F(MachineSentencesTest, TellsTheBusiestInterfaceAndNoneThatIsIdle) {
  Watch();
  Series("network.received_bytes_per_s", "network eth0", 1e6, 1e6, 1e6);
  Series("network.sent_bytes_per_s", "network eth0", 1000, 1000, 1000);
  Series("network.received_bytes_per_s", "network ifb0", 9e5, 9e5, 1e6);
  Series("disk.read_bytes_per_s", "disk vda", 10, 10, 10);
  EXPECT_THAT(Texts(), ElementsAre("`network eth0` received 4.00 MB and sent 4.00 kB.", kWatching));
}

}  // namespace
}  // namespace xsp::report
