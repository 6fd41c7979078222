#include "answer/report/summary.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "answer/report/built_in_rules_testing.h"
#include "answer/report/summary_document.h"
#include "store/database.h"

namespace xsp::report {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::EndsWith;
using testing::Field;
using testing::HasSubstr;
using testing::StartsWith;

/// One model at batches 1 and 8: two layers, a convolution with a reorder and a native kernel, on a
/// machine with a ridge of 10 FLOP/byte.
class SummaryTest : public testing::Test {
 protected:
  void Insert(const std::string& sql) {
    const auto done = database_.Query("INSERT INTO " + sql);
    ASSERT_TRUE(done.ok()) << done.error().what;
  }

  void SetUp() override {
    Insert(
        "point (point_id, model, backend, device, precision, batch, settings, latency_ns, status) "
        "VALUES "
        "(1, 'm', 'b', 'cpu', 'float32', 1, '{}', 10e6, 'done'), (2, 'm', 'b', 'cpu', 'float32', "
        "8, '{}', 40e6, 'done')");
    Insert(
        "run (run_id, point_id, rung, status, path, latency_ns, overhead_ratio) VALUES "
        "(1, 2, 'model', 'done', 'a', 40e6, NULL), (2, 2, 'layer', 'done', 'b', 40.4e6, 0.01), "
        "(3, 2, 'kernel', 'done', 'c', 42e6, 0.04), (4, 2, 'details', 'done', 'd', 60e6, 0.5)");
    Insert(
        "sample (run_id, iteration, latency_ns, disturbed, reason) VALUES "
        "(1, 0, 40000000, false, NULL), (1, 1, 90000000, true, 'steal'), (4, 0, 1, true, 'x')");
    Insert(
        "layer (point_id, layer_index, name, type, latency_ns, device_ns, matched) VALUES "
        "(2, 0, 'c', 'aten::conv2d', 30e6, 27e6, 'all'), (2, 1, 'r', 'aten::relu', 6e6, 6e6, "
        "'all')");
    Insert(
        "kernel (point_id, kernel_index, layer_index, name, type, dtype, unit, duration_ns, flops, "
        "read_bytes, "
        "write_bytes, traffic_provenance, matched) VALUES "
        "(2, 0, 0, 'convolution jit:avx512', 'primitive', 'float32', 'vector', 20e6, 1e9, 1e6, "
        "1e6, 'analytic', 'all'), "
        "(2, 1, 0, 'reorder jit:uni', 'primitive', 'float32', 'vector', 7e6, 0, 4e6, 4e6, "
        "'analytic', 'all'), "
        "(2, 2, NULL, 'aten::relu', 'native', 'float32', 'vector', 3e6, 1e6, 4e6, 4e6, 'analytic', "
        "'all')");
    Insert(
        "roof VALUES ('flops', 'float32 vector', 'float32', 'vector', 2, 100e9, 'measured:xsp', "
        "'', true), "
        "('bandwidth', 'DRAM read', NULL, NULL, 2, 10e9, 'measured:xsp', '', true)");
  }

  Summary Get() {
    auto summary = Summarise(database_, BuiltInRules());
    EXPECT_TRUE(summary.ok()) << summary.error().what;
    return std::move(summary).value();
  }

  /// A badge rests on no rule, and to ask them all takes half a second.
  Badge BadgeAt(std::size_t index) {
    const auto summary = Summarise(database_, {});
    EXPECT_TRUE(summary.ok()) << summary.error().what;
    return summary.value().badges.at(index);
  }

  store::Database database_ = store::Database::OpenEmpty().value();
};

TEST_F(SummaryTest, SpeaksOfThePointWithTheHighestThroughput) {
  EXPECT_EQ(Summarise(database_, {}).value().point_id, 2);
}

TEST_F(SummaryTest, AmongSeveralBackendsEachFindingSaysWhich) {
  ASSERT_TRUE(database_.Query("UPDATE point SET backend = 'PyTorch 2.15.0'").ok());
  Insert(
      "comparison (point_id, against_point_id, ratio, ratio_low, ratio_high, verdict) VALUES "
      "(2, 1, 1, 1, 1, 'slower')");
  const Summary summary = Get();
  ASSERT_GT(summary.findings.found.size(), 3u);
  for (const findings::Finding& finding : summary.findings.found)
    EXPECT_THAT(finding.sentence, HasSubstr("PyTorch")) << finding.sentence;
}

TEST_F(SummaryTest, SaysWhereTheTimeGoes) {
  const Summary summary = Get();
  EXPECT_THAT(
      summary.findings.found,
      Contains(Field(
          &findings::Finding::sentence,
          HasSubstr(
              "`aten::conv2d` layers (1) take 75.0 % of 40.0 ms (batch 8), `aten::relu` 15.0 %"))));
  // 20 of 30 ms of kernels; 1e9 FLOP at 100 GFLOP/s would take 10 ms.
  EXPECT_THAT(
      summary.findings.found,
      Contains(Field(&findings::Finding::sentence,
                     HasSubstr("1 call, 66.7 % of kernel time, at 50.0 % of the float32 roof"))));
  EXPECT_THAT(
      summary.findings.found,
      Contains(Field(&findings::Finding::sentence,
                     HasSubstr("Layout reorders take 23.3 % of kernel time (1 of 2 primitives)"))));
}

TEST_F(SummaryTest, TheDistortionIsOfShownNumbersOnly) {
  const Badge badge = BadgeAt(0);
  EXPECT_EQ(badge.value, "4.00 %");  // Not the 50 % of the details pass.
  EXPECT_EQ(badge.status, "amber");
}

TEST_F(SummaryTest, AttributionIsAShare) { EXPECT_EQ(BadgeAt(2).value, "90.0 %"); }

TEST_F(SummaryTest, NoiseIsHowWellLatenciesAreKnown) {
  const auto noise = [&] { return BadgeAt(1); };
  // One sample: no interval.
  EXPECT_EQ(noise().value, "not known");
  EXPECT_EQ(noise().status, "red");
  const auto set_interval = [&](double half) {
    ASSERT_TRUE(database_
                    .Query("UPDATE point SET latency_low_ns = latency_ns * " +
                           std::to_string(1 - half) + ", latency_high_ns = latency_ns * " +
                           std::to_string(1 + half) + " WHERE batch = 8")
                    .ok());
  };
  set_interval(0.04);
  EXPECT_EQ(noise().value, "±4.00 %");
  EXPECT_EQ(noise().status, "green");
  EXPECT_THAT(noise().sentence, HasSubstr("at most ±4.00 %, widest at batch 8. 1 of 2 calls lost"));
  set_interval(0.1);
  EXPECT_EQ(noise().status, "amber");
  set_interval(0.3);
  EXPECT_EQ(noise().status, "red");
}

TEST_F(SummaryTest, NoiseIsRedWhereHalfOfTheTimeWasLostHoweverNarrowTheInterval) {
  ASSERT_TRUE(
      database_.Query("UPDATE point SET latency_low_ns = latency_ns, latency_high_ns = latency_ns")
          .ok());
  EXPECT_EQ(BadgeAt(1).status, "green");
  ASSERT_TRUE(database_.Query("UPDATE sample SET waited_ns = 0.6 * latency_ns").ok());
  EXPECT_EQ(BadgeAt(1).status, "red");
}

TEST_F(SummaryTest, NoiseLeavesBaselineCallsOut) {
  Insert(
      "sample (run_id, iteration, latency_ns, disturbed, reason, rung) VALUES (2, 0, 1, true, 'x', "
      "'model')");
  EXPECT_THAT(BadgeAt(1).sentence, HasSubstr("1 of 2 calls lost"));
}

TEST_F(SummaryTest, SaysInWhichWaysKernelTimeWasAttributed) {
  EXPECT_EQ(BadgeAt(2).sentence, "90.0 % of the kernel time is tied to a layer.");
  ASSERT_TRUE(database_
                  .Query("UPDATE kernel SET placed_by = CASE kernel_index WHEN 0 THEN "
                         "'sequence: capture' ELSE 'launch' END WHERE layer_index IS NOT NULL")
                  .ok());
  // 20, 7 and 3 of 30 ms.
  EXPECT_EQ(BadgeAt(2).sentence,
            "90.0 % of the kernel time is tied to a layer: 66.7 % by the capture of a replayed "
            "graph, 23.3 % by its launch.");
}

TEST_F(SummaryTest, SaysHowSureADistortionIs) {
  EXPECT_THAT(BadgeAt(0).sentence, HasSubstr("without an interval"));
  ASSERT_TRUE(database_
                  .Query("UPDATE run SET overhead_ratio_low = 0.03, overhead_ratio_high = 0.05, "
                         "baseline_ns = 40e6 WHERE rung = 'kernel'")
                  .ok());
  EXPECT_THAT(BadgeAt(0).sentence, HasSubstr("(95 % interval 3.00 % to 5.00 %)"));
  // The layer run took 40.4 ms, the same calls in the kernel run's process 40.
  EXPECT_THAT(BadgeAt(1).sentence, HasSubstr("took up to 1.00 % longer in one process"));
  ASSERT_TRUE(database_.Query("UPDATE run SET baseline_ns = 2e9 WHERE rung = 'kernel'").ok());
  EXPECT_THAT(BadgeAt(1).sentence, HasSubstr("took up to 49.5 times as long in one process"));
}

TEST_F(SummaryTest, ADistortionThatNoCallShowsIsNotKnown) {
  const auto set_interval = [&](double low, double high) {
    ASSERT_TRUE(database_
                    .Query("UPDATE run SET overhead_ratio_low = " + std::to_string(low) +
                           ", overhead_ratio_high = " + std::to_string(high) +
                           " WHERE rung = 'kernel'")
                    .ok());
  };
  set_interval(-0.715, 2.04);  // The layer run shows its own.
  EXPECT_EQ(BadgeAt(0).value, "1.00 %");
  EXPECT_EQ(BadgeAt(0).status, "green");
  EXPECT_THAT(BadgeAt(0).sentence, HasSubstr("Calls of 1 other run differ too much"));
  ASSERT_TRUE(database_.Query("UPDATE run SET overhead_ratio = NULL WHERE rung = 'layer'").ok());
  EXPECT_EQ(BadgeAt(0).value, "not known");
  EXPECT_EQ(BadgeAt(0).status, "unknown");
  EXPECT_THAT(BadgeAt(0).sentence, HasSubstr("by -71.5 % to 204 % (95 % interval)"));
  set_interval(-0.74, -0.22);  // Profiling makes nothing faster.
  EXPECT_EQ(BadgeAt(0).value, "not known");
  set_interval(0.01, 0.5);  // Wide, and yet it says that there is a cost.
  EXPECT_EQ(BadgeAt(0).value, "4.00 %");
}

TEST_F(SummaryTest, SaysWhereADistortionCannotBeSeparated) {
  ASSERT_TRUE(database_.Query("UPDATE run SET overhead_ratio = NULL, samples = 30").ok());
  EXPECT_EQ(BadgeAt(0).value, "not known");
  EXPECT_THAT(BadgeAt(0).sentence, HasSubstr("--processes 5"));
}

TEST_F(SummaryTest, SaysHowLongCallsWaitedForACore) {
  ASSERT_TRUE(database_.Query("UPDATE sample SET waited_ns = 0.1 * latency_ns").ok());
  EXPECT_THAT(BadgeAt(1).sentence, HasSubstr("waited for a core for 10.0 %"));
  // One call of ten that waited for ten seconds says nothing of the others.
  Insert(
      "sample (run_id, iteration, latency_ns, disturbed) "
      "SELECT 1, 2 + range, 40000000, false FROM range(8)");
  ASSERT_TRUE(database_.Query("UPDATE sample SET waited_ns = 0").ok());
  ASSERT_TRUE(database_
                  .Query("UPDATE sample SET latency_ns = 10e9, waited_ns = 10e9 "
                         "WHERE run_id = 1 AND iteration = 1")
                  .ok());
  EXPECT_THAT(BadgeAt(1).sentence, HasSubstr("waited for a core for 10.0 %"));
}

TEST_F(SummaryTest, PrimitivesWithoutAFormulaAreNoLoss) {
  Insert("diagnostic VALUES ('xsp_recording_unknown_primitive', 408, '', '', 'note')");
  EXPECT_EQ(BadgeAt(3).status, "green");
}

TEST_F(SummaryTest, LossesCountWhatCouldNotBeReadAndNoNotes) {
  EXPECT_EQ(BadgeAt(3).status, "green");
  Insert("diagnostic VALUES ('nvidia_smi_dmon_local_time', 1, '', '', 'note')");
  EXPECT_EQ(BadgeAt(3).status, "green");
  Insert("diagnostic VALUES ('xsp_recording_dropped', 7, '', '', 'loss')");
  EXPECT_EQ(BadgeAt(3).value, "7 records");
  EXPECT_EQ(BadgeAt(3).status, "amber");
}

TEST_F(SummaryTest, RunsOfAVersionWithoutNotesHaveThemByName) {
  Insert(
      "diagnostic VALUES ('correlate_never_ended', 1, '', '', NULL), ('monitor_late', 2, '', '', "
      "NULL), ('sampling_lost', 3, '', '', NULL), ('xsp_recording_unknown_primitive', 4, '', '', "
      "NULL)");
  EXPECT_EQ(BadgeAt(3).status, "green");
  Insert("diagnostic VALUES ('kineto_cut', 1, '', '', NULL)");
  EXPECT_EQ(BadgeAt(3).value, "1 record");
}

TEST_F(SummaryTest, NothingKnownMakesNoFindingAndNoGreenBadge) {
  const auto empty = store::Database::OpenEmpty().value();
  const Summary summary = Summarise(empty, BuiltInRules()).value();
  EXPECT_TRUE(summary.findings.found.empty());
  EXPECT_EQ(summary.badges.at(0).status, "unknown");
  EXPECT_EQ(summary.badges.at(1).status, "unknown");
  EXPECT_EQ(summary.badges.at(2).status, "unknown");
}

TEST_F(SummaryTest, WhatAFindingWouldSaveOrdersItAndFollowsItsSentence) {
  Insert(
      "kernel (point_id, kernel_index, layer_index, name, type, dtype, unit, duration_ns, matched) "
      "VALUES (2, 3, 0, 'reorder jit:uni', 'primitive', 'float32', 'vector', 7e6, 'all'), "
      "(2, 4, 0, 'reorder jit:uni', 'primitive', 'float32', 'vector', 7e6, 'all')");
  const auto document = SummaryDocument(database_, BuiltInRules());
  ASSERT_TRUE(document.ok()) << document.error().what;
  // 27 of the layer's 30 ms are in its kernels, which take 41 ms, the second reorder 7 of these.
  EXPECT_THAT(document.value()["findings"][0].get<std::string>(),
              AllOf(StartsWith("Layout reorders take"),
                    EndsWith(". Saves about 4.61 ms, 11.5 % of the call.")));
  EXPECT_THAT(document.value()["findings"][1].get<std::string>(), EndsWith("."));
}

TEST_F(SummaryTest, EachFindingIsThereOnceAndTheFirstNineLead) {
  const Summary summary = Get();
  const auto& found = summary.findings.found;
  for (const findings::Finding& a : found)
    EXPECT_EQ(std::ranges::count(found, a.sentence, &findings::Finding::sentence), 1) << a.sentence;
  EXPECT_EQ(summary.leading().size(), std::min(found.size(), kLeadingFindings));
}

}  // namespace
}  // namespace xsp::report
