// Are the operator times that XSP records those that PyTorch's own profiler sees? Runs a model in
// one process, alternating a block of calls under our layer observer with a block under PyTorch's
// profiler (two processes would differ by more than the profilers do), and prints for each operator
// type the time per call of its outermost operators, both ways.
//
// Usage: operators_bench MODEL.pt [BATCH] [THREADS] [BLOCKS]   (default: 1 2 40; input 3 x 224 x
// 224)
#include <ATen/Parallel.h>
#include <c10/core/InferenceMode.h>
#include <torch/csrc/autograd/profiler_kineto.h>
#include <torch/script.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "capture/wire/reader.h"
#include "capture/wire/xsp.h"
#include "core/statistics.h"
#include "torch/layer_observer.h"

namespace xsp::worker_torch {
namespace {

constexpr int kCalls = 6;
constexpr int kWarmUpCalls = 30;

struct Operator {
  std::string name;
  std::uint64_t thread;
  std::int64_t start_ns, end_ns;
};

/// Milliseconds per call, by operator type, of one block of calls.
using Sums = std::map<std::string, double>;

/// Adds up the outermost of `operators`: those that no other one of their thread contains.
Sums SumOutermost(std::vector<Operator> operators) {
  std::sort(operators.begin(), operators.end(), [](const Operator& a, const Operator& b) {
    return std::tuple(a.thread, a.start_ns, -a.end_ns) <
           std::tuple(b.thread, b.start_ns, -b.end_ns);
  });
  Sums sums;
  const Operator* outermost = nullptr;
  for (const Operator& each : operators) {
    const bool inside = outermost != nullptr && outermost->thread == each.thread &&
                        each.end_ns <= outermost->end_ns;
    if (inside) continue;
    outermost = &each;
    sums[each.name] += static_cast<double>(each.end_ns - each.start_ns) / 1e6 / kCalls;
  }
  return sums;
}

/// Operators of our recording, block by block: a model span surrounds each block.
class Blocks : public wire::RecordSink {
 public:
  void OnSpan(const wire::SpanRecord& span) override {
    if (span.level == XSP_LEVEL_MODEL) blocks.emplace_back();
    if (span.level == XSP_LEVEL_LAYER && span.name.starts_with("aten::") && !blocks.empty())
      blocks.back().push_back({std::string(span.name), span.thread, span.start_ns, span.end_ns});
  }
  void OnMetric(const wire::MetricRecord&) override {}
  void OnAttribute(const wire::AttributeRecord&) override {}
  void OnMark(const wire::MarkRecord&) override {}
  void OnCounter(const wire::CounterRecord&) override {}

  std::vector<std::vector<Operator>> blocks;
};

class Bench {
 public:
  Bench(const std::string& model, int batch)
      : module_(torch::jit::load(model)), input_(torch::randn({batch, 3, 224, 224})) {
    module_.eval();
  }

  void Call(int times) {
    for (int i = 0; i < times; ++i) module_.forward({input_});
  }

  void RecordBlock() {
    const xsp_span block = xsp_begin(XSP_LEVEL_MODEL, name_, name_);
    {
      const LayerObserver observer(c10::Device(c10::kCPU));
      Call(kCalls);
    }
    xsp_end(block);
  }

  Sums ProfileBlock() {
    using namespace torch::profiler::impl;
    const ProfilerConfig config(ProfilerState::KINETO);
    const std::set<ActivityType> activities = {ActivityType::CPU};
    torch::autograd::profiler::prepareProfiler(config, activities);
    torch::autograd::profiler::enableProfiler(
        config, activities, {at::RecordScope::FUNCTION, at::RecordScope::TORCHSCRIPT_FUNCTION});
    Call(kCalls);
    const auto result = torch::autograd::profiler::disableProfiler();
    std::vector<Operator> operators;
    for (const auto& event : result->events()) {
      if (!event.name().starts_with("aten::")) continue;
      const auto start = static_cast<std::int64_t>(event.startNs());
      operators.push_back({event.name(), event.startThreadId(), start,
                           start + static_cast<std::int64_t>(event.durationNs())});
    }
    return SumOutermost(std::move(operators));
  }

 private:
  c10::InferenceMode inference_;
  torch::jit::Module module_;
  at::Tensor input_;
  xsp_string name_ = xsp_intern("block", 5);
};

void Report(const std::vector<Sums>& ours, const std::vector<Sums>& theirs) {
  std::map<std::string, std::pair<std::vector<double>, std::vector<double>>> types;
  const auto collect = [&](const std::vector<Sums>& blocks, auto member) {
    for (const Sums& block : blocks)
      for (const auto& [name, ms] : block) (types[name].*member).push_back(ms);
  };
  using Pair = std::pair<std::vector<double>, std::vector<double>>;
  collect(ours, &Pair::first);
  collect(theirs, &Pair::second);
  std::vector<std::pair<double, std::string>> order;
  for (const auto& [name, times] : types)
    order.emplace_back(-core::TrimmedMean(times.second), name);
  std::sort(order.begin(), order.end());
  std::printf("%-28s %9s %9s %8s   %s\n", "ms per call", "XSP", "profiler", "ratio",
              "95 % interval of the ratio");
  for (const auto& [ms, name] : order) {
    const auto& [a, b] = types[name];
    const core::Interval interval = core::TrimmedMeanRatioInterval(a, b);
    std::printf("%-28s %9.3f %9.3f %8.3f   %.3f ... %.3f\n", name.c_str(), core::TrimmedMean(a),
                core::TrimmedMean(b), core::TrimmedMean(a) / core::TrimmedMean(b), interval.low,
                interval.high);
  }
}

int Main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: operators_bench MODEL.pt [BATCH] [THREADS] [BLOCKS]\n");
    return 2;
  }
  const auto argument = [&](int index, int otherwise) {
    return argc > index ? std::atoi(argv[index]) : otherwise;
  };
  at::set_num_threads(argument(3, 2));
  const std::string recording = "/tmp/operators_bench." + std::to_string(getpid()) + ".xspr";
  if (xsp_open(recording.c_str(), nullptr) != 0) return 5;
  Bench bench(argv[1], argument(2, 1));
  bench.Call(kWarmUpCalls);
  bench.ProfileBlock();
  std::vector<Sums> ours, theirs;
  for (int block = 0; block < argument(4, 40); ++block) {
    // Which of the two comes first changes, so that a drift hits both.
    if (block % 2 == 0) bench.RecordBlock();
    theirs.push_back(bench.ProfileBlock());
    if (block % 2 != 0) bench.RecordBlock();
  }
  xsp_close();
  Blocks blocks;
  wire::ReadError error;
  if (const auto reader = wire::Reader::Open(recording, &error)) reader->Read(blocks);
  unlink(recording.c_str());
  for (auto& block : blocks.blocks) ours.push_back(SumOutermost(std::move(block)));
  Report(ours, theirs);
  return 0;
}

}  // namespace
}  // namespace xsp::worker_torch

int main(int argc, char** argv) { return xsp::worker_torch::Main(argc, argv); }
