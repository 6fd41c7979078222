#include "ingest/correlate/graph_replay.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <random>
#include <string>
#include <vector>

#include "ingest/correlate/launch.h"
#include "ingest/correlate/nesting.h"

namespace xsp::correlate {
namespace {

using testing::Contains;
using testing::DoubleNear;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using trace::Level;
using trace::SpanId;

/// A thread that launches, and a stream that runs.
class Execution {
 public:
  Execution() {
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
  std::vector<std::string> Attributed(std::int64_t start, const ReplayOptions& options = {}) {
    PlaceByLaunch(trace_);
    Nest(trace_);
    AttributeReplays(trace_, options);
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

  /// "key=value" of the layers of that name that replays made.
  std::vector<std::string> AttributesOf(std::string_view layer) {
    std::vector<std::string> found;
    const trace::AttributeTable& attributes = trace_.attributes;
    for (std::size_t i = 0; i < attributes.size(); ++i) {
      const std::size_t span = attributes.span[i] - 1;
      if (trace_.spans.placed_by[span] == trace::PlacedBy::kSequence &&
          trace_.Text(trace_.spans.name[span]) == layer)
        found.push_back(std::string(trace_.Text(attributes.key[i])) + "=" +
                        std::string(trace_.Text(attributes.value[i])));
    }
    return found;
  }

  /// The confidence of each replayed kernel, in order of id.
  std::vector<double> Confidences() {
    std::vector<double> found;
    const trace::MetricTable& metrics = trace_.metrics;
    for (std::size_t i = 0; i < metrics.size(); ++i)
      if (trace_.Text(metrics.name[i]) == trace::metric::kConfidence)
        found.push_back(metrics.value[i]);
    return found;
  }

  trace::Trace trace_;
  trace::TraceWriter writer_{trace_};
  trace::TrackId thread_, stream_;
  std::int64_t last_id_ = 0;
};

class GraphReplayTest : public testing::Test, protected Execution {};

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
  EXPECT_THAT(AttributesOf("mm"), Contains("input_shapes=[[4,4]]"));
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

TEST_F(GraphReplayTest, EqualSequencesAreCertainAndOthersByWhatIsAlignedAround) {
  for (int i = 0; i < 40; ++i)
    Operator("op" + std::to_string(i), {"k" + std::to_string(i)}, 100 * i);
  std::vector<std::string> kernels;
  for (int i = 0; i < 40; ++i) kernels.push_back("k" + std::to_string(i));
  Replay(kernels, 10'000);
  kernels.insert(kernels.begin() + 20, "new");
  Replay(kernels, 20'000);
  EXPECT_EQ(Attributed(10'000).size(), 81u);
  const std::vector<double> confidences = Confidences();
  ASSERT_EQ(confidences.size(), 80u);
  for (std::size_t i = 0; i < 40; ++i) EXPECT_EQ(confidences[i], 1.0);
  // Far from the new kernel everything around is aligned; beside it 15 of 16 are.
  EXPECT_THAT(confidences[40], DoubleNear(0.95, 1e-9));
  EXPECT_THAT(confidences[40 + 19], DoubleNear(0.95 * 15 / 16, 1e-9));
}

TEST_F(GraphReplayTest, WhatIsNotAlignedAroundAKernelLeavesItUnattributed) {
  for (int i = 0; i < 60; ++i)
    Operator("op" + std::to_string(i), {"k" + std::to_string(i)}, 100 * i);
  // Twenty that are known, then twenty that are not with one known among them.
  std::vector<std::string> kernels, expected;
  for (int i = 0; i < 40; ++i) {
    const bool known = i < 20 || i == 35;
    kernels.push_back((known ? "k" : "other") + std::to_string(i));
    expected.push_back(i < 20 ? "op" + std::to_string(i) : "");
  }
  Replay(kernels, 10'000);
  EXPECT_EQ(Attributed(10'000), expected);
  EXPECT_EQ(trace_.diagnostics.at("correlate_replay_unexplained").count, 20);
}

TEST_F(GraphReplayTest, AnUnrelatedSequenceClaimsNothing) {
  for (int i = 0; i < 50; ++i)
    Operator("op" + std::to_string(i), {"k" + std::to_string(i)}, 100 * i);
  std::vector<std::string> kernels;
  for (int i = 0; i < 50; ++i) kernels.push_back("other " + std::to_string(i));
  Replay(kernels, 10'000);
  EXPECT_THAT(Attributed(10'000), Each(""));
  EXPECT_THAT(Confidences(), IsEmpty());
}

TEST_F(GraphReplayTest, NamesThatMayHaveShiftedAreNotClaimed) {
  // Which of the four "add" is missing is unknown; a and z are where they are.
  Operator("a", {"1"}, 0);
  for (int i = 0; i < 4; ++i) Operator("add" + std::to_string(i), {"add"}, 100 + 100 * i);
  Operator("z", {"9"}, 600);
  Replay({"1", "add", "add", "add", "9"}, 1000);
  EXPECT_THAT(Attributed(1000), ElementsAre("a", "", "", "", "z"));
}

TEST_F(GraphReplayTest, AShiftWithinCallsOfOneOperatorClaimsTheOperatorWithoutItsModule) {
  const auto block = [&](std::string_view module, std::int64_t at) {
    Add(Level::kLayer, trace::type::kModule, module, at, 200);
    Operator("mm", {"gemm"}, at + 10);
  };
  for (int i = 0; i < 4; ++i) block("layer_" + std::to_string(i), 200 * i);
  Replay({"gemm", "gemm", "gemm"}, 1000);
  EXPECT_THAT(Attributed(1000), ElementsAre("mm", "mm", "mm"));
  EXPECT_THAT(AttributesOf("mm"), Each("replay_reference=capture"));
}

TEST_F(GraphReplayTest, CapturesOfEqualKernelsClaimWhatTheyAgreeOn) {
  const auto capture = [&](std::string_view last, std::string_view shapes, std::int64_t at) {
    Add(Level::kLibrary, "cuda_runtime", "hipStreamBeginCapture", at, 1);
    writer_.AddAttribute(Operator("mm", {"gemm"}, at + 10), trace::attribute::kInputShapes, shapes);
    Operator(last, {"pointwise"}, at + 100);
  };
  capture("relu", "[[1,4]]", 0);
  capture("gelu", "[[8,4]]", 300);
  Replay({"gemm", "pointwise"}, 1000);
  EXPECT_THAT(Attributed(1000), ElementsAre("mm", ""));
  EXPECT_THAT(AttributesOf("mm"), ElementsAre("replay_reference=capture"));
}

TEST_F(GraphReplayTest, AnotherRunDoesWhereTheTraceExplainsNothing) {
  Execution other;
  const SpanId mm = other.Operator("mm", {"gemm"}, 0, true);
  other.writer_.AddAttribute(mm, trace::attribute::kInputShapes, "[[4,4]]");
  other.Operator("relu", {"pointwise"}, 100, true);
  other.Attributed(0);
  int asked = 0;
  ReplayOptions options;
  options.other_runs = [&](const trace::Trace&) {
    ++asked;
    ForeignSequences sequences;
    AddForeignSequences(other.trace_, "A", sequences);
    return sequences;
  };
  Replay({"gemm", "pointwise"}, 1000);
  EXPECT_THAT(Attributed(1000, options), ElementsAre("mm", "relu"));
  EXPECT_THAT(AttributesOf("mm"), ElementsAre("input_shapes=[[4,4]]", "replay_reference=run A"));
  EXPECT_EQ(trace_.facts.at("replay.reference_runs"), "A");
  EXPECT_EQ(asked, 1);
}

TEST_F(GraphReplayTest, OtherRunsAreAskedOnlyWhenNeeded) {
  int asked = 0;
  ReplayOptions options;
  options.other_runs = [&](const trace::Trace&) {
    ++asked;
    return ForeignSequences();
  };
  Operator("mm", {"gemm"}, 0);
  Replay({"gemm", "gemm"}, 1000);
  EXPECT_EQ(Attributed(1000, options).size(), 2u);
  EXPECT_EQ(asked, 0);
  EXPECT_FALSE(trace_.facts.contains("replay.reference_runs"));
}

TEST_F(GraphReplayTest, TheSearchEndsAndSaysSo) {
  for (int i = 0; i < 20; ++i) {
    Add(Level::kLibrary, "cuda_runtime", "hipStreamBeginCapture", 1000 * i, 1);
    Operator("op", {"a" + std::to_string(i), "b" + std::to_string(i)}, 1000 * i + 10);
  }
  Replay({"a3", "x", "b3"}, 100'000);
  Replay({"a9", "b9"}, 200'000);
  ReplayOptions options;
  options.most_work = 10;
  // Equal names cost nothing.
  EXPECT_THAT(Attributed(100'000, options), ElementsAre("", "", "", "op", "op"));
  EXPECT_EQ(trace_.diagnostics.at("correlate_replay_cut").count, 3);
  EXPECT_THAT(trace_.diagnostics.at("correlate_replay_cut").hint, Not(IsEmpty()));
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
