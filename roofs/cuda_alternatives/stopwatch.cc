#include "stopwatch.h"

#include <algorithm>
#include <chrono>
#include <vector>

namespace xsp::cuda_alternatives {
namespace {

using Launch = std::function<void(std::int64_t)>;

// Of a batch: 800 times the resolution of events, of which a graph takes 1 % to begin.
constexpr double kBatchNs = 4e5;
constexpr std::int64_t kMaxBatch = 128;
// Each graph has its own weights: together they are more than the cache holds.
constexpr int kGraphs = 8;

double CurrentNs() {
  return std::chrono::duration<double, std::nano>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

/// The time of a launch alone; the first launches load kernels, and raise an idle GPU's clock.
double WarmUp(const Gpu& gpu, const Launch& launch, std::int64_t& number) {
  constexpr double kWarmUpNs = 1e7;
  constexpr int kMost = 200, kMinTimes = 3;
  double fastest_ns = 1e300;
  const double start_ns = CurrentNs();
  for (int i = 0; i < kMost && (i < kMinTimes || CurrentNs() - start_ns < kWarmUpNs); ++i) {
    const double ns = gpu.TimeNs([&] { launch(number++); });
    if (i > 0) fastest_ns = std::min(fastest_ns, ns);
  }
  return fastest_ns;
}

/// Empty: the launches are not to be recorded, or cannot be.
std::vector<LaunchGraph> Record(const Gpu& gpu, const Launch& launch, std::int64_t batch,
                                std::int64_t& number) {
  std::vector<LaunchGraph> graphs;
  for (int i = 0; i < kGraphs && batch > 1; ++i) {
    graphs.emplace_back(gpu, [&] {
      for (std::int64_t at = 0; at < batch; ++at) launch(number++);
    });
    if (!graphs.back().ok()) return {};
    graphs.back().Launch();
  }
  gpu.Synchronize();
  return graphs;
}

}  // namespace

LaunchTimes TimeLaunches(const Gpu& gpu, const Launch& launch, const Budget& budget) {
  std::int64_t number = 0;
  const double one_ns = std::max(WarmUp(gpu, launch, number), 1.0);
  const auto batch =
      std::clamp<std::int64_t>(static_cast<std::int64_t>(kBatchNs / one_ns), 1, kMaxBatch);
  const std::vector<LaunchGraph> graphs = Record(gpu, launch, batch, number);
  constexpr std::size_t kMinTimes = 3;
  std::vector<double> times;
  for (const double start_ns = CurrentNs();;) {
    const double ns = gpu.TimeNs([&] {
      if (!graphs.empty()) return graphs[times.size() % graphs.size()].Launch();
      for (std::int64_t at = 0; at < batch; ++at) launch(number++);
    });
    times.push_back(ns / static_cast<double>(batch));
    const double spent_ns = CurrentNs() - start_ns;
    const auto count = static_cast<std::int64_t>(times.size());
    // Not the first launches: alone, the program's part may be the longer one.
    const bool is_hopeless = times.front() > budget.hopeless_ns;
    if (times.size() >= kMinTimes && (is_hopeless || spent_ns > budget.max_ns)) break;
    if (count >= budget.max || (count >= budget.min && spent_ns > budget.min_ns)) break;
  }
  std::ranges::sort(times);
  return {times.front(), times[times.size() / 2], static_cast<std::int64_t>(times.size())};
}

}  // namespace xsp::cuda_alternatives
