#include "capture/monitor/series_rows.h"

#include <gmock/gmock.h>

namespace xsp::monitor {
namespace {

using testing::DoubleEq;
using testing::Optional;

/// Two rows, of 100 and 300 ns.
Series TwoRows(std::vector<Channel> channels, std::vector<double> values) {
  Series series;
  series.channels = std::move(channels);
  series.start_ns = 1000;
  series.end_ns = {1100, 1400};
  series.values = std::move(values);
  series.realtime_offset_ns = 1'000'000;
  series.samples = 2;
  return series;
}

TEST(SeriesRowsTest, TheColumnsOfTableSixAreMeansOverTimeAndSumsOverGpus) {
  const Series series = TwoRows({{"cpu.busy_share", "1", ""},
                                 {"cpu.busy_share", "1", "cpu 0"},
                                 {"memory.used_bytes", "byte", ""},
                                 {"nvml.gpu_busy_share", "1", "gpu 0", 0},
                                 {"nvml.gpu_busy_share", "1", "gpu 1", 1},
                                 {"nvml.memory_used_bytes", "byte", "gpu 0", 0},
                                 {"nvml.memory_used_bytes", "byte", "gpu 1", 1},
                                 {"nvml.pcie_sent_bytes_per_s", "byte/s", "gpu 0", 0, true},
                                 {"nvml.pcie_received_bytes_per_s", "byte/s", "gpu 0", 0, true},
                                 {"nvml.nvlink_sent_bytes_per_s", "byte/s", "gpu 1", 1}},
                                {0.1, 0.9, 2e9, 0.5, 1.0, 1e9, 3e9, 5e6,      kUnknown, 1e9,  //
                                 0.5, 0.9, 4e9, 0.5, 0.2, 1e9, 2e9, kUnknown, 1e6,      2e9});
  const SystemUsage usage = UsageIn(series, AllRows(series));
  EXPECT_THAT(usage.cpu_pct, Optional(DoubleEq(40)));      // (0.1 + 3 * 0.5) / 4
  EXPECT_THAT(usage.gpu_pct_sum, Optional(DoubleEq(90)));  // 50, and (100 + 3 * 20) / 4
  EXPECT_THAT(usage.system_memory_mb, Optional(DoubleEq(3500)));
  EXPECT_THAT(usage.gpu_memory_mb_sum, Optional(DoubleEq(3250)));
  EXPECT_THAT(usage.pcie_mbps, Optional(DoubleEq(48)));  // 8 * (5 + 1): each where it is known
  EXPECT_THAT(usage.nvlink_mbps, Optional(DoubleEq(14000)));
  EXPECT_THAT(usage.cpu_pct_most, Optional(DoubleEq(50)));
  EXPECT_THAT(usage.gpu_pct_sum_most, Optional(DoubleEq(150)));
  EXPECT_THAT(usage.system_memory_mb_most, Optional(DoubleEq(4000)));
  EXPECT_THAT(usage.gpu_memory_mb_sum_most, Optional(DoubleEq(4000)));
  EXPECT_DOUBLE_EQ(usage.seconds, 400e-9);
  EXPECT_EQ(usage.samples, 2);
}

TEST(SeriesRowsTest, ARowBelongsToThoseWhoFillHalfOfIt) {
  // Rows of 100 ns and 300 ns, from 1'001'000 and 1'001'100 on.
  const Series series = TwoRows({{"cpu.busy_share", "1", ""}}, {0.1, 0.5});
  using testing::ElementsAre;
  using testing::IsEmpty;
  const std::int64_t first = 1'001'000, second = 1'001'100;
  EXPECT_THAT(RowsFilledBy(series, {}), IsEmpty());
  EXPECT_THAT(RowsFilledBy(series, {{first, first + 50}}), ElementsAre(0));
  EXPECT_THAT(RowsFilledBy(series, {{first, first + 49}}), IsEmpty());
  EXPECT_THAT(RowsFilledBy(series, {{second + 100, second + 160}, {second, second + 90}}),
              ElementsAre(1));
  EXPECT_THAT(RowsFilledBy(series, {{first - 500, second + 500}}), ElementsAre(0, 1));
  // What two calls cover counts once.
  EXPECT_THAT(RowsFilledBy(series, {{second, second + 100}, {second, second + 100}}), IsEmpty());
  EXPECT_THAT(RowsFilledBy(series, {{first + 60, second + 149}}), IsEmpty());
}

TEST(SeriesRowsTest, RowsFilledAgreeWithAStepThroughTime) {
  std::uint64_t state = 7;
  const auto random = [&](std::uint64_t below) {
    state = state * 6364136223846793005U + 1442695040888963407U;
    return static_cast<std::int64_t>((state >> 33) % below);
  };
  for (int repeat = 0; repeat < 200; ++repeat) {
    Series series;
    series.channels = {{"cpu.busy_share", "1", ""}};
    for (std::int64_t end = 0, i = 0; i < 12; ++i) series.end_ns.push_back(end += 1 + random(20));
    std::vector<Segment> segments;
    for (int i = 0; i < 8; ++i) {
      const std::int64_t begin = random(150);
      segments.push_back({begin, begin + random(30)});
    }
    std::vector<std::size_t> slow;
    for (std::size_t row = 0; row < series.rows(); ++row) {
      std::int64_t covered = 0;
      for (std::int64_t t = series.BeginOf(row); t < series.end_ns[row]; ++t) {
        bool inside = false;
        for (const Segment& s : segments) inside |= s.begin_ns <= t && t < s.end_ns;
        covered += inside ? 1 : 0;
      }
      if (2 * covered >= series.end_ns[row] - series.BeginOf(row)) slow.push_back(row);
    }
    EXPECT_EQ(RowsFilledBy(series, segments), slow) << repeat;
  }
}

TEST(SeriesRowsTest, WhatTheMachineHasNotIsNoZero) {
  const Series series = TwoRows({{"cpu.busy_share", "1", ""}}, {kUnknown, 0.5});
  const SystemUsage usage = UsageIn(series, AllRows(series));
  EXPECT_THAT(usage.cpu_pct, Optional(DoubleEq(50)));
  EXPECT_FALSE(usage.gpu_pct_sum || usage.system_memory_mb || usage.pcie_mbps || usage.nvlink_mbps);
}

TEST(SeriesRowsTest, ATraceHasATrackOfEachPartAndNoRowForWhatIsNotKnown) {
  Series series = TwoRows({{"cpu.busy_share", "1", ""},
                           {"memory.used_bytes", "byte", ""},
                           {"nvml.power_watts", "watt", "gpu 3", 3}},
                          {kUnknown, 5, 70, 0.5, 6, 80});
  series.hidden = {{"rapl.power_watts", "not here"}};
  series.late = 2;
  series.rate_hz = 10;
  series.cpu_ns = 2;
  series.wall_ns = 400;
  trace::Trace trace;
  trace::TraceWriter writer(trace);
  AddToTrace(series, AllRows(series), writer);
  AddHidden(series, writer);
  ASSERT_EQ(trace.tracks.size(), 2u);
  EXPECT_EQ(trace.tracks[0].name, "machine");
  EXPECT_EQ(trace.tracks[0].kind, trace::TrackKind::kHost);
  EXPECT_EQ(trace.tracks[1].name, "gpu 3");
  EXPECT_EQ(trace.tracks[1].kind, trace::TrackKind::kDevice);
  EXPECT_EQ(trace.tracks[1].device, 3);
  ASSERT_EQ(trace.counters.size(), 5u);
  EXPECT_EQ(trace.Text(trace.counters.name[0]), "cpu.busy_share");
  EXPECT_EQ(trace.counters.value[0], 0.5);
  EXPECT_EQ(trace.counters.time_ns[0], 1'001'400) << "the end of its time, since 1970";
  EXPECT_EQ(trace.Text(trace.counters.unit[4]), "watt");
  EXPECT_EQ(trace.counters.track[4], 2u);
  EXPECT_EQ(trace.diagnostics.at("monitor_hidden_rapl_power_watts").example, "not here");
  EXPECT_EQ(trace.diagnostics.at("monitor_hidden_rapl_power_watts").kind,
            trace::DiagnosticKind::kNote);
  EXPECT_EQ(trace.diagnostics.at("monitor_unknown_cpu_busy_share").count, 1);
  EXPECT_EQ(trace.diagnostics.at("monitor_late").count, 2);
  EXPECT_FALSE(trace.diagnostics.contains("monitor_merged"));
  EXPECT_EQ(trace.facts.at("monitor.share_of_a_core"), "0.00500");
}

}  // namespace
}  // namespace xsp::monitor
