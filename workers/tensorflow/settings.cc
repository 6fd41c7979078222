#include "tensorflow/settings.h"

#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <string_view>
#include <thread>

#include "harness/job.h"
#include "harness/worker_errors.h"
#include "protobuf/message.h"

namespace xsp::worker_tensorflow {
namespace {

using protobuf::MessageWriter;
using worker::WorkerError;

[[noreturn]] void RefuseOption(const std::string& name, std::string_view value,
                               const std::string& takes) {
  throw WorkerError(ErrorKind::kBadInput,
                    "the option " + name + " does not take this value: " + std::string(value),
                    name + " takes " + takes);
}

bool IsOn(const xsp_worker_job& job, const char* name) {
  const std::string_view value = xsp_worker_option_value(&job, name, "off");
  if (value != "on" && value != "off") RefuseOption(name, value, "on or off");
  return value == "on";
}

int InterOpThreads(const xsp_worker_job& job) {
  // With a number of threads asked for, one operator runs at a time: no more threads work then.
  const char* fallback = job.threads > 0 ? "1" : "0";
  const std::string_view value = xsp_worker_option_value(&job, "inter_op_threads", fallback);
  int threads = 0;
  const char* end = value.data() + value.size();
  const auto [at, error] = std::from_chars(value.data(), end, threads);
  if (error != std::errc() || at != end || threads < 0 || threads > 4096)
    RefuseOption("inter_op_threads", value, "a number from 0 (TensorFlow's default) to 4096");
  return threads;
}

std::vector<std::string> Split(std::string_view text) {
  std::vector<std::string> parts;
  while (!text.empty()) {
    const std::size_t comma = text.find(',');
    if (comma != 0) parts.emplace_back(text.substr(0, comma));
    text.remove_prefix(comma == std::string_view::npos ? text.size() : comma + 1);
  }
  return parts;
}

/// Numbers of fields and values: tensorflow/core/protobuf/config.proto and rewriter_config.proto.
namespace field {
constexpr std::uint32_t kIntraOpThreads = 2, kInterOpThreads = 5, kSoftPlacement = 7,
                        kGraphOptions = 10;
constexpr std::uint32_t kOptimizerOptions = 3, kRewriteOptions = 10;
constexpr std::uint32_t kOptLevel = 3, kGlobalJitLevel = 5, kCpuGlobalJit = 7;
constexpr std::uint32_t kDisableMetaOptimizer = 19, kMixedPrecisionBfloat16 = 31;
}  // namespace field
constexpr std::int64_t kNoOptimisation = -1, kJitOn = 2, kRewriterOn = 1;

}  // namespace

Settings SettingsOf(const xsp_worker_job& job) {
  Settings settings;
  settings.intra_op_threads = job.threads;
  settings.inter_op_threads = InterOpThreads(job);
  settings.rewrites = std::string_view(job.graph) != "disabled";
  settings.xla = IsOn(job, "xla");
  settings.all_nodes = IsOn(job, "all_nodes");
  settings.onednn = xsp_worker_option_value(&job, "onednn", "default");
  if (settings.onednn != "default" && settings.onednn != "on" && settings.onednn != "off")
    RefuseOption("onednn", settings.onednn, "default, on or off");
  settings.precision = job.precision;
  settings.signature = xsp_worker_option_value(&job, "signature", "serving_default");
  settings.outputs = Split(xsp_worker_option_value(&job, "outputs", ""));
  if (settings.precision != "default" && (!settings.rewrites || settings.onednn == "off")) {
    throw WorkerError(
        ErrorKind::kNotPossible,
        "TensorFlow lowers the precision by rewriting the graph for oneDNN, which the "
        "job switches off: precision " +
            settings.precision,
        "leave graph and the option onednn at default");
  }
  return settings;
}

void AnnouncePrimitives() { setenv("ONEDNN_VERBOSE", "1", 1); }

void RestartWithEnvironment(int argc, char** argv) {
  constexpr const char* kVariable = "TF_ENABLE_ONEDNN_OPTS";
  std::string path;
  for (int i = 1; i + 1 < argc; ++i)
    if (std::string_view(argv[i]) == "--job") path = argv[i + 1];
  worker::Job job;
  if (path.empty() || !worker::ReadJob(path, job).ok()) return;
  const auto option = std::find_if(job.options.begin(), job.options.end(),
                                   [](const auto& pair) { return pair.first == "onednn"; });
  if (option == job.options.end() || (option->second != "on" && option->second != "off")) return;
  const char* wanted = option->second == "on" ? "1" : "0";
  const char* present = getenv(kVariable);
  if (present && std::string_view(present) == wanted) return;
  setenv(kVariable, wanted, 1);
  execv("/proc/self/exe", argv);
  std::fprintf(stderr, "warning: cannot start anew with %s=%s\n", kVariable, wanted);
}

std::string SessionConfig(const Settings& settings) {
  MessageWriter optimizer, rewriter, graph, config;
  if (!settings.rewrites) {
    optimizer.Integer(field::kOptLevel, kNoOptimisation);
    rewriter.Integer(field::kDisableMetaOptimizer, 1);
  }
  if (settings.xla) {
    optimizer.Integer(field::kGlobalJitLevel, kJitOn).Integer(field::kCpuGlobalJit, 1);
  }
  if (settings.precision == "bfloat16")
    rewriter.Integer(field::kMixedPrecisionBfloat16, kRewriterOn);
  graph.Bytes(field::kOptimizerOptions, optimizer.text())
      .Bytes(field::kRewriteOptions, rewriter.text());
  config.Integer(field::kIntraOpThreads, settings.intra_op_threads)
      .Integer(field::kInterOpThreads, settings.inter_op_threads)
      // A model that was saved for a GPU runs on the CPU, too.
      .Integer(field::kSoftPlacement, 1)
      .Bytes(field::kGraphOptions, graph.text());
  return config.text();
}

int ThreadsOf(int asked) {
  return asked > 0 ? asked : static_cast<int>(std::thread::hardware_concurrency());
}

}  // namespace xsp::worker_tensorflow
