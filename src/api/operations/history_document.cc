#include "api/operations/history_document.h"

#include <cmath>
#include <cstddef>
#include <utility>

#include "core/change_points.h"
#include "core/json_text.h"

namespace xsp::api {
namespace {

using history::AnalysedHistory;
using history::Changes;
using history::Entry;
using history::Segment;
using history::Series;
using nlohmann::json;

json NumberOrNull(double value) { return std::isfinite(value) ? json(value) : json(); }

json TextOrNull(const std::string& text) { return text.empty() ? json() : json(text); }

json Flags(const Entry& entry) {
  json flags = json::array();
  if (entry.was_busy.value_or(false)) flags.push_back("busy");
  if (!entry.has_own_date) flags.push_back("date_of_file");
  if (entry.is_in_future) flags.push_back("date_in_future");
  return flags;
}

json EntriesOf(const Series& series, const Changes& changes) {
  json entries = json::array();
  for (std::size_t i = 0; i < series.entries.size(); ++i) {
    const Entry& entry = series.entries[i];
    const std::size_t segment = history::SegmentOf(changes, i);
    const json change =
        segment == 0 ? json() : json(entry.value / changes.segments[segment - 1].level.centre - 1);
    entries.push_back({{"experiment", entry.experiment},
                       {"created", entry.created},
                       {"point", entry.point_id},
                       {"value", entry.value},
                       {"low", NumberOrNull(entry.low)},
                       {"high", NumberOrNull(entry.high)},
                       {"processes", entry.processes},
                       {"segment", segment + 1},
                       {"change", change},
                       {"flags", Flags(entry)}});
  }
  return entries;
}

json SegmentsOf(const Series& series, const Changes& changes) {
  json segments = json::array();
  for (const Segment& segment : changes.segments)
    segments.push_back({{"from", series.entries[segment.begin].experiment},
                        {"to", series.entries[segment.end - 1].experiment},
                        {"experiments", segment.size()},
                        {"level", NumberOrNull(segment.level.centre)},
                        {"low", NumberOrNull(segment.level.interval.low)},
                        {"high", NumberOrNull(segment.level.interval.high)},
                        {"busy", segment.busy}});
  return segments;
}

json ChangesOf(const Series& series, const Changes& changes) {
  json all = json::array();
  for (const history::Change& change : changes.changes) {
    const Entry &before = series.entries[change.at - 1], &after = series.entries[change.at];
    json stack = json::array();
    for (const history::StackChange& one : change.stack)
      stack.push_back({{"key", one.key},
                       {"before", TextOrNull(one.before)},
                       {"after", TextOrNull(one.after)},
                       {"lasts", one.lasts}});
    all.push_back({{"before", before.experiment},
                   {"after", after.experiment},
                   {"ratio", NumberOrNull(change.ratio.centre)},
                   {"low", NumberOrNull(change.ratio.interval.low)},
                   {"high", NumberOrNull(change.ratio.interval.high)},
                   {"p", change.p},
                   {"verdict", history::ToString(change.verdict)},
                   {"stack", change.knows_stack ? std::move(stack) : json()},
                   {"command", history::CompareCommand(before, after)}});
  }
  return all;
}

json LastTwoOf(const Series& series, const std::optional<history::LastTwo>& last) {
  const std::size_t count = series.entries.size();
  if (count < 2 || count >= core::kMinValuesForChange) return {};
  const Entry &older = series.entries[count - 2], &newer = series.entries[count - 1];
  json document = {{"before", older.experiment},
                   {"after", newer.experiment},
                   {"verdict", json()},
                   {"ratio", json()},
                   {"low", json()},
                   {"high", json()},
                   {"command", history::CompareCommand(older, newer)}};
  if (!last) return document;
  document["verdict"] = last->verdict;
  document["ratio"] = NumberOrNull(last->ratio.centre);
  document["low"] = NumberOrNull(last->ratio.interval.low);
  document["high"] = NumberOrNull(last->ratio.interval.high);
  return document;
}

json SeriesDocument(const Series& series, const Changes& changes,
                    const std::optional<history::LastTwo>& last) {
  const history::SeriesKey& key = series.key;
  const json settings = core::ParseJson(key.settings);
  const std::size_t count = series.entries.size();
  const std::size_t missing =
      count < core::kMinValuesForChange ? core::kMinValuesForChange - count : 0;
  return {{"title", history::TitleOf(key)},
          {"backend", key.backend},
          {"device", key.device},
          {"precision", key.precision},
          {"batch", key.batch ? json(*key.batch) : json()},
          {"settings", settings.is_discarded() ? json(key.settings) : settings},
          {"machine", key.machine},
          {"entries", EntriesOf(series, changes)},
          {"segments", SegmentsOf(series, changes)},
          {"changes", ChangesOf(series, changes)},
          {"experiments_missing", missing},
          {"last_two", LastTwoOf(series, last)}};
}

}  // namespace

json HistoryDocument(const std::string& model, const AnalysedHistory& analysed) {
  const history::History& history = analysed.history;
  json series = json::array(), left_out = json::array();
  for (std::size_t i = 0; i < history.series.size(); ++i)
    series.push_back(SeriesDocument(history.series[i], analysed.changes[i], analysed.last_two[i]));
  for (const history::LeftOut& one : history.left_out)
    left_out.push_back({{"experiment", one.experiment},
                        {"created", TextOrNull(one.created)},
                        {"reason", one.reason}});
  return {{"model", model},
          {"metric", history.metric.Name()},
          {"unit", history.metric.Unit()},
          {"lower_is_better", history.metric.LowerIsBetter()},
          {"series", std::move(series)},
          {"left_out", std::move(left_out)}};
}

}  // namespace xsp::api
