#include "capture/collect/system/system.h"

#include <fmt/format.h>
#include <sys/utsname.h>

namespace xsp::collect::system {

namespace {

/// "gather_data_sampling: Vulnerable; ..." of those that the CPU has; "none apply" where it has
/// none.
std::string Mitigations(const MachineFiles& files) {
  constexpr const char* kFolder = "sys/devices/system/cpu/vulnerabilities";
  std::string list;
  bool any = false;
  for (const std::string& name : files.Names(kFolder)) {
    const auto state = files.Text(fmt::format("{}/{}", kFolder, name));
    if (!state) continue;
    any = true;
    if (*state != "Not affected") {
      list += fmt::format("{}{}: {}", list.empty() ? "" : "; ", name, *state);
    }
  }
  return list.empty() && any ? "none apply" : list;
}

std::string SwitchedOff(const MachineFiles& files) {
  const auto line = files.Text("proc/cmdline");
  if (!line) return "";
  return line->find("mitigations=off") != line->npos ? "yes" : "no";
}

std::string AddressRandomisation(const MachineFiles& files) {
  const auto level = files.Number("proc/sys/kernel/randomize_va_space");
  if (!level) return "";
  return *level == 0 ? "off" : *level == 1 ? "on, but for the heap" : "on";
}

std::string Distribution(const MachineFiles& files) {
  std::string name = files.Value("etc/os-release", "PRETTY_NAME").value_or("");
  if (name.size() >= 2 && name.front() == '"' && name.back() == '"') {
    name = name.substr(1, name.size() - 2);
  }
  return name;
}

std::vector<Fact> CollectHere() { return Collect(MachineFiles()); }

}  // namespace

std::vector<Fact> Collect(const MachineFiles& files) {
  FactSheet sheet("system");
  utsname names{};
  sheet.Add("kernel", files.Text("proc/sys/kernel/osrelease"));
  sheet.Add("kernel_build", files.Text("proc/sys/kernel/version"));
  sheet.Add("architecture", std::string(uname(&names) == 0 ? names.machine : ""));
  sheet.Add("distribution", Distribution(files), "there is no /etc/os-release");
  sheet.Add("uptime_s", files.Number("proc/uptime"));
  sheet.Add("clock_source",
            files.Text("sys/devices/system/clocksource/clocksource0/current_clocksource"));
  sheet.Add("address_randomisation", AddressRandomisation(files));
  sheet.Add("mitigations", Mitigations(files));
  sheet.Add("mitigations_switched_off", SwitchedOff(files));
  sheet.Add("perf_event_paranoid", files.Number("proc/sys/kernel/perf_event_paranoid"),
            "the kernel is built without perf events");
  return sheet.Take();
}

constinit const CollectorSpec kSpec{
    .name = "system",
    .summary = "Kernel, distribution, clock source and security mitigations",
    .collect = CollectHere,
    .momentary = "uptime_s"};

}  // namespace xsp::collect::system
