#include "derive/history/changes.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "capture/collect/stack_difference.h"
#include "core/change_points.h"

namespace xsp::history {
namespace {

/// The values of a segment that tell its level: of experiments on a machine that was not busy, if
/// there are enough of them.
std::vector<double> LevelValues(const Series& series, std::size_t begin, std::size_t end) {
  std::vector<double> all, quiet;
  for (std::size_t i = begin; i < end; ++i) {
    const Entry& entry = series.entries[i];
    all.push_back(entry.value);
    if (!entry.was_busy.value_or(false)) quiet.push_back(entry.value);
  }
  return quiet.size() >= core::kMinSegment ? quiet : all;
}

Segment SegmentOf(const Series& series, std::size_t begin, std::size_t end) {
  Segment segment{begin, end, {}, 0};
  for (std::size_t i = begin; i < end; ++i)
    if (series.entries[i].was_busy.value_or(false)) ++segment.busy;
  std::vector<double> logs;
  for (const double value : LevelValues(series, begin, end)) logs.push_back(std::log(value));
  const core::Estimate level = core::StudentMean(logs);
  segment.level = {std::exp(level.centre),
                   {std::exp(level.interval.low), std::exp(level.interval.high)},
                   level.units};
  return segment;
}

/// An experiment is one unit: its processes share what the machine was like that day.
core::ProcessRatio RatioOf(const Series& series, const Segment& before, const Segment& after) {
  const auto units = [&](const Segment& segment) {
    std::vector<std::vector<double>> all;
    for (const double value : LevelValues(series, segment.begin, segment.end))
      all.push_back({value});
    return all;
  };
  return core::CompareProcesses(units(after), units(before));
}

ChangeVerdict Judge(const core::Interval& interval, const Segment& before, const Segment& after,
                    bool lower_is_better) {
  if (before.WasBusy() || after.WasBusy()) return ChangeVerdict::kBusy;
  const bool is_higher = interval.low > 1, is_lower = interval.high < 1;
  if (!is_higher && !is_lower) return ChangeVerdict::kSpread;
  return is_lower == lower_is_better ? ChangeVerdict::kBetter : ChangeVerdict::kWorse;
}

std::string_view ValueOf(const std::vector<collect::Fact>& facts, std::string_view key) {
  for (const collect::Fact& fact : facts)
    if (fact.key == key) return fact.value;
  return {};
}

bool AllHave(const Series& series, const Segment& segment, std::string_view key,
             std::string_view value) {
  return std::all_of(series.entries.begin() + static_cast<std::ptrdiff_t>(segment.begin),
                     series.entries.begin() + static_cast<std::ptrdiff_t>(segment.end),
                     [&](const Entry& entry) { return ValueOf(entry.facts, key) == value; });
}

void AddStack(const Series& series, const Segment& before, const Segment& after,
              std::span<const CollectorSpec* const> collectors, Change& change) {
  const auto& old_facts = series.entries[before.end - 1].facts;
  const auto& new_facts = series.entries[after.begin].facts;
  change.knows_stack = !old_facts.empty() && !new_facts.empty();
  if (!change.knows_stack) return;
  const collect::StackDifference difference =
      collect::Compare(old_facts, new_facts,
                       [&](std::string_view key) { return collect::IsMomentary(key, collectors); });
  for (const collect::FactDifference& fact : difference.differing) {
    StackChange& one = change.stack.emplace_back();
    one.key = fact.a.key;
    one.before = fact.a.value;
    one.after = fact.b.value;
    one.lasts =
        AllHave(series, before, one.key, one.before) && AllHave(series, after, one.key, one.after);
  }
  std::stable_partition(change.stack.begin(), change.stack.end(),
                        [](const StackChange& one) { return one.lasts; });
}

}  // namespace

std::string_view ToString(ChangeVerdict verdict) {
  switch (verdict) {
    case ChangeVerdict::kWorse:
      return "worse";
    case ChangeVerdict::kBetter:
      return "better";
    case ChangeVerdict::kSpread:
      return "spread";
    case ChangeVerdict::kBusy:
      return "busy";
  }
  return "";
}

Changes FindChanges(const Series& series, const Metric& metric,
                    std::span<const CollectorSpec* const> collectors) {
  std::vector<double> logs;
  for (const Entry& entry : series.entries) logs.push_back(std::log(entry.value));
  const std::vector<core::ChangePoint> points = core::FindChangePoints(logs);
  Changes found;
  std::size_t begin = 0;
  for (const core::ChangePoint& point : points) {
    found.segments.push_back(SegmentOf(series, begin, point.at));
    begin = point.at;
  }
  found.segments.push_back(SegmentOf(series, begin, series.entries.size()));
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Segment &before = found.segments[i], &after = found.segments[i + 1];
    Change& change = found.changes.emplace_back();
    change.at = points[i].at;
    change.p = points[i].p;
    change.ratio = RatioOf(series, before, after).ratio;
    change.verdict = Judge(change.ratio.interval, before, after, metric.LowerIsBetter());
    AddStack(series, before, after, collectors, change);
  }
  return found;
}

}  // namespace xsp::history
