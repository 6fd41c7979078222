#include "capture/record/cuda/cupti/cupti_api.h"

#include <dlfcn.h>
#include <link.h>

#include <array>
#include <string_view>
#include <vector>

#include "capture/record/process.h"

namespace xsp::record::cuda {
namespace {

/// Newest first.
constexpr std::array kSonames = {"libcupti.so.13", "libcupti.so.12"};

/// What is known of the CUDA libraries that the process has loaded.
struct Loaded {
  std::vector<std::string> folders;  ///< Of libcudart and PyTorch's libraries.
  int major = 0;                     ///< Of libcudart's soname; 0: none, or linked statically.
};

int NoteObject(dl_phdr_info* info, std::size_t, void* data) {
  auto& loaded = *static_cast<Loaded*>(data);
  const std::string_view path = info->dlpi_name;
  const std::size_t slash = path.rfind('/');
  if (slash == std::string_view::npos) return 0;
  const std::string_view file = path.substr(slash + 1);
  constexpr std::string_view kRuntime = "libcudart.so.";
  if (file.starts_with(kRuntime)) {
    loaded.major = std::atoi(std::string(file.substr(kRuntime.size())).c_str());
    loaded.folders.insert(loaded.folders.begin(), std::string(path.substr(0, slash)));
  } else if (file.starts_with("libtorch_cuda.so") || file.starts_with("libtorch_cpu.so")) {
    loaded.folders.emplace_back(path.substr(0, slash));
  }
  return 0;
}

/// Where CUPTI may lie, in the order in which it is looked for.
std::vector<std::string> Candidates(const Loaded& loaded) {
  const std::vector<std::string> sonames = CuptiSonames(loaded.major, DriverVersion());
  std::vector<std::string> paths = sonames;
  for (const std::string& folder : loaded.folders) {
    for (const std::string& soname : sonames) {
      // Beside libcudart (wheels of CUDA 13, toolkits), in its own wheel (CUDA 12), below torch.
      for (const char* below :
           {"/", "/../extras/CUPTI/lib64/", "/../../extras/CUPTI/lib64/", "/../../cuda_cupti/lib/",
            "/../../nvidia/cu13/lib/", "/../../nvidia/cuda_cupti/lib/"}) {
        paths.push_back(folder + below + soname);
      }
    }
  }
  // A toolkit that the user has named.
  for (const char* variable : {"CUDA_HOME", "CUDA_PATH"}) {
    const std::string home(Environment(variable));
    if (home.empty()) continue;
    for (const std::string& soname : sonames) {
      paths.push_back(home + "/extras/CUPTI/lib64/" + soname);
      paths.push_back(home + "/lib64/" + soname);
    }
  }
  for (const std::string& soname : sonames) {
    paths.push_back("/usr/local/cuda/extras/CUPTI/lib64/" + soname);
    paths.push_back("/usr/local/cuda/lib64/" + soname);
  }
  return paths;
}

void* Open(std::string& path) {
  const std::string_view named = Environment("XSP_CUPTI_LIBRARY");
  if (!named.empty()) {
    path = named;
    return dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  }
  // One that is loaded is the process's, whatever the driver: a second one beside it would see
  // nothing.
  for (const char* soname : kSonames) {
    if (void* library = dlopen(soname, RTLD_NOW | RTLD_NOLOAD)) {
      path = soname;
      return library;
    }
  }
  Loaded loaded;
  dl_iterate_phdr(NoteObject, &loaded);
  for (const std::string& candidate : Candidates(loaded)) {
    if (void* library = dlopen(candidate.c_str(), RTLD_NOW | RTLD_LOCAL)) {
      path = candidate;
      return library;
    }
  }
  return nullptr;
}

std::string PathOf(void* library, std::string otherwise) {
  link_map* map = nullptr;
  const bool known = dlinfo(library, RTLD_DI_LINKMAP, &map) == 0 && map->l_name[0] != '\0';
  return known ? map->l_name : otherwise;
}

class Finder {
 public:
  Finder(void* library, CuptiApi& api) : library_(library), api_(api) {}

  template <typename Function>
  void Find(const char* name, Function& function) {
    function = reinterpret_cast<Function>(dlsym(library_, name));
  }
  template <typename Function>
  void Need(const char* name, Function& function) {
    Find(name, function);
    if (function == nullptr && api_.missing.empty()) api_.missing = name;
  }

 private:
  void* library_;
  CuptiApi& api_;
};

}  // namespace

std::string CuptiApi::Text(CUptiResult result) const {
  const char* text = nullptr;
  if (GetResultString != nullptr && GetResultString(result, &text) == CUPTI_SUCCESS &&
      text != nullptr) {
    return text;
  }
  return "CUPTI error " + std::to_string(static_cast<int>(result));
}

int DriverVersion() {
  void* driver = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_NOLOAD);
  if (driver == nullptr) return 0;
  const auto ask = reinterpret_cast<int (*)(int*)>(dlsym(driver, "cuDriverGetVersion"));
  int version = 0;
  return ask != nullptr && ask(&version) == 0 ? version : 0;
}

std::vector<std::string> CuptiSonames(int runtime_major, int driver_version) {
  std::vector<std::string> sonames(kSonames.begin(), kSonames.end());
  const bool is_older_driver = driver_version > 0 && driver_version < 13'000;
  if (runtime_major == 12 || is_older_driver) std::swap(sonames[0], sonames[1]);
  return sonames;
}

CuptiApi LoadCupti() {
  CuptiApi api;
  std::string path;
  void* library = Open(path);
  if (library == nullptr) return api;
  api.path = PathOf(library, path);
  Finder finder(library, api);
  finder.Need("cuptiGetVersion", api.GetVersion);
  finder.Need("cuptiSubscribe", api.Subscribe);
  finder.Need("cuptiActivityEnable", api.ActivityEnable);
  finder.Need("cuptiActivityRegisterCallbacks", api.ActivityRegisterCallbacks);
  finder.Need("cuptiActivityGetNextRecord", api.ActivityGetNextRecord);
  finder.Need("cuptiActivityFlushAll", api.ActivityFlushAll);
  finder.Need("cuptiGetTimestamp", api.GetTimestamp);
  finder.Find("cuptiGetResultString", api.GetResultString);
  finder.Find("cuptiGetCallbackName", api.GetCallbackName);
  finder.Find("cuptiGetGraphNodeId", api.GetGraphNodeId);
  finder.Find("cuptiSetThreadIdType", api.SetThreadIdType);
  finder.Find("cuptiUnsubscribe", api.Unsubscribe);
  finder.Find("cuptiEnableCallback", api.EnableCallback);
  finder.Find("cuptiActivityDisable", api.ActivityDisable);
  finder.Find("cuptiActivityGetNumDroppedRecords", api.ActivityGetNumDroppedRecords);
  finder.Find("cuptiActivityRegisterTimestampCallback", api.ActivityRegisterTimestampCallback);
  finder.Find("cuptiActivityEnableRuntimeApi", api.ActivityEnableRuntimeApi);
  finder.Find("cuptiActivityEnableDriverApi", api.ActivityEnableDriverApi);
  finder.Find("cuptiActivityEnableAllSyncRecords", api.ActivityEnableAllSyncRecords);
  finder.Find("cuptiSubscribe_v2", api.Subscribe_v2);
  finder.Find("cuptiActivityEnable_v2", api.ActivityEnable_v2);
  finder.Find("cuptiActivityDisable_v2", api.ActivityDisable_v2);
  finder.Find("cuptiActivityRegisterCallbacks_v2", api.ActivityRegisterCallbacks_v2);
  finder.Find("cuptiActivitySetAttribute_v2", api.ActivitySetAttribute_v2);
  finder.Find("cuptiGetTimestamp_v2", api.GetTimestamp_v2);
  finder.Find("cuptiActivityGetNumDroppedRecords_v2", api.ActivityGetNumDroppedRecords_v2);
  finder.Find("cuptiActivityGetNextRecord_v2", api.ActivityGetNextRecord_v2);
  finder.Find("cuptiActivityEnableRuntimeApi_v2", api.ActivityEnableRuntimeApi_v2);
  finder.Find("cuptiActivityEnableDriverApi_v2", api.ActivityEnableDriverApi_v2);
  if (api.GetVersion != nullptr) api.GetVersion(&api.version);
  return api;
}

}  // namespace xsp::record::cuda
