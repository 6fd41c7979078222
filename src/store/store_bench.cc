// A large trace to a run folder and back, and opening an experiment of many runs.
#include <benchmark/benchmark.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "store/database.h"
#include "store/experiment_writer.h"
#include "store/run_reader.h"
#include "trace/trace.h"

namespace xsp::store {
namespace {

namespace fs = std::filesystem;

fs::path Store() { return fs::temp_directory_path() / "xsp-store-bench"; }

/// As an importer leaves it: nested operators with a kernel each, two metrics and one attribute.
trace::Trace MakeTrace(int spans) {
  trace::Trace trace;
  trace::TraceWriter writer(trace);
  const auto track = writer.AddTrack({trace::TrackKind::kThread, "main"});
  for (int i = 0; i < spans; i += 2) {
    const std::string number = std::to_string(i % 1000);
    const auto layer = writer.AddSpan({trace::Level::kLayer, "aten::conv2d", "conv2d " + number,
                                       track, std::int64_t{i} * 1000, 900 + i % 97});
    const auto kernel =
        writer.AddSpan({trace::Level::kKernel, "kernel", "gemm kernel " + number, track,
                        std::int64_t{i} * 1000 + 10, 700 + i % 89, layer, i});
    writer.AddMetric(kernel, "flops.float32.vector", i % 1009, "flop", "analytic");
    writer.AddMetric(kernel, "algorithmic_read_bytes", i % 977, "byte", "analytic");
    writer.AddAttribute(layer, "input_shapes", "[[" + number + ",64,56,56]]");
  }
  return trace;
}

void WriteRun(benchmark::State& state) {
  const trace::Trace trace = MakeTrace(static_cast<int>(state.range(0)));
  for (auto _ : state) {
    auto writer = ExperimentWriter::Create(Store(), "run");
    if (!writer.ok() || !writer.value().AddRun("run-1", trace, "{}").ok()) std::abort();
  }
  state.counters["spans/s"] = benchmark::Counter(static_cast<double>(state.range(0)),
                                                 benchmark::Counter::kIsIterationInvariantRate);
  fs::remove_all(Store());
}
BENCHMARK(WriteRun)->Arg(1'000'000)->Unit(benchmark::kMillisecond)->UseRealTime();

void ReadRun(benchmark::State& state) {
  auto writer = ExperimentWriter::Create(Store(), "run");
  const trace::Trace trace = MakeTrace(static_cast<int>(state.range(0)));
  if (!writer.ok() || !writer.value().AddRun("run-1", trace, "{}").ok()) std::abort();
  for (auto _ : state) {
    const auto reader = RunReader::Create();
    if (!reader.ok() || !reader.value().Read(writer.value().folder() / "run-1").ok()) std::abort();
  }
  state.counters["spans/s"] = benchmark::Counter(static_cast<double>(state.range(0)),
                                                 benchmark::Counter::kIsIterationInvariantRate);
}
BENCHMARK(ReadRun)->Arg(1'000'000)->Unit(benchmark::kMillisecond)->UseRealTime();

/// The table kernel_layer over a whole run.
void KernelLayer(benchmark::State& state) {
  auto writer = ExperimentWriter::Create(Store(), "run");
  const trace::Trace trace = MakeTrace(static_cast<int>(state.range(0)));
  if (!writer.ok() || !writer.value().AddRun("run-1", trace, "{}").ok()) std::abort();
  const auto db = Database::Open({writer.value().folder() / "run-1"});
  if (!db.ok()) std::abort();
  for (auto _ : state) {
    const auto rows = db.value().Query("SELECT count(layer_id) FROM kernel_layer");
    if (!rows.ok() || std::get<std::int64_t>(rows.value().rows[0][0]) != state.range(0) / 2) {
      std::abort();
    }
  }
}
BENCHMARK(KernelLayer)->Arg(1'000'000)->Unit(benchmark::kMillisecond)->UseRealTime();

/// What every command pays before its first row.
void OpenExperiment(benchmark::State& state) {
  auto writer = ExperimentWriter::Create(Store(), "runs");
  if (!writer.ok()) std::abort();
  const trace::Trace trace = MakeTrace(100);
  for (std::int64_t i = 0; i < state.range(0); ++i) {
    if (!writer.value().AddRun("run-" + std::to_string(i), trace, "{}").ok()) std::abort();
  }
  for (auto _ : state) {
    const auto db = Database::Open({writer.value().folder()});
    if (!db.ok()) std::abort();
    benchmark::DoNotOptimize(db.value().Query("SELECT count(*) FROM span"));
  }
}
BENCHMARK(OpenExperiment)->Arg(1)->Arg(20)->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace
}  // namespace xsp::store

BENCHMARK_MAIN();
