#include "derive/match/run_rows.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "core/estimate.h"
#include "core/statistics.h"
#include "derive/match/match_testing.h"

namespace xsp::match {
namespace {

using ::testing::HasSubstr;
using ::testing::Optional;

TEST(RunRows, ClaimsNoOverheadOfRungsThatRanInProcessesOfTheirOwn) {
  TestExperiment experiment;
  Recording model, layer, kernel;
  AddCalls(model, 1, false, false);
  AddCalls(layer, 2, true, false);
  AddCalls(kernel, 3, true, true);
  experiment.AddRun("model", model);
  experiment.AddRun("layer", layer);
  experiment.AddFailedRun("library", "the worker died");
  experiment.AddRun("kernel", kernel);
  const ExperimentTables tables = experiment.Match();
  ASSERT_EQ(tables.run.size(), 4u);
  for (std::size_t run = 0; run < 4; ++run) {
    EXPECT_EQ(tables.run.at(run).overhead_ns, std::nullopt);
    EXPECT_EQ(tables.run.at(run).overhead_basis, std::nullopt);
  }
  EXPECT_EQ(tables.run.at(2).latency_ns, std::nullopt);
  EXPECT_EQ(tables.run.at(2).message, "the worker died");
  EXPECT_EQ(tables.point.at(0).status, "partial");
}

TEST(RunRows, TheTimeToLoadIsThatOfTheFirstTime) {
  TestExperiment experiment;
  Recording model;
  model.Add(trace::Level::kApplication, "range", "load", 0, 500, 0);
  AddCalls(model, 1, false, false);
  model.Add(trace::Level::kApplication, "range", "load", 1'000'000, 70, 0);
  experiment.AddRun("model", model);
  EXPECT_THAT(experiment.Match().run.at(0).load_ns, Optional(500));
}

/// A call of the rung above in a recording of the rung below it.
trace::SpanId BaselineCall(Recording& recording, int iteration, std::int64_t start_ns,
                           std::int64_t duration_ns) {
  const auto call = recording.Add(trace::Level::kModel, "predict", "net", start_ns, duration_ns, 0);
  recording.Metric(call, "baseline_iteration", iteration);
  recording.Attribute(call, "rung", "model");
  return call;
}

TEST(RunRows, StatesTheOverheadOfPairsOfCalls) {
  TestExperiment experiment;
  Recording model, layer;
  std::vector<double> own, baseline;
  for (int i = 0; i < 10; ++i) {
    model.Call(i, i * 1000, 100);  // A process that happens to be slow.
    const auto call = layer.Call(i, i * 1000, 90 + i);
    const auto above = BaselineCall(layer, i, i * 1000 + 500, 80 + i);
    for (const auto span : {call, above}) {
      layer.Metric(span, "block", 0);
      // The pairs, not the order in time, say what belongs together.
      layer.Metric(span, "pair", span == call ? i : 9 - i);
    }
    own.push_back(90 + i);
    baseline.insert(baseline.begin(), 80 + i);
  }
  experiment.AddRun("model", model);
  experiment.AddRun("layer", layer);
  const ExperimentTables tables = experiment.Match();
  const core::Estimate expected = core::PairedRatio(own, baseline);
  EXPECT_NEAR(tables.run.at(1).overhead_ratio.value(), expected.centre - 1, 1e-12);
  EXPECT_NEAR(tables.run.at(1).overhead_ratio_low.value(), expected.interval.low - 1, 1e-12);
  EXPECT_NEAR(tables.run.at(1).overhead_ratio_high.value(), expected.interval.high - 1, 1e-12);
  EXPECT_EQ(tables.run.at(1).overhead_units, 10);
  EXPECT_EQ(tables.run.at(1).overhead_basis, "pairs of calls");
  EXPECT_EQ(tables.run.at(1).baseline_ns, core::TrimmedMean(baseline));
  EXPECT_EQ(tables.run.at(0).baseline_ns, std::nullopt);
  // Baseline calls are kept beside the run's own, and count in none of its statistics.
  EXPECT_EQ(tables.run.at(1).samples, 10);
  ASSERT_EQ(tables.sample.size(), 30u);
  EXPECT_EQ(tables.sample.at(10).rung, "layer");
  EXPECT_EQ(tables.sample.at(20).rung, "model");
  EXPECT_EQ(tables.sample.at(20).latency_ns, 80);
  EXPECT_EQ(tables.sample.at(20).pair, 9);
  EXPECT_EQ(tables.sample.at(20).process, 2);
}

TEST(RunRows, StatesTheOverheadOfPairsOfBlocks) {
  TestExperiment experiment;
  Recording layer;
  std::vector<double> own, baseline;
  for (int block = 0; block < 8; ++block) {
    for (int i = 0; i < 4; ++i) {
      const int number = 4 * block + i;
      const auto call = layer.Call(number, number * 1000, 100 + block);
      layer.Metric(call, "block", 2 * block);
      const auto above = BaselineCall(layer, number, number * 1000 + 500, 50 + block);
      layer.Metric(above, "block", 2 * block + 1);
    }
    own.push_back(100 + block);
    baseline.push_back(50 + block);
  }
  experiment.AddRun("layer", layer);
  const ExperimentTables tables = experiment.Match();
  const core::Estimate expected = core::PairedRatio(own, baseline);
  EXPECT_NEAR(tables.run.at(0).overhead_ratio.value(), expected.centre - 1, 1e-12);
  EXPECT_EQ(tables.run.at(0).overhead_units, 8);
  EXPECT_EQ(tables.run.at(0).overhead_basis, "pairs of blocks");
}

// A recorded program, whose framework's profiler ended after the first calls.
TEST(RunRows, LaterCallsWithoutProfilingGiveTheLatency) {
  TestExperiment experiment;
  Recording recorded;
  std::vector<double> baseline;
  for (int i = 0; i < 10; ++i) {
    const auto call = recorded.Add(trace::Level::kModel, "predict", "net", i * 1000, 300, 0);
    recorded.Layer(call, "conv2d", i * 1000 + 50, 40);
  }
  for (int i = 0; i < 20; ++i) {
    BaselineCall(recorded, i, 100'000 + i * 1000, 100 + i);
    baseline.push_back(100 + i);
  }
  experiment.AddRun("recorded", recorded);
  const ExperimentTables tables = experiment.Match();
  EXPECT_EQ(tables.point.at(0).latency_ns, core::TrimmedMean(baseline));
  EXPECT_LT(tables.point.at(0).latency_low_ns.value(), core::TrimmedMean(baseline));
  EXPECT_EQ(tables.run.at(0).latency_ns, 300);
  EXPECT_EQ(tables.layer.at(0).latency_ns, 40);
  EXPECT_EQ(tables.run.at(0).overhead_basis, "first and later calls");
  EXPECT_NEAR(tables.run.at(0).overhead_ratio.value(), 300 / core::TrimmedMean(baseline) - 1,
              1e-12);
  // Neither was randomised.
  EXPECT_EQ(tables.run.at(0).overhead_ratio_low, std::nullopt);
}

TEST(RunRows, StatesTheOverheadOfPairsOfProcesses) {
  TestExperiment experiment;
  Recording kernel;
  AddCalls(kernel, 3, true, true);
  experiment.AddRun("kernel", kernel);
  std::vector<Recording> pairs(10);
  for (int pair = 1; pair <= 5; ++pair) {
    for (const bool own : {false, true}) {
      Recording& process = pairs[static_cast<std::size_t>(2 * (pair - 1) + own)];
      for (int i = 0; i < 6; ++i) process.Call(i, i * 1000, 100 + pair + (own ? 20 : 0));
      experiment.AddRun(own ? "kernel" : "layer", process);
      experiment.last_run().process_pair = pair;
      experiment.last_run().process_pair_of = "kernel";
    }
  }
  const ExperimentTables tables = experiment.Match();
  EXPECT_EQ(tables.run.at(0).overhead_basis, "pairs of processes");
  EXPECT_NEAR(tables.run.at(0).overhead_ratio.value(), 0.194, 0.001);
  EXPECT_EQ(tables.run.at(0).overhead_units, 5);
  EXPECT_EQ(tables.run.at(3).process_pair, 2);
  // They are no rung of the point: its latency is of the run that shows its layers.
  EXPECT_EQ(tables.point.at(0).latency_ns, 300);
}

TEST(RunRows, ALatencyOfSeveralProcessesHoldsWhatTheyDifferIn) {
  TestExperiment experiment;
  std::vector<Recording> processes(3);
  for (int process = 0; process < 3; ++process) {
    for (int i = 0; i < 10; ++i) processes[process].Call(i, i * 1000, 100 + 10 * process);
    experiment.AddRun("model", processes[process]);
    experiment.last_run().process = process + 1;
  }
  const ExperimentTables tables = experiment.Match();
  EXPECT_EQ(tables.point.at(0).latency_ns, 110);
  EXPECT_NEAR(tables.point.at(0).latency_high_ns.value(), 110 + 4.303 * 10 / std::sqrt(3.0), 0.01);
}

TEST(RunRows, ALatencyOfSeveralProfiledProcessesIsThatOfTheirBaselineCalls) {
  TestExperiment experiment;
  std::vector<Recording> processes(3);
  for (int process = 0; process < 3; ++process) {
    for (int i = 0; i < 10; ++i) {
      processes[process].Call(i, i * 1000, 300);
      BaselineCall(processes[process], i, i * 1000 + 500, 100 + 10 * process);
    }
    experiment.AddRun("layer", processes[process]);
    experiment.last_run().process = process + 1;
  }
  EXPECT_EQ(experiment.Match().point.at(0).latency_ns, 110);
}

TEST(RunRows, FollowsTheStatisticsRules) {
  TestExperiment experiment;
  Recording model;
  std::mt19937 random(5);
  std::vector<double> all, undisturbed;
  for (int i = 0; i < 40; ++i) {
    const std::int64_t latency = 1000 + random() % 500;
    const auto call = model.Call(i, i * 10000, latency);
    model.Metric(call, "run_queue_wait_ns", i % 4 == 0 ? 500 : 10);
    all.push_back(static_cast<double>(latency));
    if (i % 4 != 0) undisturbed.push_back(static_cast<double>(latency));
  }
  experiment.AddRun("model", model);
  const ExperimentTables tables = experiment.Match();
  EXPECT_EQ(tables.run.at(0).samples, 40);
  EXPECT_EQ(tables.run.at(0).disturbed, 10);
  EXPECT_EQ(tables.run.at(0).latency_ns, core::TrimmedMean(undisturbed));
  const core::Interval interval = core::BlockedInterval(
      core::TrimmedMean(undisturbed), std::vector<std::vector<double>>{undisturbed});
  EXPECT_EQ(tables.run.at(0).latency_low_ns, interval.low);
  EXPECT_EQ(tables.point.at(0).latency_high_ns, interval.high);
  EXPECT_EQ(tables.run.at(0).p95_ns, core::Percentile(all, 95));
  EXPECT_EQ(tables.run.at(0).min_ns, *std::min_element(all.begin(), all.end()));
  EXPECT_EQ(tables.run.at(0).message, std::nullopt);
  EXPECT_EQ(tables.sample.at(0).reason, "run queue");
  EXPECT_EQ(tables.sample.at(1).reason, std::nullopt);
}

TEST(RunRows, LeavesCallsThatAnsweredRequestsOutOfTheStatistics) {
  TestExperiment experiment;
  Recording model;
  for (int i = 0; i < 10; ++i) model.Call(i, i * 1000, 100);
  for (int i = 10; i < 40; ++i) {
    const auto call = model.Call(i, i * 1000, 500);
    model.Metric(call, "queue_ns", 7);
    model.Metric(call, "steal_ns", 1);
  }
  experiment.AddRun("model", model);
  const ExperimentTables tables = experiment.Match();
  EXPECT_EQ(tables.run.at(0).samples, 10);
  EXPECT_EQ(tables.run.at(0).disturbed, 0);
  EXPECT_EQ(tables.run.at(0).latency_ns, 100);
  EXPECT_EQ(tables.run.at(0).p99_ns, 100);
  EXPECT_EQ(tables.point.at(0).latency_ns, 100);
  EXPECT_EQ(tables.sample.size(), 40u);
  EXPECT_EQ(tables.sample.at(9).queue_ns, std::nullopt);
  EXPECT_EQ(tables.sample.at(10).queue_ns, 7);
}

TEST(RunRows, SaysWhenEverySampleWasDisturbed) {
  TestExperiment experiment;
  Recording model;
  for (int i = 0; i < 10; ++i) {
    model.Metric(model.Call(i, i * 1000, 100 + i), "steal_ns", 10);
  }
  experiment.AddRun("model", model);
  const ExperimentTables tables = experiment.Match();
  EXPECT_EQ(tables.run.at(0).latency_ns, 104.5);
  EXPECT_EQ(tables.run.at(0).disturbed, 10);
  EXPECT_THAT(tables.run.at(0).message, Optional(HasSubstr("quieter machine")));
}

}  // namespace
}  // namespace xsp::match
