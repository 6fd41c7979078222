// Two trees of a million nodes: as a model and the same model after a change; and on GPUs of two
// vendors, whose kernels share no name. The target is ten seconds for both steps.
#include <benchmark/benchmark.h>

#include <cstdint>
#include <random>
#include <string>
#include <string_view>

#include "derive/compare/comparison.h"

namespace xsp::compare {
namespace {

constexpr int kOperators = 250'000, kKernelsOfEach = 3;

/// Modules of ten operators, or without modules one long sequence. One operator in 50 is missing.
ComparisonTree MakeTree(std::uint32_t seed, std::string_view vendor, bool has_modules) {
  std::mt19937 random(seed);
  ComparisonTree tree;
  std::int32_t module = 0;
  for (int i = 0; i < kOperators; ++i) {
    if (has_modules && i % 10 == 0)
      module = tree.Add(0, NodeKind::kModule, "layer" + std::to_string(i / 10));
    const std::string type = "aten::op" + std::to_string(i * 7 % 20);
    if (random() % 50 == 0) continue;
    const std::int32_t node =
        tree.Add(module, NodeKind::kOperator, type, "[[1," + std::to_string(i % 7) + "]]");
    for (int k = 0; k < kKernelsOfEach; ++k)
      tree.SetTime(
          tree.Add(node, NodeKind::kKernel, std::string(vendor) + std::to_string((i + k) % 300)),
          static_cast<double>(random() % 1000));
  }
  return tree;
}

void CompareMillions(benchmark::State& state) {
  const bool has_modules = state.range(0) != 0, is_other_vendor = state.range(1) != 0;
  const ComparisonTree a = MakeTree(1, "one", has_modules);
  const ComparisonTree b = MakeTree(2, is_other_vendor ? "two" : "one", has_modules);
  for (auto _ : state) {
    const ComparedTrees compared = CompareTrees(a, b, AlignTrees(a, b));
    state.counters["aligned_share"] = compared.aligned_share;
  }
  state.counters["nodes"] = static_cast<double>(a.size());
}
BENCHMARK(CompareMillions)
    ->ArgNames({"modules", "other_vendor"})
    ->ArgsProduct({{0, 1}, {0, 1}})
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace xsp::compare

BENCHMARK_MAIN();
