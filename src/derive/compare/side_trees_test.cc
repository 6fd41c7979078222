#include "derive/compare/side_trees.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "derive/match/match_testing.h"

namespace xsp::compare {
namespace {

using match::Recording;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

/// Path, kind and time of each node with time, in order.
std::vector<std::pair<std::string, double>> TimesOf(const ComparisonTree& tree) {
  std::vector<std::pair<std::string, double>> times;
  for (std::size_t i = 0; i < tree.size(); ++i) {
    if (!tree.nodes()[i].has_time) continue;
    std::string path;
    for (auto at = static_cast<std::int32_t>(i); at > 0;
         at = tree.nodes()[static_cast<std::size_t>(at)].parent) {
      const std::string name(tree.NameOf(static_cast<std::size_t>(at)));
      path = path.empty() ? name : name + "/" + path;
    }
    times.emplace_back(path, tree.nodes()[i].own_ns);
  }
  return times;
}

TEST(SideTrees, HaveDeviceWorkBelowOperatorsBelowModules) {
  Recording recording;
  const auto call = recording.Call(0, 0, 100);
  const auto conv = recording.Layer(call, "aten::conv2d", 10, 20);
  recording.Attribute(conv, "path", "layer1.0.conv1");
  recording.Kernel(conv, "gemm", 20, 30, "kernel");
  recording.Kernel(conv, "gemm", 50, 7, "kernel");
  const auto relu = recording.Layer(call, "aten::relu", 40, 10);
  recording.Attribute(relu, "path", "layer1.0");
  recording.Kernel(relu, "relu", 57, 5, "kernel");
  recording.Kernel(call, "of the call itself", 62, 1, "kernel");
  const SideTrees trees = ReadSideTrees(recording.trace(), {});
  EXPECT_THAT(TimesOf(trees.device),
              ElementsAre(Pair("layer1/0/conv1/aten::conv2d/gemm", 30),
                          Pair("layer1/0/conv1/aten::conv2d/gemm", 7),
                          Pair("layer1/0/aten::relu/relu", 5), Pair("of the call itself", 1)));
  EXPECT_THAT(TimesOf(trees.host),
              ElementsAre(Pair("layer1/0/conv1/aten::conv2d", 20), Pair("layer1/0/aten::relu", 10),
                          Pair("(between layers)", 70)));
  EXPECT_EQ(trees.device_ns, 43);
  EXPECT_EQ(trees.busy_ns, 43);
  EXPECT_EQ(trees.wall_ns, 100);
  EXPECT_EQ(trees.devices, 1);
  EXPECT_EQ(trees.device_spans, 4);
}

TEST(SideTrees, CountOverlapOnceInBusyTimeAndTwiceInTheSum) {
  Recording recording;
  const auto call = recording.Call(0, 0, 100);
  recording.Kernel(call, "a", 10, 20, "kernel");
  recording.Kernel(call, "b", 15, 30, "kernel");
  recording.Kernel(call, "inside", 20, 1, "kernel");
  const SideTrees trees = ReadSideTrees(recording.trace(), {});
  EXPECT_EQ(trees.device_ns, 51);
  EXPECT_EQ(trees.busy_ns, 35);
}

TEST(SideTrees, AreArithmeticMeansOverCallsWithoutWarmUp) {
  Recording recording;
  for (const std::int64_t iteration : {-1, 0, 1, 2}) {
    const std::int64_t start_ns = (iteration + 1) * 1000;
    const auto call = recording.Call(iteration, start_ns, 100);
    // The second call has a layer that the others lack, the third lacks a kernel.
    const auto first = recording.Layer(call, "aten::conv2d", start_ns, 10 + iteration);
    if (iteration != 2) recording.Kernel(first, "gemm", start_ns, 30 + iteration, "kernel");
    if (iteration != 1) continue;
    recording.Kernel(recording.Layer(call, "aten::add", start_ns + 40, 3), "add", start_ns + 40, 6,
                     "kernel");
  }
  const SideTrees trees = ReadSideTrees(recording.trace(), {});
  EXPECT_EQ(trees.calls, 3);
  EXPECT_THAT(TimesOf(trees.device),
              ElementsAre(Pair("aten::conv2d/gemm", (30 + 31) / 3.0), Pair("aten::add/add", 2)));
  EXPECT_EQ(trees.device_ns, (30 + 31 + 6) / 3.0);
  EXPECT_NEAR(trees.host.TotalNs(), 100, 1e-9);
}

TEST(SideTrees, TakePathsAndShapesFromTheTable) {
  Recording recording;
  const auto call = recording.Call(0, 0, 100);
  recording.Layer(call, "Conv", 10, 20);
  recording.Layer(call, "Relu", 40, 10);
  const std::vector<store::LayerRow> rows = {
      {.point_id = 1,
       .layer_index = 0,
       .name = "layer",
       .type = "Conv",
       .shape = "[[1,8]]",
       .matched = "all",
       .path = "stem"},
      {.point_id = 1, .layer_index = 1, .name = "layer", .type = "Relu", .matched = "all"}};
  const SideTrees trees = ReadSideTrees(recording.trace(), rows);
  EXPECT_THAT(TimesOf(trees.host),
              ElementsAre(Pair("stem/Conv", 20), Pair("Relu", 10), Pair("(between layers)", 70)));
  EXPECT_EQ(trees.host.ShapeOf(2), "[[1,8]]");
}

TEST(SideTrees, OfOverlappingLayersHaveNegativeTimeBetween) {
  Recording recording;
  const auto call = recording.Call(0, 0, 100);
  recording.Layer(call, "a", 0, 80);
  recording.Layer(call, "b", 10, 80);
  const SideTrees trees = ReadSideTrees(recording.trace(), {});
  EXPECT_THAT(TimesOf(trees.host),
              ElementsAre(Pair("a", 80), Pair("b", 80), Pair("(between layers)", -60)));
}

TEST(SideTrees, SurviveCyclicParentsAndSpansWithoutEnd) {
  trace::Trace trace;
  trace::TraceWriter writer(trace);
  const auto thread = writer.AddTrack({trace::TrackKind::kThread, "main"});
  const auto stream = writer.AddTrack({trace::TrackKind::kStream, "stream 7"});
  const auto call = writer.AddSpan({trace::Level::kModel, "predict", "net", thread, 0, 100});
  const auto a = writer.AddSpan({trace::Level::kLayer, "a", "a", thread, 10, 20});
  const auto b = writer.AddSpan({trace::Level::kLayer, "module", "b", thread, 12, 10, a});
  trace.spans.parent[a - 1] = b;
  writer.AddSpan({trace::Level::kLayer, "c", "c", thread, 40, trace::kNeverEnded, call});
  writer.AddSpan({trace::Level::kKernel, "kernel", "k", stream, 15, 5, b});
  writer.AddSpan({trace::Level::kKernel, "kernel", "zero", stream, 30, 0, call});
  writer.AddSpan({trace::Level::kKernel, "kernel", "open", stream, 31, trace::kNeverEnded, call});
  const SideTrees trees = ReadSideTrees(trace, {});
  EXPECT_EQ(trees.device_ns, 5);
  EXPECT_EQ(trees.device.TotalNs(), 5);
  EXPECT_EQ(trees.device_spans, 2);
  EXPECT_EQ(trees.host.TotalNs(), 100);
}

TEST(SideTrees, OfAnEmptyTraceHaveNoCall) {
  const SideTrees trees = ReadSideTrees(trace::Trace(), {});
  EXPECT_EQ(trees.calls, 0);
  EXPECT_THAT(TimesOf(trees.device), IsEmpty());
}

TEST(SideTrees, AddUpToTheWholeOfRandomTraces) {
  std::mt19937 random(11);
  const auto below = [&](unsigned n) { return static_cast<std::int64_t>(random() % n); };
  for (int round = 0; round < 100; ++round) {
    Recording recording;
    const int calls = 1 + static_cast<int>(below(4));
    std::int64_t device_ns = 0, wall_ns = 0;
    for (int i = 0; i < calls; ++i) {
      const std::int64_t start_ns = i * 100'000, length_ns = 10'000 + below(5'000);
      const auto call = recording.Call(i, start_ns, length_ns);
      wall_ns += length_ns;
      for (int layer = 0; layer < 8; ++layer) {
        if (below(5) == 0) continue;
        const auto span = recording.Layer(call, "op" + std::to_string(below(3)),
                                          start_ns + layer * 1000, below(900));
        for (std::int64_t n = below(4); n > 0; --n) {
          const std::int64_t own_ns = below(700);
          device_ns += own_ns;
          recording.Kernel(below(6) == 0 ? call : span, "k" + std::to_string(below(2)),
                           start_ns + layer * 1000 + below(500), own_ns, "kernel");
        }
      }
    }
    const SideTrees trees = ReadSideTrees(recording.trace(), {});
    EXPECT_EQ(trees.calls, calls);
    EXPECT_DOUBLE_EQ(trees.device_ns, static_cast<double>(device_ns) / calls);
    EXPECT_NEAR(trees.device.TotalNs(), trees.device_ns, 1e-6);
    EXPECT_DOUBLE_EQ(trees.wall_ns, static_cast<double>(wall_ns) / calls);
    EXPECT_NEAR(trees.host.TotalNs(), trees.wall_ns, 1e-6);
  }
}

TEST(SideTrees, HaveTypicalTimesThatSingleSlowCallsDoNotChange) {
  Recording recording;
  for (std::int64_t iteration = 0; iteration < 5; ++iteration) {
    const std::int64_t start_ns = iteration * 10000;
    const auto call = recording.Call(iteration, start_ns, 5000);
    const auto conv =
        recording.Layer(call, "aten::conv2d", start_ns + 10, iteration == 2 ? 4000 : 100);
    recording.Kernel(conv, "gemm", start_ns + 20, iteration == 3 ? 900 : 30, "kernel");
    if (iteration == 1) recording.Kernel(conv, "once", start_ns + 950, 20, "kernel");
  }
  EXPECT_THAT(ReadSideTrees(recording.trace(), {}).host_typical.own_ns, IsEmpty());
  const SideTrees trees = ReadSideTrees(recording.trace(), {}, CallDetail::kTypical);
  // The root, the layer, its kernels; and the time between layers.
  EXPECT_THAT(trees.device_typical.own_ns, ElementsAre(0, 0, 30, 4));
  EXPECT_THAT(trees.host_typical.own_ns, ElementsAre(0, 100, 4120));
  EXPECT_EQ(trees.host.nodes()[1].own_ns, 880);
  EXPECT_EQ(trees.host_tick_ns, 100);
  EXPECT_EQ(trees.device_tick_ns, 10);
}

TEST(SideTrees, KnowHowNodesGrowInSlowerCalls) {
  Recording recording;
  for (std::int64_t iteration = 0; iteration < 4; ++iteration) {
    const std::int64_t start_ns = iteration * 10'000, slow = iteration % 2;
    const auto call = recording.Call(iteration, start_ns, 5000);
    recording.Layer(call, "aten::conv2d", start_ns, 1000 + 500 * slow);
    recording.Layer(call, "aten::bmm", start_ns + 2000, 1000 + 500 * slow);
    recording.Layer(call, "aten::relu", start_ns + 4000, 100);
  }
  const TypicalTimes times =
      ReadSideTrees(recording.trace(), {}, CallDetail::kTypical).host_typical;
  // Calls are 1 and 1.5 times as slow as the fast ones: 20 % less and more than their mean.
  EXPECT_NEAR(times.slowness_squares, 0.04, 1e-12);
  EXPECT_NEAR(times.with_slowness_ns[1], 0.04 * 1250, 1e-9);
  EXPECT_NEAR(times.with_slowness_ns[3], 0, 1e-9);
}

}  // namespace
}  // namespace xsp::compare
