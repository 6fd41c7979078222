#include "derive/timeline/tree/tree.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <string>
#include <tuple>
#include <utility>

#include "derive/timeline/timeline_testing.h"

namespace xsp::timeline::tree {
namespace {

using trace::Level;
using trace::SpanId;

constexpr std::size_t kAll = 1'000'000;

std::string PathOf(const std::vector<Node>& nodes, std::size_t position) {
  std::string path;
  for (std::size_t at = position; at != 0; at = nodes[at - 1].parent)
    path = "/" + std::string(nodes[at - 1].name) + path;
  return path;
}

TEST(TreeTest, SameChainsAreOneNode) {
  Recording recording;
  const auto thread = recording.Thread();
  const auto stream = recording.Stream(0, 7);
  for (int i = 0; i < 3; ++i) {
    const std::int64_t at = 1000 * i;
    const SpanId module =
        recording.Add(Level::kLayer, "module", "nn.Module: Linear_0", thread, at, 500);
    const SpanId operation =
        recording.Add(Level::kLayer, "aten::linear", "aten::linear", thread, at + 10, 400, module);
    const SpanId inner =
        recording.Add(Level::kLayer, "aten::addmm", "aten::addmm", thread, at + 20, 300, operation);
    const SpanId launch = recording.Launch(thread, at + 30, 50, inner);
    recording.Kernel(stream, at + 600, 70, "gemm", launch);
  }
  const Timeline timeline(recording.trace());
  const std::vector<Node> nodes = BuildTree(timeline, kAll);
  ASSERT_EQ(nodes.size(), 5U);
  EXPECT_EQ(PathOf(nodes, 5),
            "/nn.Module: Linear_0/aten::linear/aten::addmm/cudaLaunchKernel/gemm");
  for (const Node& node : nodes) {
    EXPECT_EQ(node.count, 3) << node.name;
    EXPECT_EQ(node.device_ns, 210) << node.name;
    EXPECT_EQ(node.kernels, 3) << node.name;
  }
  EXPECT_EQ(nodes[0].host_ns, 1500);
  EXPECT_EQ(nodes[0].host_self_ns, 300);
  EXPECT_EQ(nodes[0].device_self_ns, 0);
  // The kernels are addmm's: only the call that launched them lies between.
  EXPECT_EQ(nodes[1].device_self_ns, 0);
  EXPECT_EQ(nodes[2].device_self_ns, 210);
  EXPECT_EQ(nodes[3].device_self_ns, 210);
  EXPECT_EQ(nodes[4].host_ns, 0);
  EXPECT_EQ(nodes[4].device_self_ns, 210);
}

TEST(TreeTest, StepsOfEveryNumberAreOneNode) {
  Recording recording;
  const auto thread = recording.Thread();
  recording.Step(thread, 1, 0, 100);
  recording.Step(thread, 2, 100, 100);
  const Timeline timeline(recording.trace());
  const std::vector<Node> nodes = BuildTree(timeline, kAll);
  ASSERT_EQ(nodes.size(), 1U);
  EXPECT_EQ(nodes[0].name, kSteps);
  EXPECT_EQ(nodes[0].count, 2);
}

TEST(TreeTest, LeavesOutReferencesWarmUpAndRangesRepeatedOnADevice) {
  Recording recording;
  const auto thread = recording.Thread();
  const auto stream = recording.Stream(0, 7);
  trace::Track reference{trace::TrackKind::kThread, "capture"};
  reference.is_reference = true;
  const auto capture = recording.writer().AddTrack(reference);
  recording.Add(Level::kLayer, "aten::mm", "aten::mm", capture, 0, 10);
  for (const double iteration : {-1.0, 0.0}) {
    const SpanId call =
        recording.Add(Level::kModel, "predict", "predict", thread, iteration < 0 ? 0 : 100, 100);
    recording.writer().AddMetric(call, trace::metric::kIteration, iteration, "1", "measured:xsp");
    recording.Add(Level::kLayer, "aten::mm", "aten::mm", thread, iteration < 0 ? 10 : 110, 20,
                  call);
  }
  recording.Add(Level::kApplication, "range", "forward", stream, 0, 50);
  const SpanId held = recording.Add(Level::kApplication, "range", "held", stream, 50, 50);
  recording.Kernel(stream, 60, 10, "gemm", held);
  const Timeline timeline(recording.trace());
  std::vector<std::string> paths;
  const std::vector<Node> nodes = BuildTree(timeline, kAll);
  for (std::size_t i = 1; i <= nodes.size(); ++i) paths.push_back(PathOf(nodes, i));
  EXPECT_THAT(paths, testing::ElementsAre("/held", "/held/gemm", "/predict", "/predict/aten::mm"));
  EXPECT_EQ(nodes[2].count, 1);
}

TEST(TreeTest, LayersOfReplayedGraphsAreBelowTheirModules) {
  Recording recording;
  const auto thread = recording.Thread();
  const auto stream = recording.Stream(0, 7);
  const SpanId launch = recording.Launch(thread, 0);
  for (const std::int64_t at : {10, 30}) {
    const SpanId layer =
        recording.Add(Level::kLayer, "aten::linear", "aten::linear", stream, at, 10, launch);
    const SpanId inner =
        recording.Add(Level::kLayer, "aten::mm", "aten::mm", stream, at, 10, layer);
    recording.Kernel(stream, at, 10, "gemm", inner);
    recording.writer().AddAttribute(layer, trace::attribute::kModule, "Model_0/Linear_0");
    recording.writer().AddAttribute(inner, trace::attribute::kModule, "Model_0/Linear_0/Norm_0");
  }
  const Timeline timeline(recording.trace());
  const std::vector<Node> nodes = BuildTree(timeline, kAll);
  ASSERT_EQ(nodes.size(), 7U);
  EXPECT_EQ(PathOf(nodes, 7),
            "/cudaLaunchKernel/Model_0/Linear_0/aten::linear/Norm_0/aten::mm/gemm");
  EXPECT_EQ(nodes[2].type, trace::type::kModule);
  EXPECT_EQ(nodes[2].count, 0);
  EXPECT_EQ(nodes[2].device_ns, 20);
  EXPECT_EQ(nodes[2].device_self_ns, 0);
  EXPECT_EQ(nodes[5].device_self_ns, 20);
}

TEST(TreeTest, SpansThatNeverEndedAreCountedWithoutTime) {
  Recording recording;
  const auto thread = recording.Thread();
  const SpanId open =
      recording.Add(Level::kLayer, "module", "model", thread, 0, trace::kNeverEnded);
  recording.Add(Level::kLayer, "aten::mm", "aten::mm", thread, 10, 20, open);
  const Timeline timeline(recording.trace());
  const std::vector<Node> nodes = BuildTree(timeline, kAll);
  ASSERT_EQ(nodes.size(), 2U);
  EXPECT_EQ(nodes[0].host_ns, 0);
  EXPECT_EQ(nodes[0].host_self_ns, 0);
  EXPECT_EQ(nodes[1].host_ns, 20);
}

TEST(TreeTest, AnEmptyTraceHasNoNodes) {
  Recording recording;
  const Timeline timeline(recording.trace());
  EXPECT_TRUE(BuildTree(timeline, kAll).empty());
}

/// Spans of few names with parents anywhere before or after them, on threads and streams of ranks.
void FillWithChains(Recording& recording, std::mt19937& random) {
  const auto below = [&](int n) {
    return static_cast<std::int64_t>(random() % static_cast<unsigned>(n));
  };
  constexpr std::string_view kNames[] = {"a", "b", "c"};
  constexpr std::pair<Level, std::string_view> kKinds[] = {
      {Level::kApplication, "python"},   {Level::kLayer, "module"},
      {Level::kLayer, "aten::mm"},       {Level::kLayer, "aten::mm"},
      {Level::kLibrary, "cuda_runtime"}, {Level::kKernel, "kernel"},
      {Level::kKernel, "kernel"}};
  std::vector<trace::TrackId> tracks;
  for (std::int64_t rank = 0, ranks = 1 + below(3); rank < ranks; ++rank)
    for (std::int64_t i = 0; i < 2; ++i) {
      tracks.push_back(recording.Thread(rank, i));
      tracks.push_back(recording.Stream(0, i, rank));
    }
  const std::int64_t n = 1 + below(150);
  std::vector<SpanId> ids;
  for (std::int64_t i = 0; i < n; ++i) {
    const auto& [level, type] = kKinds[below(std::size(kKinds))];
    const trace::TrackId track =
        tracks[static_cast<std::size_t>(below(static_cast<int>(tracks.size())))];
    const std::int64_t duration = below(10) == 0 ? trace::kNeverEnded : below(100);
    ids.push_back(recording.Add(level, type, kNames[below(3)], track, below(1000), duration));
  }
  // A parent comes before its child in a random order.
  std::shuffle(ids.begin(), ids.end(), random);
  for (std::size_t i = 1; i < ids.size(); ++i) {
    const SpanId parent = ids[static_cast<std::size_t>(below(static_cast<int>(i)))];
    const auto rank_of = [&](SpanId id) {
      return recording.trace().tracks[recording.trace().spans.track[id - 1] - 1].rank;
    };
    if (below(6) != 0 && rank_of(parent) == rank_of(ids[i]))
      recording.trace().spans.parent[ids[i] - 1] = parent;
  }
}

using Sums =
    std::tuple<std::int64_t, std::int64_t, std::int64_t, std::int64_t, std::int64_t, std::int64_t>;

/// Every path by looking, for each span, at all the spans below it.
class Slow {
 public:
  explicit Slow(const trace::Trace& trace) : trace_(trace) {
    for (SpanId id = 1; id <= trace.spans.size(); ++id) {
      if (PassedOver(id)) continue;
      Sums& sums = sums_[KeyOf(id)];
      std::get<0>(sums) += 1;
      if (OnHost(id)) {
        std::get<1>(sums) += Duration(id);
        std::get<2>(sums) += Duration(id);
        if (trace.spans.duration_ns[id - 1] >= 0)
          for (SpanId child = 1; child <= trace.spans.size(); ++child)
            if (trace.spans.parent[child - 1] == id &&
                trace.spans.track[child - 1] == trace.spans.track[id - 1])
              std::get<2>(sums) -= Duration(child);
      }
      for (SpanId work = 1; work <= trace.spans.size(); ++work) {
        if (LevelOf(work) != Level::kKernel || !IsIn(work, id)) continue;
        std::get<5>(sums) += 1;
        if (OnHost(work)) continue;
        std::get<3>(sums) += Duration(work);
        if (work == id || IsDirect(work, id)) std::get<4>(sums) += Duration(work);
      }
      // Work of a path in the same path's work is all its own.
      if (LevelOf(id) == Level::kKernel) std::get<4>(sums) = std::get<3>(sums);
    }
  }
  const std::map<std::string, Sums>& sums() const { return sums_; }

 private:
  Level LevelOf(SpanId id) const { return trace_.spans.level[id - 1]; }
  bool OnHost(SpanId id) const { return OnThread(trace_.tracks[trace_.spans.track[id - 1] - 1]); }
  std::int64_t Duration(SpanId id) const {
    return std::max<std::int64_t>(trace_.spans.duration_ns[id - 1], 0);
  }
  bool IsIn(SpanId id, SpanId around) const {
    for (; id != 0; id = trace_.spans.parent[id - 1])
      if (id == around) return true;
    return false;
  }
  /// Only library calls, and what has no node, between.
  bool IsDirect(SpanId work, SpanId around) const {
    for (SpanId at = trace_.spans.parent[work - 1]; at != around; at = trace_.spans.parent[at - 1])
      if (LevelOf(at) != Level::kLibrary && !PassedOver(at)) return false;
    return true;
  }
  /// A range on a device that holds no work of the device through ranges there only.
  bool PassedOver(SpanId id) const {
    if (OnHost(id) || LevelOf(id) == Level::kKernel) return false;
    for (SpanId work = 1; work <= trace_.spans.size(); ++work) {
      if (LevelOf(work) != Level::kKernel) continue;
      for (SpanId at = trace_.spans.parent[work - 1]; at != 0 && !OnHost(at);
           at = trace_.spans.parent[at - 1])
        if (at == id) return false;
    }
    return true;
  }
  std::string KeyOf(SpanId id) const {
    std::string key;
    const std::int64_t rank = trace_.tracks[trace_.spans.track[id - 1] - 1].rank;
    for (; id != 0; id = trace_.spans.parent[id - 1]) {
      if (PassedOver(id)) continue;
      key = "/" + std::string(ToString(LevelOf(id))) + " " +
            std::string(trace_.Text(trace_.spans.type[id - 1])) + " " +
            std::string(trace_.Text(trace_.spans.name[id - 1])) + key;
      if (!OnHost(id)) key = "/device" + key;
    }
    return std::to_string(rank) + key;
  }

  const trace::Trace& trace_;
  std::map<std::string, Sums> sums_;
};

Sums SumsOf(const Node& node) {
  return {node.count,     node.host_ns,        node.host_self_ns,
          node.device_ns, node.device_self_ns, node.kernels};
}

TEST(TreeTest, AgreesWithAddingUpEveryChain) {
  std::mt19937 random(21);
  for (int round = 0; round < 300; ++round) {
    Recording recording;
    FillWithChains(recording, random);
    const Timeline timeline(recording.trace());
    const std::vector<Node> nodes = BuildTree(timeline, kAll);
    // Two paths may differ only in where they ran, which a node does not tell: compared as sets.
    std::multimap<std::string, Sums> ours, theirs;
    for (std::size_t i = 1; i <= nodes.size(); ++i) {
      std::string key;
      for (std::size_t at = i; at != 0; at = nodes[at - 1].parent)
        key = "/" + std::string(ToString(nodes[at - 1].level)) + " " +
              std::string(nodes[at - 1].type) + " " + std::string(nodes[at - 1].name) + key;
      ours.emplace(std::to_string(nodes[i - 1].rank) + key, SumsOf(nodes[i - 1]));
    }
    const Slow slow(recording.trace());
    for (const auto& [place, sums] : slow.sums()) {
      std::string key = place;
      for (std::size_t at = key.find("/device"); at != std::string::npos; at = key.find("/device"))
        key.erase(at, 7);
      theirs.emplace(key, sums);
    }
    ASSERT_THAT(ours, testing::UnorderedElementsAreArray(theirs)) << "round " << round;
  }
}

TEST(TreeTest, WhatIsLeftOutStaysInTheSums) {
  std::mt19937 random(22);
  for (int round = 0; round < 300; ++round) {
    Recording recording;
    FillWithChains(recording, random);
    const Timeline timeline(recording.trace());
    const std::vector<Node> whole = BuildTree(timeline, kAll);
    const std::size_t most = 3 + random() % 40;
    const std::vector<Node> nodes = BuildTree(timeline, most);
    EXPECT_LE(nodes.size(), most);
    const auto totals = [](const std::vector<Node>& of) {
      std::int64_t count = 0, host_self = 0, device = 0, kernels = 0;
      for (const Node& node : of) {
        count += node.count;
        host_self += node.host_self_ns;
        if (node.depth > 0) continue;
        device += node.device_ns;
        kernels += node.kernels;
      }
      return std::tuple(count, host_self, device, kernels);
    };
    ASSERT_EQ(totals(nodes), totals(whole)) << "round " << round;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      ASSERT_LE(nodes[i].parent, i) << "parents come first";
      std::int64_t below = 0;
      for (const Node& node : nodes)
        if (node.parent == i + 1) below += node.device_ns;
      if (nodes[i].level != Level::kKernel && nodes[i].name != kSmaller) {
        EXPECT_EQ(below, nodes[i].device_ns);
      }
    }
  }
}

}  // namespace
}  // namespace xsp::timeline::tree
