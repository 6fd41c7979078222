// What watching a model costs: calls it bare, with an empty callback, with our layer and kernel
// rungs and with PyTorch's own profiler, in shuffled order in every block, in one process.
//
// Usage: overhead_bench MODEL.pt [BATCH] [THREADS] [BLOCKS]     (default: 1 2 60; input 3 x 224 x
// 224)
//
// A block measures every mode once: a call that is dropped, then kCalls calls whose median counts.
// The overhead of a mode is the trimmed mean over the blocks of (median of the mode / mean of the
// two bare medians of the same block), with a 95 % bootstrap interval: what disturbs a whole block
// cancels.
#include <ATen/Parallel.h>
#include <ATen/native/verbose_wrapper.h>
#include <c10/core/InferenceMode.h>
#include <torch/csrc/autograd/profiler_kineto.h>
#include <torch/script.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "capture/record/cpu_capture.h"
#include "capture/wire/xsp.h"
#include "core/statistics.h"
#include "torch/detail_observer.h"
#include "torch/layer_observer.h"

namespace xsp::worker_torch {
namespace {

constexpr int kCalls = 5;
constexpr int kWarmUpCalls = 30;

std::uint64_t callbacks_run = 0;

struct Mode {
  const char* name;
  void (*start)();
  void (*stop)();
};

at::CallbackHandle empty_callback = 0;
std::optional<LayerObserver> layers;
std::optional<DetailObserver> details;

void StartEmpty() {
  empty_callback = at::addThreadLocalCallback(
      at::RecordFunctionCallback(
          [](const at::RecordFunction&) -> std::unique_ptr<at::ObserverContext> {
            ++callbacks_run;
            return nullptr;
          },
          [](const at::RecordFunction&, at::ObserverContext*) {})
          .scopes({at::RecordScope::FUNCTION, at::RecordScope::TORCHSCRIPT_FUNCTION}));
}

void StopEmpty() { at::removeCallback(empty_callback); }

void StartLayers() { layers.emplace(c10::Device(c10::kCPU)); }

void StopLayers() { layers.reset(); }

void StartKernels() {
  record::StartCpuCapture();
  torch::verbose::_mkldnn_set_verbose(1);
  torch::verbose::_mkl_set_verbose(1);
  StartLayers();
}

void StopKernels() {
  StopLayers();
  torch::verbose::_mkldnn_set_verbose(0);
  torch::verbose::_mkl_set_verbose(0);
  record::StopCpuCapture();
}

void StartProfilerWith(bool shapes_and_memory) {
  using namespace torch::profiler::impl;
  const ProfilerConfig config(ProfilerState::KINETO, shapes_and_memory, shapes_and_memory);
  const std::set<ActivityType> activities = {ActivityType::CPU};
  torch::autograd::profiler::prepareProfiler(config, activities);
  torch::autograd::profiler::enableProfiler(config, activities,
                                            {at::RecordScope::FUNCTION, at::RecordScope::USER_SCOPE,
                                             at::RecordScope::TORCHSCRIPT_FUNCTION});
}

void StopProfiler() { torch::autograd::profiler::disableProfiler(); }

constexpr Mode kModes[] = {
    {"bare", [] {}, [] {}},
    {"bare again", [] {}, [] {}},
    {"empty callback", StartEmpty, StopEmpty},
    {"layer rung", StartLayers, StopLayers},
    {"kernel rung", StartKernels, StopKernels},
    {"details rung", [] { details.emplace(c10::kCPU); }, [] { details.reset(); }},
    {"PyTorch profiler", [] { StartProfilerWith(false); }, StopProfiler},
    {"PyTorch profiler, shapes and memory", [] { StartProfilerWith(true); }, StopProfiler},
};
constexpr std::size_t kModeCount = std::size(kModes);
constexpr std::size_t kEmpty = 2, kLayer = 3;

class Bench {
 public:
  Bench(const std::string& model, int batch)
      : module_(torch::jit::load(model)), input_(torch::randn({batch, 3, 224, 224})) {
    module_.eval();
  }

  double CallNs() {
    const std::uint64_t start = xsp_now_ns();
    const xsp_span call = xsp_begin(XSP_LEVEL_MODEL, predict_, predict_);
    module_.forward({input_});
    xsp_end(call);
    return static_cast<double>(xsp_now_ns() - start);
  }

  double MedianOf(const Mode& mode) {
    mode.start();
    CallNs();
    std::vector<double> times;
    for (int i = 0; i < kCalls; ++i) times.push_back(CallNs());
    mode.stop();
    return core::Median(times);
  }

 private:
  c10::InferenceMode inference_;
  torch::jit::Module module_;
  at::Tensor input_;
  xsp_string predict_ = xsp_intern("predict", 7);
};

void Report(const std::vector<double> (&medians)[kModeCount], double events_per_call) {
  std::printf("%-38s %12s %12s %22s\n", "", "call, ms", "overhead, %", "95 % interval, %");
  double overheads[kModeCount] = {};
  for (std::size_t mode = 0; mode < kModeCount; ++mode) {
    std::vector<double> ratios;
    for (std::size_t block = 0; block < medians[mode].size(); ++block) {
      const double bare = (medians[0][block] + medians[1][block]) / 2;
      ratios.push_back(100 * (medians[mode][block] / bare - 1));
    }
    const core::Interval interval = core::TrimmedMeanInterval(ratios);
    overheads[mode] = core::TrimmedMean(ratios);
    std::printf("%-38s %12.3f %+12.2f       %+6.2f ... %+6.2f\n", kModes[mode].name,
                core::TrimmedMean(medians[mode]) / 1e6, overheads[mode], interval.low,
                interval.high);
  }
  std::printf("events per call: %.0f; layer rung / empty callback: %.2f\n", events_per_call,
              overheads[kLayer] / overheads[kEmpty]);
}

int Main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: overhead_bench MODEL.pt [BATCH] [THREADS] [BLOCKS]\n");
    return 2;
  }
  const auto argument = [&](int index, int otherwise) {
    return argc > index ? std::atoi(argv[index]) : otherwise;
  };
  const int blocks = argument(4, 60);
  at::set_num_threads(argument(3, 2));
  const std::string recording = "/tmp/overhead_bench." + std::to_string(getpid()) + ".xspr";
  if (xsp_open(recording.c_str(), nullptr) != 0) return 5;
  Bench bench(argv[1], argument(2, 1));
  for (int i = 0; i < kWarmUpCalls; ++i) bench.CallNs();
  std::vector<double> medians[kModeCount];
  std::vector<std::size_t> order(kModeCount);
  for (std::size_t i = 0; i < kModeCount; ++i) order[i] = i;
  std::mt19937 random(1);
  for (int block = 0; block < blocks; ++block) {
    std::shuffle(order.begin(), order.end(), random);
    for (const std::size_t mode : order) medians[mode].push_back(bench.MedianOf(kModes[mode]));
  }
  xsp_close();
  unlink(recording.c_str());
  Report(medians, static_cast<double>(callbacks_run) / (blocks * (kCalls + 1)));
  return 0;
}

}  // namespace
}  // namespace xsp::worker_torch

int main(int argc, char** argv) { return xsp::worker_torch::Main(argc, argv); }
