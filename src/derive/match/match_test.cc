#include "derive/match/match.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "core/estimate.h"
#include "core/statistics.h"
#include "derive/match/match_testing.h"
#include "derive/match/point_kernels.h"

namespace xsp::match {
namespace {

using ::testing::HasSubstr;
using ::testing::Optional;

/// Calls of two layers (conv2d, relu) of `scale` x 40 and `scale` x 10 ns, 10 calls.
void AddCalls(Recording& r, std::int64_t scale, bool layers, bool kernels) {
  for (std::int64_t i = 0; i < 10; ++i) {
    const std::int64_t start = i * 1000;
    const auto call = r.Call(i, start, scale * 100);
    if (!layers) continue;
    const auto conv = r.Layer(call, "conv2d", start + scale * 5, scale * 40);
    const auto relu = r.Layer(call, "relu", start + scale * 50, scale * 10);
    if (!kernels) continue;
    const auto brg = r.Kernel(conv, "convolution brg", start + scale * 10, scale * 30);
    r.Metric(brg, "flops.float32.vector", 4000);
    r.Metric(brg, "algorithmic_read_bytes", 300);
    r.Metric(brg, "algorithmic_write_bytes", 200);
    r.Attribute(brg, "implementation", "brg");
    r.Kernel(relu, "relu", start + scale * 50, scale * 8, "native");
  }
}

TEST(Match, TakesEachValueFromTheLeastProfiledRunThatShowsIt) {
  TestExperiment experiment;
  Recording model, layer, kernel;
  AddCalls(model, 1, false, false);
  AddCalls(layer, 2, true, false);
  AddCalls(kernel, 3, true, true);
  experiment.AddRun("kernel", kernel);
  experiment.AddRun("layer", layer);
  experiment.AddRun("model", model);
  const ExperimentTables tables = experiment.Match();

  EXPECT_EQ(tables.point.at(0).latency_ns, 100);
  EXPECT_EQ(tables.point.at(0).status, "done");
  EXPECT_EQ(tables.point.at(0).precision, "float32");
  EXPECT_EQ(tables.point.at(0).batch, 4);

  ASSERT_EQ(tables.layer.size(), 2u);
  EXPECT_EQ(tables.layer.at(0).name, "conv2d #0");
  EXPECT_EQ(tables.layer.at(0).latency_ns, 80);
  EXPECT_EQ(tables.layer.at(0).gap_before_ns, 10);
  EXPECT_EQ(tables.layer.at(1).gap_before_ns, 10);
  EXPECT_EQ(tables.layer.at(0).source_run, 2);
  EXPECT_EQ(tables.layer.at(0).kernel_run_ns, 120);  // In the kernel run, the third.
  EXPECT_EQ(tables.layer.at(0).matched, "all");
  EXPECT_EQ(tables.layer.at(0).kernel_ns, 90);
  EXPECT_EQ(tables.layer.at(0).device_ns, 90);
  EXPECT_EQ(tables.layer.at(0).flops, 4000);
  EXPECT_EQ(tables.layer.at(0).read_bytes, 300);
  EXPECT_EQ(tables.layer.at(0).dtype, "float32");
  EXPECT_EQ(tables.layer.at(0).flops_provenance, "analytic");

  ASSERT_EQ(tables.kernel.size(), 2u);
  EXPECT_EQ(tables.kernel.at(0).name, "convolution brg");
  EXPECT_EQ(tables.kernel.at(0).implementation, "brg");
  EXPECT_EQ(tables.kernel.at(0).duration_ns, 90);
  EXPECT_EQ(tables.kernel.at(0).source_run, 1);
  EXPECT_EQ(tables.kernel.at(0).confidence, 1);
  EXPECT_EQ(tables.kernel.at(1).layer_index, 1);
  EXPECT_EQ(tables.kernel.at(1).matched, "single");
}

TEST(Match, SaysWhatTiedEachKernelToItsLayer) {
  TestExperiment experiment;
  Recording r;
  const auto call = r.Call(0, 0, 100);
  const char* const told[] = {"capture", "eager iteration", "run a", nullptr};
  for (int i = 0; i < 4; ++i) {
    const auto layer = r.Layer(call, "conv2d", 20 * i, 10);
    const auto kernel = r.Kernel(layer, "gemm", 20 * i, 5, "kernel");
    if (told[i] == nullptr) continue;
    r.Attribute(layer, "replay_reference", told[i]);
    r.trace().spans.placed_by[kernel - 1] = trace::PlacedBy::kSequence;
    r.Metric(kernel, "confidence", 0.8, "analytic");
  }
  r.Kernel(call, "lost", 90, 5, "kernel");
  experiment.AddRun("kernel", r);
  const ExperimentTables tables = experiment.Match();
  ASSERT_EQ(tables.kernel.size(), 5u);
  EXPECT_EQ(tables.kernel.at(0).placed_by, "sequence: capture");
  EXPECT_EQ(tables.kernel.at(1).placed_by, "sequence: eager iteration");
  EXPECT_EQ(tables.kernel.at(2).placed_by, "sequence: other run");
  EXPECT_EQ(tables.kernel.at(3).placed_by, "id");
  EXPECT_EQ(tables.kernel.at(4).placed_by, std::nullopt);
  EXPECT_EQ(tables.kernel.at(0).confidence, 0.8);
}

TEST(Match, ClaimsNoOverheadOfRungsThatRanInProcessesOfTheirOwn) {
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

/// A call of the rung above in a recording of the rung below it.
trace::SpanId BaselineCall(Recording& recording, int iteration, std::int64_t start_ns,
                           std::int64_t duration_ns) {
  const auto call = recording.Add(trace::Level::kModel, "predict", "net", start_ns, duration_ns, 0);
  recording.Metric(call, "baseline_iteration", iteration);
  recording.Attribute(call, "rung", "model");
  return call;
}

TEST(Match, StatesTheOverheadOfPairsOfCalls) {
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

TEST(Match, StatesTheOverheadOfPairsOfBlocks) {
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
TEST(Match, LaterCallsWithoutProfilingGiveTheLatency) {
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

TEST(Match, StatesTheOverheadOfPairsOfProcesses) {
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

TEST(Match, ALatencyOfSeveralProcessesHoldsWhatTheyDifferIn) {
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

TEST(Match, ALatencyOfSeveralProfiledProcessesIsThatOfTheirBaselineCalls) {
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

TEST(Match, FollowsTheStatisticsRules) {
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

TEST(Match, LeavesCallsThatAnsweredRequestsOutOfTheStatistics) {
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

TEST(Match, SaysWhenEverySampleWasDisturbed) {
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

TEST(Match, CountsWhatCannotBeMatched) {
  TestExperiment experiment;
  Recording layer, kernel;
  for (std::int64_t i = 0; i < 6; ++i) {
    const auto call = layer.Call(i, i * 1000, 100);
    layer.Layer(call, "conv2d", i * 1000 + 1, 10);
    if (i == 3) layer.Layer(call, "resize", i * 1000 + 15, 5);
    layer.Layer(call, "relu", i * 1000 + 20, 10);
    layer.Layer(call, "linear", i * 1000 + 40, 10);
    const auto deep = kernel.Call(i, i * 1000, 100);
    kernel.Kernel(kernel.Layer(deep, "conv2d", i * 1000 + 1, 10), "k", i * 1000 + 2, 5);
    kernel.Kernel(kernel.Layer(deep, "extra", i * 1000 + 15, 3), "k", i * 1000 + 16, 1);
    kernel.Kernel(kernel.Layer(deep, "linear", i * 1000 + 40, 10), "k", i * 1000 + 41, 7);
  }
  experiment.AddRun("layer", layer);
  experiment.AddRun("kernel", kernel);
  const ExperimentTables tables = experiment.Match();
  ASSERT_EQ(tables.layer.size(), 3u);
  EXPECT_EQ(tables.layer.at(0).matched, "all");
  EXPECT_EQ(tables.layer.at(1).matched, "single");
  EXPECT_EQ(tables.layer.at(1).kernel_ns, std::nullopt);
  EXPECT_EQ(tables.layer.at(2).kernel_ns, 7);
  ASSERT_EQ(tables.kernel.size(), 3u);
  EXPECT_EQ(tables.kernel.at(1).layer_index, std::nullopt);
  EXPECT_EQ(tables.kernel.at(1).confidence, 0);
  EXPECT_EQ(tables.kernel.at(2).layer_index, 2);

  const auto row = [&](std::size_t i) {
    const store::MatchRow& match = tables.match[i];
    return fmt::format("{} {} {} {} {} {} {}", match.level, match.run_a, match.run_b, match.matched,
                       match.only_a, match.only_b, match.example.value_or("NULL"));
  };
  ASSERT_EQ(tables.match.size(), 4u);
  EXPECT_EQ(row(0), "layer 1 1 18 0 1 resize");
  EXPECT_EQ(row(1), "layer 2 2 18 0 0 NULL");
  EXPECT_EQ(row(2), "layer 1 2 2 1 1 relu");
  EXPECT_EQ(row(3), "kernel 2 2 18 0 0 NULL");
}

TEST(Match, TakesShapesAndMemoryFromTheDetailsRun) {
  TestExperiment experiment;
  Recording layer, details;
  AddCalls(layer, 1, true, false);
  for (std::int64_t i = 0; i < 2; ++i) {
    const auto call = details.Call(i, i * 1000, 500);
    details.Metric(call, "peak_bytes", 7000.0 + static_cast<double>(i));
    const auto conv = details.Layer(call, "conv2d", i * 1000 + 10, 100);
    details.Attribute(conv, "output_shapes", "[[1,64,112,112]]");
    details.Attribute(conv, "input_shapes", "[[1,3,224,224],[64,3,7,7]]");
    details.Metric(conv, "allocated_bytes", 4096);
    details.Metric(conv, "peak_bytes", 5000);
    const auto relu = details.Layer(call, "relu", i * 1000 + 200, 100);
    details.Attribute(relu, "input_shapes", "[[1,64,112,112]]");
  }
  experiment.AddRun("layer", layer);
  experiment.AddRun("details", details);
  const ExperimentTables tables = experiment.Match();
  EXPECT_EQ(tables.layer.at(0).latency_ns, 40);
  EXPECT_EQ(tables.layer.at(0).shape, "[1,64,112,112]");
  EXPECT_EQ(tables.layer.at(0).allocated_bytes, 4096);
  EXPECT_EQ(tables.layer.at(0).peak_bytes, 5000);
  EXPECT_EQ(tables.layer.at(1).shape, "[1,64,112,112]");
  EXPECT_EQ(tables.layer.at(1).allocated_bytes, std::nullopt);
  EXPECT_EQ(tables.point.at(0).peak_bytes, 7001);
  EXPECT_EQ(tables.layer.at(0).matched, "all");
}

TEST(Match, EstimatesNativeKernelsFromTheShapesOfTheirOperator) {
  TestExperiment experiment;
  Recording kernel, details;
  for (std::int64_t i = 0; i < 3; ++i) {
    const std::int64_t at = i * 1000;
    const auto call = kernel.Call(i, at, 500);
    const auto outer = kernel.Layer(call, "aten::block", at + 10, 100);
    // The second of two operators of one type inside one layer.
    kernel.Layer(outer, "aten::relu_", at + 11, 5);
    const auto second = kernel.Layer(outer, "aten::relu_", at + 20, 20);
    kernel.Kernel(second, "aten::relu_", at + 21, 15, "native");
    const auto deep = details.Call(i, at, 500);
    const auto shaped = details.Layer(deep, "aten::block", at + 10, 100);
    details.Attribute(shaped, "input_shapes", "[[4,8]]");
    for (const char* shapes : {"[[2,3]]", "[[4,8]]"}) {
      const auto relu = details.Layer(shaped, "aten::relu_", at + (shapes[2] == '2' ? 11 : 20), 5);
      details.Attribute(relu, "input_shapes", shapes);
      details.Attribute(relu, "input_types", "[float32]");
      details.Attribute(relu, "output_shapes", shapes);
    }
  }
  experiment.AddRun("kernel", kernel);
  experiment.AddRun("details", details);
  const ExperimentTables tables = experiment.Match();
  ASSERT_EQ(tables.kernel.size(), 1u);
  EXPECT_EQ(tables.kernel.at(0).flops, 32);
  EXPECT_EQ(tables.kernel.at(0).read_bytes, 128);
  EXPECT_EQ(tables.kernel.at(0).write_bytes, 128);
  EXPECT_EQ(tables.kernel.at(0).dtype, "float32");
  EXPECT_EQ(tables.kernel.at(0).flops_provenance, "analytic");
  EXPECT_EQ(tables.kernel.at(0).matched, "single");
}

// The nodes of a loop come in another order in each run, so that few of their layers match.
TEST(Match, NodesOfLayersThatDoNotMatchAreFoundByTheirName) {
  TestExperiment experiment;
  Recording kernel, details;
  const auto node = [](Recording& run, trace::SpanId call, std::string_view name, std::int64_t at,
                       const std::string& shape) {
    const auto layer = run.Layer(call, "AddV2", at, 20, name);
    run.Attribute(layer, "input_shapes", "[" + shape + "," + shape + "]");
    run.Attribute(layer, "input_types", "[float32,float32]");
    run.Attribute(layer, "output_shapes", "[" + shape + "]");
  };
  for (std::int64_t i = 0; i < 3; ++i) {
    const std::int64_t at = i * 1000;
    const auto call = kernel.Call(i, at, 500);
    for (const auto& [name, after] : {std::pair("while/c", 10), {"while/a", 60}, {"while/b", 110}})
      kernel.Kernel(kernel.Layer(call, "AddV2", at + after, 20, name), "AddV2", at + after + 1, 15,
                    "native");
    const auto deep = details.Call(i, at, 500);
    node(details, deep, "while/a", at + 10, "[2,3]");
    // Of two shapes: nothing tells which one it had.
    node(details, deep, "while/b", at + 60, "[4,3]");
    node(details, deep, "while/b", at + 110, "[5,3]");
    node(details, deep, "while/c", at + 160, "[7,3]");
  }
  experiment.AddRun("kernel", kernel);
  experiment.AddRun("details", details);
  const ExperimentTables tables = experiment.Match();
  ASSERT_EQ(tables.kernel.size(), 3u);
  EXPECT_EQ(tables.kernel.at(0).flops, 21);
  EXPECT_EQ(tables.kernel.at(1).flops, 6);
}

// Attention as PyTorch runs it on a CPU: products of blocks on several threads, some of which are
// not seen, and the softmax in a loop of its own.
TEST(Match, AFusedOperatorCountsWhatItsShapesSayOnce) {
  TestExperiment experiment;
  Recording kernel, details;
  const std::string type = "aten::_scaled_dot_product_flash_attention_for_cpu";
  for (std::int64_t i = 0; i < 3; ++i) {
    const std::int64_t at = i * 1000;
    const auto outer =
        kernel.Layer(kernel.Call(i, at, 500), "aten::scaled_dot_product_attention", at + 10, 100);
    const auto fused = kernel.Layer(outer, type, at + 11, 90);
    const auto product = kernel.Kernel(fused, "gemm mkl:SGEMM", at + 20, 10);
    kernel.Metric(product, "flops.float32.vector", 120);
    kernel.Metric(product, "algorithmic_read_bytes", 1000);
    kernel.Kernel(fused, type, at + 12, 80, "native");
    const auto shaped =
        details.Layer(details.Call(i, at, 500), "aten::scaled_dot_product_attention", at + 10, 100);
    for (const auto span : {shaped, details.Layer(shaped, type, at + 11, 90)}) {
      details.Attribute(span, "input_shapes", "[[1,2,3,4],[1,2,5,4],[1,2,5,4]]");
      details.Attribute(span, "input_types", "[float32,float32,float32]");
      details.Attribute(span, "output_shapes", "[[1,2,3,4]]");
    }
  }
  experiment.AddRun("kernel", kernel);
  experiment.AddRun("details", details);
  const ExperimentTables tables = experiment.Match();
  ASSERT_EQ(tables.kernel.size(), 2u);
  EXPECT_EQ(tables.layer.at(0).flops, 480 + 5 * 30);
  EXPECT_EQ(tables.kernel.at(0).flops, 630 - 120);
  EXPECT_EQ(tables.kernel.at(0).read_bytes, 0);
  EXPECT_EQ(tables.kernel.at(0).write_bytes, 96);
}

TEST(Match, APrimitiveAnnouncedWithoutSizesTakesThoseOfItsOperator) {
  TestExperiment experiment;
  Recording kernel, details;
  for (std::int64_t i = 0; i < 3; ++i) {
    const std::int64_t at = i * 1000;
    const auto outer = kernel.Layer(kernel.Call(i, at, 500), "aten::matmul", at + 10, 100);
    const auto inner = kernel.Layer(outer, "aten::bmm", at + 20, 50);
    kernel.Kernel(inner, "gemm_batch mkl:SGEMM_BATCH", at + 21, 40);
    const auto shaped = details.Layer(details.Call(i, at, 500), "aten::matmul", at + 10, 100);
    for (const auto& [span, shapes] :
         {std::pair{shaped, "[[1,4,2,3],[4,3,5]]"},
          std::pair{details.Layer(shaped, "aten::bmm", at + 20, 50), "[[4,2,3],[4,3,5]]"}}) {
      details.Attribute(span, "input_shapes", shapes);
      details.Attribute(span, "input_types", "[float32,float32]");
    }
  }
  experiment.AddRun("kernel", kernel);
  experiment.AddRun("details", details);
  const ExperimentTables tables = experiment.Match();
  ASSERT_EQ(tables.kernel.size(), 1u);
  EXPECT_EQ(tables.kernel.at(0).flops, 240);
  EXPECT_EQ(tables.kernel.at(0).read_bytes, 4 * 84);
  EXPECT_EQ(tables.layer.at(0).flops, 240);
  EXPECT_EQ(tables.layer.at(0).flops_provenance, "analytic");
}

TEST(Match, PrefersTheMetricsOfTheCountersRun) {
  TestExperiment experiment;
  Recording kernel, counters;
  AddCalls(kernel, 1, true, true);
  for (std::int64_t i = 0; i < 3; ++i) {
    const auto call = counters.Call(i, i * 100000, 90000);
    const auto conv = counters.Layer(call, "conv2d", i * 100000 + 5, 40000);
    const auto brg = counters.Kernel(conv, "convolution brg", i * 100000 + 10, 30000);
    // Measured anew in every call: the first one's caches are cold.
    counters.Metric(brg, "dram_read_bytes", static_cast<double>(1000 - 100 * i), "measured:pmu");
    counters.Metric(brg, "dram_write_bytes", 100, "measured:pmu");
  }
  experiment.AddRun("kernel", kernel);
  experiment.AddRun("counters", counters);
  const ExperimentTables tables = experiment.Match();
  EXPECT_EQ(tables.kernel.at(0).duration_ns, 30);
  EXPECT_EQ(tables.kernel.at(0).flops, 4000);
  EXPECT_EQ(tables.kernel.at(0).flops_provenance, "analytic");
  EXPECT_EQ(tables.kernel.at(0).read_bytes, 900);
  EXPECT_EQ(tables.kernel.at(0).traffic_provenance, "measured:pmu");
  EXPECT_EQ(tables.kernel.at(0).matched, "all");
  EXPECT_EQ(tables.kernel.at(1).matched, "single");
}

TEST(Match, GivesImportedTracesTheSameTables) {
  TestExperiment experiment;
  Recording imported;
  for (std::int64_t i = 0; i < 4; ++i) {
    const auto step =
        imported.Add(trace::Level::kApplication, "step", "ProfilerStep", i * 1000, 900, 0);
    const auto conv = imported.Layer(step, "aten::conv2d", i * 1000 + 100, 50);
    // Two streams that overlap, after the operator returned.
    for (const std::int64_t offset : {400, 420}) {
      const auto kernel = imported.Kernel(conv, "gemm", i * 1000 + offset, 60, "kernel");
      imported.Metric(kernel, "occupancy", offset == 400 ? 0.25 : 0.75, "reported:kineto");
    }
    imported.Kernel(0, "memcpy", i * 1000 + 600, 10, "memcpy");
  }
  experiment.point().precision = "";
  experiment.point().batch = 0;
  experiment.AddRun("imported", imported);
  const ExperimentTables tables = experiment.Match();
  EXPECT_EQ(tables.point.at(0).latency_ns, 900);
  EXPECT_EQ(tables.point.at(0).batch, std::nullopt);
  ASSERT_EQ(tables.layer.size(), 1u);
  EXPECT_EQ(tables.layer.at(0).latency_ns, 50);
  EXPECT_EQ(tables.layer.at(0).kernel_ns, 120);
  EXPECT_EQ(tables.layer.at(0).device_ns, 80);
  EXPECT_EQ(tables.layer.at(0).occupancy, 0.5);
  EXPECT_EQ(tables.layer.at(0).matched, "single");
  ASSERT_EQ(tables.kernel.size(), 3u);
  EXPECT_EQ(tables.kernel.at(2).layer_index, std::nullopt);
}

TEST(Match, LittleArithmeticOfAKnownTypeDoesNotNameThePrecision) {
  for (const bool is_much : {false, true}) {
    TestExperiment experiment;
    Recording imported;
    const auto call = imported.Call(1, 0, 1000);
    const auto layer = imported.Layer(call, "aten::linear", 100, 50);
    imported.Kernel(layer, "a product of no known type", 100, 600, "kernel");
    const auto known = imported.Kernel(layer, "argmax", 800, is_much ? 100 : 10, "kernel");
    imported.Metric(known, "flops.float32.vector", 4000);
    experiment.point().precision = "unknown";
    experiment.AddRun("imported", imported);
    EXPECT_EQ(experiment.Match().point.at(0).precision, is_much ? "float32" : "unknown");
  }
}

TEST(Match, SurvivesRunsThatLeftLittleOrNothing) {
  TestExperiment experiment;
  Recording empty, interrupted;
  const auto call = interrupted.Call(0, 0, trace::kNeverEnded);
  interrupted.Layer(call, "conv2d", 1, 5);
  experiment.AddRun("model", empty);
  experiment.AddRun("layer", interrupted, "interrupted");
  experiment.AddFailedRun("kernel", "no such file");
  const ExperimentTables tables = experiment.Match();
  EXPECT_EQ(tables.run.size(), 3u);
  EXPECT_EQ(tables.run.at(0).samples, 0);
  EXPECT_EQ(tables.run.at(0).latency_ns, std::nullopt);
  EXPECT_EQ(tables.point.at(0).status, "failed");
  EXPECT_EQ(tables.point.at(0).latency_ns, std::nullopt);
  EXPECT_TRUE(tables.layer.empty());
}

TEST(Match, AnImportedFileNeedHoldNoCall) {
  for (const char* rung : {"imported", "counters"}) {
    SCOPED_TRACE(rung);
    TestExperiment experiment;
    Recording empty;
    experiment.AddRun(rung, empty);
    const ExperimentTables tables = experiment.Match();
    EXPECT_EQ(tables.point.at(0).status, "done");
    EXPECT_EQ(tables.point.at(0).latency_ns, std::nullopt);
  }
}

TEST(Match, CountersDoNotMakeUpForATimedRunThatFailed) {
  TestExperiment experiment;
  Recording empty;
  experiment.AddFailedRun("model", "no such file");
  experiment.AddRun("counters", empty);
  EXPECT_EQ(experiment.Match().point.at(0).status, "failed");
}

TEST(Match, NamesARunThatCannotBeRead) {
  const auto tables = Match({{1, "m", "b", "cpu", "default", 1, "{}", 0, 1}},
                            {{1, 1, "model", "done", "/no/such/run", "run-1", ""}});
  ASSERT_FALSE(tables.ok());
  EXPECT_EQ(tables.error().kind, ErrorKind::kBadInput);
  EXPECT_THAT(tables.error().what, HasSubstr("/no/such/run"));
}

TEST(UnionNs, CountsOverlapOnce) {
  std::mt19937 random(11);
  for (int round = 0; round < 300; ++round) {
    std::vector<std::pair<std::int64_t, std::int64_t>> intervals;
    std::vector<bool> covered(120, false);
    for (unsigned i = random() % 8; i > 0; --i) {
      const std::int64_t start = random() % 100, duration = random() % 20;
      intervals.emplace_back(start, duration);
      for (std::int64_t t = start; t < start + duration; ++t) {
        covered[static_cast<std::size_t>(t)] = true;
      }
    }
    EXPECT_EQ(UnionNs(intervals), std::count(covered.begin(), covered.end(), true));
  }
}

/// Random kernels in random layers: per call, sums of the rows are the sums of the spans.
TEST(Match, AddsUpTheKernelsOfEachLayer) {
  std::mt19937 random(12);
  for (int round = 0; round < 8; ++round) {
    TestExperiment experiment;
    Recording kernel;
    const unsigned layers = 1 + random() % 5;
    std::vector<unsigned> kernels(layers);
    for (unsigned& count : kernels) count = random() % 4;
    kernels[random() % layers] = 3;  // Without any kernel their time would not be known.
    std::vector<double> time(layers, 0), flops(layers, 0);
    std::int64_t now = 0;
    const std::int64_t length = 1 + random() % 50;  // The same in each call: means are exact.
    for (int call = 0; call < 7; ++call) {
      const auto root = kernel.Call(call, now, 100000);
      for (unsigned layer = 0; layer < layers; ++layer) {
        const auto span = kernel.Layer(root, "op" + std::to_string(layer), now, 1000);
        for (unsigned k = 0; k < kernels[layer]; ++k) {
          const std::int64_t duration = length * (k + 1);
          const auto id = kernel.Kernel(span, "k" + std::to_string(k % 2), now + 200 * k, duration);
          kernel.Metric(id, "flops.float32.vector", 100.0 * (k + 1));
          if (call == 0) {
            time[layer] += static_cast<double>(duration);
            flops[layer] += 100.0 * (k + 1);
          }
        }
        now += 1000;
      }
      now += 100000;
    }
    experiment.AddRun("kernel", kernel);
    const ExperimentTables tables = experiment.Match();
    ASSERT_EQ(tables.layer.size(), layers);
    for (unsigned layer = 0; layer < layers; ++layer) {
      EXPECT_DOUBLE_EQ(tables.layer.at(layer).kernel_ns.value(), time[layer]);
      if (kernels[layer] > 0) {
        EXPECT_DOUBLE_EQ(tables.layer.at(layer).flops.value(), flops[layer]);
      } else {
        EXPECT_EQ(tables.layer.at(layer).flops, std::nullopt);
      }
    }
  }
}

}  // namespace
}  // namespace xsp::match
