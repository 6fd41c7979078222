#include "derive/timeline/critical_path/critical_path.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <random>
#include <string>

#include "derive/timeline/critical_path/longest_path_testing.h"
#include "derive/timeline/timeline_testing.h"

namespace xsp::timeline::critical_path {
namespace {

using trace::Level;

/// "kind name" -> ns, of one step.
std::map<std::string, std::int64_t> Times(const std::vector<Part>& parts, std::int32_t step = -1) {
  std::map<std::string, std::int64_t> times;
  for (const Part& part : parts)
    if (part.step == step)
      times[std::string(ToString(part.kind)) + " " + part.name] += part.duration_ns;
  return times;
}

class CriticalPathTest : public testing::Test {
 protected:
  trace::SpanId Operator(std::string_view name, std::int64_t start, std::int64_t duration,
                         trace::TrackId track = 0) {
    return recording_.Add(Level::kLayer, name, name, track != 0 ? track : thread_, start, duration);
  }
  trace::SpanId Call(std::string_view name, std::int64_t start, std::int64_t duration,
                     trace::TrackId track = 0) {
    return recording_.Add(Level::kLibrary, "cuda_runtime", name, track != 0 ? track : thread_,
                          start, duration);
  }
  std::vector<Part> Parts() { return PartsOf(Timeline(recording_.trace()), trace::kNotApplicable); }

  Recording recording_;
  trace::TrackId thread_ = recording_.Thread();
  trace::TrackId stream_ = recording_.Stream(0, 7);
  trace::TrackId other_stream_ = recording_.Stream(0, 20);
};

TEST_F(CriticalPathTest, AHostThatWaitsIsHeldUpByTheDevice) {
  recording_.Step(thread_, 0, 0, 200);
  Operator("aten::mm", 10, 30);
  const auto launch = recording_.Launch(thread_, 20, 10);
  recording_.Kernel(stream_, 40, 100, "gemm", launch);
  Call("cudaDeviceSynchronize", 60, 90);
  EXPECT_EQ(Times(Parts(), 0),
            (std::map<std::string, std::int64_t>{{"host (between operators)", 10 + 50},
                                                 {"host aten::mm", 10},
                                                 {"launch gemm", 20},
                                                 {"compute gemm", 100},
                                                 {"synchronisation cudaDeviceSynchronize", 10}}));
}

TEST_F(CriticalPathTest, WhatNobodyWaitsForIsOffThePath) {
  recording_.Step(thread_, 0, 0, 200);
  const auto launch = recording_.Launch(thread_, 20, 10);
  recording_.Kernel(stream_, 40, 50, "gemm", launch);
  Operator("aten::item", 150, 40);
  // The kernel had ended before the host asked for it.
  Call("cudaStreamSynchronize", 160, 5);
  EXPECT_EQ(Times(Parts(), 0),
            (std::map<std::string, std::int64_t>{{"host (between operators)", 20 + 120 + 10},
                                                 {"host cudaLaunchKernel", 10},
                                                 {"host aten::item", 35},
                                                 {"synchronisation cudaStreamSynchronize", 5}}));
}

TEST_F(CriticalPathTest, ADeviceThatLagsBehindHoldsUpStepsThatDoNotWait) {
  recording_.Step(thread_, 0, 0, 100);
  recording_.Step(thread_, 1, 100, 100);
  for (int i = 0; i < 4; ++i)
    recording_.Kernel(stream_, 10 + 100 * i, 100, "gemm", recording_.Launch(thread_, 5 + 50 * i));
  const auto parts = Parts();
  EXPECT_EQ(Times(parts, 0),
            (std::map<std::string, std::int64_t>{
                {"host (between operators)", 5}, {"launch gemm", 5}, {"compute gemm", 90}}));
  EXPECT_EQ(Times(parts, 1), (std::map<std::string, std::int64_t>{{"compute gemm", 100}}));
}

TEST_F(CriticalPathTest, TheBackwardThreadWorksWhileTheMainOneWaits) {
  const auto backward = recording_.Thread(trace::kNotApplicable, 2);
  recording_.Step(thread_, 0, 0, 100);
  Operator("aten::loss", 0, 20);
  Operator("MmBackward", 30, 20, backward);
  Operator("ReluBackward", 50, 20, backward);
  Operator("aten::add_", 80, 20);
  recording_.Kernel(stream_, 1, 1);
  EXPECT_EQ(Times(Parts(), 0),
            (std::map<std::string, std::int64_t>{{"host aten::loss", 20},
                                                 {"host (between operators)", 10 + 10},
                                                 {"host MmBackward", 20},
                                                 {"host ReluBackward", 20},
                                                 {"host aten::add_", 20}}));
}

TEST_F(CriticalPathTest, AStreamWaitsForTheOneThatItWasMadeToWaitFor) {
  recording_.Kernel(stream_, 10, 100, "gemm", recording_.Launch(thread_, 0, 2));
  Call("cudaStreamWaitEvent", 3, 1);
  recording_.Kernel(other_stream_, 120, 50, "ncclDevKernel_AllReduce",
                    recording_.Launch(thread_, 5, 2));
  EXPECT_EQ(Times(Parts()),
            (std::map<std::string, std::int64_t>{{"launch gemm", 10},
                                                 {"compute gemm", 100},
                                                 {"gap ncclDevKernel_AllReduce", 10},
                                                 {"communication ncclDevKernel_AllReduce", 50}}));
}

TEST_F(CriticalPathTest, ARecordOfTheWaitSaysWhichStream) {
  const auto third = recording_.Stream(0, 21);
  recording_.Kernel(stream_, 10, 100, "gemm", recording_.Launch(thread_, 0, 1));
  recording_.Kernel(third, 10, 105, "relu", recording_.Launch(thread_, 1, 1));
  Call("cudaStreamWaitEvent", 3, 1);
  const auto record =
      recording_.Add(Level::kLibrary, "synchronisation", "Stream Wait Event", other_stream_, 3, 1);
  recording_.writer().AddAttribute(record, trace::attribute::kAwaitedStream, "7");
  recording_.Kernel(other_stream_, 120, 50, "copy", recording_.Launch(thread_, 5, 2));
  const auto times = Times(Parts());
  EXPECT_TRUE(times.contains("compute gemm"));
  EXPECT_FALSE(times.contains("compute relu"));
}

TEST_F(CriticalPathTest, ACallThatWaitsForOneStreamIsNotHeldUpByAnother) {
  recording_.Kernel(stream_, 10, 20, "gemm", recording_.Launch(thread_, 0, 2));
  recording_.Kernel(other_stream_, 10, 30, "relu", recording_.Launch(thread_, 3, 2));
  Call("cudaStreamSynchronize", 8, 50);
  recording_.Add(Level::kLibrary, "synchronisation", "Stream Sync", stream_, 9, 48);
  const auto times = Times(Parts());
  EXPECT_TRUE(times.contains("compute gemm"));
  EXPECT_FALSE(times.contains("compute relu"));
  EXPECT_EQ(times.at("synchronisation cudaStreamSynchronize"), 28);
}

TEST_F(CriticalPathTest, ARunWithoutADeviceHasNone) {
  recording_.Step(thread_, 0, 0, 100);
  Operator("aten::mm", 0, 20);
  EXPECT_TRUE(Parts().empty());
}

TEST_F(CriticalPathTest, ManyNamesBecomeOneRowAKind) {
  for (int i = 0; i < 300; ++i) Operator("op" + std::to_string(i), 10 * i, 10);
  recording_.Kernel(stream_, 0, 1);
  const auto parts = Parts();
  EXPECT_EQ(parts.size(), 101U);
  EXPECT_EQ(Times(parts).at("host (other names)"), 2000);
}

/// Threads with operators and calls of every kind, and work on two devices: times are so far apart
/// that equal ones do not matter.
void FillWithDependencies(Recording& recording, std::mt19937& random) {
  const auto below = [&](int n) {
    return static_cast<std::int64_t>(random() % static_cast<unsigned>(n));
  };
  const trace::TrackId streams[] = {recording.Stream(0, 7), recording.Stream(0, 20),
                                    recording.Stream(1, 7)};
  std::int64_t free_at[3] = {};
  const int threads = 1 + static_cast<int>(below(3));
  for (int thread = 0; thread < threads; ++thread) {
    const trace::TrackId track = recording.Thread(trace::kNotApplicable, thread);
    std::int64_t at = below(1'000'000);
    for (std::int64_t i = 0, n = 1 + below(12); i < n; ++i) {
      const std::int64_t start = at;
      for (std::int64_t call = 0, calls = below(3); call < calls; ++call) {
        at += 1 + below(100'000);
        const std::int64_t duration = 1 + below(400'000);
        constexpr std::string_view kCalls[] = {"cudaLaunchKernel",      "cudaDeviceSynchronize",
                                               "cudaStreamSynchronize", "cudaEventSynchronize",
                                               "cudaMemcpyAsync",       "cudaStreamWaitEvent",
                                               "cudaLaunchKernel",      "cudaEventRecord"};
        const std::string_view name = kCalls[below(8)];
        const auto span = recording.Add(Level::kLibrary, "cuda_runtime", name, track, at, duration);
        if (name == "cudaLaunchKernel" || name == "cudaMemcpyAsync") {
          const std::int64_t stream = below(3);
          // Mostly in order, at times as clocks that disagree show it.
          std::int64_t begins = at + below(300'000) - (below(10) == 0 ? 150'000 : 0);
          if (below(10) != 0) begins = std::max(begins, free_at[stream] + 1 + below(1000));
          const std::int64_t takes = 1 + below(600'000);
          free_at[stream] = std::max(free_at[stream], begins + takes);
          const trace::SpanId launch = below(12) == 0 ? 0 : span;
          if (name == "cudaMemcpyAsync") {
            recording.Copy(streams[stream], begins, takes, launch);
          } else {
            recording.Kernel(streams[stream], begins, takes,
                             below(3) == 0 ? "ncclAllReduce" : "gemm", launch);
          }
        }
        at += duration;
      }
      at += 1 + below(100'000);
      recording.Add(Level::kLayer, "aten::mm", "aten::mm", track, start, at - start);
      at += below(3) == 0 ? 0 : below(300'000);
    }
  }
}

TEST(CriticalPathOracleTest, AgreesWithTryingEveryPredecessor) {
  std::mt19937 random(31);
  std::map<Kind, int> seen;
  int awaited = 0, waits = 0;
  for (int round = 0; round < 400; ++round) {
    Recording recording;
    FillWithDependencies(recording, random);
    const Timeline timeline(recording.trace());
    const Dependencies dependencies(timeline, trace::kNotApplicable);
    for (const Work& work : dependencies.works()) awaited += work.awaited != kNoWork;
    for (const Thread& thread : dependencies.threads())
      waits += static_cast<int>(thread.waits.size());
    const std::int64_t origin = 200'000;
    LongestPathOracle oracle(timeline, dependencies, origin);
    std::vector<Point> ends;
    for (std::size_t i = 0; i < dependencies.works().size(); ++i)
      ends.push_back(
          {dependencies.EndOf(dependencies.works()[i]), kNoThread, static_cast<WorkId>(i)});
    for (std::size_t i = 0; i < dependencies.threads().size(); ++i)
      for (const Block& block : dependencies.threads()[i].blocks)
        ends.push_back({block.end_ns, static_cast<ThreadId>(i), kNoWork});
    for (const Point& end : ends) {
      if (end.time_ns <= origin) continue;
      const auto expected = oracle.Longest(end);
      ASSERT_EQ(expected.length_ns, end.time_ns - origin) << "round " << round;
      const auto path = LongestPath(dependencies, origin, end);
      ASSERT_EQ(path.size(), expected.segments.size()) << "round " << round;
      for (std::size_t i = 0; i < path.size(); ++i) {
        const Segment &a = path[i], &b = expected.segments[i];
        ASSERT_EQ(std::tie(a.start_ns, a.end_ns, a.kind, a.span, a.thread),
                  std::tie(b.start_ns, b.end_ns, b.kind, b.span, b.thread))
            << "round " << round << " segment " << i;
        ++seen[a.kind];
      }
    }
  }
  EXPECT_GT(awaited, 100);
  EXPECT_GT(waits, 100);
  for (const Kind kind :
       {Kind::kHost, Kind::kLaunch, Kind::kCompute, Kind::kCommunication, Kind::kCopy, Kind::kGap})
    EXPECT_GT(seen[kind], 100) << ToString(kind);
}

TEST(CriticalPathOracleTest, PartsOfAStepAddUpToItsDuration) {
  std::mt19937 random(32);
  int steps = 0;
  for (int round = 0; round < 300; ++round) {
    Recording recording;
    FillAtRandom(recording, random, 2);
    const Timeline timeline(recording.trace());
    for (const std::int64_t rank : {0, 1}) {
      std::map<std::int32_t, std::int64_t> sums;
      const auto parts = PartsOf(timeline, rank);
      for (const Part& part : parts) {
        EXPECT_GT(part.duration_ns, 0);
        EXPECT_GT(part.segments, 0);
        sums[part.step] += part.duration_ns;
      }
      if (timeline.StepsOf(rank).empty()) {
        EXPECT_LE(sums.size(), 1U);
        continue;
      }
      if (parts.empty()) continue;
      for (const Step& step : timeline.StepsOf(rank)) {
        const auto index = static_cast<std::int32_t>(&step - timeline.steps().data());
        ASSERT_EQ(sums[index], step.end_ns - step.start_ns) << "round " << round;
        ++steps;
      }
    }
  }
  EXPECT_GT(steps, 200);
}

}  // namespace
}  // namespace xsp::timeline::critical_path
