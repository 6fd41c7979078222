#include "torch/operator_library.h"

#include <dlfcn.h>
#include <torch/version.h>

#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <system_error>

#include "capture/wire/xsp.h"
#include "torch/errors.h"

namespace xsp::worker_torch {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kTorchvision = "torchvision::";
constexpr const char* kInstallHint =
    "install the Python package torchvision beside PyTorch " TORCH_VERSION
    ", or name its library (torchvision/_C_stable.so, in older ones _C.so) in "
    "XSP_TORCHVISION_LIBRARY";

[[noreturn]] void NotPossible(const std::string& what, const std::string& hint) {
  throw WorkerError(ErrorKind::kNotPossible, what, hint);
}

fs::path TorchvisionLibrary() {
  const char* chosen = std::getenv("XSP_TORCHVISION_LIBRARY");
  if (chosen && *chosen) return chosen;
  const fs::path package = XSP_TORCHVISION_DIR;
  const fs::path newer = package / "_C_stable.so", older = package / "_C.so";
  std::error_code unreadable;
  return !fs::exists(newer, unreadable) && fs::exists(older, unreadable) ? older : newer;
}

void* Open(const fs::path& library) {
  if (void* opened = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL)) return opened;
  // Built with CUDA it needs libraries that only PyTorch's CUDA library knows where to find.
  if (!dlopen("libtorch_cuda.so", RTLD_NOW | RTLD_GLOBAL)) return nullptr;
  return dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
}

}  // namespace

std::string MissingOperator(const std::string& message) {
  constexpr std::string_view kMark = "Unknown builtin op: ";
  const std::size_t mark = message.find(kMark);
  if (mark == std::string::npos) return "";
  const std::size_t begin = mark + kMark.size();
  return message.substr(begin, message.find_first_of(".\n", begin) - begin);
}

void LoadLibraryOf(const std::string& name) {
  if (!name.starts_with(kTorchvision)) {
    NotPossible("the model calls an operator that PyTorch " TORCH_VERSION " does not have: " + name,
                "use the PyTorch that exported it; of other libraries' operators this worker "
                "loads torchvision's only");
  }
  static bool loaded = false;
  if (loaded) {
    NotPossible("the model calls an operator that this torchvision does not have: " + name,
                "install the torchvision that exported the model");
  }
  const fs::path library = TorchvisionLibrary();
  std::error_code unreadable;
  if (!fs::exists(library, unreadable)) {
    NotPossible(
        "the model calls " + name + ", and torchvision's library is not here: " + library.string(),
        kInstallHint);
  }
  if (!Open(library)) {
    const char* why = dlerror();
    NotPossible("the model calls " + name + ", and torchvision's library cannot be loaded: " +
                    (why ? why : library.string()),
                kInstallHint);
  }
  loaded = true;
  constexpr std::string_view kFact = "torchvision.library";
  const std::string path = library.string();
  xsp_attribute(0, xsp_intern(kFact.data(), kFact.size()), path.data(), path.size());
}

}  // namespace xsp::worker_torch
