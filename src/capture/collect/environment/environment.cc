#include "capture/collect/environment/environment.h"

#include <unistd.h>

#include <algorithm>
#include <string>

#include "capture/collect/machine_files.h"

namespace xsp::collect::environment {

namespace {

/// Everything that begins like this: threads, math libraries, frameworks, communication,
/// allocators.
constexpr std::string_view kPrefixes[] = {
    "OMP_",   "GOMP_",   "KMP_",  "MKL_",    "OPENBLAS_", "BLIS_",   "ONEDNN_",
    "DNNL_",  "NCCL_",   "RCCL_", "UCX_",    "TF_",       "XLA_",    "PYTORCH_",
    "TORCH_", "ATEN_",   "ORT_",  "MXNET_",  "OPENCV_",   "CUBLAS_", "CUBLASLT_",
    "CUDNN_", "MIOPEN_", "HSA_",  "MALLOC_", "TCMALLOC_"};

/// These as a whole. Of CUDA's many variables, those that change how a program runs.
constexpr std::string_view kNames[] = {"CUDA_VISIBLE_DEVICES",
                                       "CUDA_DEVICE_ORDER",
                                       "CUDA_DEVICE_MAX_CONNECTIONS",
                                       "CUDA_DEVICE_MAX_COPY_CONNECTIONS",
                                       "CUDA_LAUNCH_BLOCKING",
                                       "CUDA_MODULE_LOADING",
                                       "CUDA_MODULE_DATA_LOADING",
                                       "CUDA_CACHE_DISABLE",
                                       "CUDA_CACHE_MAXSIZE",
                                       "CUDA_FORCE_PTX_JIT",
                                       "CUDA_DISABLE_PTX_JIT",
                                       "CUDA_AUTO_BOOST",
                                       "CUDA_MANAGED_FORCE_DEVICE_ALLOC",
                                       "CUDA_MPS_ACTIVE_THREAD_PERCENTAGE",
                                       "CUDA_MPS_CLIENT_PRIORITY",
                                       "CUDA_SCALE_LAUNCH_QUEUES",
                                       "NVIDIA_TF32_OVERRIDE",
                                       "HIP_VISIBLE_DEVICES",
                                       "ROCR_VISIBLE_DEVICES",
                                       "GPU_MAX_HW_QUEUES",
                                       "LD_PRELOAD",
                                       "LD_BIND_NOW",
                                       "GLIBC_TUNABLES"};

/// Parts of names whose values are nobody's business.
constexpr std::string_view kSecrets[] = {"KEY",        "TOKEN", "SECRET", "PASS",
                                         "CREDENTIAL", "AUTH",  "COOKIE", "SIGNATURE"};

/// These state hosts, or ids that stand for one.
constexpr std::string_view kHosts[] = {"NCCL_COMM_ID", "NCCL_HOSTID", "TF_CONFIG", "RCCL_COMM_ID"};

/// Letters, digits and underscores: a name that can be part of a key.
bool IsPlain(std::string_view name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
  });
}

/// Why the value must not be stored; empty where it may.
std::string_view WhyHidden(std::string_view name, std::string_view value) {
  for (const std::string_view part : kSecrets) {
    if (name.find(part) != name.npos) return "its name looks like that of a secret";
  }
  for (const std::string_view host : kHosts) {
    if (name == host) return "its value names hosts";
  }
  const bool address = value.find("://") != value.npos || value.find('@') != value.npos;
  if (address) return "its value looks like an address";
  if (name.ends_with("_ADDR") || name.ends_with("_HOST") || name.ends_with("_HOSTS")) {
    return "its value names hosts";
  }
  return value.empty() ? "set, but empty" : "";
}

/// A word of a value without what tells of a user or a device: "/home/joe/libfast.so.2" gives
/// "libfast.so.2", "/home/joe" gives "(path)", "GPU-8932f937" gives "GPU-*".
std::string Without(std::string_view word) {
  if (const auto slash = word.rfind('/'); slash != word.npos) {
    // Which library it is matters; the last part of any other path may be a user's name.
    const std::string_view file = word.substr(slash + 1);
    return file.find(".so") != file.npos ? std::string(file) : "(path)";
  }
  for (const std::string_view kind : {"GPU-", "MIG-"}) {
    if (word.starts_with(kind)) return std::string(kind) + "*";
  }
  return std::string(word);
}

/// The value with each of its words as Without() leaves it; separators stay.
std::string Kept(std::string_view value) {
  constexpr std::string_view kSeparators = " ,:;=";
  std::string kept;
  while (!value.empty()) {
    const auto end = std::min(value.find_first_of(kSeparators), value.size());
    kept += Without(value.substr(0, end));
    if (end < value.size()) kept += value[end];
    value.remove_prefix(std::min(end + 1, value.size()));
  }
  return kept;
}

std::vector<Fact> CollectHere() {
  std::vector<std::string> variables;
  for (char** variable = environ; variable != nullptr && *variable != nullptr; ++variable) {
    variables.emplace_back(*variable);
  }
  return Collect(variables);
}

}  // namespace

bool ChangesPerformance(std::string_view name) {
  const auto begins = [&](std::string_view prefix) { return name.starts_with(prefix); };
  return std::any_of(std::begin(kPrefixes), std::end(kPrefixes), begins) ||
         std::find(std::begin(kNames), std::end(kNames), name) != std::end(kNames);
}

std::vector<Fact> Collect(const std::vector<std::string>& variables) {
  std::vector<std::pair<std::string, std::string>> settings;
  for (const std::string& variable : variables) {
    const auto equals = variable.find('=');
    if (equals == variable.npos) continue;
    const std::string name = variable.substr(0, equals);
    if (IsPlain(name) && ChangesPerformance(name)) {
      settings.emplace_back(name, variable.substr(equals + 1));
    }
  }
  std::stable_sort(settings.begin(), settings.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  // A shell cannot, but a program can set a variable twice: the first is what getenv finds.
  settings.erase(std::unique(settings.begin(), settings.end(),
                             [](const auto& a, const auto& b) { return a.first == b.first; }),
                 settings.end());
  FactSheet sheet("environment");
  sheet.Add("settings", static_cast<std::int64_t>(settings.size()));
  for (const auto& [name, value] : settings) {
    const std::string_view why = WhyHidden(name, value);
    sheet.Add(name, why.empty() ? Kept(value) : "", why);
  }
  return sheet.Take();
}

constinit const CollectorSpec kSpec{
    .name = "environment",
    .summary = "Environment variables that change performance: threads, libraries, allocators",
    .collect = CollectHere};

}  // namespace xsp::collect::environment
