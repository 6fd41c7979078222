#include "ingest/correlate/training_steps.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <string_view>

#include "ingest/correlate/nesting.h"

namespace xsp::correlate {
namespace {

using testing::ElementsAre;
using trace::Level;
using trace::SpanId;

class TrainingStepsTest : public testing::Test {
 protected:
  TrainingStepsTest() {
    for (const char* name : {"main", "other"})
      writer_.AddTrack({.kind = trace::TrackKind::kThread, .name = name});
  }

  SpanId Add(Level level, std::string_view type, std::int64_t start, std::int64_t duration,
             SpanId parent = 0, trace::TrackId track = 1) {
    return writer_.AddSpan({.level = level,
                            .type = type,
                            .name = type,
                            .track = track,
                            .start_ns = start,
                            .duration_ns = duration,
                            .parent = parent});
  }
  SpanId Step(std::int64_t start, std::int64_t duration) {
    return Add(Level::kModel, "train", start, duration);
  }

  trace::Trace trace_;
  trace::TraceWriter writer_{trace_};
};

TEST_F(TrainingStepsTest, ARangeThatEndsInTheStepGivesUpWhatRanInIt) {
  const SpanId range = Add(Level::kApplication, "range", 0, 50);
  const SpanId forward = Add(Level::kApplication, "range", 10, 30, range);
  const SpanId layer = Add(Level::kLayer, "aten::mm", 11, 5, forward);
  const SpanId backward = Add(Level::kApplication, "range", 60, 20);
  const SpanId step = Step(10, 90);
  AdoptIntoSteps(trace_);
  Nest(trace_);
  EXPECT_EQ(trace_.spans.parent[range - 1], 0u);
  EXPECT_EQ(trace_.spans.parent[forward - 1], step);
  EXPECT_EQ(trace_.spans.parent[layer - 1], forward);
  EXPECT_EQ(trace_.spans.parent[backward - 1], step);
  EXPECT_EQ(trace_.spans.parent[step - 1], 0u);
}

TEST_F(TrainingStepsTest, AnEpochHoldsItsStepsAndTheyTheirPhases) {
  const SpanId epoch = Add(Level::kApplication, "range", 0, 1000);
  const SpanId forward = Add(Level::kApplication, "range", 10, 30, epoch);
  const SpanId between = Add(Level::kApplication, "range", 120, 10, epoch);
  const SpanId first = Step(10, 90), second = Step(200, 50);
  const SpanId late = Add(Level::kApplication, "range", 210, 30, epoch);
  AdoptIntoSteps(trace_);
  Nest(trace_);
  EXPECT_EQ(trace_.spans.parent[forward - 1], first);
  EXPECT_EQ(trace_.spans.parent[late - 1], second);
  EXPECT_EQ(trace_.spans.parent[between - 1], epoch);
  EXPECT_EQ(trace_.spans.parent[first - 1], epoch);
  EXPECT_EQ(trace_.spans.parent[second - 1], epoch);
}

TEST_F(TrainingStepsTest, OtherThreadsAndStepsThatOverlapAreLeftAlone) {
  Step(0, 100);
  const SpanId elsewhere = Add(Level::kLayer, "aten::mm", 10, 5, 0, 2);
  AdoptIntoSteps(trace_);
  EXPECT_EQ(trace_.spans.parent[elsewhere - 1], 0u);
  Step(50, 100);
  const SpanId inside = Add(Level::kApplication, "range", 10, 5);
  AdoptIntoSteps(trace_);
  EXPECT_EQ(trace_.spans.parent[inside - 1], 0u);
}

// Against the definition, span by span.
TEST_F(TrainingStepsTest, AgreesWithTheDefinitionOnRandomTraces) {
  std::mt19937 random(7);
  const auto draw = [&](std::int64_t most) {
    return std::uniform_int_distribution<std::int64_t>(0, most)(random);
  };
  for (int round = 0; round < 50; ++round) {
    trace_ = {};
    writer_.AddTrack({.kind = trace::TrackKind::kThread, .name = "main"});
    std::vector<SpanId> steps;
    for (std::int64_t start = draw(50); start < 900; start += 100)
      steps.push_back(Step(start, draw(99)));
    for (int i = 0; i < 200; ++i) {
      const auto before = static_cast<std::int64_t>(trace_.spans.size());
      const SpanId parent = i < 20 || draw(3) == 0 ? 0 : static_cast<SpanId>(before - draw(10));
      Add(Level::kApplication, "range", draw(1000), draw(60), parent);
    }
    const trace::Column<SpanId> given = trace_.spans.parent;
    const auto inside = [&](SpanId span, SpanId step) {
      const auto& spans = trace_.spans;
      return spans.start_ns[span - 1] >= spans.start_ns[step - 1] &&
             spans.start_ns[span - 1] + spans.duration_ns[span - 1] <=
                 spans.start_ns[step - 1] + spans.duration_ns[step - 1];
    };
    AdoptIntoSteps(trace_);
    for (SpanId span = static_cast<SpanId>(steps.size() + 1); span <= trace_.spans.size(); ++span) {
      SpanId expected = given[span - 1];
      for (const SpanId step : steps) {
        // Of steps that touch, a span of no length at their border is of the later one.
        const bool later_too = step != steps.back() && inside(span, step + 1);
        if (!inside(span, step) || later_too) continue;
        const SpanId parent = given[span - 1];
        if (parent == 0 || (parent != step && !inside(parent, step))) expected = step;
      }
      ASSERT_EQ(trace_.spans.parent[span - 1], expected) << span;
    }
  }
}

}  // namespace
}  // namespace xsp::correlate
