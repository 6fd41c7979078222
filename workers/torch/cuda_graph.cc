#include "torch/cuda_graph.h"

#include <dlfcn.h>
#include <limits.h>
#include <unistd.h>

#include <string>

#include "torch/errors.h"

namespace xsp::worker_torch {
namespace {

constexpr const char* kLibrary = "/../lib/libxsp-worker-torch-cuda.so";

std::string LibraryPath() {
  char program[PATH_MAX];
  const ssize_t length = readlink("/proc/self/exe", program, sizeof program);
  const std::string path(program, length > 0 ? static_cast<std::size_t>(length) : 0);
  return path.substr(0, path.rfind('/')) + kLibrary;
}

}  // namespace

std::unique_ptr<CudaGraph> MakeCudaGraph(int device) {
  constexpr const char* kHint =
      "build the worker where the headers of CUDA and a PyTorch with CUDA are (tools/setup --cuda, "
      "tools/build)";
  const std::string path = LibraryPath();
  if (access(path.c_str(), F_OK) != 0) {
    throw WorkerError(ErrorKind::kNotPossible,
                      "this worker was built without CUDA graphs: no " + path, kHint);
  }
  void* library = dlopen(path.c_str(), RTLD_NOW);
  using Make = CudaGraph* (*)(int);
  const auto make =
      library == nullptr ? nullptr : reinterpret_cast<Make>(dlsym(library, "xsp_make_cuda_graph"));
  if (make == nullptr) {
    const char* reason = dlerror();
    throw WorkerError(ErrorKind::kNotPossible,
                      std::string("CUDA graphs cannot be loaded: ") + (reason ? reason : path),
                      kHint);
  }
  return std::unique_ptr<CudaGraph>(make(device));
}

}  // namespace xsp::worker_torch
