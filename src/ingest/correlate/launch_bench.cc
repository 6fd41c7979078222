// Cost of launch placement per span, from 1e5 to 1e7 spans, beside reading the same columns once.
//
// A thread launches kernels that a stream runs a little later; every launch is a runtime call
// around a driver call of the same id. "shuffled" hands the rows over in random order, as files
// that list kernels as they completed do; "two processes" lets both use the same ids.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

#include "ingest/correlate/launch.h"

namespace {

using xsp::trace::Level;
using xsp::trace::Trace;

struct Row {
  Level level;
  std::uint32_t track;
  std::int64_t start, duration, correlation;
};

// Tracks 1 and 2: thread and stream of one process; 3 and 4: of another.
std::vector<Row> MakeRows(std::size_t count, std::uint32_t processes) {
  std::vector<Row> rows;
  rows.reserve(count + 2);
  for (std::int64_t i = 0; rows.size() < count; ++i) {
    const auto thread = 1 + 2 * static_cast<std::uint32_t>(i % processes);
    const std::int64_t id = 1 + i / processes, at = 10'000 * i;
    rows.push_back({Level::kLibrary, thread, at, 5000, id});
    rows.push_back({Level::kLibrary, thread, at + 1000, 3000, id});
    rows.push_back({Level::kKernel, thread + 1, at + 20'000, 8000, id});
  }
  rows.resize(count);
  return rows;
}

Trace MakeTrace(const std::vector<Row>& rows) {
  Trace trace;
  xsp::trace::TraceWriter writer(trace);
  for (const std::int64_t process : {1, 2}) {
    writer.AddTrack({.kind = xsp::trace::TrackKind::kThread, .name = "", .process_id = process});
    writer.AddTrack({.kind = xsp::trace::TrackKind::kStream, .name = "", .process_id = process});
  }
  for (const Row& row : rows)
    writer.AddSpan({.level = row.level,
                    .type = "x",
                    .name = "x",
                    .track = row.track,
                    .start_ns = row.start,
                    .duration_ns = row.duration,
                    .correlation_id = row.correlation});
  return trace;
}

void PerSpan(benchmark::State& state, std::size_t spans) {
  state.counters["per_span"] =
      benchmark::Counter(static_cast<double>(spans) * static_cast<double>(state.iterations()),
                         benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

void BM_ReadColumns(benchmark::State& state) {
  const Trace trace = MakeTrace(MakeRows(static_cast<std::size_t>(state.range(0)), 1));
  for (auto _ : state) {
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < trace.spans.size(); ++i)
      sum += trace.spans.start_ns[i] ^ trace.spans.correlation_id[i] ^ trace.spans.track[i];
    benchmark::DoNotOptimize(sum);
  }
  PerSpan(state, trace.spans.size());
}

template <bool kShuffle, std::uint32_t kProcesses>
void Run(benchmark::State& state) {
  auto rows = MakeRows(static_cast<std::size_t>(state.range(0)), kProcesses);
  if (kShuffle) std::shuffle(rows.begin(), rows.end(), std::mt19937(1));
  Trace trace = MakeTrace(rows);
  for (auto _ : state) {
    state.PauseTiming();
    std::fill(trace.spans.parent.begin(), trace.spans.parent.end(), 0u);
    state.ResumeTiming();
    xsp::correlate::PlaceByLaunch(trace);
    benchmark::DoNotOptimize(trace.spans.parent.data());
  }
  PerSpan(state, rows.size());
}

void BM_Launch(benchmark::State& state) { Run<false, 1>(state); }
void BM_LaunchShuffled(benchmark::State& state) { Run<true, 1>(state); }
void BM_LaunchTwoProcesses(benchmark::State& state) { Run<false, 2>(state); }

#define XSP_SIZES RangeMultiplier(10)->Range(100'000, 10'000'000)->Unit(benchmark::kMillisecond)
BENCHMARK(BM_ReadColumns)->XSP_SIZES;
BENCHMARK(BM_Launch)->XSP_SIZES;
BENCHMARK(BM_LaunchShuffled)->XSP_SIZES;
BENCHMARK(BM_LaunchTwoProcesses)->XSP_SIZES;

}  // namespace

BENCHMARK_MAIN();
