#include "ingest/importers/nvidia_smi_dmon/nvidia_smi_dmon_importer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <time.h>

#include <filesystem>
#include <map>
#include <string>
#include <utility>

#include "ingest/importers/importer_testing.h"
#include "source_dir.h"

namespace xsp::importers::nvidia_smi_dmon {
extern const ImporterSpec kSpec;
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

constexpr std::int64_t kSecondNs = 1'000'000'000;
constexpr std::int64_t kSampleStartNs = 1'699'999'999 * kSecondNs;  // 2023-11-14 22:13:19 UTC.

class NvidiaSmiDmonTest : public testing::Test {
 protected:
  void SetUp() override {
    setenv("TZ", "UTC", 1);
    tzset();
  }
  void TearDown() override {
    unsetenv("TZ");
    tzset();
  }

  Status TryImport(std::string text) {
    trace::SourceWriter writer(trace_, nullptr, {}, kSpec.clock, kSpec.role);
    return ImportDmonText(std::move(text), writer, kReadBytes);
  }
  void Import(std::string text) {
    const Status status = TryImport(std::move(text));
    ASSERT_TRUE(status.ok()) << status.error().what;
  }
  /// Value of the series `name` on GPU `gpu` by second of the sample.
  std::map<std::int64_t, double> Series(std::string_view name, std::int64_t gpu = 0) const {
    std::map<std::int64_t, double> found;
    const trace::CounterTable& counters = trace_.counters;
    for (std::size_t i = 0; i < counters.size(); ++i)
      if (trace_.Text(counters.name[i]) == name &&
          trace_.tracks[counters.track[i] - 1].device == gpu)
        found[(counters.time_ns[i] - kSampleStartNs) / kSecondNs] = counters.value[i];
    return found;
  }
  std::string UnitOf(std::string_view name) const {
    for (std::size_t i = 0; i < trace_.counters.size(); ++i)
      if (trace_.Text(trace_.counters.name[i]) == name)
        return std::string(trace_.Text(trace_.counters.unit[i]));
    return "none";
  }
  std::int64_t Counted(const std::string& name) const {
    const auto it = trace_.diagnostics.find(name);
    return it == trace_.diagnostics.end() ? 0 : it->second.count;
  }
  std::string Example(const std::string& name) const { return trace_.diagnostics.at(name).example; }

  trace::Trace trace_;
};

using Values = std::map<std::int64_t, double>;

TEST_F(NvidiaSmiDmonTest, ColumnsBecomeTheSeriesOfTheMonitor) {
  const fs::path sample =
      fs::path(XSP_SOURCE_DIR) / "src/ingest/importers/nvidia_smi_dmon/sample/two_gpus.log";
  ASSERT_TRUE(ImportAll(kSpec, {{sample}}, trace_).ok());
  ASSERT_EQ(trace_.tracks.size(), 2u);
  EXPECT_EQ(trace_.tracks[1].kind, trace::TrackKind::kDevice);
  EXPECT_EQ(trace_.tracks[1].name, "gpu 1");
  EXPECT_EQ(Series("nvml.power_watts"), (Values{{0, 120}, {1, 250}, {2, 180}}));
  EXPECT_EQ(Series("nvml.power_watts", 1), (Values{{0, 60}, {1, 61}, {2, 60}}));
  EXPECT_EQ(Series("nvml.gpu_busy_share").at(1), 0.97);
  EXPECT_EQ(Series("nvml.sm_clock_hz").at(1), 1.41e9);
  EXPECT_EQ(Series("nvml.memory_used_bytes").at(1), 2048.0 * 1024 * 1024);
  EXPECT_EQ(Series("nvml.pcie_received_bytes_per_s").at(1), 1200.0 * 1024 * 1024);
  EXPECT_EQ(UnitOf("nvml.power_watts"), "watt");
  EXPECT_EQ(UnitOf("nvml.gpu_busy_share"), "1");
  EXPECT_EQ(UnitOf("nvml.pcie_sent_bytes_per_s"), "byte/s");
  // The memory of this card has no thermometer.
  EXPECT_EQ(Series("nvml.memory_temperature_celsius"), Values{});
  EXPECT_EQ(Counted("nvidia_smi_dmon_hidden"), 2);
  EXPECT_EQ(Example("nvidia_smi_dmon_hidden"), "gpu 0: mtemp");
  EXPECT_EQ(Counted("nvidia_smi_dmon_local_time"), 1);
  EXPECT_EQ(trace_.diagnostics.size(), 2u);
  for (const auto& [name, diagnostic] : trace_.diagnostics)
    EXPECT_EQ(diagnostic.kind, DiagnosticKind::kNote) << name;
}

TEST_F(NvidiaSmiDmonTest, KnowsItsOwnByItsHeader) {
  const auto sniff = [](std::string_view text) { return kSpec.sniff(SniffInput(text)); };
  EXPECT_EQ(sniff("\n# gpu   pwr gtemp\n# Idx     W     C\n"), Sniff::kCertain);
  EXPECT_EQ(sniff("#Date, Time, gpu, sm\n"), Sniff::kCertain);
  EXPECT_EQ(sniff("# gpu        pid  type    sm\n"), Sniff::kNo) << "pmon";
  EXPECT_EQ(sniff("gpu,name\n0,H100\n"), Sniff::kNo);
  EXPECT_EQ(sniff("timestamp, utilization.gpu [%]\n"), Sniff::kNo) << "--query-gpu";
}

TEST_F(NvidiaSmiDmonTest, ReadsCsvWithAndWithoutUnits) {
  Import(
      "#Date, Time, gpu, pwr, sm\n#YYYYMMDD, HH:MM:SS, Idx, W, %\n"
      "20231114, 22:13:19, 0, 24, 50\n");
  EXPECT_EQ(Series("nvml.power_watts"), (Values{{0, 24}}));
  Import("Date, Time, gpu, pwr, sm\n20231114, 22:13:20, 0, 25, 51\n");
  EXPECT_EQ(Series("nvml.gpu_busy_share").at(1), 0.51);
  EXPECT_EQ(Counted("nvidia_smi_dmon_bad_line"), 0);
}

TEST_F(NvidiaSmiDmonTest, WithoutDateAndTimeItIsRefusedWithWhatToDo) {
  for (const char* header :
       {"# gpu   pwr\n# Idx     W\n", "#Time     gpu   pwr\n", "#Date     gpu   pwr\n"}) {
    const Status status = TryImport(std::string(header) + "    0    37\n");
    EXPECT_EQ(status.error().kind, ErrorKind::kBadInput);
    EXPECT_THAT(status.error().what, HasSubstr("no date and time"));
    EXPECT_THAT(status.error().hint, HasSubstr("dmon -o DT"));
  }
  EXPECT_EQ(trace_.counters.size(), 0u);
}

TEST_F(NvidiaSmiDmonTest, WithoutAHeaderOrASampleItIsAnError) {
  EXPECT_THAT(TryImport(" 20231114   22:13:19      0    120\n").error().what,
              HasSubstr("no line of column names"));
  EXPECT_THAT(TryImport("#Date Time gpu pwr\n").error().what, HasSubstr("no sample"));
  EXPECT_EQ(TryImport(std::string("\0\1\2", 3)).error().kind, ErrorKind::kBadInput);
}

TEST_F(NvidiaSmiDmonTest, DamagedLinesAndValuesAreCounted) {
  Import(
      "#Date Time gpu pwr sm\n#YYYYMMDD HH:MM:SS Idx W %\n"
      "20231114 22:13:19 0 1 2\n"
      "20231114 22:13:20 0 1\n"    // Too few fields.
      "20231399 22:13:20 0 1 2\n"  // No such day.
      "20231114 22:13:20 x 1 2\n"  // No number of a GPU.
      "20231114 22:13:20 99999999 1 2\n"
      "20231114 22:13:20 0 nan 1e308x\n"
      "20231114 22:13:18 0 7 7\n"  // The clock was set.
      "20231114 22:13:21 0 3 4\n"
      "20231114 22:13:2");
  EXPECT_EQ(Series("nvml.power_watts"), (Values{{0, 1}, {2, 3}}));
  EXPECT_EQ(Counted("nvidia_smi_dmon_bad_line"), 4);
  EXPECT_EQ(Counted("nvidia_smi_dmon_bad_value"), 2);
  EXPECT_EQ(Counted("nvidia_smi_dmon_time_went_back"), 1);
  EXPECT_EQ(Counted("nvidia_smi_dmon_cut"), 1);
}

TEST_F(NvidiaSmiDmonTest, ColumnsThatChangeAreReadByTheirOwnHeader) {
  Import(
      "#Date Time gpu pwr sm\n20231114 22:13:19 0 1 2\n"
      "#Date Time gpu sm pwr\n20231114 22:13:20 0 30 4\n"
      "# gpu pwr\n0 4\n");
  EXPECT_EQ(Series("nvml.power_watts"), (Values{{0, 1}, {1, 4}}));
  EXPECT_EQ(Counted("nvidia_smi_dmon_columns_changed"), 2);
  EXPECT_EQ(Counted("nvidia_smi_dmon_bad_line"), 1) << "a sample without a time";
}

TEST_F(NvidiaSmiDmonTest, ColumnsThatAreNotKnownAreKeptAndCounted) {
  Import(
      "#Date Time gpu pwr gract Bad! fb\n#YYYYMMDD HH:MM:SS Idx W GPM:% x GB\n"
      "20231114 22:13:19 0 1 80 7 2\n");
  EXPECT_EQ(Series("nvidia_smi.gract"), (Values{{0, 80}}));
  EXPECT_EQ(UnitOf("nvidia_smi.gract"), "GPM:%");
  // Another unit than the one that is known: no guess.
  EXPECT_EQ(Series("nvidia_smi.fb"), (Values{{0, 2}}));
  EXPECT_EQ(Series("nvml.memory_used_bytes"), Values{});
  EXPECT_EQ(Counted("nvidia_smi_dmon_unknown_column"), 3);
  EXPECT_EQ(trace_.counters.size(), 3u);
}

}  // namespace
}  // namespace xsp::importers::nvidia_smi_dmon
