#include "measure/protocols/expected_time.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

namespace xsp::protocols {
namespace {

/// A run of 10 ms a call, of which `rule` is asked.
PlannedRun RunOf(const SamplingRule& rule, std::int64_t batch = 1) {
  PlannedRun run;
  run.rung = "model";
  run.batch = batch;
  run.sampling = rule;
  run.iterations = rule.iterations;
  return run;
}

PastRun PastOf(const SamplingRule& rule) {
  return {.rule = rule,
          .calls = 150,
          .warmup_calls = 20,
          .call_s = 0.01,
          .relative_half_width = 0.02,
          .start_s = 2,
          .turns_s = 1.7};
}

constexpr SamplingRule kFivePerCent = {.precision_target = 0.05, .time_limit_s = 15};

/// What a worker with such latencies needs, block by block: what MeasureGroup() does.
double SecondsOf(const SamplingRule& rule, double call_s, double deviation, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> latency(call_s * 1e9, deviation * call_s * 1e9);
  Sampling sampling(rule);
  double seconds = 0;
  while (const int calls = sampling.NextBlock(call_s)) {
    std::vector<double> latencies_ns;
    for (int i = 0; i < calls; ++i) latencies_ns.push_back(latency(random));
    const double turn_s = (calls + 1) * call_s;
    seconds += turn_s;
    sampling.AddBlock(std::move(latencies_ns), calls, turn_s);
  }
  return seconds;
}

TEST(ExpectTimeTest, TheSameAgainTakesAsLongAsItTook) {
  const ExpectedTime expected = ExpectTime(RunOf(kFivePerCent), PastOf(kFivePerCent));
  EXPECT_DOUBLE_EQ(expected.start_s, 2);
  EXPECT_DOUBLE_EQ(expected.turns_s, 1.7);
  EXPECT_FALSE(expected.ends_by_time);
}

TEST(ExpectTimeTest, CallsTakeInProportionToTheBatchSize) {
  const SamplingRule rule = {.iterations = 30};
  const PastRun past = PastOf(rule);
  const ExpectedTime expected = ExpectTime(RunOf(rule, 4), past);
  // Three blocks of 10 calls, each led in by one more; 20 calls of warm-up are longer, too.
  EXPECT_NEAR(expected.turns_s, 33 * 0.04, 0.1);
  EXPECT_NEAR(expected.start_s, 2 + 20 * 0.03, 1e-9);
}

TEST(ExpectTimeTest, LoadingAnewCounts) {
  SamplingRule rule = {.iterations = 30};
  PastRun past = PastOf(rule);
  past.load_s = 0.4;
  const double once = ExpectTime(RunOf(rule), past).turns_s;
  EXPECT_DOUBLE_EQ(once, 1.7);  // As it was.
  rule.loads = 3;
  // Three blocks of 10 calls as before; before two of them 20 calls warm up.
  EXPECT_NEAR(ExpectTime(RunOf(rule), past).turns_s, 33 * 0.01 + 2 * (0.4 + 20 * 0.01), 1e-9);
}

TEST(ExpectTimeTest, BaselineCallsCount) {
  const SamplingRule rule = {.iterations = 30};
  PastRun past = PastOf(rule);
  past.turns_s.reset();
  PlannedRun run = RunOf(rule);
  const double alone = ExpectTime(run, past).turns_s;
  run.baseline_rung = "model";
  past.baseline_call_s = 0.005;
  EXPECT_NEAR(ExpectTime(run, past).turns_s, 1.5 * alone, 1e-9);
  run.switching = workers::WorkerProgram::Switch::kProcess;
  EXPECT_NEAR(ExpectTime(run, past).turns_s, alone, 1e-9);
}

TEST(ExpectTimeTest, WithoutNoiseItTakesWhatSamplingAsksFor) {
  for (const double call_s : {1e-5, 1e-3, 0.05, 0.4, 3.0}) {
    PastRun past = PastOf(kFivePerCent);
    past.call_s = call_s;
    past.calls = 1;
    past.turns_s.reset();
    past.relative_half_width = 1e-6;
    EXPECT_NEAR(ExpectTime(RunOf(kFivePerCent), past).turns_s,
                SecondsOf(kFivePerCent, call_s, 0, 1), 1e-9)
        << call_s;
  }
}

// The oracle is sampling itself: of a run at 5 %, what one at 1 % takes.
TEST(ExpectTimeTest, ANarrowerTargetTakesTheSquareOfTheRatioMore) {
  const double call_s = 0.1, deviation = 0.1;
  const SamplingRule one_per_cent = {.precision_target = 0.01, .time_limit_s = 1000};
  double expected_s = 0, took_s = 0;
  for (unsigned seed = 1; seed <= 40; ++seed) {
    std::mt19937 random(seed + 1000);
    std::normal_distribution<double> latency(call_s * 1e9, deviation * call_s * 1e9);
    Sampling sampling(kFivePerCent);
    PastRun past = PastOf(kFivePerCent);
    while (const int calls = sampling.NextBlock(call_s)) {
      std::vector<double> latencies_ns;
      for (int i = 0; i < calls; ++i) latencies_ns.push_back(latency(random));
      sampling.AddBlock(std::move(latencies_ns), calls, calls * call_s);
    }
    past.call_s = call_s;
    past.calls = sampling.calls();
    past.relative_half_width = sampling.relative_half_width();
    past.turns_s.reset();
    expected_s += ExpectTime(RunOf(one_per_cent), past).turns_s;
    took_s += SecondsOf(one_per_cent, call_s, deviation, seed);
  }
  EXPECT_GT(expected_s / took_s, 0.5);
  EXPECT_LT(expected_s / took_s, 2);
}

TEST(ExpectTimeTest, TheLimitOfTimeEndsIt) {
  const SamplingRule rule = {.precision_target = 0.001, .time_limit_s = 5};
  const ExpectedTime expected = ExpectTime(RunOf(rule), PastOf(kFivePerCent));
  EXPECT_TRUE(expected.ends_by_time);
  EXPECT_GE(expected.turns_s, 5);
  EXPECT_LT(expected.turns_s, 5.5);
}

TEST(ExpectTimeTest, ARunWithoutTimesGivesThoseOfItsCalls) {
  PastRun past = PastOf(kFivePerCent);
  past.start_s.reset();
  past.turns_s.reset();
  past.load_s = 0.7;
  const ExpectedTime expected = ExpectTime(RunOf(kFivePerCent), past);
  EXPECT_NEAR(expected.start_s, 0.7 + 20 * 0.01, 1e-9);
  // 150 calls in blocks of 30, each led in by one more.
  EXPECT_NEAR(expected.turns_s, 155 * 0.01, 1e-9);
}

TEST(ExpectTimeTest, CallsOfADataSetAreCounted) {
  EXPECT_NEAR(ExpectTimeOfCalls(RunOf({}, 2), 100, PastOf(kFivePerCent)).turns_s, 2, 1e-9);
}

TEST(LimitOfTest, IsThatOfWarmUpAndSampling) {
  PlannedRun run = RunOf(kFivePerCent);
  EXPECT_FALSE(LimitOf(run));
  run.session.job = {{"warmup", {{"max_seconds", 60}}}};
  EXPECT_EQ(LimitOf(run), 75);
  run.session.job["warmup"]["max_seconds"] = 0;  // --warmup-limit 0: none.
  EXPECT_FALSE(LimitOf(run));
  EXPECT_FALSE(LimitOf(RunOf({.iterations = 30})));
}

}  // namespace
}  // namespace xsp::protocols
