#include "ingest/trace_files/trace_loader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <time.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "source_dir.h"

namespace xsp::trace_files {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;

class TraceLoaderTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = testing::TempDir() + "xsp-load-XXXXXX";
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  void TearDown() override {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }
  fs::path Write(const std::string& name, const std::string& text) {
    std::ofstream(folder_ / name) << text;
    return folder_ / name;
  }
  /// One event of `category` at 10 us, and `more` of the file's own object.
  fs::path WriteKineto(const std::string& name, const std::string& category,
                       const std::string& more = "") {
    return Write(name, R"({"schemaVersion":1,"traceEvents":[{"ph":"X","cat":")" + category +
                           R"(","name":"k","pid":0,"tid":7,"ts":10,"dur":1,)" +
                           R"("args":{"correlation":3}}])" + more + "}");
  }
  static fs::path SampleOf(const char* importer, const char* file) {
    return fs::path(XSP_SOURCE_DIR) / "src/ingest/importers" / importer / "sample" / file;
  }
  static Result<trace::Trace> TryLoad(const std::vector<fs::path>& files) {
    std::vector<RecognisedFile> recognised;
    for (const fs::path& file : files) {
      XSP_TRY(RecognisedFile known, Recognise(file));
      recognised.push_back(std::move(known));
    }
    return LoadTrace(recognised);
  }
  static trace::Trace Load(const std::vector<fs::path>& files) {
    auto trace = TryLoad(files);
    EXPECT_TRUE(trace.ok()) << (trace.ok() ? "" : trace.error().what);
    return trace.ok() ? std::move(trace).value() : trace::Trace();
  }
  static std::int64_t CountOf(const trace::Trace& trace, std::string_view diagnostic) {
    const auto it = trace.diagnostics.find(diagnostic);
    return it == trace.diagnostics.end() ? 0 : it->second.count;
  }

  fs::path folder_;
};

TEST_F(TraceLoaderTest, SeveralKinetoFilesAreTheRanksOfOneRun) {
  const trace::Trace trace =
      Load({WriteKineto("a.json", "kernel", R"(,"baseTimeNanoseconds":2000000)"),
            WriteKineto("b.json", "kernel", R"(,"baseTimeNanoseconds":1000000)"),
            WriteKineto("c.json", "kernel")});
  ASSERT_EQ(trace.spans.size(), 3u);
  EXPECT_THAT(trace.spans.start_ns, ElementsAre(2'010'000, 1'010'000, 1'010'000));
  EXPECT_EQ(CountOf(trace, "kineto_unaligned_rank"), 1);
  EXPECT_EQ(trace.clock_origin, trace::ClockOrigin::kEpoch);
  // Ids and tracks of the files are their own.
  EXPECT_NE(trace.spans.correlation_id[0], trace.spans.correlation_id[1]);
  EXPECT_NE(trace.spans.track[0], trace.spans.track[1]);
  EXPECT_THAT(trace.tracks[1].name, HasSubstr("file 1"));
  EXPECT_EQ(trace.tracks[2].rank, 2);
  EXPECT_FALSE(trace.facts.contains("operators.ran_on"));
}

TEST_F(TraceLoaderTest, RanksWithoutATimeOfDayStartTogether) {
  const trace::Trace trace =
      Load({WriteKineto("a.json", "cpu_op"), WriteKineto("b.json", "cpu_op")});
  EXPECT_THAT(trace.spans.start_ns, testing::Contains(0).Times(testing::Ge(2)));
  EXPECT_EQ(CountOf(trace, "kineto_unaligned_rank"), 2);
  EXPECT_EQ(trace.clock_origin, trace::ClockOrigin::kSource);
  EXPECT_EQ(trace.facts.at("operators.ran_on"), "cpu");
}

TEST_F(TraceLoaderTest, OneRankOnADeviceIsEnoughToRunThere) {
  const trace::Trace trace =
      Load({WriteKineto("a.json", "cpu_op"), WriteKineto("b.json", "kernel")});
  EXPECT_FALSE(trace.facts.contains("operators.ran_on"));
}

TEST_F(TraceLoaderTest, OfSeveralFilesOneThatCannotBeReadIsCountedAndTheOthersAreKept) {
  const fs::path sample = SampleOf("xsp_recording", "two_calls.xspr");
  const fs::path bad = Write("bad.xspr", "not one");
  const auto load = [](std::vector<RecognisedFile> files) { return LoadTrace(files); };
  const auto one = load({{bad, "xsp_recording"}, {sample, "xsp_recording"}});
  ASSERT_TRUE(one.ok());
  EXPECT_EQ(CountOf(one.value(), "xsp_recording_skipped_file"), 1);
  EXPECT_EQ(one.value().spans.size(), 7u);
  const auto none = load({{bad, "xsp_recording"}, {bad, "xsp_recording"}});
  EXPECT_EQ(none.error().kind, ErrorKind::kBadInput);
  EXPECT_EQ(none.error().what, "not a recording: it does not start with its signature");
  // A format that counts no such file fails.
  EXPECT_FALSE(load({{bad, "chrome"}, {SampleOf("chrome", "two_threads.json"), "chrome"}}).ok());
}

TEST_F(TraceLoaderTest, FormatsAreReadByPriorityHoweverTheyAreNamed) {
  const fs::path list = SampleOf("span_list", "two_layers.csv");
  const fs::path chrome = SampleOf("chrome", "two_threads.json");
  const trace::Trace trace = Load({chrome, list});
  EXPECT_EQ(trace.spans.start_ns.size(), Load({list, chrome}).spans.start_ns.size());
  EXPECT_EQ(trace.Text(trace.spans.name[0]), "two layers");
  EXPECT_EQ(trace.role, trace::Role::kTimeline);
}

/// Sets the zone of this process for a test.
class Zone {
 public:
  explicit Zone(const char* zone) {
    setenv("TZ", zone, 1);
    tzset();
  }
  ~Zone() {
    unsetenv("TZ");
    tzset();
  }
};

TEST_F(TraceLoaderTest, SeriesStandBesideTheSpansOfATraceByClock) {
  const fs::path kineto = SampleOf("kineto", "two_kernels.json");
  const fs::path dmon = SampleOf("nvidia_smi_dmon", "two_gpus.log");
  constexpr std::int64_t kSecondNs = 1'000'000'000;
  constexpr std::int64_t kTraceNs = 1'700'000'000 * kSecondNs;  // 22:13:20 UTC.
  const trace::Trace alone = Load({kineto});
  for (const char* zone : {"UTC", "PST+8", "NPT-5:45"}) {
    SCOPED_TRACE(zone);
    const Zone of_the_machine(zone);
    const trace::Trace trace = Load({dmon, kineto});
    EXPECT_EQ(trace.role, trace::Role::kTimeline);
    EXPECT_EQ(trace.clock_origin, trace::ClockOrigin::kEpoch);
    // The trace is the one that it is without the series.
    EXPECT_EQ(trace.spans.size(), alone.spans.size());
    EXPECT_TRUE(std::equal(trace.spans.start_ns.begin(), trace.spans.start_ns.end(),
                           alone.spans.start_ns.begin()));
    EXPECT_EQ(trace.tracks[0].name, alone.tracks[0].name);
    EXPECT_EQ(trace.facts, alone.facts);
    std::vector<double> power_watts;
    for (std::size_t i = 0; i < trace.counters.size(); ++i) {
      if (trace.Text(trace.counters.name[i]) != "nvml.power_watts") continue;
      if (trace.tracks[trace.counters.track[i] - 1].device != 0) continue;
      EXPECT_EQ(trace.counters.time_ns[i],
                kTraceNs + (static_cast<std::int64_t>(power_watts.size()) - 1) * kSecondNs);
      power_watts.push_back(trace.counters.value[i]);
    }
    EXPECT_THAT(power_watts, ElementsAre(120, 250, 180));
    EXPECT_EQ(CountOf(trace, "nvidia_smi_dmon_local_time"), 1);
    EXPECT_EQ(CountOf(trace, "align_other_zone"), std::string_view(zone) == "UTC" ? 0 : 1);
    EXPECT_EQ(CountOf(trace, "align_no_overlap"), 0);
  }
}

TEST_F(TraceLoaderTest, SeriesAloneAreARunOfMetrics) {
  const trace::Trace trace = Load({SampleOf("nvidia_smi_dmon", "two_gpus.log")});
  EXPECT_TRUE(IsOfMetrics(trace.role));
  EXPECT_EQ(trace.spans.size(), 0u);
}

TEST_F(TraceLoaderTest, WhatHoldsRangesOnlyIsNoRunOfMetrics) {
  const trace::Trace trace = Load({SampleOf("chrome", "two_threads.json")});
  EXPECT_EQ(trace.role, trace::Role::kRanges);
  EXPECT_FALSE(IsOfMetrics(trace.role));
}

}  // namespace
}  // namespace xsp::trace_files
