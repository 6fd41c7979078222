// Cost of correlation per span, from 1e5 to 1e7 spans, beside reading the same columns once and
// beside sorting them (the least that an algorithm over unordered spans pays).
//
// The trace is one of a model: 700 operators a call, three levels deep, a primitive in every third.
// "shuffled" hands the rows over in random order, as a file sorted by nothing would.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <random>
#include <vector>

#include "ingest/correlate/correlate.h"
#include "ingest/correlate/nesting.h"

namespace {

using xsp::trace::Level;
using xsp::trace::Trace;

struct Row {
  Level level;
  const char* type;
  std::int64_t start, duration;
};

// Rows in order of start; a call is a model span, operators in it, each around two others.
std::vector<Row> MakeRows(std::size_t count) {
  std::vector<Row> rows;
  rows.reserve(count);
  std::int64_t at = 0;
  while (rows.size() < count) {
    const std::size_t model = rows.size();
    rows.push_back({Level::kModel, "predict", at, 0});
    for (int i = 0; i < 175 && rows.size() < count; ++i) {
      rows.push_back({Level::kLayer, "aten::batch_norm", at + 10, 1000});
      rows.push_back({Level::kLayer, "aten::native_batch_norm", at + 20, 900});
      rows.push_back({Level::kLayer, "aten::empty_like", at + 30, 50});
      if (i % 3 == 0) rows.push_back({Level::kKernel, "primitive", at + 100, 700});
      at += 1020;
    }
    at += 500;
    rows[model].duration = at - rows[model].start;
  }
  rows.resize(count);
  return rows;
}

Trace MakeTrace(const std::vector<Row>& rows) {
  Trace trace;
  xsp::trace::TraceWriter writer(trace);
  writer.AddTrack({.kind = xsp::trace::TrackKind::kThread, .name = "main"});
  for (const Row& row : rows)
    writer.AddSpan({.level = row.level,
                    .type = row.type,
                    .name = row.type,
                    .track = 1,
                    .start_ns = row.start,
                    .duration_ns = row.duration});
  return trace;
}

std::vector<Row> Shuffled(std::vector<Row> rows) {
  std::shuffle(rows.begin(), rows.end(), std::mt19937(1));
  return rows;
}

void PerSpan(benchmark::State& state, std::size_t spans) {
  state.counters["per_span"] =
      benchmark::Counter(static_cast<double>(spans) * static_cast<double>(state.iterations()),
                         benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

void BM_ReadColumns(benchmark::State& state) {
  const Trace trace = MakeTrace(MakeRows(static_cast<std::size_t>(state.range(0))));
  for (auto _ : state) {
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < trace.spans.size(); ++i)
      sum += trace.spans.start_ns[i] ^ trace.spans.duration_ns[i] ^ trace.spans.track[i];
    benchmark::DoNotOptimize(sum);
  }
  PerSpan(state, trace.spans.size());
}

void BM_SortStarts(benchmark::State& state) {
  const Trace trace = MakeTrace(Shuffled(MakeRows(static_cast<std::size_t>(state.range(0)))));
  for (auto _ : state) {
    std::vector<std::uint32_t> order(trace.spans.size());
    std::iota(order.begin(), order.end(), 0u);
    std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
      return trace.spans.start_ns[a] < trace.spans.start_ns[b];
    });
    benchmark::DoNotOptimize(order.data());
  }
  PerSpan(state, trace.spans.size());
}

template <bool kShuffle, bool kAll>
void Run(benchmark::State& state) {
  auto rows = MakeRows(static_cast<std::size_t>(state.range(0)));
  if (kShuffle) rows = Shuffled(std::move(rows));
  for (auto _ : state) {
    state.PauseTiming();
    Trace trace = MakeTrace(rows);
    state.ResumeTiming();
    if (kAll) {
      benchmark::DoNotOptimize(xsp::correlate::Correlate(trace).ok());
    } else {
      xsp::correlate::Nest(trace);
    }
    benchmark::DoNotOptimize(trace.spans.parent.data());
    state.PauseTiming();
    trace = Trace();
    state.ResumeTiming();
  }
  PerSpan(state, rows.size());
}

void BM_Nest(benchmark::State& state) { Run<false, false>(state); }
void BM_NestShuffled(benchmark::State& state) { Run<true, false>(state); }
void BM_Correlate(benchmark::State& state) { Run<false, true>(state); }

#define XSP_SIZES RangeMultiplier(10)->Range(100'000, 10'000'000)->Unit(benchmark::kMillisecond)
BENCHMARK(BM_ReadColumns)->XSP_SIZES;
BENCHMARK(BM_SortStarts)->XSP_SIZES;
BENCHMARK(BM_Nest)->XSP_SIZES;
BENCHMARK(BM_NestShuffled)->XSP_SIZES;
BENCHMARK(BM_Correlate)->XSP_SIZES;

}  // namespace

BENCHMARK_MAIN();
