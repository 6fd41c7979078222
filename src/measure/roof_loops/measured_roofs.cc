#include "measure/roof_loops/measured_roofs.h"

#include <sys/utsname.h>

#include <algorithm>
#include <chrono>
#include <filesystem>

#include "core/clock_text.h"
#include "measure/roof_loops/roof_cache.h"
#include "measure/roof_loops/roof_measurement.h"
#include "measure/roof_loops/working_set.h"
#include "os/files.h"
#include "os/paths.h"
#include "os/processor.h"

namespace xsp::roof_loops {

namespace fs = std::filesystem;

namespace {

std::string KernelVersion() {
  utsname names{};
  return uname(&names) == 0 ? names.release : "unknown";
}

/// The cached report, unless it is damaged, of another machine, or of a busy one and too old.
std::optional<roofs::RoofReport> FromCache(const fs::path& file, std::string_view machine) {
  constexpr std::chrono::minutes kDisturbedLife{10};
  const auto text = os::ReadFile(file, 1 << 20);
  if (!text.ok()) return std::nullopt;
  std::optional<roofs::RoofReport> report = ReportFromJson(text.value(), machine);
  if (!report || !report->disturbed) return report;
  std::error_code error;
  const auto written = fs::last_write_time(file, error);
  if (error || fs::file_time_type::clock::now() - written > kDisturbedLife) return std::nullopt;
  return report;
}

}  // namespace

Result<roofs::RoofReport> MeasuredRoofs(const MeasureOptions& options) {
  return MeasuredRoofsWith(options, Effort{}, MemoryForMeasuring());
}

Result<roofs::RoofReport> MeasuredRoofsWith(const MeasureOptions& options, const Effort& effort,
                                            std::int64_t memory_bytes) {
  const os::Processor processor = os::ReadProcessor();
  std::vector<int> cpus = os::AllowedCpus();
  if (cpus.empty()) {
    return Error{ErrorKind::kEnvironment, "the kernel does not report the usable CPUs", ""};
  }
  if (options.cores > 0 && static_cast<std::size_t>(options.cores) < cpus.size()) {
    cpus.resize(static_cast<std::size_t>(options.cores));
  }
  const int cores = static_cast<int>(cpus.size());
  const std::string machine = MachineText(processor, cores, KernelVersion());
  const fs::path folder = os::CacheFolder() / "roofs";
  const fs::path file = folder / CacheFileName(processor, cores, machine);
  std::error_code error;
  fs::create_directories(folder, error);
  const CacheLock lock(folder);
  if (!options.again) {
    if (auto cached = FromCache(file, machine)) return *std::move(cached);
  }

  const MeasurePlan plan{cpus, effort, memory_bytes, options.progress};
  roofs::RoofReport report = MeasureRoofs(processor, plan);
  std::erase_if(report.roofs, [](const roofs::Roof& roof) { return roof.value <= 0; });
  if (report.roofs.empty()) {
    return Error{ErrorKind::kEnvironment, "no roof could be measured on this machine",
                 "Run it again when the machine is less busy."};
  }
  report.machine = machine;
  report.measured_at = core::NowRfc3339();
  if (const Status written = os::WriteFileAtomically(file, ToJson(report)); !written.ok()) {
    report.conditions += "; not cached: " + written.error().what;
  }
  return report;
}

}  // namespace xsp::roof_loops
