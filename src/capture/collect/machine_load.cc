#include "capture/collect/machine_load.h"

#include <fmt/format.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <sstream>

#include "capture/collect/machine_files.h"

namespace xsp::collect {

namespace {

std::int64_t NsPerTick() {
  static const std::int64_t ns = 1'000'000'000 / std::max(sysconf(_SC_CLK_TCK), 1L);
  return ns;
}

std::int64_t InNs(const timeval& time) {
  return time.tv_sec * std::int64_t{1'000'000'000} + time.tv_usec * std::int64_t{1000};
}

double MachineTimeNs(const MachineLoad& before, const MachineLoad& after) {
  return static_cast<double>(after.time_ns - before.time_ns) * after.cpus;
}

}  // namespace

MachineLoad ReadMachineLoad(const std::filesystem::path& root) {
  MachineLoad load;
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  load.time_ns = now.tv_sec * std::int64_t{1'000'000'000} + now.tv_nsec;
  const auto text = MachineFiles(root).Text("proc/stat");
  if (!text) return load;
  std::istringstream lines(*text);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string key;
    words >> key;
    if (key == "cpu") {
      // user nice system idle iowait irq softirq steal; guest time is within user.
      std::array<std::int64_t, 8> ticks{};
      for (auto& tick : ticks) words >> tick;
      load.busy_ns = (ticks[0] + ticks[1] + ticks[2] + ticks[5] + ticks[6]) * NsPerTick();
      load.idle_ns = (ticks[3] + ticks[4]) * NsPerTick();
      load.steal_ns = ticks[7] * NsPerTick();
    } else if (key.size() > 3 && key.starts_with("cpu") &&
               std::isdigit(static_cast<unsigned char>(key[3])) != 0) {
      ++load.cpus;
    } else if (key == "ctxt") {
      words >> load.context_switches;
    } else if (key == "procs_running") {
      words >> load.runnable;
    }
  }
  return load;
}

std::int64_t OwnCpuNs() {
  std::int64_t sum_ns = 0;
  for (const int who : {RUSAGE_SELF, RUSAGE_CHILDREN}) {
    rusage usage{};
    getrusage(who, &usage);
    sum_ns += InNs(usage.ru_utime) + InNs(usage.ru_stime);
  }
  return sum_ns;
}

std::int64_t CpuNsOfProcess(std::int64_t pid, const std::filesystem::path& root) {
  const auto text = MachineFiles(root).Text(fmt::format("proc/{}/stat", pid));
  if (!text) return 0;
  // The name, in parentheses, may hold anything: go on after the last one.
  const auto name_end = text->rfind(')');
  if (name_end == text->npos) return 0;
  std::istringstream words(text->substr(name_end + 1));
  std::string skipped;
  for (int field = 3; field < 14; ++field) words >> skipped;
  std::int64_t user = 0, system = 0;
  words >> user >> system;
  return (user + system) * NsPerTick();
}

double OtherLoad(const MachineLoad& before, const MachineLoad& after, std::int64_t own_cpu_ns) {
  const double machine_ns = MachineTimeNs(before, after);
  if (before.cpus == 0 || machine_ns <= 0) return 0;
  const auto other_ns = static_cast<double>(after.busy_ns - before.busy_ns - own_cpu_ns);
  return std::clamp(other_ns / machine_ns, 0.0, 1.0);
}

double StolenShare(const MachineLoad& before, const MachineLoad& after) {
  const double machine_ns = MachineTimeNs(before, after);
  if (before.cpus == 0 || machine_ns <= 0) return 0;
  return std::clamp(static_cast<double>(after.steal_ns - before.steal_ns) / machine_ns, 0.0, 1.0);
}

std::string BusyMachineSentence(const MachineLoad& before, const MachineLoad& after,
                                std::int64_t own_cpu_ns) {
  const double other = OtherLoad(before, after, own_cpu_ns);
  const double stolen = StolenShare(before, after);
  if (other <= kBusyShare && stolen <= kBusyShare) return "";
  std::string who;
  if (other > kBusyShare) {
    who = fmt::format("other processes took {:.0f} % of its {} CPUs", other * 100, after.cpus);
  }
  if (stolen > kBusyShare) {
    who += fmt::format("{}the hypervisor gave {:.0f} % of its {} to other machines",
                       who.empty() ? "" : " and ", stolen * 100,
                       who.empty() ? fmt::format("{} CPUs", after.cpus) : "time");
  }
  return fmt::format("The machine was busy: {} while this was measured, so times may be too long.",
                     who);
}

}  // namespace xsp::collect
