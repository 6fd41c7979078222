// Cost of attributing replayed graphs per span, from 1e5 to 1e7 spans, beside reading the same
// columns once.
//
// One eager iteration of 150 operators with four kernels each, then replays of it as one launch a
// step: "equal" as it was, "changed" with 5 % of the kernels lost and 5 % come in (16 variants, as
// batch sizes have), "parts" of it of 20 kernels each. "adversarial": every replay differs from
// every other and from 200 iterations, whose names are the same in another order: what the limit on
// comparisons is for.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "ingest/correlate/graph_replay.h"
#include "ingest/correlate/launch.h"
#include "ingest/correlate/nesting.h"

namespace {

using xsp::trace::Level;
using xsp::trace::Trace;
using Names = std::vector<std::string>;

enum class Shape { kEqual, kChanged, kParts, kAdversarial };

class Maker {
 public:
  explicit Maker(std::size_t spans) : spans_(spans) {
    writer_.AddTrack({.kind = xsp::trace::TrackKind::kThread, .name = "thread"});
    writer_.AddTrack({.kind = xsp::trace::TrackKind::kStream, .name = "stream", .device = 0});
  }

  Trace Make(Shape shape) {
    std::mt19937 random(1);
    Names kernels;
    // Names repeat as they do in a network: six equal blocks.
    for (int i = 0; i < 600; ++i) kernels.push_back("kernel_" + std::to_string(i % 100));
    std::vector<Names> variants;
    const bool adversarial = shape == Shape::kAdversarial;
    for (int iteration = 0; iteration < (adversarial ? 200 : 1); ++iteration) {
      Step();
      Eager(kernels);
      if (adversarial) std::shuffle(kernels.begin(), kernels.end(), random);
    }
    if (shape == Shape::kChanged) {
      for (int variant = 0; variant < 16; ++variant) variants.push_back(Changed(kernels, random));
    } else if (shape == Shape::kParts) {
      for (auto part = kernels.begin(); part != kernels.end(); part += 20)
        variants.emplace_back(part, part + 20);
    } else {
      variants.push_back(kernels);
    }
    for (std::size_t replay = 0; trace_.spans.size() < spans_; ++replay) {
      if (adversarial) std::shuffle(variants[0].begin(), variants[0].end(), random);
      Step();
      Replay(variants[replay % variants.size()]);
    }
    xsp::correlate::PlaceByLaunch(trace_);
    xsp::correlate::Nest(trace_);
    return std::move(trace_);
  }

 private:
  void Add(Level level, std::string_view type, std::string_view name, std::uint32_t track,
           std::int64_t start, std::int64_t duration, std::int64_t correlation = 0) {
    writer_.AddSpan({.level = level,
                     .type = type,
                     .name = name,
                     .track = track,
                     .start_ns = start,
                     .duration_ns = duration,
                     .correlation_id = correlation});
  }
  void Step() {
    Add(Level::kApplication, xsp::trace::type::kStep, "step", 1, at_, 1'000'000);
    at_ += 10;
  }
  void Eager(const Names& kernels) {
    const std::int64_t start = at_;
    for (std::size_t i = 0; i < kernels.size(); ++i, at_ += 1000) {
      if (i % 4 == 0) Add(Level::kLayer, "op", "op " + std::to_string(i % 100), 1, at_, 3900);
      Add(Level::kLibrary, "cuda_runtime", "cudaLaunchKernel", 1, at_ + 10, 100, ++id_);
      Add(Level::kKernel, "kernel", kernels[i], 2, at_ + 200, 700, id_);
    }
    at_ = start + 1'000'000;
  }
  void Replay(const Names& kernels) {
    Add(Level::kLibrary, "cuda_runtime", "cudaGraphLaunch", 1, at_, 100, ++id_);
    for (std::size_t i = 0; i < kernels.size(); ++i)
      Add(Level::kKernel, "kernel", kernels[i], 2, at_ + 1000 * static_cast<std::int64_t>(i), 700,
          id_);
    at_ += 1'000'000;
  }
  static Names Changed(const Names& kernels, std::mt19937& random) {
    Names changed;
    for (const std::string& kernel : kernels) {
      if (random() % 20 == 0) changed.push_back("other_" + std::to_string(random() % 50));
      if (random() % 20 != 0) changed.push_back(kernel);
    }
    return changed;
  }

  std::size_t spans_;
  Trace trace_;
  xsp::trace::TraceWriter writer_{trace_};
  std::int64_t at_ = 0, id_ = 0;
};

void PerSpan(benchmark::State& state, std::size_t spans) {
  state.counters["per_span"] =
      benchmark::Counter(static_cast<double>(spans) * static_cast<double>(state.iterations()),
                         benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

void BM_ReadColumns(benchmark::State& state) {
  const Trace trace = Maker(static_cast<std::size_t>(state.range(0))).Make(Shape::kEqual);
  for (auto _ : state) {
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < trace.spans.size(); ++i)
      sum += trace.spans.start_ns[i] ^ trace.spans.parent[i] ^ trace.spans.name[i];
    benchmark::DoNotOptimize(sum);
  }
  PerSpan(state, trace.spans.size());
}

template <Shape kShape>
void Run(benchmark::State& state) {
  const auto size = static_cast<std::size_t>(state.range(0));
  std::size_t spans = 0, attributed = 0;
  for (auto _ : state) {
    state.PauseTiming();
    Trace trace = Maker(size).Make(kShape);
    spans = trace.spans.size();
    state.ResumeTiming();
    xsp::correlate::AttributeReplays(trace);
    benchmark::DoNotOptimize(trace.spans.parent.data());
    state.PauseTiming();
    attributed = trace.metrics.size();
    trace = Trace();
    state.ResumeTiming();
  }
  state.counters["attributed"] = static_cast<double>(attributed) / static_cast<double>(spans);
  PerSpan(state, spans);
}

void BM_Equal(benchmark::State& state) { Run<Shape::kEqual>(state); }
void BM_Changed(benchmark::State& state) { Run<Shape::kChanged>(state); }
void BM_Parts(benchmark::State& state) { Run<Shape::kParts>(state); }
void BM_Adversarial(benchmark::State& state) { Run<Shape::kAdversarial>(state); }

#define XSP_SIZES RangeMultiplier(10)->Range(100'000, 10'000'000)->Unit(benchmark::kMillisecond)
BENCHMARK(BM_ReadColumns)->XSP_SIZES;
BENCHMARK(BM_Equal)->XSP_SIZES;
BENCHMARK(BM_Changed)->XSP_SIZES;
BENCHMARK(BM_Parts)->XSP_SIZES;
BENCHMARK(BM_Adversarial)->XSP_SIZES->Iterations(1);

}  // namespace

BENCHMARK_MAIN();
