#include "correlate/graph_replay.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <random>
#include <string>
#include <vector>

#include "correlate/launch.h"
#include "correlate/nesting.h"

namespace xsp::correlate {
namespace {

using testing::ElementsAre;
using trace::Level;
using trace::SpanId;

/// A thread that launches, and a stream that runs.
class GraphReplayTest : public testing::Test {
 protected:
  GraphReplayTest() {
    thread_ = writer_.AddTrack({.kind = trace::TrackKind::kThread, .name = "t"});
    stream_ = writer_.AddTrack({.kind = trace::TrackKind::kStream, .name = "s", .device = 0});
  }

  SpanId Add(Level level, std::string_view type, std::string_view name, std::int64_t start,
             std::int64_t duration, std::int64_t correlation = 0) {
    return writer_.AddSpan({.level = level,
                            .type = type,
                            .name = name,
                            .track = level == Level::kKernel ? stream_ : thread_,
                            .start_ns = start,
                            .duration_ns = duration,
                            .correlation_id = correlation});
  }

  /// An operator that launches `kernels` at `start`; `eager`: they run, else they are captured.
  SpanId Operator(std::string_view name, const std::vector<std::string>& kernels,
                  std::int64_t start, bool eager = false) {
    const auto launches = static_cast<std::int64_t>(kernels.size());
    const SpanId id = Add(Level::kLayer, name, name, start, 10 * launches + 10);
    for (std::int64_t i = 0; i < launches; ++i) {
      const std::string& kernel = kernels[static_cast<std::size_t>(i)];
      const SpanId launch = Add(Level::kLibrary, "cuda_runtime", "hipLaunchKernel",
                                start + 5 + 10 * i, 2, ++last_id_);
      writer_.AddAttribute(launch, trace::attribute::kLaunchedKernel, kernel);
      if (eager) Add(Level::kKernel, "kernel", kernel, start + 8 + 10 * i, 3, last_id_);
    }
    return id;
  }

  /// Kernels under one launch, 10 ns each.
  void Replay(const std::vector<std::string>& kernels, std::int64_t start) {
    Add(Level::kLibrary, "cuda_runtime", "hipGraphLaunch", start, 5, ++last_id_);
    for (std::size_t i = 0; i < kernels.size(); ++i)
      Add(Level::kKernel, "kernel", kernels[i], start + 20 + 10 * static_cast<std::int64_t>(i), 10,
          last_id_);
  }

  /// The names of the operators of each kernel from `start` on, innermost first.
  std::vector<std::string> Attributed(std::int64_t start) {
    PlaceByLaunch(trace_);
    Nest(trace_);
    AttributeReplays(trace_);
    std::vector<std::string> found;
    const trace::SpanTable& spans = trace_.spans;
    for (std::size_t i = 0; i < spans.size(); ++i) {
      if (spans.level[i] != Level::kKernel || spans.start_ns[i] < start) continue;
      std::string path;
      for (SpanId at = spans.parent[i]; at != 0; at = spans.parent[at - 1])
        if (spans.level[at - 1] == Level::kLayer)
          path += (path.empty() ? "" : "<") + std::string(trace_.Text(spans.name[at - 1]));
      found.push_back(path);
    }
    return found;
  }

  trace::Trace trace_;
  trace::TraceWriter writer_{trace_};
  trace::TrackId thread_, stream_;
  std::int64_t last_id_ = 0;
};

TEST_F(GraphReplayTest, ACaptureSaysWhichOperatorAKernelBelongsTo) {
  const SpanId mm = Operator("mm", {"gemm"}, 0);
  Operator("norm", {"mean", "scale"}, 100);
  writer_.AddAttribute(mm, trace::attribute::kInputShapes, "[[4,4]]");
  Replay({"gemm", "mean", "scale"}, 1000);
  EXPECT_THAT(Attributed(1000), ElementsAre("mm", "norm", "norm"));
  // The layers last as long as their kernels, on the stream.
  const trace::SpanTable& spans = trace_.spans;
  const SpanId norm = spans.parent[spans.size() - 3];
  ASSERT_EQ(trace_.Text(spans.name[norm - 1]), "norm");
  EXPECT_EQ(spans.start_ns[norm - 1], 1030);
  EXPECT_EQ(spans.duration_ns[norm - 1], 20);
  EXPECT_EQ(spans.track[norm - 1], stream_);
  EXPECT_EQ(spans.placed_by[norm - 1], trace::PlacedBy::kSequence);
  EXPECT_EQ(trace_.Text(trace_.attributes.value.back()), "[[4,4]]");
  EXPECT_TRUE(trace_.diagnostics.empty());
}

TEST_F(GraphReplayTest, AnEagerIterationDoesWhereThereIsNoCapture) {
  Operator("mm", {"gemm"}, 0, true);
  Operator("relu", {"pointwise"}, 100, true);
  Replay({"gemm", "pointwise"}, 1000);
  Replay({"gemm", "pointwise"}, 2000);
  EXPECT_THAT(Attributed(1000), ElementsAre("mm", "relu", "mm", "relu"));
}

TEST_F(GraphReplayTest, ThousandsOfReplaysOfManyGraphsAreQuick) {
  // Forty captures that have nothing in common, replayed 2000 times in all: without sharing, 80,000
  // alignments of sequences that differ everywhere.
  std::vector<std::vector<std::string>> graphs;
  for (int graph = 0; graph < 40; ++graph) {
    Add(Level::kLibrary, "cuda_runtime", "hipStreamBeginCapture", 100'000 * graph, 1);
    auto& kernels = graphs.emplace_back();
    for (int i = 0; i < 100; ++i)
      kernels.push_back("kernel " + std::to_string(graph) + " " + std::to_string(i));
    Operator("graph " + std::to_string(graph), kernels, 100'000 * graph + 10);
  }
  for (int replay = 0; replay < 2000; ++replay)
    Replay(graphs[static_cast<std::size_t>(replay % 40)], 10'000'000 + 5'000 * replay);
  const auto found = Attributed(10'000'000);
  ASSERT_EQ(found.size(), 200'000u);
  EXPECT_EQ(found[0], "graph 0");
  EXPECT_EQ(found[199'999], "graph 39");
}

TEST_F(GraphReplayTest, InsertedAndMissingKernelsCostThemselvesOnly) {
  Operator("a", {"1"}, 0);
  Operator("b", {"2"}, 100);
  Operator("c", {"3"}, 200);
  Operator("d", {"4"}, 300);
  Replay({"1", "new", "3", "4"}, 1000);
  EXPECT_THAT(Attributed(1000), ElementsAre("a", "", "c", "d"));
  EXPECT_EQ(trace_.diagnostics.at("correlate_replay_unexplained").count, 1);
}

TEST_F(GraphReplayTest, NothingIsClaimedWhereLessThanHalfIsExplained) {
  Operator("a", {"1"}, 0);
  Replay({"1", "x", "y"}, 1000);
  EXPECT_THAT(Attributed(1000), ElementsAre("", "", ""));
  EXPECT_EQ(trace_.diagnostics.at("correlate_replay_unexplained").count, 3);
}

TEST_F(GraphReplayTest, OfSeveralCapturesTheOneThatFitsIsTaken) {
  const auto border = [&](std::string_view name, std::int64_t at) {
    Add(Level::kLibrary, "cuda_runtime", name, at, 1);
  };
  border("hipStreamBeginCapture", 0);
  Operator("small", {"k1", "k2"}, 10);
  border("hipStreamEndCapture", 90);
  border("hipStreamBeginCapture", 100);
  Operator("large", {"k1", "k2", "k3"}, 110);
  border("hipStreamEndCapture", 190);
  Replay({"k1", "k2", "k3"}, 1000);
  Replay({"k1", "k2"}, 2000);
  EXPECT_THAT(Attributed(1000), ElementsAre("large", "large", "large", "small", "small"));
}

TEST_F(GraphReplayTest, TheInnermostOperatorIsKeptInsideTheOutermost) {
  Add(Level::kLayer, "aten::linear", "aten::linear", 0, 50);
  Operator("aten::mm", {"gemm"}, 5);
  Operator("aten::relu", {"pointwise"}, 100);
  Replay({"gemm", "pointwise"}, 1000);
  EXPECT_THAT(Attributed(1000), ElementsAre("aten::mm<aten::linear", "aten::relu"));
}

TEST_F(GraphReplayTest, CallsOfOneOperatorStayApart) {
  Operator("mm", {"gemm"}, 0);
  Operator("mm", {"gemm"}, 100);
  Replay({"gemm", "gemm"}, 1000);
  Attributed(1000);
  const trace::SpanTable& spans = trace_.spans;
  std::vector<SpanId> parents;
  for (std::size_t i = 0; i < spans.size(); ++i)
    if (spans.level[i] == Level::kKernel) parents.push_back(spans.parent[i]);
  EXPECT_NE(parents.at(0), parents.at(1));
}

/// What was captured in any order of random operators comes back, whatever is lost on the way.
TEST_F(GraphReplayTest, AgreesWithTheCaptureOnRandomGraphs) {
  std::mt19937 random(7);
  std::vector<std::string> kernels, expected;
  for (int i = 0; i < 300; ++i) {
    const std::string name = "op" + std::to_string(i);
    std::vector<std::string> launched;
    for (unsigned n = 1 + random() % 3; n > 0; --n)
      launched.push_back("kernel " + std::to_string(random() % 1'000'000));
    Operator(name, launched, 1000 * i);
    for (const std::string& kernel : launched) {
      const bool lost = random() % 10 == 0;
      if (!lost) kernels.push_back(kernel), expected.push_back(name);
      if (random() % 10 == 0) kernels.push_back("other"), expected.push_back("");
    }
  }
  Replay(kernels, 1'000'000);
  EXPECT_EQ(Attributed(1'000'000), expected);
}

}  // namespace
}  // namespace xsp::correlate
