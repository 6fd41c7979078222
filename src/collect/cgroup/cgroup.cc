#include "collect/cgroup/cgroup.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

namespace xsp::collect::cgroup {

namespace {

namespace fs = std::filesystem;

constexpr const char* kMount = "sys/fs/cgroup";
constexpr const char* kNotVisible = "no control group is visible";

/// The group's path below its mount, per controller of version 1 and "" for version 2.
std::string OwnPath(const MachineFiles& files, std::string_view controller) {
  std::istringstream lines(files.Text("proc/self/cgroup").value_or(""));
  for (std::string line; std::getline(lines, line);) {
    const auto first = line.find(':');
    const auto second = line.find(':', first + 1);
    if (first == line.npos || second == line.npos) continue;
    std::istringstream names(line.substr(first + 1, second - first - 1));
    std::string path = line.substr(second + 1);
    if (controller.empty() && first + 1 == second) return path;
    for (std::string name; std::getline(names, name, ',');) {
      if (name == controller) return path;
    }
  }
  return "";
}

/// The group's folder and those above it, up to the mount. Inside a container the stated path is
/// the host's and not there: then the mount alone, which is the container's own group.
std::vector<fs::path> Folders(const MachineFiles& files, const fs::path& mount,
                              const std::string& own) {
  std::vector<fs::path> folders;
  const fs::path relative = fs::path(own).relative_path().lexically_normal();
  const bool inside = !relative.empty() && *relative.begin() != ".." && *relative.begin() != ".";
  for (fs::path at = inside ? relative : fs::path(); !at.empty(); at = at.parent_path()) {
    if (files.Exists(mount / at)) folders.push_back(mount / at);
  }
  folders.push_back(mount);
  return folders;
}

void Tighten(std::optional<double>& limit, double value) {
  if (!limit || value < *limit) limit = value;
}

struct Limits {
  std::string version;
  std::optional<double> cpus;
  std::optional<double> memory_bytes;
  std::string cpuset;
  std::optional<std::int64_t> throttled_periods;
  std::optional<std::int64_t> throttled_ns;
};

Limits ReadVersion2(const MachineFiles& files) {
  Limits limits;
  limits.version = "2";
  const auto folders = Folders(files, kMount, OwnPath(files, ""));
  for (const fs::path& folder : folders) {
    std::istringstream quota(files.Text(folder / "cpu.max").value_or("max"));
    double quota_us = 0, period_us = 0;
    if (quota >> quota_us >> period_us && period_us > 0) Tighten(limits.cpus, quota_us / period_us);
    if (const auto bytes = files.Number(folder / "memory.max")) {
      Tighten(limits.memory_bytes, static_cast<double>(*bytes));
    }
    if (limits.cpuset.empty()) {
      limits.cpuset = files.Text(folder / "cpuset.cpus.effective").value_or("");
    }
    // Counted where the quota is; a group above may hold this one back as well.
    if (const auto count = files.NumberOf(folder / "cpu.stat", "nr_throttled")) {
      limits.throttled_periods = std::max(limits.throttled_periods.value_or(0), *count);
    }
    if (const auto us = files.NumberOf(folder / "cpu.stat", "throttled_usec")) {
      limits.throttled_ns = std::max(limits.throttled_ns.value_or(0), *us * 1000);
    }
  }
  return limits;
}

Limits ReadVersion1(const MachineFiles& files) {
  // Without a limit the kernel states the largest multiple of a page.
  constexpr std::int64_t kUnlimited = std::int64_t{1} << 60;
  const auto folders = [&](const char* controller) {
    return Folders(files, fs::path(kMount) / controller, OwnPath(files, controller));
  };
  Limits limits;
  limits.version = "1";
  for (const fs::path& folder : folders("cpu")) {
    const auto quota_us = files.Number(folder / "cpu.cfs_quota_us");
    const auto period_us = files.Number(folder / "cpu.cfs_period_us");
    if (quota_us && period_us && *quota_us > 0 && *period_us > 0) {
      Tighten(limits.cpus, static_cast<double>(*quota_us) / static_cast<double>(*period_us));
    }
    if (const auto count = files.NumberOf(folder / "cpu.stat", "nr_throttled")) {
      limits.throttled_periods = std::max(limits.throttled_periods.value_or(0), *count);
    }
    if (const auto ns = files.NumberOf(folder / "cpu.stat", "throttled_time")) {
      limits.throttled_ns = std::max(limits.throttled_ns.value_or(0), *ns);
    }
  }
  for (const fs::path& folder : folders("memory")) {
    const auto bytes = files.Number(folder / "memory.limit_in_bytes");
    if (bytes && *bytes < kUnlimited) Tighten(limits.memory_bytes, static_cast<double>(*bytes));
  }
  for (const fs::path& folder : folders("cpuset")) {
    if (limits.cpuset.empty()) {
      limits.cpuset = files.Text(folder / "cpuset.effective_cpus").value_or("");
    }
    if (limits.cpuset.empty()) limits.cpuset = files.Text(folder / "cpuset.cpus").value_or("");
  }
  return limits;
}

std::vector<Fact> CollectHere() { return Collect(MachineFiles()); }

}  // namespace

std::vector<Fact> Collect(const MachineFiles& files) {
  FactSheet sheet("cgroup");
  Limits limits;
  const bool seen = files.Exists(kMount) && files.Exists("proc/self/cgroup");
  if (seen) {
    const bool version2 = files.Exists(fs::path(kMount) / "cgroup.controllers");
    limits = version2 ? ReadVersion2(files) : ReadVersion1(files);
  }
  using Text = std::optional<std::string>;
  const Text unlimited = seen ? Text("unlimited") : Text();
  sheet.Add("version", limits.version, kNotVisible);
  sheet.Add("cpu_quota_cpus", limits.cpus ? Text(fmt::format("{:g}", *limits.cpus)) : unlimited,
            kNotVisible);
  sheet.Add("cpuset", limits.cpuset, seen ? "no cpuset controller here" : kNotVisible);
  sheet.Add("memory_limit_bytes",
            limits.memory_bytes ? Text(fmt::format("{:.0f}", *limits.memory_bytes)) : unlimited,
            kNotVisible);
  const char* const why = seen ? "no CPU controller here" : kNotVisible;
  sheet.Add("cpu_throttled_periods", limits.throttled_periods, why);
  sheet.Add("cpu_throttled_ns", limits.throttled_ns, why);
  return sheet.Take();
}

constinit const CollectorSpec kSpec{
    .name = "cgroup",
    .summary = "CPU and memory limits of the control group, and how often they throttled",
    .collect = CollectHere};

}  // namespace xsp::collect::cgroup
