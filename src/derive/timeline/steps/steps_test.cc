#include "derive/timeline/steps/steps.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <string>
#include <utility>

#include "derive/timeline/timeline_testing.h"

namespace xsp::timeline::steps {
namespace {

using trace::Level;
using trace::SpanId;

TEST(StepsTest, CountsWhatAStepStartedAndLaunched) {
  Recording recording;
  const auto thread = recording.Thread();
  const auto stream = recording.Stream(0, 7), other = recording.Stream(0, 13);
  recording.Step(thread, 1, 0, 100);
  recording.Step(thread, 2, 100, 100);
  const SpanId outer = recording.Add(Level::kLayer, "aten::linear", "aten::linear", thread, 10, 50);
  recording.Add(Level::kLayer, "aten::addmm", "aten::addmm", thread, 20, 30, outer);
  const SpanId launch = recording.Launch(thread, 30, 5);
  recording.Kernel(stream, 150, 40, "gemm", launch);
  recording.Kernel(other, 170, 40, "gemm", launch);
  recording.Copy(stream, 220, 10, recording.Launch(thread, 110));
  const SpanId wait =
      recording.Add(Level::kLibrary, "cuda_runtime", "cudaDeviceSynchronize", thread, 120, 60);
  recording.Add(Level::kLibrary, "cuda_driver", "cuCtxSynchronize", thread, 125, 50, wait);
  const Timeline timeline(recording.trace());
  const std::vector<StepWork> work = WorkOfSteps(timeline);
  ASSERT_EQ(work.size(), 2U);
  EXPECT_EQ(work[0].operators, 2);
  EXPECT_EQ(work[0].kernels, 2);
  EXPECT_EQ(work[0].launches, 1);
  EXPECT_EQ(work[0].kernel_ns, 80);
  EXPECT_EQ(work[0].busy_ns, 60);
  EXPECT_EQ(work[0].synchronisation_ns, 0);
  EXPECT_EQ(work[1].copies, 1);
  EXPECT_EQ(work[1].kernels, 0);
  EXPECT_EQ(work[1].busy_ns, 10);
  EXPECT_EQ(work[1].synchronisation_ns, 60);
}

TEST(StepsTest, WithoutADeviceNothingIsSaidOfItsTime) {
  Recording recording;
  const auto thread = recording.Thread();
  recording.Step(thread, 1, 0, 100);
  recording.Add(Level::kKernel, "primitive", "convolution", thread, 10, 50);
  const Timeline timeline(recording.trace());
  const std::vector<StepWork> work = WorkOfSteps(timeline);
  ASSERT_EQ(work.size(), 1U);
  EXPECT_EQ(work[0].busy_ns, -1);
  EXPECT_EQ(work[0].kernels, 1);
  EXPECT_EQ(work[0].kernel_ns, 50);
}

/// Nine steps of 100 ns with an operator, a kernel and a wait; the last takes longer.
class SlowStepTest : public testing::Test {
 protected:
  void Record(std::int64_t operator_ns, std::int64_t python_ns, std::int64_t kernel_ns,
              std::int64_t wait_ns) {
    for (std::int64_t i = 0; i < 9; ++i) {
      const bool last = i == 8;
      const std::int64_t at = 1000 * i;
      const std::int64_t operator_took = last ? operator_ns : 40;
      const std::int64_t python_took = last ? python_ns : 20;
      const std::int64_t wait_took = last ? wait_ns : 20;
      const std::int64_t took = operator_took + python_took + wait_took + 20;
      const SpanId step = recording_.Add(Level::kApplication, "step",
                                         "ProfilerStep#" + std::to_string(i), thread_, at, took);
      const SpanId python = recording_.Add(Level::kApplication, "python", "loop", thread_, at,
                                           operator_took + python_took, step);
      const SpanId operation =
          recording_.Add(Level::kLayer, "aten::mm", "aten::mm", thread_, at, operator_took, python);
      const SpanId launch = recording_.Launch(thread_, at + 1, 5, operation);
      recording_.Kernel(stream_, at + 20, last ? kernel_ns : 30, "gemm", launch);
      recording_.Add(Level::kLibrary, "cuda_runtime", "cudaDeviceSynchronize", thread_,
                     at + operator_took + python_took, wait_took, step);
    }
    const Timeline timeline(recording_.trace());
    const std::vector<StepWork> work = WorkOfSteps(timeline);
    for (std::size_t i = 0; i < 8; ++i) {
      EXPECT_FALSE(work[i].is_slow);
      EXPECT_EQ(work[i].changed, "");
    }
    last_ = work[8];
  }

  Recording recording_;
  trace::TrackId thread_ = recording_.Thread(), stream_ = recording_.Stream(0, 7);
  StepWork last_;
};

TEST_F(SlowStepTest, IsNotSlowWithinTenPercent) {
  Record(49, 20, 30, 20);
  EXPECT_FALSE(last_.is_slow);
}

TEST_F(SlowStepTest, NamesTheOperatorThatGrew) {
  Record(90, 20, 30, 20);
  EXPECT_TRUE(last_.is_slow);
  EXPECT_EQ(last_.changed, "aten::mm");
  EXPECT_EQ(last_.changed_ns, 50);
}

TEST_F(SlowStepTest, PythonIsTheStepsOwnTime) {
  Record(40, 220, 30, 20);
  EXPECT_EQ(last_.changed, kOutside);
  EXPECT_EQ(last_.changed_ns, 200);
}

TEST_F(SlowStepTest, NamesTheKernelRatherThanTheWaitForIt) {
  Record(40, 20, 100, 95);
  EXPECT_EQ(last_.changed, "gemm");
  EXPECT_EQ(last_.changed_ns, 70);
}

TEST_F(SlowStepTest, NamesTheWaitWhenNothingElseGrew) {
  Record(40, 20, 40, 95);
  EXPECT_EQ(last_.changed, "cudaDeviceSynchronize");
  EXPECT_EQ(last_.changed_ns, 75);
}

/// The middle of the sorted values, zeros for steps without one.
double MiddleOf(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t n = values.size();
  return n % 2 == 1 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2]) / 2;
}

TEST(StepsTest, AgreesWithLookingAtEveryStepAndName) {
  std::mt19937 random(31);
  const auto below = [&](int n) {
    return static_cast<std::int64_t>(random() % static_cast<unsigned>(n));
  };
  int slow = 0;
  for (int round = 0; round < 1000; ++round) {
    Recording recording;
    const int ranks = 1 + static_cast<int>(below(2));
    FillAtRandom(recording, random, ranks);
    const trace::Trace& trace = recording.trace();
    for (int rank = 0; rank < ranks; ++rank) {
      const auto thread = recording.Thread(ranks == 1 ? trace::kNotApplicable : rank, 2);
      for (std::int64_t i = 0, n = below(20); i < n; ++i) {
        const std::int64_t start = below(1600), duration = below(200);
        const SpanId outer = recording.Add(Level::kLayer, "aten::mm", i % 2 == 0 ? "a" : "b",
                                           thread, start, duration);
        const SpanId module =
            recording.Add(Level::kLayer, "module", "m", thread, start, duration, outer);
        if (duration > 10)
          recording.Add(Level::kLibrary, "cuda_runtime",
                        below(2) == 0 ? "cudaStreamSynchronize" : "cudaMalloc", thread, start + 5,
                        duration - 10, module);
      }
    }
    const Timeline timeline(trace);
    const std::vector<StepWork> work = WorkOfSteps(timeline);
    ASSERT_EQ(work.size(), timeline.steps().size());
    const auto step_at = [&](SpanId span) {
      const std::int64_t at = trace.spans.start_ns[span - 1];
      for (std::size_t i = 0; i < work.size(); ++i) {
        const Step& step = timeline.steps()[i];
        // Steps do not overlap here.
        if (step.rank == timeline.TrackOf(span).rank && step.start_ns <= at && at < step.end_ns)
          return static_cast<int>(i);
      }
      return -1;
    };
    std::vector<StepWork> expected(work.size());
    std::vector<std::set<std::int64_t>> busy(work.size());
    std::vector<std::set<SpanId>> launches(work.size());
    std::map<std::pair<std::string, bool>, std::vector<double>> times;  // By name, whether a wait.
    const auto add = [&](std::string_view name, bool waits, int step, std::int64_t ns) {
      std::vector<double>& of = times[{std::string(name), waits}];
      of.resize(work.size());
      of[static_cast<std::size_t>(step)] += static_cast<double>(ns);
    };
    for (const Device& device : timeline.devices()) {
      for (std::size_t i = 0; i < work.size(); ++i)
        if (timeline.steps()[i].rank == device.rank) expected[i].busy_ns = 0;
      for (const DeviceSpan& span : device.spans) {
        if (span.step < 0) continue;
        const auto step = static_cast<std::size_t>(span.step);
        for (std::int64_t t = span.start_ns; t < span.end_ns; ++t) busy[step].insert(t);
        add(timeline.NameOf(span.span), false, span.step, span.end_ns - span.start_ns);
        if (span.activity == Activity::kCopy) {
          ++expected[step].copies;
          continue;
        }
        ++expected[step].kernels;
        expected[step].kernel_ns += span.end_ns - span.start_ns;
        if (span.launch != 0) launches[step].insert(span.launch);
      }
    }
    for (SpanId span = 1; span <= trace.spans.size(); ++span) {
      if (!OnThread(timeline.TrackOf(span))) continue;
      const int at = step_at(span);
      const std::string_view type = trace.Text(trace.spans.type[span - 1]);
      if (at < 0 || type == "module") continue;
      std::int64_t own = trace.spans.duration_ns[span - 1];
      // Calls are below modules, which are below operators.
      if (trace.spans.level[span - 1] == Level::kLayer)
        for (SpanId below_it = 1; below_it <= trace.spans.size(); ++below_it)
          if (trace.spans.level[below_it - 1] == Level::kLibrary &&
              trace.spans.parent[below_it - 1] != 0 &&
              trace.spans.parent[trace.spans.parent[below_it - 1] - 1] == span)
            own -= trace.spans.duration_ns[below_it - 1];
      const std::string_view name = timeline.NameOf(span);
      const bool waits = name == "cudaStreamSynchronize";
      add(type == "step" ? kOutside : name, waits, at, own);
      StepWork& step = expected[static_cast<std::size_t>(at)];
      step.operators += trace.spans.level[span - 1] == Level::kLayer;
      if (waits) step.synchronisation_ns += own;
    }
    for (std::size_t i = 0; i < work.size(); ++i) {
      const Step& step = timeline.steps()[i];
      if (expected[i].busy_ns >= 0) expected[i].busy_ns = static_cast<std::int64_t>(busy[i].size());
      ASSERT_EQ(work[i].busy_ns, expected[i].busy_ns) << "round " << round;
      ASSERT_EQ(work[i].kernel_ns, expected[i].kernel_ns);
      ASSERT_EQ(work[i].kernels, expected[i].kernels);
      ASSERT_EQ(work[i].launches, static_cast<std::int64_t>(launches[i].size()));
      ASSERT_EQ(work[i].copies, expected[i].copies);
      ASSERT_EQ(work[i].operators, expected[i].operators);
      ASSERT_EQ(work[i].synchronisation_ns, expected[i].synchronisation_ns);
      std::vector<double> durations, deviations;
      for (const Step& other : timeline.StepsOf(step.rank))
        durations.push_back(static_cast<double>(other.end_ns - other.start_ns));
      for (const double duration : durations)
        deviations.push_back(std::abs(duration - MiddleOf(durations)));
      const auto duration = static_cast<double>(step.end_ns - step.start_ns);
      const bool is_slow = duration > 1.1 * MiddleOf(durations) &&
                           duration > MiddleOf(durations) + 3 * MiddleOf(deviations);
      ASSERT_EQ(work[i].is_slow, is_slow);
      double grown[2] = {0, 0};
      for (auto& [name, of] : times) {
        of.resize(work.size());
        std::vector<double> of_rank;
        for (std::size_t j = 0; j < work.size(); ++j)
          if (timeline.steps()[j].rank == step.rank) of_rank.push_back(of[j]);
        grown[name.second] = std::max(grown[name.second], of[i] - MiddleOf(of_rank));
      }
      const double most = grown[0] >= grown[1] / 2 ? grown[0] : grown[1];
      ASSERT_EQ(work[i].changed_ns, is_slow ? std::llround(most) : 0) << "round " << round;
      ASSERT_EQ(work[i].changed.empty(), !is_slow || most <= 0);
      slow += is_slow;
    }
  }
  EXPECT_GT(slow, 50);
}

}  // namespace
}  // namespace xsp::timeline::steps
