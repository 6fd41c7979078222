#include "derive/match/energy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "derive/match/match_testing.h"

namespace xsp::match {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Optional;
using testing::SizeIs;

constexpr std::int64_t kMs = 1'000'000;
constexpr std::int64_t kInterval = 100 * kMs;

/// Samples of `watts` at the end of each interval from `start_ns`.
void AddPower(trace::Trace& trace, std::string_view part, std::int64_t start_ns,
              const std::vector<double>& watts) {
  trace::TraceWriter writer(trace);
  const trace::TrackId track =
      writer.AddTrack({.kind = trace::TrackKind::kHost, .name = std::string(part)});
  for (std::size_t i = 0; i < watts.size(); ++i)
    writer.AddCounter(track, "rapl.power_watts",
                      start_ns + static_cast<std::int64_t>(i + 1) * kInterval, watts[i], "watt");
  writer.SetFact("monitor.interval_ns", std::to_string(kInterval));
}

PowerSeries SeriesOf(const std::vector<double>& watts) {
  trace::Trace trace;
  AddPower(trace, "package-0", 0, watts);
  return PowerSeriesOf(trace).at(0);
}

TEST(EnergyTest, OfConstantPowerIsExact) {
  const PowerSeries series = SeriesOf(std::vector<double>(10, 100.0));
  const SegmentEnergy energy = EnergyOver(series, {{0, 1000 * kMs}});
  EXPECT_DOUBLE_EQ(energy.joules.value(), 100);
  EXPECT_EQ(energy.confidence, 1);
  EXPECT_EQ(energy.intervals, 10);
  EXPECT_THAT(energy.reason, IsEmpty());
}

TEST(EnergyTest, ProratesTheIntervalsAtTheEdges) {
  // Half of the first, two whole, a quarter of the last.
  const PowerSeries series = SeriesOf({10, 20, 30, 40});
  const SegmentEnergy energy = EnergyOver(series, {{50 * kMs, 325 * kMs}});
  EXPECT_EQ(energy.intervals, 2.75);
  EXPECT_FALSE(energy.joules);  // Less than 3.
  const SegmentEnergy longer = EnergyOver(series, {{50 * kMs, 375 * kMs}});
  EXPECT_DOUBLE_EQ(longer.joules.value(), 0.5 + 2 + 3 + 3);
  EXPECT_DOUBLE_EQ(longer.confidence, (50 * 0.5 + 100 + 100 + 75 * 0.75) / 325);
}

TEST(EnergyTest, CountsTimeOnceWhereStretchesOverlap) {
  const PowerSeries series = SeriesOf(std::vector<double>(6, 50.0));
  const SegmentEnergy energy =
      EnergyOver(series, {{300 * kMs, 600 * kMs}, {0, 400 * kMs}, {100 * kMs, 200 * kMs}});
  EXPECT_EQ(energy.span_ns, 600 * kMs);
  EXPECT_DOUBLE_EQ(energy.joules.value(), 30);
}

TEST(EnergyTest, TellsNothingOfWhatIsTooShortAndSaysWhy) {
  const SegmentEnergy energy =
      EnergyOver(SeriesOf(std::vector<double>(10, 100.0)), {{0, 250 * kMs}});
  EXPECT_FALSE(energy.joules);
  EXPECT_THAT(energy.reason, HasSubstr("too short for its sampling: 250 ms in all"));
}

TEST(EnergyTest, TellsNothingOfWhatSharesItsIntervalsWithOtherWork) {
  // 40 ms in each of 10 intervals: long enough, but 60 % of the energy may be something else's.
  std::vector<Segment> segments;
  for (std::int64_t i = 0; i < 10; ++i)
    segments.push_back({i * kInterval, i * kInterval + 40 * kMs});
  const SegmentEnergy energy = EnergyOver(SeriesOf(std::vector<double>(10, 100.0)), segments);
  EXPECT_EQ(energy.intervals, 4);
  EXPECT_DOUBLE_EQ(energy.confidence, 0.4);
  EXPECT_FALSE(energy.joules);
  EXPECT_THAT(energy.reason, HasSubstr("mixed with other work"));
}

TEST(EnergyTest, ScalesUpWhereSomeOfTheTimeHasNoPowerAndIsLessSure) {
  const SegmentEnergy energy =
      EnergyOver(SeriesOf(std::vector<double>(6, 100.0)), {{0, 800 * kMs}});
  EXPECT_DOUBLE_EQ(energy.joules.value(), 80);
  EXPECT_EQ(energy.covered_ns, 600 * kMs);
  EXPECT_DOUBLE_EQ(energy.confidence, 0.75);
  EXPECT_THAT(EnergyOver(SeriesOf({1, 1, 1}), {{900 * kMs, 950 * kMs}}).reason,
              HasSubstr("no power is known"));
}

TEST(EnergyTest, AgreesWithASlowSumOnRandomSeries) {
  std::mt19937 random(11);
  const auto up_to = [&](int most) { return static_cast<std::int64_t>(random() % (most + 1)); };
  for (int round = 0; round < 300; ++round) {
    // Intervals and segments of whole microseconds, summed one by one.
    PowerSeries series{"p", 20'000, {}};
    for (std::int64_t at = up_to(50); at < 800;) {
      const std::int64_t length = 1 + up_to(40);
      if (up_to(5) > 0)
        series.intervals.push_back(
            {at * 1000, (at + length) * 1000, static_cast<double>(up_to(200))});
      at += length;
    }
    std::vector<Segment> segments;
    for (std::int64_t i = up_to(12); i >= 0; --i) {
      const std::int64_t begin = up_to(900);
      segments.push_back({begin * 1000, (begin + up_to(150)) * 1000});
    }
    double joules = 0, filled = 0;
    std::int64_t span_us = 0, covered_us = 0;
    std::vector<std::int64_t> of_interval(series.intervals.size(), 0);
    for (std::int64_t us = 0; us < 1100; ++us) {
      const auto holds = [&](std::int64_t begin_ns, std::int64_t end_ns) {
        return begin_ns <= us * 1000 && us * 1000 < end_ns;
      };
      bool inside = false;
      for (const Segment& segment : segments) inside |= holds(segment.begin_ns, segment.end_ns);
      span_us += inside ? 1 : 0;
      for (std::size_t i = 0; i < series.intervals.size(); ++i) {
        const PowerInterval& interval = series.intervals[i];
        if (!inside || !holds(interval.begin_ns, interval.end_ns)) continue;
        ++covered_us;
        ++of_interval[i];
        joules += interval.watts * 1e-6;
      }
    }
    for (std::size_t i = 0; i < of_interval.size(); ++i) {
      const PowerInterval& interval = series.intervals[i];
      filled += static_cast<double>(of_interval[i] * of_interval[i] * 1000) /
                static_cast<double>(interval.end_ns - interval.begin_ns);
    }
    const SegmentEnergy energy = EnergyOver(series, segments);
    EXPECT_EQ(energy.span_ns, span_us * 1000);
    EXPECT_EQ(energy.covered_ns, covered_us * 1000);
    if (covered_us == 0) continue;
    const auto covered = static_cast<double>(covered_us), span = static_cast<double>(span_us);
    EXPECT_NEAR(energy.confidence, covered / span * (filled / covered), 1e-9);
    const bool resolved = covered / 20 >= kFewestIntervals && energy.confidence >= kLeastConfidence;
    ASSERT_EQ(energy.joules.has_value(), resolved);
    if (resolved) {
      EXPECT_NEAR(*energy.joules, joules * span / covered, 1e-9);
    }
  }
}

TEST(PowerSeriesTest, GivesASampleAfterAGapTheUsualTimeOnly) {
  trace::Trace trace;
  trace::TraceWriter writer(trace);
  const auto track = writer.AddTrack({.kind = trace::TrackKind::kHost, .name = "package-0"});
  for (const std::int64_t ms : {100, 200, 1000, 1105, 1300})
    writer.AddCounter(track, "rapl.power_watts", ms * kMs, 1, "watt");
  writer.AddCounter(track, "cpu.busy_share", 100 * kMs, 0.5, "1");
  writer.SetFact("monitor.interval_ns", "100000000");
  const auto all = PowerSeriesOf(trace);
  ASSERT_THAT(all, SizeIs(1));
  const auto& intervals = all[0].intervals;
  ASSERT_THAT(intervals, SizeIs(5));
  EXPECT_EQ(intervals[0].begin_ns, 0);
  EXPECT_EQ(intervals[2].begin_ns, 900 * kMs);
  EXPECT_EQ(intervals[3].begin_ns, 1000 * kMs);
  EXPECT_EQ(intervals[4].begin_ns, 1200 * kMs);
}

TEST(PowerSeriesTest, TakesTheMedianDistanceWhereNoneIsStated) {
  trace::Trace trace;
  trace::TraceWriter writer(trace);
  const auto track = writer.AddTrack({.kind = trace::TrackKind::kDevice, .name = "gpu 0"});
  for (const std::int64_t ms : {300, 10, 20, 30, 40})
    writer.AddCounter(track, "power", ms * kMs, 5, "watt");
  const auto all = PowerSeriesOf(trace);
  ASSERT_THAT(all, SizeIs(1));
  EXPECT_EQ(all[0].part, "gpu 0");
  EXPECT_EQ(all[0].interval_ns, 10 * kMs);
  EXPECT_EQ(all[0].intervals.back().begin_ns, 290 * kMs);
}

/// A GPU in a trace whose monitor has a row each `row_ns`.
class GpuPowerTest : public testing::Test {
 protected:
  void Add(std::string_view name, std::int64_t time_ns, double watts) {
    writer_.AddCounter(track_, name, time_ns, watts, "watt");
  }
  void SetRow(std::int64_t row_ns) {
    writer_.SetFact("monitor.interval_ns", std::to_string(row_ns));
  }
  /// The one series that energy is computed from.
  PowerSeries Series() const {
    const std::vector<PowerSeries> all = PowerSeriesOf(trace_);
    EXPECT_THAT(all, SizeIs(1));
    return all.empty() ? PowerSeries() : all[0];
  }

 private:
  trace::Trace trace_;
  trace::TraceWriter writer_{trace_};
  trace::TrackId track_ = writer_.AddTrack({.kind = trace::TrackKind::kDevice, .name = "gpu 0"});
};

TEST_F(GpuPowerTest, OfACounterOfEnergyIsOfTheTimeBetweenItsSteps) {
  // A row each 10 ms, a step each 40 ms, which the GPU's own mean over a second does not follow.
  SetRow(10 * kMs);
  for (std::int64_t ms = 10; ms <= 400; ms += 10) Add("nvml.power_watts", ms * kMs, 150);
  for (std::int64_t ms = 40; ms <= 400; ms += 40)
    Add("nvml.mean_power_watts", ms * kMs, ms <= 200 ? 100 : 200);
  const PowerSeries series = Series();
  EXPECT_EQ(series.part, "gpu 0");
  EXPECT_EQ(series.interval_ns, 40 * kMs);
  ASSERT_THAT(series.intervals, SizeIs(10));
  EXPECT_EQ(series.intervals[0].begin_ns, 0);
  EXPECT_EQ(series.intervals[1].begin_ns, 40 * kMs);
  EXPECT_DOUBLE_EQ(EnergyOver(series, {{200 * kMs, 400 * kMs}}).joules.value(), 40);
  // 10 rows, but 2.5 steps.
  EXPECT_THAT(EnergyOver(series, {{200 * kMs, 300 * kMs}}).reason, HasSubstr("too short"));
}

TEST_F(GpuPowerTest, AStepThatTookLongerIsNoGap) {
  SetRow(10 * kMs);
  for (std::int64_t ms = 10; ms <= 400; ms += 10) Add("nvml.power_watts", ms * kMs, 150);
  for (const std::int64_t ms : {40, 80, 120, 240, 280, 320, 360})
    Add("nvml.mean_power_watts", ms * kMs, 100);
  const PowerSeries series = Series();
  EXPECT_EQ(series.interval_ns, 40 * kMs);
  ASSERT_THAT(series.intervals, SizeIs(7));
  EXPECT_EQ(series.intervals[3].begin_ns, 120 * kMs);
}

TEST_F(GpuPowerTest, AStepAfterMissingRowsStandsForTheUsualOne) {
  SetRow(10 * kMs);
  // Rows from 210 to 400 ms are of another run.
  for (std::int64_t ms = 10; ms <= 600; ms += 10)
    if (ms <= 200 || ms > 400) Add("nvml.power_watts", ms * kMs, 150);
  for (const std::int64_t ms : {40, 80, 120, 160, 200, 420, 460, 500})
    Add("nvml.mean_power_watts", ms * kMs, 100);
  const PowerSeries series = Series();
  EXPECT_EQ(series.interval_ns, 40 * kMs);
  ASSERT_THAT(series.intervals, SizeIs(8));
  EXPECT_EQ(series.intervals[5].begin_ns, 380 * kMs);
  EXPECT_EQ(series.intervals[6].begin_ns, 420 * kMs);
}

TEST_F(GpuPowerTest, StepsOfWhichNoneFollowOnEachOtherResolveNothing) {
  SetRow(10 * kMs);
  for (const std::int64_t ms : {100, 110, 1100, 1110, 2100, 2110})
    Add("nvml.power_watts", ms * kMs, 150);
  for (const std::int64_t ms : {110, 1110, 2110}) Add("nvml.mean_power_watts", ms * kMs, 100);
  const PowerSeries series = Series();
  EXPECT_EQ(series.interval_ns, 1000 * kMs);
  EXPECT_FALSE(EnergyOver(series, {{0, 120 * kMs}, {1000 * kMs, 1120 * kMs}}).joules);
}

TEST_F(GpuPowerTest, OfAMomentStandsForTheRow) {
  SetRow(100 * kMs);
  for (std::int64_t ms = 100; ms <= 1000; ms += 100) {
    Add("nvml.power_watts", ms * kMs, 150);
    Add("nvml.instant_power_watts", ms * kMs, 100);
  }
  const PowerSeries series = Series();
  EXPECT_EQ(series.interval_ns, 100 * kMs);
  EXPECT_DOUBLE_EQ(EnergyOver(series, {{0, 500 * kMs}}).joules.value(), 50);
}

TEST_F(GpuPowerTest, AveragedOverASecondResolvesThreeSeconds) {
  SetRow(100 * kMs);
  // Rows are never quite on time.
  for (std::int64_t i = 1; i <= 90; ++i)
    Add("nvml.power_watts", i * 100 * kMs - (i % 3) * kMs, i <= 40 ? 100 : 200);
  const PowerSeries series = Series();
  EXPECT_EQ(series.interval_ns, 1000 * kMs);
  ASSERT_THAT(series.intervals, SizeIs(9));
  EXPECT_EQ(series.intervals[0].begin_ns, -901 * kMs);
  EXPECT_EQ(series.intervals[1].begin_ns, series.intervals[0].end_ns);
  EXPECT_THAT(EnergyOver(series, {{0, 2900 * kMs}}).reason,
              HasSubstr("3 intervals of 1000 ms are needed"));
  EXPECT_NEAR(EnergyOver(series, {{0, 3000 * kMs}}).joules.value(), 300, 1e-9);
  // 200 ms of work alternate with 300 ms of other work: each second holds both, and its rows of
  // 100 ms tell of no turn by itself.
  std::vector<Segment> turns;
  for (std::int64_t ms = 0; ms < 8000; ms += 500) turns.push_back({ms * kMs, (ms + 200) * kMs});
  EXPECT_THAT(EnergyOver(series, turns).reason, HasSubstr("mixed with other work"));
}

TEST_F(GpuPowerTest, AveragedOverASecondKeepsSlowerRowsAsTheyAre) {
  SetRow(2000 * kMs);
  for (std::int64_t i = 1; i <= 5; ++i) Add("nvml.power_watts", i * 2000 * kMs, 100);
  const PowerSeries series = Series();
  EXPECT_EQ(series.interval_ns, 2000 * kMs);
  EXPECT_THAT(series.intervals, SizeIs(5));
}

TEST(PowerSeriesTest, KeepsCountersOfOneTrackApart) {
  trace::Trace trace;
  trace::TraceWriter writer(trace);
  const auto track = writer.AddTrack({.kind = trace::TrackKind::kHost, .name = "board"});
  for (const std::int64_t ms : {10, 20, 30}) {
    writer.AddCounter(track, "board.cpu", ms * kMs, 5, "watt");
    writer.AddCounter(track, "board.fan", ms * kMs, 1, "watt");
  }
  EXPECT_THAT(PowerSeriesOf(trace), SizeIs(2));
}

TEST(EnergyTableTest, HasRunsCallsAndLayersOfAPoint) {
  TestExperiment experiment;
  Recording recording;
  // 5 calls of 200 ms, back to back: a layer of 150 ms and one of 50 ms.
  for (std::int64_t i = 0; i < 5; ++i) {
    const auto call = recording.Call(i, i * 200 * kMs, 200 * kMs);
    recording.Layer(call, "conv", i * 200 * kMs, 150 * kMs);
    recording.Layer(call, "relu", i * 200 * kMs + 150 * kMs, 50 * kMs);
  }
  AddPower(recording.trace(), "package-0", 0, std::vector<double>(10, 100.0));
  experiment.AddRun("layer", recording);
  const std::vector<store::EnergyRow> energy = experiment.Match().energy;
  ASSERT_THAT(energy, SizeIs(4));
  EXPECT_EQ(energy[0].scope, "run");
  EXPECT_EQ(energy[1].scope, "call");
  EXPECT_EQ(energy[1].spans, 5);
  EXPECT_DOUBLE_EQ(energy[1].energy_joules.value(), 100);
  EXPECT_EQ(energy[2].layer_index, 0);
  EXPECT_DOUBLE_EQ(energy[2].energy_joules.value(), 75);
  EXPECT_DOUBLE_EQ(energy[2].confidence, (100 + 50 * 0.5) / 150);
  // 50 ms of 100 at a time: 2.5 intervals in all.
  EXPECT_EQ(energy[3].energy_joules, std::nullopt);
  EXPECT_THAT(energy[3].reason, Optional(HasSubstr("too short")));
}

TEST(EnergyTableTest, HasThePhasesOfTrainingSteps) {
  TestExperiment experiment;
  Recording recording;
  for (std::int64_t i = 0; i < 4; ++i) {
    const auto step =
        recording.Add(trace::Level::kModel, "train", "step", i * 400 * kMs, 400 * kMs, 0);
    recording.Add(trace::Level::kApplication, "range", "forward", i * 400 * kMs, 100 * kMs, step);
    recording.Add(trace::Level::kApplication, "range", "backward", i * 400 * kMs + 100 * kMs,
                  300 * kMs, step);
  }
  std::vector<double> watts;
  for (int i = 0; i < 4; ++i) watts.insert(watts.end(), {40.0, 100.0, 100.0, 100.0});
  AddPower(recording.trace(), "package-0", 0, watts);
  experiment.AddRun("recorded", recording);
  const std::vector<store::EnergyRow> energy = experiment.Match().energy;
  std::map<std::string, double> joules;
  for (const store::EnergyRow& row : energy)
    if (row.scope == "phase") joules[row.name] = row.energy_joules.value();
  ASSERT_THAT(joules, SizeIs(2));
  EXPECT_DOUBLE_EQ(joules["forward"], 4 * 4.0);
  EXPECT_DOUBLE_EQ(joules["backward"], 4 * 30.0);
}

TEST(EnergyTableTest, IsEmptyWithoutPower) {
  TestExperiment experiment;
  Recording recording;
  recording.Call(0, 0, 100);
  experiment.AddRun("model", recording);
  EXPECT_THAT(experiment.Match().energy, IsEmpty());
}

}  // namespace
}  // namespace xsp::match
