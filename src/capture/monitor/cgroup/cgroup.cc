#include <array>
#include <optional>

#include "capture/collect/cgroup_folders.h"
#include "capture/monitor/number_file.h"
#include "capture/monitor/rate.h"
#include "capture/monitor/sampler.h"

namespace xsp::monitor::cgroup {

namespace {

namespace fs = std::filesystem;
using collect::CgroupFolders;
using collect::CgroupVersion;
using collect::MachineFiles;

constexpr const char* kPart = "cgroup";
/// Without a limit version 1 states the largest multiple of a page.
constexpr std::int64_t kUnlimited = std::int64_t{1} << 60;
constexpr const char* kNoQuota = "no CPU quota is set for the control group or one above it";
constexpr const char* kNoLimit = "no memory limit is set for the control group or one above it";

/// What the two versions call things, and the unit in which they count CPU time.
struct Names {
  const char* cpu_controller;
  const char* account_controller;
  const char* memory_controller;
  const char* cpu_used_file;
  const char* cpu_used_key;  ///< Of a line; empty: the file is the number.
  double cpu_used_seconds;   ///< Of one of its units.
  const char* quota_file;
  const char* memory_file;
  const char* memory_limit_file;
};
constexpr Names kVersion1 = {"cpu",
                             "cpuacct",
                             "memory",
                             "cpuacct.usage",
                             "",
                             1e-9,
                             "cpu.cfs_quota_us",
                             "memory.usage_in_bytes",
                             "memory.limit_in_bytes"};
constexpr Names kVersion2 = {
    "", "", "", "cpu.stat", "usage_usec", 1e-6, "cpu.max", "memory.current", "memory.max"};

/// The group, or the one above it, whose file states a number (not "max" and not -1).
std::optional<fs::path> Limited(const MachineFiles& files, const std::vector<fs::path>& folders,
                                const char* file) {
  for (const fs::path& folder : folders) {
    const auto limit = files.Number(folder / file);
    if (limit && *limit > 0 && *limit < kUnlimited) return folder;
  }
  return std::nullopt;
}

/// The group and those above it for each question; the job's own group is the first.
class CgroupSampler : public Sampler {
 public:
  explicit CgroupSampler(const MachineFiles& files) {
    const CgroupVersion version = collect::VisibleCgroups(files);
    if (version == CgroupVersion::kNone) {
      Hide("cgroup", "no control group is visible");
      return;
    }
    const Names& names = version == CgroupVersion::kTwo ? kVersion2 : kVersion1;
    OpenCpuUsed(files, names);
    OpenThrottled(files, names);
    OpenMemory(files, names);
  }

  void Sample(std::int64_t now_ns, std::span<double> values) override {
    if (cpu_used_) SampleCpuUsed(now_ns, values);
    if (cpu_stat_) SampleThrottled(values);
    if (memory_) values[memory_channel_] = Scaled(memory_->Number(), 1);
    if (limit_) values[limit_channel_] = Scaled(limit_->Number(), 1);
  }

 private:
  void OpenCpuUsed(const MachineFiles& files, const Names& names) {
    const fs::path path =
        CgroupFolders(files, names.account_controller).front() / names.cpu_used_file;
    cpu_used_key_ = names.cpu_used_key;
    cpu_used_seconds_ = names.cpu_used_seconds;
    cpu_used_.emplace(files.root() / path);
    if (!ReadCpuUsed()) {
      Hide("cgroup.cpu_cores", "/" + path.string() + " does not say it");
      cpu_used_.reset();
      return;
    }
    cpu_channel_ = Add({"cgroup.cpu_cores", "1", kPart});
  }

  void OpenThrottled(const MachineFiles& files, const Names& names) {
    const auto folder =
        Limited(files, CgroupFolders(files, names.cpu_controller), names.quota_file);
    if (!folder) {
      Hide("cgroup.throttled_share", kNoQuota);
      return;
    }
    cpu_stat_.emplace(files.root() / *folder / "cpu.stat");
    if (!ReadPeriods()) {
      Hide("cgroup.throttled_share", "cpu.stat does not count periods of the quota");
      cpu_stat_.reset();
      return;
    }
    // Periods only pass while the group runs.
    throttled_channel_ = Add({"cgroup.throttled_share", "1", kPart, -1, /*sparse=*/true});
  }

  /// Use is that of the group that has the limit: what counts against it.
  void OpenMemory(const MachineFiles& files, const Names& names) {
    const auto folders = CgroupFolders(files, names.memory_controller);
    const auto limited = Limited(files, folders, names.memory_limit_file);
    const fs::path folder = limited.value_or(folders.front());
    memory_.emplace(files.root() / folder / names.memory_file);
    if (memory_->Number()) {
      memory_channel_ = Add({"cgroup.memory_bytes", "byte", kPart});
    } else {
      Hide("cgroup.memory_bytes", "/" + (folder / names.memory_file).string() + " is not there");
      memory_.reset();
    }
    if (limited) {
      limit_.emplace(files.root() / folder / names.memory_limit_file);
      limit_channel_ = Add({"cgroup.memory_limit_bytes", "byte", kPart});
    } else {
      Hide("cgroup.memory_limit_bytes", kNoLimit);
    }
  }

  std::optional<std::uint64_t> ReadCpuUsed() {
    if (cpu_used_key_.empty()) return cpu_used_->Number();
    const auto text = cpu_used_->Text();
    return text ? NumberAfter(*text, cpu_used_key_) : std::nullopt;
  }

  void SampleCpuUsed(std::int64_t now_ns, std::span<double> values) {
    values[cpu_channel_] = cpu_rate_.Advance(ReadCpuUsed(), now_ns) * cpu_used_seconds_;
  }

  struct Periods {
    std::uint64_t all, throttled;
  };

  std::optional<Periods> ReadPeriods() {
    const auto text = cpu_stat_->Text();
    if (!text) return std::nullopt;
    const auto all = NumberAfter(*text, "nr_periods");
    const auto throttled = NumberAfter(*text, "nr_throttled");
    if (!all || !throttled) return std::nullopt;
    return Periods{*all, *throttled};
  }

  void SampleThrottled(std::span<double> values) {
    const auto before = std::exchange(periods_, ReadPeriods());
    if (!before || !periods_ || periods_->all <= before->all) return;
    if (periods_->throttled < before->throttled) return;
    values[throttled_channel_] = static_cast<double>(periods_->throttled - before->throttled) /
                                 static_cast<double>(periods_->all - before->all);
  }

  std::optional<NumberFile> cpu_used_, cpu_stat_, memory_, limit_;
  std::string_view cpu_used_key_;
  double cpu_used_seconds_ = 0;
  Rate cpu_rate_;
  std::optional<Periods> periods_;
  std::size_t cpu_channel_ = 0, throttled_channel_ = 0, memory_channel_ = 0, limit_channel_ = 0;
};

std::unique_ptr<Sampler> Open(const MachineFiles& files) {
  return std::make_unique<CgroupSampler>(files);
}

}  // namespace

extern const SamplerSpec kSpec;
constinit const SamplerSpec kSpec{
    .name = "cgroup",
    .summary = "Of this process's control group: CPUs used, throttled share, memory and its limit",
    .open = Open};

}  // namespace xsp::monitor::cgroup
