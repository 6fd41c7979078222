#include "measure/roof_loops/gpu_roofs.h"

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>

#include "core/json_text.h"
#include "derive/roofs/data_sheet_share.h"
#include "derive/roofs/device_table.h"
#include "measure/roof_loops/roof_cache.h"
#include "os/files.h"
#include "os/paths.h"
#include "os/subprocess.h"

namespace xsp::roof_loops {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

constexpr const char* kProgram = "xsp-roofs-cuda";
constexpr std::chrono::seconds kDescribeTimeout{60}, kMeasureTimeout{600};

struct SeenGpu {
  int device = 0;
  std::string name;
  std::string machine;  ///< What its figures hold for.
};

Result<fs::path> FindProgram() {
  for (const fs::path& folder : os::WorkerFolders()) {
    const fs::path program = folder / kProgram;
    if (access(program.c_str(), X_OK) == 0) return program;
  }
  return Error{ErrorKind::kNotPossible,
               fmt::format("the roofs of GPUs are not measured: {} is not there", kProgram),
               "`tools/setup --cuda-compiler && tools/build` (nvcc, 340 MB); no GPU is needed to "
               "build it"};
}

std::string FirstLine(std::string_view text) {
  constexpr std::string_view kError = "error: ";
  if (text.starts_with(kError)) text.remove_prefix(kError.size());
  return std::string(text.substr(0, text.find('\n')));
}

Result<std::string> Output(const fs::path& program, const std::vector<std::string>& arguments,
                           std::chrono::seconds timeout) {
  constexpr int kNotPossible = 4;  // As roofs/cuda/main.cc says.
  os::SpawnOptions options;
  options.argv = {program.string()};
  options.argv.insert(options.argv.end(), arguments.begin(), arguments.end());
  XSP_TRY(const os::Completed done, os::RunToEnd(options, timeout));
  if (done.exit.success()) return done.out;
  const bool not_possible = done.exit.signal == 0 && done.exit.code == kNotPossible;
  return Error{not_possible ? ErrorKind::kNotPossible : ErrorKind::kEnvironment,
               fmt::format("the roofs of the GPU could not be measured: {}{}{}",
                           not_possible ? "" : os::ToString(done.exit), not_possible ? "" : ": ",
                           FirstLine(done.stderr_tail)),
               fmt::format("run `{}` for details; nvidia-smi shows whether the driver works",
                           program.string())};
}

Error Broken(const fs::path& program) {
  return {ErrorKind::kEnvironment,
          fmt::format("the program printed something else than roofs: {}", program.string()),
          "tools/build rebuilds it"};
}

Result<std::vector<SeenGpu>> Describe(const fs::path& program) {
  XSP_TRY(const std::string text, Output(program, {"--describe"}, kDescribeTimeout));
  const json document = core::ParseJson(text);
  if (!document.is_array()) return Broken(program);
  std::vector<SeenGpu> gpus;
  for (const json& item : document) {
    const bool sound = item.is_object() && item.contains("device") &&
                       item["device"].is_number_integer() && item.contains("name") &&
                       item["name"].is_string() && item.contains("machine") &&
                       item["machine"].is_string() && !item["machine"].get<std::string>().empty();
    if (!sound) return Broken(program);
    gpus.push_back({item["device"].get<int>(), item["name"].get<std::string>(),
                    item["machine"].get<std::string>()});
  }
  return gpus;
}

/// Figures of a busy GPU are measured again.
std::optional<roofs::RoofReport> GpuRoofsFromCache(const fs::path& file,
                                                   const std::string& machine) {
  const auto text = os::ReadFile(file, 1 << 20);
  if (!text.ok()) return std::nullopt;
  auto report = ReportFromJson(text.value(), machine);
  if (report && report->disturbed) return std::nullopt;
  return report;
}

}  // namespace

bool HasNvidiaDriver() {
  return access("/dev/nvidiactl", F_OK) == 0 || access("/dev/dxg", F_OK) == 0;
}

Result<std::vector<GpuRoofs>> MeasuredGpuRoofs(const GpuMeasureOptions& options) {
  XSP_TRY(const fs::path program, FindProgram());
  XSP_TRY(const std::vector<SeenGpu> gpus, Describe(program));
  const fs::path folder = os::CacheFolder() / "roofs";
  std::error_code ignored;
  fs::create_directories(folder, ignored);
  const CacheLock lock(folder);
  std::vector<GpuRoofs> all;
  for (const SeenGpu& gpu : gpus) {
    const fs::path file = folder / CacheFileName(gpu.name, gpu.machine);
    std::optional<roofs::RoofReport> report;
    if (!options.again) report = GpuRoofsFromCache(file, gpu.machine);
    if (!report) {
      if (options.progress)
        options.progress(fmt::format("{} (GPU {})", gpu.name, gpu.device),
                         static_cast<double>(all.size()) / static_cast<double>(gpus.size()));
      XSP_TRY(const std::string text,
              Output(program, {"--device", std::to_string(gpu.device)}, kMeasureTimeout));
      report = ReportFromJson(text, gpu.machine);
      if (!report) return Broken(program);
      if (const Status written = os::WriteFileAtomically(file, text); !written.ok())
        report->conditions += "; not cached: " + written.error().what;
    }
    all.push_back({gpu.device, gpu.name, *std::move(report)});
  }
  return all;
}

Result<roofs::RoofReport> MeasuredRoofsOfGpu(std::string_view name,
                                             const GpuMeasureOptions& options) {
  XSP_TRY(const std::vector<GpuRoofs> all, MeasuredGpuRoofs(options));
  for (const GpuRoofs& gpu : all) {
    if (gpu.name != name) continue;
    roofs::RoofReport report = gpu.report;
    if (const auto sheet = roofs::DataSheetRoofs(name); sheet.ok())
      roofs::UseDataSheetWhereLower(report, sheet.value());
    return report;
  }
  return Error{ErrorKind::kNotPossible, fmt::format("no GPU here is called {}", name), ""};
}

}  // namespace xsp::roof_loops
