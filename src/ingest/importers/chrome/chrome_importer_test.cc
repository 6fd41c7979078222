#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "ingest/importers/importer.h"
#include "ingest/importers/importer_testing.h"
#include "source_dir.h"

namespace xsp::importers::chrome {
extern const ImporterSpec kSpec;
namespace {

namespace fs = std::filesystem;
using trace::Level;
using trace::Trace;

class ChromeImporterTest : public testing::Test {
 protected:
  ~ChromeImporterTest() override { fs::remove(file_); }

  /// The trace of these events.
  Trace& Import(const std::string& events) {
    std::ofstream(file_) << "{\"traceEvents\": [" << events << "]}";
    return ImportFile(file_);
  }
  Trace& ImportFile(const fs::path& file) {
    const Status status = ImportAll(kSpec, {{file}}, trace_);
    EXPECT_TRUE(status.ok()) << (status.ok() ? "" : status.error().what);
    return trace_;
  }
  std::string Name(std::size_t span) const {
    return std::string(trace_.Text(trace_.spans.name[span]));
  }
  std::int64_t Counted(const std::string& name) const {
    const auto it = trace_.diagnostics.find(name);
    return it == trace_.diagnostics.end() ? 0 : it->second.count;
  }

  const fs::path file_ =
      fs::path(testing::TempDir()) /
      (std::string("chrome_") + testing::UnitTest::GetInstance()->current_test_info()->name());
  Trace trace_;
};

TEST_F(ChromeImporterTest, RangesMarksAndCountersLieOnTheirThreads) {
  const Trace& trace =
      ImportFile(fs::path(XSP_SOURCE_DIR) / "src/ingest/importers/chrome/sample/two_threads.json");
  ASSERT_EQ(trace.spans.size(), 4u);
  EXPECT_EQ(trace.spans.level[0], Level::kApplication);
  EXPECT_EQ(trace.Text(trace.spans.type[0]), trace::type::kPython);
  EXPECT_EQ(trace.spans.start_ns[0], 10'500);
  EXPECT_EQ(trace.spans.duration_ns[0], 40'250);
  EXPECT_EQ(Name(2), "batch");
  EXPECT_EQ(trace.Text(trace.spans.type[2]), trace::type::kRange);
  EXPECT_EQ(trace.spans.duration_ns[2], 10'000);
  EXPECT_EQ(Name(3), "step");
  EXPECT_EQ(trace.spans.duration_ns[3], 4'000);
  EXPECT_NE(trace.spans.track[0], trace.spans.track[2]);
  EXPECT_EQ(trace.marks.size(), 1u);
  ASSERT_EQ(trace.counters.size(), 1u);
  EXPECT_EQ(trace.counters.value[0], 4);
  EXPECT_FALSE(trace.facts.contains("framework.name"));
  EXPECT_TRUE(trace.diagnostics.empty());
}

TEST_F(ChromeImporterTest, WhatIsNotKeptIsCounted) {
  const Trace& trace = Import(R"({"ph": "E", "pid": 1, "tid": 1, "ts": 1},
    {"ph": "b", "name": "a", "id": 1, "pid": 1, "tid": 1, "ts": 2}, {"ph": "s", "name": "f", "id": 1, "pid": 1, "tid": 1, "ts": 2},
    {"ph": "X", "name": "x", "pid": 1, "tid": 1, "ts": 3, "dur": -1}, {"ph": "X", "pid": 1, "tid": 1, "ts": 3, "dur": 1},
    {"ph": "B", "name": "open", "pid": 1, "tid": 1, "ts": 4})");
  EXPECT_EQ(Counted("chrome_unmatched_end"), 1);
  EXPECT_EQ(Counted("chrome_left_out"), 2);
  EXPECT_EQ(Counted("chrome_bad_event"), 2);
  ASSERT_EQ(trace.spans.size(), 1u);
  EXPECT_EQ(trace.spans.duration_ns[0], trace::kNeverEnded);
}

TEST_F(ChromeImporterTest, RefusesAnExportOfXsp) {
  std::ofstream(file_) << R"({"writer": "xsp", "traceEvents": [
    {"ph": "X", "name": "x", "pid": 1, "tid": 1, "ts": 3, "dur": 1}]})";
  const Status status = ImportAll(kSpec, {{file_}}, trace_);
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().kind, ErrorKind::kBadInput);
  EXPECT_EQ(status.error().what, "the file is an export of XSP: " + file_.string());
  EXPECT_EQ(trace_.spans.size(), 0u);
}

TEST_F(ChromeImporterTest, TakesWhatNobodyElseKnows) {
  EXPECT_EQ(kSpec.sniff(SniffInput(R"({"traceEvents": [{"ph": "X")")), Sniff::kGeneric);
  EXPECT_EQ(kSpec.sniff(SniffInput(R"([{"name": "a", "ph": "B")")), Sniff::kGeneric);
  EXPECT_EQ(kSpec.sniff(SniffInput(R"({"nodes": []})")), Sniff::kNo);
  EXPECT_EQ(kSpec.sniff(SniffInput("#xsp-span_list 1")), Sniff::kNo);
}

}  // namespace
}  // namespace xsp::importers::chrome
