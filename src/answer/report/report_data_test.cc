#include "answer/report/report_data.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "answer/report/built_in_rules_testing.h"
#include "core/json_text.h"
#include "store/experiment_writer.h"
#include "store/rows/kernel_row.h"
#include "store/rows/layer_row.h"
#include "store/rows/point_row.h"
#include "store/rows/run_row.h"
#include "store/rows/system_series_row.h"
#include "store/rows/system_usage_row.h"

namespace xsp::report {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using trace::Level;
using trace::TraceWriter;

/// An experiment of one kernel run: two calls of a model with one layer that holds one kernel.
class ReportDataTest : public testing::Test {
 protected:
  void SetUp() override {
    store_ =
        fs::path(testing::TempDir()) /
        (std::string("report_") + testing::UnitTest::GetInstance()->current_test_info()->name());
    fs::remove_all(store_);
    auto writer = store::ExperimentWriter::Create(store_, "e").value();
    const trace::Trace trace = TwoCalls();
    ASSERT_TRUE(writer.AddRun("b1-kernel", trace, kRunJson).ok());
    Add(writer, store::PointRow{.point_id = 1,
                                .model = "</script>m",
                                .backend = "B 1.0",
                                .device = "cpu",
                                .precision = "float32",
                                .batch = 1,
                                .settings = "{}",
                                .latency_ns = 1000,
                                .cores = 2,
                                .status = "done"});
    Add(writer,
        store::RunRow{
            .run_id = 1, .point_id = 1, .rung = "kernel", .status = "done", .path = "b1-kernel"});
    Add(writer, store::LayerRow{.point_id = 1,
                                .layer_index = 0,
                                .name = "op",
                                .type = "op",
                                .latency_ns = 800,
                                .matched = "all"});
    Add(writer, store::KernelRow{.point_id = 1,
                                 .kernel_index = 0,
                                 .layer_index = 0,
                                 .name = "k",
                                 .type = "primitive",
                                 .duration_ns = 600,
                                 .matched = "all"});
    experiment_ = writer.Commit(R"({"command": "xsp run m", "request": {"seed": 7}})").value();
  }
  void TearDown() override { fs::remove_all(store_); }

  template <typename Row>
  static void Add(store::ExperimentWriter& writer, Row row) {
    ASSERT_TRUE(writer.AddRows(std::vector{std::move(row)}).ok());
  }

  static trace::Trace TwoCalls() {
    trace::Trace trace;
    TraceWriter writer(trace);
    const auto track = writer.AddTrack({.kind = trace::TrackKind::kThread, .name = "main"});
    for (const std::int64_t start_ns : {0, 5000}) {
      const auto model = writer.AddSpan(
          {Level::kModel, "predict", "m", track, start_ns, start_ns == 0 ? 1000 : 1400, 0, 0});
      writer.AddMetric(model, "iteration", start_ns == 0 ? 0 : 1, "1", "measured:xsp");
      const auto group = writer.AddSpan(
          {Level::kLayer, "function", "forward", track, start_ns + 50, 900, model, 0});
      const auto layer =
          writer.AddSpan({Level::kLayer, "op", "op", track, start_ns + 100, 800, group, 0});
      writer.AddSpan({Level::kKernel, "primitive", "k", track, start_ns + 200, 600, layer, 0});
    }
    return trace;
  }

  json Data(const std::vector<findings::Rule>& rules = {}) {
    const auto database = store::Database::Open({experiment_}).value();
    const auto text = ReportData(experiment_, database, {}, rules);
    EXPECT_TRUE(text.ok()) << text.error().what;
    return core::ParseJson(text.value());
  }

  static constexpr const char* kRunJson =
      R"({"rung": "kernel", "status": "done", "stack": {"cpu": {"model": "A CPU", "caches": {"l2_bytes": "2000000"}},
          "frequency": {"governor": null}, "hidden": {"frequency.governor": "no cpufreq"}}})";
  fs::path store_, experiment_;
};

TEST_F(ReportDataTest, HasEveryPartThatThePageReads) {
  const json data = Data();
  for (const char* key :
       {"format_version", "generated_at", "xsp_version", "title",       "badges",    "findings",
        "gaps",           "optima",       "points",      "runs",        "samples",   "layers",
        "kernels",        "roofs",        "matches",     "diagnostics", "timelines", "analyses",
        "stack",          "method",       "cuts",        "absent",      "abstained"})
    EXPECT_TRUE(data.contains(key)) << key;
  EXPECT_EQ(data["title"]["device"], "CPU, 2 cores of A CPU");
  EXPECT_EQ(data["title"]["command"], "xsp run m");
  EXPECT_EQ(data["method"]["seed"], 7);
  EXPECT_EQ(data["method"]["attribution"][0]["share"], 1.0);
}

TEST_F(ReportDataTest, ADeviceIsCalledAfterItsGpu) {
  auto writer = store::ExperimentWriter::Create(store_, "imported").value();
  ASSERT_TRUE(writer
                  .AddRun("imported", TwoCalls(),
                          R"({"rung": "imported", "facts": {"deviceProperties.0.name": "H100"}})")
                  .ok());
  Add(writer, store::PointRow{.point_id = 1,
                              .model = "m",
                              .backend = "PyTorch",
                              .device = "gpu",
                              .precision = "unknown",
                              .settings = "{}",
                              .status = "done"});
  Add(writer,
      store::RunRow{
          .run_id = 1, .point_id = 1, .rung = "imported", .status = "done", .path = "imported"});
  experiment_ = writer.Commit("{}").value();
  EXPECT_EQ(Data()["title"]["device"], "GPU, H100");
}

TEST_F(ReportDataTest, TheTimelineIsTheMedianCallWithItsLayersNumbered) {
  const json timeline = Data()["timelines"][0];
  EXPECT_EQ(timeline["duration_ns"], 1000);  // Of 1000 and 1400: both equally far, the first wins.
  EXPECT_EQ(timeline["spans"]["start_ns"], json({0, 50, 100, 200}));
  EXPECT_EQ(timeline["spans"]["parent"], json({-1, 0, 1, 2}));
  EXPECT_EQ(timeline["spans"]["layer_index"], json({-1, -1, 0, 0}));
  EXPECT_EQ(timeline["tracks"][0]["name"], "main");
}

TEST_F(ReportDataTest, FactsAreForPeopleAndSayWhatIsHidden) {
  const json stack = Data()["stack"];
  const auto value_of = [&](const std::string& group, const std::string& name) -> std::string {
    for (const json& part : stack)
      if (part["name"] == group)
        for (const json& fact : part["facts"])
          if (fact["name"] == name) return fact["value"];
    return "none";
  };
  EXPECT_EQ(value_of("cpu", "caches.l2"), "2.00 MB");
  EXPECT_EQ(value_of("frequency", "governor"), "not visible: no cpufreq");
}

TEST_F(ReportDataTest, GapsNameTheCommandThatFillsThem) {
  const json gaps = Data()["gaps"];
  ASSERT_EQ(gaps.size(), 1u);  // Layers and kernels are there; no roof is.
  EXPECT_EQ(gaps[0]["section"], "rooflines");
}

TEST_F(ReportDataTest, AMonitoredMachineHasNoSectionsOfAModel) {
  EXPECT_EQ(Data()["absent"], json::array());
  EXPECT_EQ(Data()["badges"].size(), 4u);
  auto writer = store::ExperimentWriter::Create(store_, "m").value();
  ASSERT_TRUE(writer.AddRun("monitor", trace::Trace(), kRunJson).ok());
  Add(writer, store::PointRow{.point_id = 1,
                              .model = "make",
                              .backend = "monitor",
                              .device = "machine",
                              .precision = "unknown",
                              .settings = "{}",
                              .status = "done"});
  Add(writer,
      store::RunRow{
          .run_id = 1, .point_id = 1, .rung = "monitor", .status = "done", .path = "monitor"});
  Add(writer,
      store::SystemUsageRow{.run_id = 1, .seconds = 2, .samples = 20, .monitor_share = 0.002});
  Add(writer, store::SystemSeriesRow{.run_id = 1,
                                     .name = "cpu.busy_share",
                                     .part = "machine",
                                     .unit = "1",
                                     .time_ns = 0,
                                     .until_ns = 2000000000,
                                     .mean = 0.5,
                                     .most = 0.75});
  experiment_ = writer.Commit(R"({"command": "xsp monitor -- make"})").value();
  const json data = Data(BuiltInRules());
  EXPECT_EQ(data["absent"],
            json({"stack", "batches", "layers", "rooflines", "kernels", "timeline"}));
  ASSERT_EQ(data["badges"].size(), 1u);
  EXPECT_EQ(data["badges"][0]["id"], "losses");
  ASSERT_FALSE(data["findings"].empty());
  EXPECT_EQ(data["findings"][0]["sentence"],
            "The CPUs were busy 50.0 % of 2.00 s, at most 75.0 % at once.");
  ASSERT_EQ(data["gaps"].size(), 1u);
  EXPECT_EQ(data["gaps"][0]["section"], "analyses");
}

class ImportReportTest : public ReportDataTest, public testing::WithParamInterface<bool> {};

INSTANTIATE_TEST_SUITE_P(WithAndWithoutSpans, ImportReportTest, testing::Bool());

TEST_P(ImportReportTest, AnImportWithoutLayersHasNoSectionsOfThem) {
  auto writer = store::ExperimentWriter::Create(store_, "i").value();
  trace::Trace trace;
  trace::TraceWriter spans(trace);
  const trace::TrackId thread = spans.AddTrack({trace::TrackKind::kThread, "main"});
  spans.AddSpan({trace::Level::kApplication, "range", "work", thread, 0, 10});
  // Without a span there is no timeline either.
  const bool has_spans = GetParam();
  ASSERT_TRUE(
      writer.AddRun("imported", has_spans ? std::move(trace) : trace::Trace(), kRunJson).ok());
  Add(writer, store::PointRow{.point_id = 1,
                              .model = "tracer",
                              .backend = "unknown",
                              .device = "cpu",
                              .precision = "unknown",
                              .settings = "{}",
                              .status = "done"});
  Add(writer,
      store::RunRow{
          .run_id = 1, .point_id = 1, .rung = "imported", .status = "done", .path = "imported"});
  experiment_ = writer.Commit(R"({"kind": "import", "imported_from": ["a.json"]})").value();
  const json data = Data(BuiltInRules());
  json absent = {"stack", "layers", "rooflines", "kernels", "batches"};
  if (!has_spans) absent.push_back("timeline");
  EXPECT_EQ(data["absent"], absent);
  EXPECT_TRUE(data["findings"][0]["sentence"].get<std::string>().starts_with(
      "The imported file holds no layer and no kernel"));
}

TEST_F(ReportDataTest, ADamagedExperimentIsBadInput) {
  std::ofstream(experiment_ / "experiment.json") << "{";
  const auto database = store::Database::OpenEmpty().value();
  EXPECT_EQ(ReportData(experiment_, database, {}, {}).error().kind, ErrorKind::kBadInput);
}

}  // namespace
}  // namespace xsp::report
