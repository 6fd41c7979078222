#include "capture/attach/injection.h"

#include <fmt/format.h>

#include <algorithm>

#include "capture/record/cuda/hook.h"
#include "capture/record/hook_spec.h"
#include "capture/record/process.h"
#include "capture/record/switch_page.h"
#include "capture/wire/xsp.h"
#include "os/paths.h"

namespace xsp::attach {

namespace fs = std::filesystem;

namespace {

constexpr const char* kPreloaded = "libxsp-preload.so";
constexpr const char* kPythonHook = "python_hook";

using record::HookSpec;

std::string LibraryOf(const HookSpec& hook) { return fmt::format("libxsp-{}.so", hook.name); }

/// The hook that also measures kernels, and that workers use.
constexpr const HookSpec& kCuda = record::cuda::kHook;

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
    for (const HookSpec* hook : record::AllHooks()) AddHook(*hook, levels);
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

  void AddHook(const HookSpec& hook, unsigned levels) {
    const fs::path library = request_.libraries / LibraryOf(hook);
    if (!fs::exists(library)) return;
    if (const auto theirs = environment_(hook.variable); theirs && !theirs->empty()) {
      made_.left_out.push_back(
          fmt::format("{}: {} is set already ({})", hook.what, hook.variable, *theirs));
      return;
    }
    Set(hook.variable, library.string());
    Silence(hook, levels);
  }

  /// What is not recorded need not be reported to the hook either.
  void Silence(const HookSpec& hook, unsigned levels) {
    const bool has_library = (levels & XSP_LEVEL_BIT(XSP_LEVEL_LIBRARY)) != 0;
    const bool is_users =
        std::any_of(hook.silencers.begin(), hook.silencers.end(),
                    [&](const char* name) { return environment_(name).has_value(); });
    // The requested range may be one of these calls.
    if (!hook.silencers.empty() && !has_library && !is_users && request_.range.empty())
      Set(hook.silencers.front(), "0");
  }

  const InjectionRequest& request_;
  const EnvironmentReader& environment_;
  Injection made_;
};

/// Metrics are measured by one of the libraries and by no other.
Status MustHaveCuda(const Injection& made, const fs::path& libraries) {
  for (const auto& [name, value] : made.environment)
    if (name == kCuda.variable) return Ok{};
  const std::string library = LibraryOf(kCuda);
  if (fs::exists(libraries / library)) {
    return Error{
        ErrorKind::kNotPossible,
        fmt::format("kernel metrics cannot be measured: {} is set already", kCuda.variable),
        "Unset it: one library a process can be loaded by that name."};
  }
  return Error{
      ErrorKind::kNotPossible,
      fmt::format("kernel metrics cannot be measured: no {} in {}", library, libraries.string()),
      fmt::format("Build it: {}", kCuda.commands)};
}

}  // namespace

std::optional<std::pair<std::string, std::string>> CudaInjection(const fs::path& folder) {
  const fs::path library = folder / LibraryOf(kCuda);
  if (!fs::exists(library)) return std::nullopt;
  return std::pair{std::string(kCuda.variable), library.string()};
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
  for (const HookSpec* hook : record::AllHooks())
    parts.push_back(part(std::string(hook->what), LibraryOf(*hook), std::string(hook->commands)));
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
