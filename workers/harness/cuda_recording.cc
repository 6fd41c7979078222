#include "harness/cuda_recording.h"

#include <dlfcn.h>
#include <stdlib.h>

#include <string_view>

namespace xsp::worker {

std::string SwitchCudaRecording(bool on) {
  const char* variable = getenv("CUDA_INJECTION64_PATH");
  const std::string path = variable == nullptr ? "" : variable;
  if (path.empty())
    return "libxsp-cuda.so is not in this process: CUDA_INJECTION64_PATH is not set";
  if (std::string_view(path).substr(path.rfind('/') + 1) != "libxsp-cuda.so")
    return "another tool has taken libxsp-cuda.so's place: CUDA_INJECTION64_PATH is " + path;
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_NOLOAD);
  if (library == nullptr) return "the CUDA driver has not loaded the library: " + path;
  using Switch = int (*)(int, char*, size_t);
  const auto to = reinterpret_cast<Switch>(dlsym(library, "xsp_cuda_switch"));
  char why[1024] = "it is of another version of XSP";
  const bool done = to != nullptr && to(on ? 1 : 0, why, sizeof why) == 1;
  dlclose(library);  // What NOLOAD counted; the library itself stays.
  return done ? "" : why;
}

}  // namespace xsp::worker
