#include "torch/describe.h"

#include <ATen/Parallel.h>
#include <ATen/Version.h>
#include <c10/core/CachingDeviceAllocator.h>
#include <c10/core/impl/DeviceGuardImplInterface.h>
#include <dlfcn.h>
#include <torch/version.h>
#include <unistd.h>

#include <string_view>

#include "capture/wire/xsp.h"
#include "harness/fact.h"

namespace xsp::worker_torch {

using worker::RecordFact;

namespace {

/// What stands between `mark` and the next " (" or line feed; nothing when `mark` is not there.
std::string_view After(std::string_view text, std::string_view mark) {
  const std::size_t at = text.find(mark);
  if (at == std::string_view::npos) return {};
  const std::string_view rest = text.substr(at + mark.size());
  return rest.substr(0, std::min(rest.find(" ("), rest.find('\n')));
}

CudaState LookForCuda() {
  // The library takes half a second to load, for nothing where there is no driver.
  if (access("/dev/nvidiactl", F_OK) != 0 && access("/dev/dxg", F_OK) != 0)
    return {0, "no NVIDIA driver is loaded here (there is no /dev/nvidiactl)"};
  if (!dlopen("libtorch_cuda.so", RTLD_NOW | RTLD_GLOBAL)) {
    const char* reason = dlerror();
    return {0, std::string("this PyTorch cannot load its CUDA library: ") +
                   (reason ? reason : "libtorch_cuda.so")};
  }
  if (!c10::impl::hasDeviceGuardImpl(c10::DeviceType::CUDA))
    return {0, "libtorch_cuda.so was loaded and registered no devices"};
  const int count = c10::impl::getDeviceGuardImpl(c10::DeviceType::CUDA)->deviceCount();
  if (count == 0)
    return {0,
            "PyTorch sees no CUDA device: the driver may be older than its CUDA, or "
            "CUDA_VISIBLE_DEVICES hides them"};
  return {count, ""};
}

/// As it may stand inside a JSON string.
std::string Quoted(std::string_view text) {
  std::string quoted;
  for (const char c : text) {
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  }
  return quoted;
}

}  // namespace

const CudaState& Cuda() {
  static const CudaState state = LookForCuda();
  return state;
}

std::string Describe() {
  std::string devices = "\"cpu\"";
  for (int i = 0; i < Cuda().devices; ++i) devices += ", \"cuda:" + std::to_string(i) + "\"";
  const std::string missing = Cuda().why_none.empty() ? ""
                                                      : R"({"device": "cuda", "why": ")" +
                                                            Quoted(Cuda().why_none) + R"("})";
  return R"({"framework": {"name": "PyTorch", "version": ")" TORCH_VERSION R"("},
 "models": [
  {"format": "torchscript", "extensions": [".pt", ".ts", ".jit", ".torchscript", ".pth"], "levels": ["model", "layer", "kernel"],
   "note": ""},
  {"format": "aotinductor", "extensions": [".pt2"], "levels": ["model", "layer", "kernel"],
   "note": "compiled loops show as time outside every layer; only operators and primitives that the compiled code calls are seen"}],
 "devices": [)" +
         devices + R"(], "missing_devices": [)" + missing + R"(],
 "graphs": ["eager", "frozen", "optimised"], "precisions": ["default", "bfloat16", "float16"],
 "rungs": ["model", "layer", "kernel", "details", "counters"],
 "switch": {"layer": "call", "kernel": "call"},
 "options": [{"name": "cuda_graph", "values": ["0", "1"], "default": "0",
  "meaning": "1: calls replay a CUDA graph of the model, captured in the first warm-up call; in the rungs model and kernel"
}]
})";
}

void RecordMemoryFacts(c10::Device device) {
  if (device.is_cpu()) return;
  constexpr auto kAll = static_cast<std::size_t>(c10::CachingAllocator::StatType::AGGREGATE);
  const auto stats = at::getDeviceAllocator(device.type())->getDeviceStats(device.index());
  RecordFact("torch.allocated_peak_bytes", std::to_string(stats.allocated_bytes[kAll].peak));
  RecordFact("torch.reserved_peak_bytes", std::to_string(stats.reserved_bytes[kAll].peak));
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
