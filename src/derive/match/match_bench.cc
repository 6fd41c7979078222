// Matching a ResNet-50 experiment: five batch sizes, four rungs, 1090 operators a call. The target
// is one second; reading the runs back is shown beside it, since it is part of it.
#include <benchmark/benchmark.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "derive/match/match.h"
#include "store/experiment_writer.h"
#include "store/run_reader.h"
#include "trace/trace.h"

namespace xsp::match {
namespace {

constexpr int kLayers = 175, kNested = 1090 - kLayers, kCalls = 30;

trace::Trace MakeTrace(bool layers, bool kernels, bool shapes, int calls) {
  trace::Trace trace;
  trace::TraceWriter writer(trace);
  const auto track = writer.AddTrack({trace::TrackKind::kThread, "main"});
  for (int call = 0; call < calls; ++call) {
    const std::int64_t start = call * 20'000'000;
    const auto root = writer.AddSpan(
        {trace::Level::kModel, "predict", "resnet50", track, start, 19'000'000 + call});
    writer.AddMetric(root, "iteration", call, "1", "analytic");
    for (int i = 0; layers && i < kLayers; ++i) {
      const std::int64_t at = start + i * 100'000;
      const std::string type = i % 3 == 0 ? "aten::conv2d" : "aten::batch_norm";
      auto parent = writer.AddSpan({trace::Level::kLayer, type, type, track, at, 90'000, root});
      for (int n = 0; n < kNested / kLayers; ++n) {
        parent = writer.AddSpan({trace::Level::kLayer, "aten::inner" + std::to_string(n),
                                 "aten::inner", track, at + n, 80'000 - 2 * n, parent});
        if (!shapes) continue;
        writer.AddAttribute(parent, "input_shapes", "[[" + std::to_string(i) + ",3,7,7]]");
        writer.AddAttribute(parent, "input_types", "[float32]");
      }
      if (!kernels) continue;
      const auto kernel = writer.AddSpan(
          {trace::Level::kKernel, "primitive", "convolution brg", track, at + 10, 70'000, parent});
      writer.AddMetric(kernel, "flops.float32.vector", 1e9 + i, "flop", "analytic");
      writer.AddMetric(kernel, "algorithmic_read_bytes", 1e6, "byte", "analytic");
      writer.AddMetric(kernel, "algorithmic_write_bytes", 1e6, "byte", "analytic");
      writer.AddAttribute(kernel, "problem", "mb1_ic3oc64_ih224_" + std::to_string(i));
    }
  }
  return trace;
}

struct Experiment {
  std::filesystem::path store;
  std::vector<PointInput> points;
  std::vector<RunInput> runs;

  Experiment() {
    store = std::filesystem::temp_directory_path() / "xsp-match-bench";
    std::filesystem::remove_all(store);
    auto writer = store::ExperimentWriter::Create(store, "resnet50");
    if (!writer.ok()) std::abort();
    const auto add = [&](std::int64_t point, const std::string& rung, const trace::Trace& trace) {
      const std::string name = "b" + std::to_string(point) + "-" + rung;
      if (!writer.value().AddRun(name, trace, "{}").ok()) std::abort();
      runs.push_back({static_cast<std::int64_t>(runs.size() + 1), point, rung, "done",
                      store / "resnet50" / name, name, ""});
    };
    for (std::int64_t point = 1; point <= 5; ++point) {
      points.push_back({point, "resnet50", "PyTorch", "cpu", "default", 1, "{}", 0, 2});
      add(point, "model", MakeTrace(false, false, false, kCalls));
      add(point, "layer", MakeTrace(true, false, false, kCalls));
      add(point, "kernel", MakeTrace(true, true, false, kCalls));
      add(point, "details", MakeTrace(true, false, true, 3));
    }
    if (!writer.value().Commit("{}").ok()) std::abort();
  }
  ~Experiment() { std::filesystem::remove_all(store); }
};

const Experiment& TheExperiment() {
  static const Experiment experiment;
  return experiment;
}

void MatchResNet50(benchmark::State& state) {
  const Experiment& experiment = TheExperiment();
  for (auto _ : state) {
    const auto tables = Match(experiment.points, experiment.runs);
    if (!tables.ok()) state.SkipWithError(tables.error().what.c_str());
    benchmark::DoNotOptimize(tables);
  }
}
BENCHMARK(MatchResNet50)->Unit(benchmark::kMillisecond);

void ReadResNet50(benchmark::State& state) {
  const Experiment& experiment = TheExperiment();
  std::size_t spans = 0;
  for (auto _ : state) {
    const auto reader = store::RunReader::Create();
    if (!reader.ok()) std::abort();
    spans = 0;
    for (const RunInput& run : experiment.runs) {
      const auto trace = reader.value().ReadSpans(run.folder);
      if (!trace.ok()) std::abort();
      spans += trace.value().spans.size();
    }
  }
  state.counters["spans"] = static_cast<double>(spans);
}
BENCHMARK(ReadResNet50)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace xsp::match

BENCHMARK_MAIN();
