#include "capture/collect/cgroup/cgroup.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "capture/collect/cgroup_folders.h"

namespace xsp::collect::cgroup {

namespace {

namespace fs = std::filesystem;

constexpr const char* kNotVisible = "no control group is visible";

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
  const auto folders = CgroupFolders(files, "");
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
  Limits limits;
  limits.version = "1";
  for (const fs::path& folder : CgroupFolders(files, "cpu")) {
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
  for (const fs::path& folder : CgroupFolders(files, "memory")) {
    const auto bytes = files.Number(folder / "memory.limit_in_bytes");
    if (bytes && *bytes < kUnlimited) Tighten(limits.memory_bytes, static_cast<double>(*bytes));
  }
  for (const fs::path& folder : CgroupFolders(files, "cpuset")) {
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
  const CgroupVersion version = VisibleCgroups(files);
  const bool seen = version != CgroupVersion::kNone;
  if (seen) limits = version == CgroupVersion::kTwo ? ReadVersion2(files) : ReadVersion1(files);
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
    .collect = CollectHere,
    .momentary = "cpu_throttled_periods cpu_throttled_ns"};

}  // namespace xsp::collect::cgroup
