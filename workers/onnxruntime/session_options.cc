#include "onnxruntime/session_options.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <utility>
#include <vector>

namespace xsp::worker_onnxruntime {
namespace {

using Settings = std::vector<std::pair<std::string, std::string>>;

constexpr std::string_view kSuffix = "ExecutionProvider";

[[noreturn]] void RejectOption(const std::string& name, const std::string& value,
                               const std::string& hint) {
  throw WorkerError(ErrorKind::kBadInput, "the option " + name + " cannot be: " + value, hint);
}

int CountOption(const xsp_worker_job& job, const char* name) {
  const std::string text = xsp_worker_option_value(&job, name, "0");
  int count = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (error != std::errc() || end != text.data() + text.size() || count < 0) {
    RejectOption(name, text, "give a number of threads, 0 for the library's default");
  }
  return count;
}

/// "key=value;key=value"
Settings ParseSettings(const char* name, const std::string& text) {
  Settings settings;
  std::size_t begin = 0;
  while (begin < text.size()) {
    const std::size_t end = std::min(text.find(';', begin), text.size());
    const std::string item = text.substr(begin, end - begin);
    const std::size_t equals = item.find('=');
    if (equals == 0 || equals == std::string::npos) {
      RejectOption(name, text, "write it as key=value;key=value");
    }
    settings.emplace_back(item.substr(0, equals), item.substr(equals + 1));
    begin = end + 1;
  }
  return settings;
}

GraphOptimizationLevel LevelOf(std::string_view graph) {
  if (graph == "disabled") return ORT_DISABLE_ALL;
  if (graph == "basic") return ORT_ENABLE_BASIC;
  if (graph == "extended") return ORT_ENABLE_EXTENDED;
  return ORT_ENABLE_ALL;
}

std::string ProviderOf(std::string_view device) {
  for (const std::string& provider : AvailableProviders()) {
    if (DeviceOf(provider) == device) return provider;
  }
  return "";
}

struct Columns {
  explicit Columns(const Settings& settings) {
    for (const auto& [key, value] : settings) {
      keys.push_back(key.c_str());
      values.push_back(value.c_str());
    }
  }
  std::vector<const char*> keys, values;
};

OrtStatus* AppendCuda(OrtSessionOptions* options, const Columns& columns) {
  const OrtApi& api = Api();
  OrtCUDAProviderOptionsV2* cuda = nullptr;
  if (OrtStatus* failed = api.CreateCUDAProviderOptions(&cuda)) return failed;
  OrtStatus* status = columns.keys.empty() ? nullptr
                                           : api.UpdateCUDAProviderOptions(
                                                 cuda, columns.keys.data(), columns.values.data(),
                                                 columns.keys.size());
  if (!status) status = api.SessionOptionsAppendExecutionProvider_CUDA_V2(options, cuda);
  api.ReleaseCUDAProviderOptions(cuda);
  return status;
}

OrtStatus* AppendTensorRt(OrtSessionOptions* options, const Columns& columns) {
  const OrtApi& api = Api();
  OrtTensorRTProviderOptionsV2* tensorrt = nullptr;
  if (OrtStatus* failed = api.CreateTensorRTProviderOptions(&tensorrt)) return failed;
  OrtStatus* status = columns.keys.empty() ? nullptr
                                           : api.UpdateTensorRTProviderOptions(
                                                 tensorrt, columns.keys.data(),
                                                 columns.values.data(), columns.keys.size());
  if (!status) status = api.SessionOptionsAppendExecutionProvider_TensorRT_V2(options, tensorrt);
  api.ReleaseTensorRTProviderOptions(tensorrt);
  return status;
}

void AppendProvider(OrtSessionOptions* options, const std::string& device,
                    const Settings& settings) {
  const std::string provider = ProviderOf(device);
  const Columns columns(settings);
  OrtStatus* status = nullptr;
  if (device == "cuda") {
    status = AppendCuda(options, columns);
  } else if (device == "tensorrt") {
    status = AppendTensorRt(options, columns);
  } else {
    // Providers are appended by their short name.
    const std::string name = provider.substr(0, provider.size() - kSuffix.size());
    status = Api().SessionOptionsAppendExecutionProvider(
        options, name.c_str(), columns.keys.data(), columns.values.data(), columns.keys.size());
  }
  if (!status) return;
  const std::string reason = Api().GetErrorMessage(status);
  Api().ReleaseStatus(status);
  throw WorkerError(
      ErrorKind::kNotPossible,
      "the provider " + provider + " cannot be used here: " + reason.substr(0, reason.find('\n')),
      "check its libraries, its driver and the option provider_options");
}

}  // namespace

std::string DeviceOf(std::string_view provider) {
  if (!provider.ends_with(kSuffix)) return "";
  std::string device(provider.substr(0, provider.size() - kSuffix.size()));
  std::transform(device.begin(), device.end(), device.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return device == "azure" ? "" : device;
}

bool RunsNodesToTheirEnd(std::string_view device) {
  constexpr std::string_view kOnTheCpu[] = {"cpu", "dnnl", "xnnpack", "acl", "openvino"};
  return std::find(std::begin(kOnTheCpu), std::end(kOnTheCpu), device) != std::end(kOnTheCpu);
}

bool RunsOnCuda(std::string_view device) {
  return device == "cuda" || device == "tensorrt" || device == "nvtensorrtrtx";
}

const std::vector<std::string>& GraphLevels() {
  static const std::vector<std::string> levels = {"disabled", "basic", "extended", "all"};
  return levels;
}

SessionOptions MakeSessionOptions(const xsp_worker_job& job) {
  const OrtApi& api = Api();
  OrtSessionOptions* made = nullptr;
  Check(api.CreateSessionOptions(&made), "cannot make session options", "");
  SessionOptions options(made);
  const auto set = [](OrtStatus* status) { Check(status, "cannot set a session option", ""); };
  set(api.SetSessionGraphOptimizationLevel(made, LevelOf(job.graph)));
  if (job.threads > 0) set(api.SetIntraOpNumThreads(made, job.threads));
  const std::string mode = xsp_worker_option_value(&job, "execution_mode", "sequential");
  if (mode != "sequential" && mode != "parallel") {
    RejectOption("execution_mode", mode, "it is sequential or parallel");
  }
  if (mode == "parallel") set(api.SetSessionExecutionMode(made, ORT_PARALLEL));
  if (const int threads = CountOption(job, "inter_op_threads")) {
    set(api.SetInterOpNumThreads(made, threads));
  }
  for (const auto& [key, value] :
       ParseSettings("session_config", xsp_worker_option_value(&job, "session_config", ""))) {
    set(api.AddSessionConfigEntry(made, key.c_str(), value.c_str()));
  }
  if (job.rung == XSP_RUNG_DETAILS) {
    // Packed weights leave the list of a node's inputs, and planned memory is allocated at once:
    // then the profile tells neither shapes nor bytes. The times of this rung are discarded.
    set(api.AddSessionConfigEntry(made, "session.disable_prepacking", "1"));
    set(api.DisableMemPattern(made));
  }
  const Settings settings =
      ParseSettings("provider_options", xsp_worker_option_value(&job, "provider_options", ""));
  const std::string device = job.device;
  if (device != "cpu") {
    AppendProvider(made, device, settings);
  } else if (!settings.empty()) {
    RejectOption("provider_options", xsp_worker_option_value(&job, "provider_options", ""),
                 "the device cpu has no provider options");
  }
  return options;
}

Session CreateSession(OrtEnv& environment, const xsp_worker_job& job,
                      const OrtSessionOptions* options) {
  OrtSession* session = nullptr;
  Check(Api().CreateSession(&environment, job.model_path, options, &session),
        std::string("cannot load the model ") + job.model_path, kExportHint);
  return Session(session);
}

}  // namespace xsp::worker_onnxruntime
