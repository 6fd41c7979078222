#include "torch/describe.h"

#include <ATen/Parallel.h>
#include <ATen/Version.h>
#include <c10/core/impl/DeviceGuardImplInterface.h>
#include <dlfcn.h>
#include <torch/version.h>
#include <unistd.h>

#include <string_view>

#include "wire/xsp.h"

namespace xsp::worker_torch {
namespace {

void RecordFact(std::string_view key, std::string_view value) {
  xsp_attribute(0, xsp_intern(key.data(), key.size()), value.data(), value.size());
}

/// What stands between `mark` and the next " (" or line feed; nothing when `mark` is not there.
std::string_view After(std::string_view text, std::string_view mark) {
  const std::size_t at = text.find(mark);
  if (at == std::string_view::npos) return {};
  const std::string_view rest = text.substr(at + mark.size());
  return rest.substr(0, std::min(rest.find(" ("), rest.find('\n')));
}

int CountCudaDevices() {
  // The library takes a second to load, for nothing where there is no driver.
  if (access("/dev/nvidiactl", F_OK) != 0) return 0;
  if (!dlopen("libtorch_cuda.so", RTLD_NOW | RTLD_GLOBAL)) return 0;
  if (!c10::impl::hasDeviceGuardImpl(c10::DeviceType::CUDA)) return 0;
  return c10::impl::getDeviceGuardImpl(c10::DeviceType::CUDA)->deviceCount();
}

}  // namespace

int CudaDevices() {
  static const int count = CountCudaDevices();
  return count;
}

std::string Describe() {
  std::string devices = "\"cpu\"";
  for (int i = 0; i < CudaDevices(); ++i) devices += ", \"cuda:" + std::to_string(i) + "\"";
  return R"({"framework": {"name": "PyTorch", "version": ")" TORCH_VERSION R"("},
 "models": [
  {"format": "torchscript", "extensions": [".pt", ".ts"], "levels": ["model", "layer", "kernel"],
   "note": ""},
  {"format": "aotinductor", "extensions": [".pt2"], "levels": ["model", "layer", "kernel"],
   "note": "compiled loops show as time outside every layer; only operators and primitives that the compiled code calls are seen"}],
 "devices": [)" +
         devices + R"(],
 "graphs": ["eager", "frozen", "optimised"], "precisions": ["default", "bfloat16", "float16"],
 "rungs": ["model", "layer", "kernel", "details"]})";
}

void RecordBuildFacts() {
  const std::string config = at::show_config();
  RecordFact("torch.config", config);
  RecordFact("torch.parallel", at::get_parallel_info());
  RecordFact("onednn.version", After(config, "MKL-DNN) v").empty() ? After(config, "MKL-DNN v")
                                                                   : After(config, "MKL-DNN) v"));
  RecordFact("mkl.version", After(config, "Math Kernel Library Version "));
  RecordFact("torch.cpu_capability", After(config, "CPU capability usage: "));
}

}  // namespace xsp::worker_torch
