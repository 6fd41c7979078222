#include "capture/collect/gpu/gpu.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/json_text.h"
#include "os/paths.h"

namespace xsp::collect::gpu {

namespace {

/// "NVIDIA A100-SXM4-80GB, NVIDIA A100-SXM4-80GB" from the NVIDIA driver's folder per device.
std::string NvidiaModels(const MachineFiles& files) {
  constexpr const char* kFolder = "proc/driver/nvidia/gpus";
  std::vector<std::string> models;
  for (const std::string& name : files.Names(kFolder)) {
    const auto model = files.Value(fmt::format("{}/{}/information", kFolder, name), "Model");
    if (model) models.push_back(*model);
  }
  return fmt::format("{}", fmt::join(models, ", "));
}

/// "590.48.01" out of "NVRM version: NVIDIA UNIX x86_64 Kernel Module  590.48.01  Mon ...": the
/// first word of digits and dots.
std::string NvidiaVersion(const MachineFiles& files) {
  const std::string line = files.Value("proc/driver/nvidia/version", "NVRM version").value_or("");
  std::size_t start = 0;
  while (start < line.size()) {
    const std::size_t end = std::min(line.find(' ', start), line.size());
    const std::string word = line.substr(start, end - start);
    const bool version =
        word.find('.') != word.npos && word.find_first_not_of("0123456789.") == word.npos;
    if (version) return word;
    start = end + 1;
  }
  return "";
}

/// "10de:2335, 1002:74a1": vendor and device of display and compute controllers.
std::string OnPci(const MachineFiles& files) {
  constexpr const char* kFolder = "sys/bus/pci/devices";
  std::vector<std::string> found;
  for (const std::string& name : files.Names(kFolder)) {
    const auto text = [&](const char* file) {
      return files.Text(fmt::format("{}/{}/{}", kFolder, name, file)).value_or("");
    };
    const std::string kind = text("class");
    if (!kind.starts_with("0x03") && !kind.starts_with("0x1200")) continue;
    const std::string vendor = text("vendor"), device = text("device");
    if (vendor.size() < 3 || device.size() < 3) continue;
    found.push_back(fmt::format("{}:{}", vendor.substr(2), device.substr(2)));
  }
  return fmt::format("{}", fmt::join(found, ", "));
}

/// "12.4.1" of the toolkit that stands where NVIDIA's installer puts it; before CUDA 11 a text.
std::string CudaToolkit(const MachineFiles& files) {
  const std::string written = files.Text("usr/local/cuda/version.json").value_or("");
  const auto document = core::ParseJson(written);
  const nlohmann::json::json_pointer version("/cuda/version");
  if (document.is_object() && document.contains(version) && document[version].is_string()) {
    return document[version];
  }
  return files.Value("usr/local/cuda/version.txt", "CUDA Version").value_or("");
}

std::vector<Fact> CollectHere() {
  // WorkerFolders() ends with the PATH.
  const bool found = os::FindExecutable("nvidia-smi", os::WorkerFolders()).has_value();
  return Collect(MachineFiles(), found);
}

}  // namespace

std::vector<Fact> Collect(const MachineFiles& files, bool has_nvidia_smi) {
  const std::string pci = OnPci(files);
  const bool no_bus = !files.Exists("sys/bus/pci/devices");
  const std::string no_device = no_bus ? "there is no PCI bus to look for GPUs on"
                                       : "no display or compute controller on the PCI bus";
  const std::string no_driver =
      pci.empty() ? no_device : "a GPU is on the PCI bus, but no NVIDIA driver is loaded";
  FactSheet sheet("gpu");
  sheet.Add("pci", pci, no_device);
  sheet.Add("models", NvidiaModels(files), no_driver);
  sheet.Add("nvidia_driver", NvidiaVersion(files), no_driver);
  sheet.Add("amd_driver", files.Text("sys/module/amdgpu/version"),
            files.Exists("sys/module/amdgpu") ? "amdgpu is loaded and states no version"
                                              : "amdgpu is not loaded");
  sheet.Add("cuda_toolkit", CudaToolkit(files),
            "no toolkit in /usr/local/cuda (frameworks bring libraries of their own)");
  sheet.Add("rocm", files.Text("opt/rocm/.info/version"), "no ROCm in /opt/rocm");
  sheet.Add("nvidia_smi", std::string(has_nvidia_smi ? "found" : ""), "not on the PATH");
  return sheet.Take();
}

constinit const CollectorSpec kSpec{
    .name = "gpu", .summary = "GPUs, their drivers and toolkits", .collect = CollectHere};

}  // namespace xsp::collect::gpu
