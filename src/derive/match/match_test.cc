#include "derive/match/match.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "derive/match/match_testing.h"

namespace xsp::match {
namespace {

using ::testing::HasSubstr;

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

}  // namespace
}  // namespace xsp::match
