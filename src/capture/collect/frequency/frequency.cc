#include "capture/collect/frequency/frequency.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace xsp::collect::frequency {

namespace {

constexpr const char* kCpus = "sys/devices/system/cpu";

std::vector<std::string> CpuFolders(const MachineFiles& files) {
  std::vector<std::string> folders;
  for (const std::string& name : files.Names(kCpus)) {
    if (name.starts_with("cpu") && LeadingNumber(name.substr(3))) {
      folders.push_back(fmt::format("{}/{}", kCpus, name));
    }
  }
  return folders;
}

/// The values of a file of all CPUs, each once: "performance" or "performance, powersave".
std::string Distinct(const MachineFiles& files, const std::vector<std::string>& folders,
                     const char* file) {
  std::set<std::string> values;
  for (const std::string& folder : folders) {
    if (auto value = files.Text(fmt::format("{}/{}", folder, file)); value && !value->empty()) {
      values.insert(*std::move(value));
    }
  }
  return fmt::format("{}", fmt::join(values, ", "));
}

/// The lowest to the highest of a file in kHz, as MHz: "1200" or "800 to 3600".
std::string MegahertzRange(const MachineFiles& files, const std::vector<std::string>& folders,
                           const char* file) {
  std::vector<std::int64_t> khz;
  for (const std::string& folder : folders) {
    if (const auto value = files.Number(fmt::format("{}/{}", folder, file))) khz.push_back(*value);
  }
  if (khz.empty()) return "";
  const auto [low, high] = std::minmax_element(khz.begin(), khz.end());
  if (*low / 1000 == *high / 1000) return fmt::format("{}", *low / 1000);
  return fmt::format("{} to {}", *low / 1000, *high / 1000);
}

std::string Turbo(const MachineFiles& files) {
  if (const auto off = files.Number(fmt::format("{}/intel_pstate/no_turbo", kCpus))) {
    return *off == 0 ? "on" : "off";
  }
  if (const auto on = files.Number(fmt::format("{}/cpufreq/boost", kCpus))) {
    return *on == 0 ? "off" : "on";
  }
  return "";
}

std::optional<std::int64_t> Throttled(const MachineFiles& files,
                                      const std::vector<std::string>& folders) {
  std::optional<std::int64_t> sum;
  for (const std::string& folder : folders) {
    const auto count = files.Number(folder + "/thermal_throttle/core_throttle_count");
    if (count) sum = sum.value_or(0) + *count;
  }
  return sum;
}

std::vector<Fact> CollectHere() { return Collect(MachineFiles()); }

}  // namespace

std::vector<Fact> Collect(const MachineFiles& files) {
  const std::vector<std::string> cpus = CpuFolders(files);
  const std::string flags = files.Value("proc/cpuinfo", "flags").value_or("");
  const bool virtual_machine = flags.find(" hypervisor") != flags.npos;
  const std::string why = virtual_machine
                              ? "no cpufreq in this virtual machine: its host sets the clock"
                              : "no cpufreq driver: firmware sets the clock";
  FactSheet sheet("frequency");
  sheet.Add("driver", Distinct(files, cpus, "cpufreq/scaling_driver"), why);
  sheet.Add("governor", Distinct(files, cpus, "cpufreq/scaling_governor"), why);
  sheet.Add("minimum_mhz", MegahertzRange(files, cpus, "cpufreq/scaling_min_freq"), why);
  sheet.Add("maximum_mhz", MegahertzRange(files, cpus, "cpufreq/scaling_max_freq"), why);
  std::string current = MegahertzRange(files, cpus, "cpufreq/scaling_cur_freq");
  // A virtual machine's cpuinfo states a constant of the hypervisor, not the clock.
  if (current.empty() && !virtual_machine) {
    current = files.Value("proc/cpuinfo", "cpu MHz").value_or("");
  }
  sheet.Add("current_mhz", current, why);
  sheet.Add("turbo", Turbo(files), why);
  sheet.Add("throttled_by_heat", Throttled(files, cpus),
            virtual_machine ? "the host's thermal counters are not visible in a virtual machine"
                            : "this CPU has no thermal throttle counters");
  return sheet.Take();
}

constinit const CollectorSpec kSpec{
    .name = "frequency",
    .summary = "Clock governor, limits, turbo and thermal throttling",
    .collect = CollectHere,
    .momentary = "current_mhz throttled_by_heat"};

}  // namespace xsp::collect::frequency
