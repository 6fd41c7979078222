#include "answer/compare_page/side_details.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

namespace xsp::compare_page {
namespace {

using nlohmann::json;

class SideDetailsTest : public testing::Test {
 protected:
  SideDetailsTest() {
    // As of an experiment: raw tables are led by the run.
    for (const char* table : {"span", "track", "metric"})
      Run(fmt::format("ALTER TABLE {} ADD COLUMN run_id BIGINT", table));
  }
  void Run(const std::string& sql) const {
    const auto done = database_.Query(sql);
    ASSERT_TRUE(done.ok()) << done.error().what;
  }
  void AddKernel(int index, const std::string& name, const std::string& numbers) const {
    Run(
        fmt::format("INSERT INTO kernel (point_id, kernel_index, layer_index, name, type, dtype, "
                    "duration_ns, flops, read_bytes, write_bytes, matched) VALUES (1, {}, 0, '{}', "
                    "'kernel', 'float32', {}, 'all')",
                    index, name, numbers));
  }
  void AddSpan(int id, int parent, const std::string& level, const std::string& type, int track,
               int start, int length) const {
    Run(
        fmt::format("INSERT INTO span (run_id, id, parent_id, level, type, name, track_id, "
                    "start_ns, duration_ns, placed_by) VALUES (1, {}, {}, '{}', '{}', 's{}', {}, "
                    "{}, {}, 'nesting')",
                    id, parent, level, type, id, track, start, length));
  }
  json Get(const SideLimits& limits = {}) const {
    auto details = SideDetails(database_, 1, 1, limits);
    EXPECT_TRUE(details.ok()) << details.error().what;
    return details.ok() ? details.value() : json();
  }
  store::Database database_ = store::Database::OpenEmpty().value();
};

TEST_F(SideDetailsTest, OfAnEmptyExperimentNothingIsKnown) {
  const json details = Get();
  EXPECT_EQ(details["timeline"], json());
  EXPECT_EQ(details["timeline_cut"], json());
  EXPECT_EQ(details["kernels"]["total"], 0);
  EXPECT_EQ(details["kernels"]["total_ns"], json());
  EXPECT_EQ(details["idle_causes"], json::array());
}

TEST_F(SideDetailsTest, KernelsWithFlopsAndBytesStandOnARooflineTheLongestFirst) {
  AddKernel(0, "short", "10, 100, 4, 4");
  AddKernel(1, "long", "30, 900, 8, NULL");
  AddKernel(2, "unknown", "60, NULL, 8, 8");
  AddKernel(3, "copy", "0, 5, 8, 8");
  const json kernels = Get()["kernels"];
  EXPECT_EQ(kernels["rows"]["name"]["dict"], (json{"long", "short"}));
  EXPECT_EQ(kernels["rows"]["bytes"], (json{8, 8}));
  EXPECT_EQ(kernels["total"], 3);
  EXPECT_EQ(kernels["total_ns"], 100);
  EXPECT_EQ(Get({.work = 1})["kernels"]["rows"]["time_ns"], json{30});
}

TEST_F(SideDetailsTest, OnlyRoofsInUseAreThere) {
  Run("INSERT INTO roof (kind, name, value, provenance, how, used) VALUES "
      "('bandwidth', 'DRAM', 3e12, 'reported:sheet', '', true), "
      "('bandwidth', 'L2', 9e12, 'reported:sheet', '', false)");
  EXPECT_EQ(Get()["roofs"]["name"]["dict"], json{"DRAM"});
}

TEST_F(SideDetailsTest, ShowsTheMedianStepWithWhatItLaunched) {
  Run("INSERT INTO track (run_id, id, kind, name, is_reference) VALUES (1, 1, 'thread', 'main', "
      "false), (1, 2, 'stream', 'stream 7', false), (1, 3, 'stream', 'captured', true)");
  int id = 0;
  for (const int length : {50, 100, 400}) {
    const int start = 1000 * ++id;
    AddSpan(10 * id, 0, "application", "step", 1, start, length);
    AddSpan(10 * id + 1, 10 * id, "layer", "aten::mm", 1, start + 1, 20);
    AddSpan(10 * id + 2, 10 * id + 1, "library", "launch", 1, start + 2, 5);
    // It runs after the step that launched it.
    AddSpan(10 * id + 3, 10 * id + 2, "kernel", "kernel", 2, start + 900, 7);
    AddSpan(10 * id + 4, 10 * id, "application", "python", 1, start + 1, 30);
    AddSpan(10 * id + 5, 0, "kernel", "kernel", 3, start + 3, 1);
  }
  const json timeline = Get()["timeline"];
  EXPECT_EQ(timeline["duration_ns"], 100);
  EXPECT_EQ(timeline["spans"]["name"]["dict"], (json{"s20", "s21", "s22", "s23"}));
  EXPECT_EQ(timeline["spans"]["start_ns"], (json{0, 1, 2, 900}));
  EXPECT_EQ(timeline["spans"]["parent"], (json{-1, 0, 1, 2}));
  const json cut = Get({.spans = 2});
  EXPECT_EQ(cut["timeline"]["spans"]["start_ns"].size(), 2U);
  EXPECT_NE(cut["timeline_cut"].get<std::string>().find("2 of 4"), std::string::npos);
}

TEST_F(SideDetailsTest, IdleTimeIsPerStepAndTheHostIsToBlameUntilItLaunches) {
  for (const int step : {0, 1}) {
    Run(
        fmt::format("INSERT INTO device_time VALUES (1, NULL, 0, {}, 0, 100, 40, 60, 40, 0, 0, 0, "
                    "0, 0, 1)",
                    step));
    Run(
        fmt::format("INSERT INTO idle (run_id, device, step, cause, gaps, idle_ns, launched_ns, "
                    "longest_ns) VALUES (1, 0, {}, 'host', 1, 50, 20, 50), "
                    "(1, 0, {}, 'kernel', 1, 10, 0, 10)",
                    step, step));
  }
  EXPECT_EQ(Get()["idle_causes"], (json{{{"cause", "host"}, {"idle_ns", 30.0}},
                                        {{"cause", "other"}, {"idle_ns", 20.0}},
                                        {{"cause", "kernel"}, {"idle_ns", 10.0}}}));
}

}  // namespace
}  // namespace xsp::compare_page
