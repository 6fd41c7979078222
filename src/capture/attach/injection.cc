#include "capture/attach/injection.h"

#include <fmt/format.h>

#include "capture/record/process.h"
#include "capture/record/switch_page.h"
#include "capture/wire/xsp.h"
#include "os/paths.h"

namespace xsp::attach {

namespace fs = std::filesystem;

namespace {

constexpr const char* kPreloaded = "libxsp-preload.so";
constexpr const char* kPythonHook = "python_hook";

/// A variable that names one library, which whoever sets it has for himself.
struct Hook {
  const char* variable;
  const char* library;
  const char* what;
  const char* build;
};
constexpr const char* kIttVariable = "INTEL_LIBITTNOTIFY64";
constexpr Hook kHooks[] = {
    {"CUDA_INJECTION64_PATH", "libxsp-cuda.so", "CUDA", "tools/setup --cuda && tools/build"},
    {"NVTX_INJECTION64_PATH", "libxsp-nvtx.so", "NVTX ranges", "tools/setup && tools/build"},
    {kIttVariable, "libxsp-itt.so", "ITT tasks", "tools/build"}};

constexpr std::string_view kTorchPrefix = "libxsp-torch-";

/// Under which the libraries of a CPU say what they execute.
constexpr const char* kAnnouncements[] = {"ONEDNN_VERBOSE", "DNNL_VERBOSE", "MKLDNN_VERBOSE",
                                          "MKL_VERBOSE"};

bool IsOn(const std::optional<std::string>& value) {
  return value && !value->empty() && *value != "0" && *value != "none";
}

std::string Before(const std::string& ours, const std::optional<std::string>& theirs) {
  return theirs && !theirs->empty() ? ours + ":" + *theirs : ours;
}

class Plan {
 public:
  Plan(const InjectionRequest& request, const EnvironmentReader& environment)
      : request_(request), environment_(environment) {}

  Injection Make(unsigned levels) {
    Set(record::kFolderVariable, request_.recordings.string());
    Set(record::kLevelsVariable, fmt::format("{}", levels));
    Set("XSP_RECORD_LIBRARIES", request_.libraries.string());
    if (!request_.switch_page.empty()) Set(record::kSwitchVariable, request_.switch_page.string());
    if (!request_.range.empty()) Set(record::kRangeVariable, request_.range);
    if (!request_.cuda_metrics.empty()) Set(record::kCudaMetricsVariable, request_.cuda_metrics);
    Set("LD_PRELOAD",
        Before((request_.libraries / kPreloaded).string(), environment_("LD_PRELOAD")));
    AddPython();
    if ((levels & XSP_LEVEL_BIT(XSP_LEVEL_KERNEL)) != 0) AddCpuKernels();
    for (const Hook& hook : kHooks) AddHook(hook);
    AddTaskLevel(levels);
    return std::move(made_);
  }

 private:
  void Set(std::string name, std::string value) {
    made_.environment.emplace_back(std::move(name), std::move(value));
  }

  void AddPython() {
    const fs::path hook = request_.libraries / kPythonHook;
    if (!fs::exists(hook / "sitecustomize.py")) return;
    Set("PYTHONPATH", Before(hook.string(), environment_("PYTHONPATH")));
    if (request_.python_rate_hz > 0)
      Set("XSP_RECORD_PYTHON_HZ", fmt::format("{:g}", request_.python_rate_hz));
  }

  void AddCpuKernels() {
    for (const char* name : kAnnouncements) {
      if (!IsOn(environment_(name))) continue;
      made_.left_out.push_back(fmt::format(
          "primitives of oneDNN and calls of MKL: {} is set, so the program prints them "
          "itself",
          name));
      return;
    }
    Set(record::kCaptureVariable, "1");
  }

  void AddHook(const Hook& hook) {
    const fs::path library = request_.libraries / hook.library;
    if (!fs::exists(library)) return;
    if (const auto theirs = environment_(hook.variable); theirs && !theirs->empty()) {
      made_.left_out.push_back(
          fmt::format("{}: {} is set already ({})", hook.what, hook.variable, *theirs));
      return;
    }
    Set(hook.variable, library.string());
    has_itt_ |= std::string_view(hook.variable) == kIttVariable;
  }

  /// oneDNN tells each primitive through ITT, and again on each thread that works at it. Where
  /// library calls are not recorded it need not.
  void AddTaskLevel(unsigned levels) {
    const bool has_library = (levels & XSP_LEVEL_BIT(XSP_LEVEL_LIBRARY)) != 0;
    const bool is_users =
        environment_("ONEDNN_ITT_TASK_LEVEL") || environment_("DNNL_ITT_TASK_LEVEL");
    // The asked range may be one of these tasks.
    if (has_itt_ && !has_library && !is_users && request_.range.empty())
      Set("ONEDNN_ITT_TASK_LEVEL", "0");
  }

  bool has_itt_ = false;
  const InjectionRequest& request_;
  const EnvironmentReader& environment_;
  Injection made_;
};

/// Metrics are measured by one of the libraries and by no other.
Status MustHaveCuda(const Injection& made, const fs::path& libraries) {
  const Hook& cuda = kHooks[0];
  for (const auto& [name, value] : made.environment)
    if (name == cuda.variable) return Ok{};
  if (fs::exists(libraries / cuda.library)) {
    return Error{ErrorKind::kNotPossible,
                 fmt::format("kernel metrics cannot be measured: {} is set already", cuda.variable),
                 "Unset it: one library a process can be loaded by that name."};
  }
  return Error{ErrorKind::kNotPossible,
               fmt::format("kernel metrics cannot be measured: no {} in {}", cuda.library,
                           libraries.string()),
               fmt::format("Build it: {}", cuda.build)};
}

}  // namespace

std::optional<std::pair<std::string, std::string>> CudaInjection(const fs::path& folder) {
  const fs::path library = folder / kHooks[0].library;
  if (!fs::exists(library)) return std::nullopt;
  return std::pair{std::string(kHooks[0].variable), library.string()};
}

fs::path LibraryFolder() { return (os::ExecutableFolder() / ".." / "lib").lexically_normal(); }

std::vector<RecorderPart> RecorderParts(const fs::path& folder) {
  const auto part = [&](const std::string& what, const std::string& name, const std::string& how) {
    const bool is_there = fs::exists(folder / name);
    return RecorderPart{what, is_there, "", is_there ? (folder / name).string() : how};
  };
  std::vector<RecorderPart> parts = {
      part("oneDNN and MKL", kPreloaded, "tools/build"),
      part("Python programs", std::string(kPythonHook) + "/sitecustomize.py", "tools/build")};
  RecorderPart torch = {"PyTorch operators", false, "", "XSP_PYTHON=PATH/python3 tools/build"};
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    std::string name = entry.path().filename().string();
    if (!name.starts_with(kTorchPrefix) || !name.ends_with(".so")) continue;
    if (!torch.is_there) torch.where = entry.path().string();
    name = name.substr(kTorchPrefix.size(), name.size() - kTorchPrefix.size() - 3);
    torch.version += (torch.is_there ? ", PyTorch " : "PyTorch ") + name;
    torch.is_there = true;
  }
  parts.push_back(std::move(torch));
  for (const Hook& hook : kHooks) parts.push_back(part(hook.what, hook.library, hook.build));
  return parts;
}

Result<unsigned> LevelsOf(std::string_view depth) {
  constexpr std::string_view kDepths[] = {"application", "model", "layer", "library", "kernel"};
  for (unsigned level = 1; level < std::size(kDepths); ++level)
    if (depth == kDepths[level]) return (2U << level) - 1;
  return Error{ErrorKind::kUsage, fmt::format("no such depth: {}", depth),
               "Depths of a recording are model, layer, library and kernel."};
}

Result<Injection> PlanInjection(const InjectionRequest& request,
                                const EnvironmentReader& environment) {
  XSP_TRY(const unsigned levels, LevelsOf(request.depth));
  // Each recorded process would say so: after the run.
  if (const auto capacity = environment(record::kCapacityVariable);
      capacity && !record::ParseCapacity(*capacity)) {
    return Error{ErrorKind::kUsage,
                 fmt::format("{} is no size: \"{}\"", record::kCapacityVariable, *capacity),
                 fmt::format("Give bytes, or a number with K, M or G (of 1024) behind it: {}=8G. "
                             "Unset, it is 4G.",
                             record::kCapacityVariable)};
  }
  const std::string folder = request.libraries.string();
  if (!fs::exists(request.libraries / kPreloaded)) {
    return Error{ErrorKind::kNotPossible,
                 fmt::format("recorder's libraries are missing: no {} in {}", kPreloaded, folder),
                 "Build them with tools/build; they lie in lib/ beside the folder of xsp."};
  }
  if (folder.find_first_of(": ") != std::string::npos) {
    return Error{ErrorKind::kNotPossible,
                 fmt::format("dynamic linker cannot load libraries from a folder with a space or a "
                             "colon in its name: {}",
                             folder),
                 "Build or install XSP elsewhere."};
  }
  Injection made = Plan(request, environment).Make(levels);
  if (!request.cuda_metrics.empty()) XSP_RETURN_IF_ERROR(MustHaveCuda(made, request.libraries));
  return made;
}

}  // namespace xsp::attach
