#include "api/operations/machine_roofs.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "derive/roofs/cpu_table.h"
#include "derive/roofs/device_table.h"
#include "derive/roofs/roof_file.h"
#include "derive/roofs/roof_json.h"
#include "derive/roofs/roofline_picture.h"
#include "measure/roof_loops/gpu_roofs.h"
#include "measure/roof_loops/measured_roofs.h"
#include "os/files.h"
#include "os/processor.h"

namespace xsp::api {
namespace {

using nlohmann::json;

/// Of of.report.roofs[i]; null: the data sheet does not state it.
const roofs::DataSheetShare* ShareOf(const ProcessorRoofs& of, std::size_t i) {
  for (const roofs::DataSheetShare& share : of.shares)
    if (share.roof == i) return &share;
  return nullptr;
}

/// Physical cores among `cpus` CPUs of the processor: two threads of one core share its units.
int PhysicalCores(const os::Processor& processor, int cpus) {
  const auto online = static_cast<int>(processor.online.size());
  if (processor.cores <= 0 || online <= processor.cores) return cpus;
  const int threads = online / processor.cores;
  return std::max(1, cpus / std::max(1, threads));
}

/// The sheet's roofs of one core and of all, as many as were measured.
void AddDataSheet(const os::Processor& processor, ProcessorRoofs& roofs) {
  int most = 1;
  for (const roofs::Roof& roof : roofs.report.roofs) most = std::max(most, roof.cores);
  roofs::DataSheetConditions conditions{.disturbed = roofs.report.disturbed,
                                        .virtualised = processor.Has("hypervisor")};
  for (const int cores : most > 1 ? std::vector<int>{1, most} : std::vector<int>{1}) {
    auto sheet = roofs::CpuDataSheet(
        processor.model, {.cores = PhysicalCores(processor, cores), .sockets = processor.sockets});
    if (!sheet.ok()) {
      roofs.no_sheet = sheet.error().what;
      return;
    }
    for (roofs::Roof& roof : sheet.value()) {
      if (roof.kind == "bandwidth" && cores != most) continue;
      if (roof.how.find("a bound") != std::string::npos) conditions.clock_is_bound = true;
      if (roof.kind == "flops") roof.cores = cores;
      roofs.sheet.push_back(std::move(roof));
    }
  }
  roofs.shares = roofs::SharesOfDataSheet(roofs.report.roofs, roofs.sheet, conditions);
}

/// The GPUs that are here, each beside its data sheet, with the reason if they cannot be measured.
std::vector<ProcessorRoofs> GpuRoofs(const RoofOptions& options, core::Progress& progress) {
  std::vector<ProcessorRoofs> all;
  if (!roof_loops::HasNvidiaDriver()) return all;
  auto gpus = roof_loops::MeasuredGpuRoofs(
      {.again = options.again, .progress = [&](std::string_view step, double fraction) {
         progress.Step(step, fraction, -1);
       }});
  if (!gpus.ok()) {
    progress.Note(fmt::format("{}\nhint: {}", gpus.error().what, gpus.error().hint));
    return all;
  }
  for (roof_loops::GpuRoofs& gpu : gpus.value()) {
    ProcessorRoofs roofs;
    roofs.title = gpu.name;
    roofs.report = std::move(gpu.report);
    auto sheet = roofs::DataSheetRoofs(gpu.name);
    if (sheet.ok()) {
      roofs.sheet = std::move(sheet).value();
      roofs.shares = roofs::SharesOfDataSheet(
          roofs.report.roofs, roofs.sheet, {.disturbed = roofs.report.disturbed, .is_gpu = true});
    } else {
      roofs.no_sheet = sheet.error().what;
    }
    all.push_back(std::move(roofs));
  }
  return all;
}

json RoofsJson(const std::vector<roofs::Roof>& roofs, const ProcessorRoofs& of) {
  json array = json::array();
  for (std::size_t i = 0; i < roofs.size(); ++i) {
    const roofs::Roof& roof = roofs[i];
    json item = roofs::ToJson(roof);
    const roofs::DataSheetShare* share = &roofs == &of.report.roofs ? ShareOf(of, i) : nullptr;
    if (share != nullptr) {
      item["share_of_data_sheet"] = share->share;
      if (!share->explanation.empty()) item["explanation"] = share->explanation;
    }
    array.push_back(std::move(item));
  }
  return array;
}

Status WriteRoofline(const ProcessorRoofs& roofs, const std::filesystem::path& file) {
  roofs::RooflinePicture picture{
      roofs.title,
      roofs.report.measured_at.empty()
          ? "dashed: data sheet"
          : fmt::format("solid: measured {} ({}); dashed: data sheet", roofs.report.measured_at,
                        roofs.report.conditions),
      roofs.report.roofs, roofs.sheet};
  // One core's ceilings would only crowd the picture.
  int max_cores = 0;
  for (const roofs::Roof& roof : picture.sheet) max_cores = std::max(max_cores, roof.cores);
  std::erase_if(picture.sheet, [&](const roofs::Roof& roof) {
    return roof.kind == "flops" && roof.cores != max_cores;
  });
  return os::WriteFileAtomically(file, file.extension() == ".svg" ? roofs::RooflineSvg(picture)
                                                                  : roofs::RooflinePage(picture));
}

}  // namespace

Result<std::vector<ProcessorRoofs>> RoofsOfThisMachine(const RoofOptions& options,
                                                       core::Progress& progress) {
  ProcessorRoofs roofs;
  const os::Processor processor = os::ReadProcessor();
  roofs.title = processor.model.empty() ? "this machine" : processor.model;
  XSP_TRY(roofs.report,
          roof_loops::MeasuredRoofs({.cores = options.cores,
                                     .again = options.again,
                                     .progress = [&](std::string_view step, double fraction) {
                                       progress.Step(step, fraction, -1);
                                     }}));
  AddDataSheet(processor, roofs);
  std::vector<ProcessorRoofs> all;
  all.push_back(std::move(roofs));
  for (ProcessorRoofs& gpu : GpuRoofs(options, progress)) all.push_back(std::move(gpu));
  return all;
}

Result<ProcessorRoofs> RoofsOfDataSheet(const std::string& device) {
  ProcessorRoofs roofs;
  roofs.title = device;
  XSP_TRY(roofs::NamedRoofs sheet, roofs::DataSheetOf(device));
  roofs.sheet = std::move(sheet.report.roofs);
  return roofs;
}

json ToJson(const ProcessorRoofs& roofs) {
  return {{"processor", roofs.title},
          {"roofs", RoofsJson(roofs.report.roofs, roofs)},
          {"data_sheet", RoofsJson(roofs.sheet, roofs)},
          {"no_data_sheet", roofs.no_sheet},
          {"measured_at", roofs.report.measured_at},
          {"conditions", roofs.report.conditions}};
}

Result<std::vector<std::filesystem::path>> WriteRooflines(const std::vector<ProcessorRoofs>& all,
                                                          const std::filesystem::path& file) {
  std::vector<std::filesystem::path> files;
  for (std::size_t i = 0; i < all.size(); ++i) {
    std::filesystem::path own = file;
    if (i > 0)
      own.replace_filename(
          fmt::format("{}-gpu{}{}", file.stem().string(), i - 1, file.extension().string()));
    XSP_RETURN_IF_ERROR(WriteRoofline(all[i], own));
    files.push_back(std::move(own));
  }
  return files;
}

}  // namespace xsp::api
