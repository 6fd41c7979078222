#include "answer/report/run_timeline.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <random>
#include <set>
#include <tuple>
#include <vector>

#include "answer/analyze/golden_case_testing.h"
#include "core/json_text.h"

namespace xsp::report {
namespace {

using nlohmann::json;

struct TestSpan {
  long id, parent, track, start, end;
  std::string level, type, name;
};

class RunTimelineTest : public testing::Test {
 protected:
  void Track(long id, const char* kind, bool is_reference = false) const {
    Run(
        fmt::format("INSERT INTO track (run_id, id, kind, name, is_reference) VALUES (1, {}, "
                    "'{}', 'track {}', {})",
                    id, kind, id, is_reference));
  }
  void Add(const std::vector<TestSpan>& spans) const {
    std::string values;
    for (const TestSpan& span : spans)
      values += fmt::format("{}(1, {}, {}, '{}', '{}', '{}', {}, {}, {}, 'nesting')",
                            values.empty() ? "" : ", ", span.id, span.parent, span.level, span.type,
                            span.name, span.track, span.start, span.end - span.start);
    Run("INSERT INTO span (run_id, id, parent_id, level, type, name, track_id, start_ns, "
        "duration_ns, placed_by) VALUES " +
        values);
  }
  json Get(const TimelineLimits& limits = {}) {
    auto timeline = RunTimeline(database_, 1, 1, limits, cuts_);
    EXPECT_TRUE(timeline.ok()) << timeline.error().what;
    return timeline.value();
  }

  store::Database database_ = analyze::OpenEmptyExperiment().value();
  json cuts_ = json::array();

 private:
  void Run(const std::string& sql) const {
    const auto done = database_.Query(sql);
    ASSERT_TRUE(done.ok()) << done.error().what;
  }
};

/// Starts as they are, from differences.
std::vector<long> Starts(const json& rows) {
  std::vector<long> starts;
  long at = 0;
  for (const json& step : rows["start_step_ns"]) starts.push_back(at += step.get<long>());
  return starts;
}

/// A thread of steps of operators in operators, and a stream with what some of them launched.
std::vector<TestSpan> RandomRun(unsigned seed, int steps, int operators) {
  std::mt19937 random(seed);
  std::vector<TestSpan> spans;
  long at = 1000, id = 0, stream = 1000;
  const auto next = [&] { return static_cast<long>(random() % 40 + 2); };
  for (int step = 0; step < steps; ++step) {
    const std::size_t own = spans.size();
    spans.push_back({++id, 0, 1, at, 0, "application", "step", fmt::format("step {}", step)});
    const long step_id = id;
    for (int i = 0; i < operators; ++i) {
      const long start = at + 1;
      const long inner = next(), outer_id = ++id, inner_id = ++id;
      spans.push_back({outer_id, step_id, 1, start, start + inner + 4, "layer", "op",
                       fmt::format("op {}", random() % 3)});
      spans.push_back(
          {inner_id, outer_id, 1, start + 1, start + 1 + inner, "library", "launch", "launch"});
      stream = std::max(stream, start) + 3;
      const long length = next() / 4 + 1;
      spans.push_back({++id, inner_id, 2, stream, stream + length, "kernel", "kernel", "k"});
      stream += length;
      at = start + inner + 5;
    }
    at = std::max(at, stream) + 1;
    spans[own].end = at;
    at += next();
  }
  return spans;
}

TEST_F(RunTimelineTest, ASmallRunIsCarriedWhole) {
  Track(1, "thread");
  Track(2, "stream");
  const auto spans = RandomRun(1, 3, 5);
  Add(spans);
  const json timeline = Get();
  EXPECT_EQ(timeline["spans"]["track"].size(), spans.size());
  EXPECT_EQ(timeline["blocks"]["track"].size(), 0u);
  EXPECT_EQ(timeline["tracks"][0]["name"], "track 2");  // The device before the thread.
  EXPECT_EQ(timeline["steps"]["start_ns"].size(), 3u);
  EXPECT_EQ(timeline["launches"]["span"].size(), 15u);
  EXPECT_TRUE(cuts_.empty());
  const auto starts = Starts(timeline["spans"]);
  EXPECT_TRUE(std::ranges::is_sorted(starts));
  const auto kernel = timeline["launches"]["span"][0].get<std::size_t>();
  EXPECT_LT(timeline["launches"]["start_ns"][0].get<long>(), starts[kernel]);
}

TEST_F(RunTimelineTest, WhatIsMergedAddsUpToTheOutermostShortSpans) {
  for (const unsigned seed : {1u, 2u, 3u}) {
    database_ = analyze::OpenEmptyExperiment().value();
    cuts_ = json::array();
    Track(1, "thread");
    Track(2, "stream");
    const auto spans = RandomRun(seed, 40, 60);
    Add(spans);
    // In one piece and in many: the same spans stand, and as many are merged.
    for (const std::int64_t at_once : {1'000'000L, 1500L}) {
      TimelineLimits limits;
      limits.rows = 900;
      limits.spans_at_once = at_once;
      const json timeline = Get(limits);
      const json& standing = timeline["spans"];
      const json& blocks = timeline["blocks"];
      EXPECT_LE(standing["track"].size() + blocks["track"].size(), limits.rows);
      ASSERT_FALSE(timeline["shown"].is_null());

      // Slow: every span by itself.
      const long from = timeline["shown"]["start_ns"].get<long>() + 1000;
      const long to = from + timeline["shown"]["duration_ns"].get<long>();
      long longest_left_out = 0;
      std::set<std::tuple<long, long, long>> drawn;
      const auto starts = Starts(standing);
      for (std::size_t i = 0; i < starts.size(); ++i)
        drawn.emplace(timeline["tracks"][standing["track"][i].get<std::size_t>()]["id"].get<long>(),
                      starts[i] + 1000, standing["duration_ns"][i].get<long>());
      const auto stands = [&](const TestSpan& span) {
        return drawn.contains({span.track, span.start, span.end - span.start});
      };
      std::vector<bool> is_short(spans.size() + 1);
      for (const TestSpan& span : spans) {
        const bool inside = span.start >= from && span.start < to;
        is_short[static_cast<std::size_t>(span.id)] = !stands(span);
        EXPECT_TRUE(!inside || stands(span)) << span.id;
        if (!stands(span)) longest_left_out = std::max(longest_left_out, span.end - span.start);
      }
      for (const TestSpan& span : spans)
        EXPECT_TRUE(span.end - span.start <= longest_left_out || stands(span)) << span.id;
      long count = 0, busy = 0;
      for (const TestSpan& span : spans) {
        if (!is_short[static_cast<std::size_t>(span.id)]) continue;
        const bool has_outer =
            span.parent > 0 && spans[static_cast<std::size_t>(span.parent - 1)].track == span.track;
        if (has_outer && is_short[static_cast<std::size_t>(span.parent)]) continue;
        ++count;
        busy += span.end - span.start;
      }
      long merged = 0, merged_busy = 0;
      for (std::size_t i = 0; i < blocks["count"].size(); ++i) {
        merged += blocks["count"][i].get<long>();
        merged_busy += blocks["busy_ns"][i].get<long>();
        EXPECT_LE(blocks["busy_ns"][i], blocks["duration_ns"][i]);
      }
      EXPECT_EQ(merged, count);
      EXPECT_EQ(merged_busy, busy);
      ASSERT_FALSE(cuts_.empty());
    }
  }
}

TEST_F(RunTimelineTest, BlocksAndSpansOfOneDepthDoNotOverlap) {
  Track(1, "thread");
  Track(2, "stream");
  Add(RandomRun(5, 50, 40));
  TimelineLimits limits;
  limits.rows = 800;
  const json timeline = Get(limits);
  // Any two rows of a track lie apart or one in the other.
  struct Row {
    long track, start, end;
  };
  std::vector<Row> rows;
  for (const char* which : {"spans", "blocks"}) {
    const auto starts = Starts(timeline[which]);
    for (std::size_t i = 0; i < starts.size(); ++i)
      rows.push_back({timeline[which]["track"][i].get<long>(), starts[i],
                      starts[i] + timeline[which]["duration_ns"][i].get<long>()});
  }
  for (const Row& a : rows)
    for (const Row& b : rows)
      EXPECT_FALSE(a.track == b.track && a.start < b.start && b.start < a.end && b.end > a.end);
}

TEST_F(RunTimelineTest, ThousandsOfThreadsLeaveTheBusiestAndACount) {
  std::vector<TestSpan> spans;
  for (long track = 1; track <= 3000; ++track) {
    spans.push_back({track, 0, track, 5000, 5010 + track, "library", "cuda_runtime", "launch"});
  }
  spans.push_back({3001, 0, 77, 20'000, 20'010, "library", "cuda_runtime", "launch"});
  Add(spans);
  const json timeline = Get();
  EXPECT_EQ(timeline["tracks"].size(), 64u);
  EXPECT_EQ(timeline["tracks"][0]["id"], 77);
  EXPECT_FALSE(timeline["tracks"][0]["folded"].get<bool>());
  EXPECT_TRUE(timeline["tracks"][63]["folded"].get<bool>());
  ASSERT_EQ(cuts_.size(), 1u);
  EXPECT_NE(cuts_[0]["text"].get<std::string>().find("2936 more tracks with 2,936 spans"),
            std::string::npos);
}

TEST_F(RunTimelineTest, ASideTrackOfAnotherTimeDoesNotStretchTheRun) {
  for (long id = 1; id <= 3; ++id) Track(id, "thread");
  Add({{1, 0, 1, 0, 100, "library", "cuda_runtime", "launch"},
       {2, 0, 2, 50, 60, "layer", "op", "a"},
       {3, 0, 3, 90'000, 90'010, "layer", "op", "b"}});
  const json timeline = Get();
  EXPECT_EQ(timeline["duration_ns"], 100);
  EXPECT_EQ(timeline["tracks"].size(), 2u);
  ASSERT_EQ(cuts_.size(), 1u);
}

TEST_F(RunTimelineTest, ReferencesAreCountedNotDrawn) {
  Track(1, "thread");
  Track(2, "thread", true);
  Add({{1, 0, 1, 0, 10, "layer", "op", "a"}, {2, 0, 2, 90'000, 90'010, "layer", "op", "b"}});
  const json timeline = Get();
  EXPECT_EQ(timeline["tracks"].size(), 1u);
  EXPECT_EQ(timeline["duration_ns"], 10);
  ASSERT_EQ(cuts_.size(), 1u);
  EXPECT_EQ(cuts_[0]["total"], 2);
}

TEST_F(RunTimelineTest, NamesTheKernelsThatCommunicate) {
  Track(1, "stream");
  Add({{1, 0, 1, 0, 10, "kernel", "kernel", "gemm"},
       {2, 0, 1, 20, 30, "kernel", "kernel", "ncclDevKernel"}});
  ASSERT_TRUE(database_
                  .Query("INSERT INTO collective (run_id, operation, name, instance, start_ns, "
                         "duration_ns, exposed_ns) VALUES (1, 'other', 'ncclDevKernel', 0, 20, 10, "
                         "10), (1, 'other', 'merged away', 0, 20, 10, 10)")
                  .ok());
  const json timeline = Get();
  ASSERT_EQ(timeline["communicating"].size(), 1U);
  EXPECT_EQ(timeline["names"][timeline["communicating"][0].get<std::size_t>()], "ncclDevKernel");
}

TEST_F(RunTimelineTest, ManyLongNamesAreCutToTheirRoom) {
  std::vector<TestSpan> spans;
  for (long id = 1; id <= 200; ++id)
    spans.push_back({id, 0, 1, id * 10, id * 10 + 5, "layer", "op", fmt::format("{:0500}", id)});
  Track(1, "thread");
  Add(spans);
  TimelineLimits limits;
  limits.name_bytes = 10'000;
  EXPECT_LT(core::JsonText(Get(limits)["names"]).size(), 12'000u);
}

TEST_F(RunTimelineTest, ARunWithoutSpansHasNone) { EXPECT_TRUE(Get().is_null()); }

TEST_F(RunTimelineTest, SpansThatNeverEndedStand) {
  Track(1, "thread");
  std::vector<TestSpan> spans;
  for (long id = 1; id <= 300; ++id)
    spans.push_back({id, 0, 1, id * 10, id * 10 + 5, "layer", "op", "a"});
  Add(spans);
  ASSERT_TRUE(database_.Query("UPDATE span SET duration_ns = NULL WHERE id = 7").ok());
  TimelineLimits limits;
  limits.rows = 100;
  const json spans_standing = Get(limits)["spans"];
  EXPECT_TRUE(std::ranges::any_of(spans_standing["duration_ns"],
                                  [](const json& d) { return d.is_null(); }));
}

}  // namespace
}  // namespace xsp::report
