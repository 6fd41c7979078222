#include "measure/protocols/conditions.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "os/memory_limit.h"
#include "os/processor.h"

namespace xsp::protocols {

namespace fs = std::filesystem;

namespace {

constexpr double kShortestSeconds = 0.5;

std::string FirstLine(const fs::path& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

std::optional<std::int64_t> IntegerIn(const std::string& text) {
  std::istringstream stream(text);
  std::int64_t value;
  if (stream >> value) return value;
  return std::nullopt;
}

fs::path CpuFolder(int cpu) { return fmt::format("/sys/devices/system/cpu/cpu{}", cpu); }

std::optional<std::int64_t> CgroupThrottled() {
  const auto group = os::OwnCgroup("cpu");
  if (!group) return std::nullopt;
  std::ifstream file(*group / "cpu.stat");
  std::string key;
  std::int64_t value;
  while (file >> key >> value)
    if (key == "nr_throttled") return value;
  return std::nullopt;
}

std::optional<std::int64_t> ThermalThrottled(const std::vector<int>& cpus) {
  std::optional<std::int64_t> sum;
  for (int cpu : cpus) {
    const auto count =
        IntegerIn(FirstLine(CpuFolder(cpu) / "thermal_throttle/core_throttle_count"));
    if (count) sum = sum.value_or(0) + *count;
  }
  return sum;
}

double QuotaCores() {
  const auto group = os::OwnCgroup("cpu");
  if (!group) return 0;
  std::istringstream unified(FirstLine(*group / "cpu.max"));
  double quota = 0, period = 0;
  if (unified >> quota >> period && period > 0) return quota / period;
  const auto quota_us = IntegerIn(FirstLine(*group / "cpu.cfs_quota_us"));
  const auto period_us = IntegerIn(FirstLine(*group / "cpu.cfs_period_us"));
  if (!quota_us || !period_us || *quota_us <= 0 || *period_us <= 0) return 0;
  return static_cast<double>(*quota_us) / static_cast<double>(*period_us);
}

std::int64_t Difference(std::optional<std::int64_t> before, std::optional<std::int64_t> after) {
  return before && after ? std::max<std::int64_t>(0, *after - *before) : 0;
}

template <typename T>
nlohmann::json OrNull(const std::optional<T>& value) {
  return value ? nlohmann::json(*value) : nlohmann::json();
}

}  // namespace

MachineCounters ReadMachineCounters() {
  MachineCounters counters;
  counters.load = collect::ReadMachineLoad();
  counters.own_cpu_ns = collect::OwnCpuNs();
  counters.cgroup_throttled = CgroupThrottled();
  counters.thermal_throttled = ThermalThrottled(os::AllowedCpus());
  return counters;
}

CpuAllowance ReadCpuAllowance() { return {os::AllowedCpus(), QuotaCores()}; }

int CpuAllowance::cores() const {
  const int allowed = std::max(1, static_cast<int>(cpus.size()));
  if (quota_cores <= 0) return allowed;
  return std::clamp(static_cast<int>(std::ceil(quota_cores - 1e-9)), 1, allowed);
}

Interference Between(const MachineCounters& before, const MachineCounters& after) {
  Interference result;
  result.seconds = 1e-9 * static_cast<double>(after.load.time_ns - before.load.time_ns);
  result.cgroup_throttled = Difference(before.cgroup_throttled, after.cgroup_throttled);
  result.thermal_throttled = Difference(before.thermal_throttled, after.thermal_throttled);
  if (result.seconds < kShortestSeconds || before.load.cpus == 0 || after.load.cpus == 0)
    return result;
  const std::int64_t own_ns = after.own_cpu_ns - before.own_cpu_ns;
  result.other_share = collect::OtherLoad(before.load, after.load, own_ns);
  result.stolen_share = collect::StolenShare(before.load, after.load);
  result.busy_sentence = collect::BusyMachineSentence(before.load, after.load, own_ns);
  return result;
}

bool Interference::busy() const {
  return !busy_sentence.empty() || cgroup_throttled > 0 || thermal_throttled > 0;
}

std::string Interference::Sentence() const {
  std::string text = busy_sentence;
  if (!other_share) {
    text = "It is unknown whether other programs ran at the same time.";
  } else if (text.empty()) {
    text = fmt::format("Other programs used {:.0f} % of the machine's CPU time at the same time.",
                       100 * *other_share);
  }
  if (cgroup_throttled > 0)
    text += fmt::format(" The CPU quota of the cgroup ran out {} times: times are too long.",
                        cgroup_throttled);
  if (thermal_throttled > 0)
    text += fmt::format(" The CPU was thermally throttled {} times: times are too long.",
                        thermal_throttled);
  return text;
}

nlohmann::json ToJson(const CpuAllowance& allowance, const Interference& interference) {
  return {{"affinity", os::FormatCpuList(allowance.cpus)},
          {"cores", allowance.cores()},
          {"cpu_quota_cores",
           allowance.quota_cores > 0 ? nlohmann::json(allowance.quota_cores) : nlohmann::json()},
          {"seconds", interference.seconds},
          {"other_share", OrNull(interference.other_share)},
          {"stolen_share", OrNull(interference.stolen_share)},
          {"cgroup_throttled", interference.cgroup_throttled},
          {"thermal_throttled", interference.thermal_throttled},
          {"busy", interference.busy()}};
}

}  // namespace xsp::protocols
