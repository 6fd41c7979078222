#include "derive/history/last_two.h"

#include <fmt/format.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <utility>
#include <variant>

#include "core/change_points.h"
#include "derive/compare/latency.h"
#include "derive/compare/measured_points.h"
#include "derive/compare/verdict.h"
#include "derive/history/session_sources.h"
#include "store/many_experiments.h"
#include "store/typed_table.h"

namespace xsp::history {
namespace {

namespace fs = std::filesystem;

/// Tables of calls by experiment.
using Tables = std::map<std::size_t, compare::MeasuredTables>;

template <typename Row>
Status AddRows(store::ManyExperiments& experiments,
               std::vector<Row> compare::MeasuredTables::*member, Tables& tables) {
  XSP_TRY(const store::Table read,
          experiments.Query({Row::kTable}, fmt::format("SELECT * FROM {}", Row::kTable)));
  XSP_TRY(std::vector<Row> rows, store::ToRows<Row>(read));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto experiment = static_cast<std::size_t>(std::get<std::int64_t>(read.rows[i][0]));
    (tables[experiment].*member).push_back(std::move(rows[i]));
  }
  return Ok{};
}

LastTwo Compare(const Entry& older, const Entry& newer, const compare::MeasuredTables& old_calls,
                const compare::MeasuredTables& new_calls, const Metric& metric,
                const compare::SessionNoise& sessions) {
  const auto a = compare::ModelCalls(old_calls, older.point_id);
  const auto b = compare::ModelCalls(new_calls, newer.point_id);
  const bool is_time = metric.kind == Metric::Kind::kLatency;
  const core::ProcessRatio found = compare::WidenedBySessions(
      is_time ? compare::LatencyRatio(b, a) : compare::LatencyRatio(a, b), sessions);
  LastTwo last{found.ratio, ""};
  switch (compare::Judge(found, found.p, {})) {
    case compare::Verdict::kFaster:
      last.verdict = "lower";
      break;
    case compare::Verdict::kSlower:
      last.verdict = "higher";
      break;
    case compare::Verdict::kUnknownNoise:
      last.verdict = "unknown_noise";
      return last;
    default:
      last.verdict = "no_difference";
      return last;
  }
  // What else ran then may be all of the difference.
  if (older.was_busy.value_or(false) || newer.was_busy.value_or(false))
    last.verdict = "inconclusive";
  return last;
}

}  // namespace

Result<std::vector<std::optional<LastTwo>>> CompareLastTwo(const History& history) {
  std::vector<std::optional<LastTwo>> all(history.series.size());
  const Metric::Kind kind = history.metric.kind;
  if (kind != Metric::Kind::kLatency && kind != Metric::Kind::kThroughput) return all;
  std::vector<fs::path> experiments;
  std::map<fs::path, std::size_t> places;
  const auto is_compared = [](const Series& series) {
    return series.entries.size() >= 2 && series.entries.size() < core::kMinValuesForChange;
  };
  for (const Series& series : history.series) {
    if (!is_compared(series)) continue;
    for (std::size_t i = series.entries.size() - 2; i < series.entries.size(); ++i)
      if (places.try_emplace(series.entries[i].path, experiments.size()).second)
        experiments.push_back(series.entries[i].path);
  }
  if (experiments.empty()) return all;
  Tables tables;
  XSP_TRY(auto opened, store::ManyExperiments::Open(std::move(experiments)));
  XSP_RETURN_IF_ERROR(AddRows(opened, &compare::MeasuredTables::point, tables));
  XSP_RETURN_IF_ERROR(AddRows(opened, &compare::MeasuredTables::run, tables));
  XSP_RETURN_IF_ERROR(AddRows(opened, &compare::MeasuredTables::sample, tables));
  for (std::size_t i = 0; i < all.size(); ++i) {
    const std::vector<Entry>& entries = history.series[i].entries;
    if (!is_compared(history.series[i])) continue;
    const Entry &older = entries[entries.size() - 2], &newer = entries.back();
    const auto& old_calls = tables[places[older.path]];
    const auto& new_calls = tables[places[newer.path]];
    if (old_calls.sample.empty() || new_calls.sample.empty()) continue;
    all[i] = Compare(older, newer, old_calls, new_calls, history.metric,
                     NoiseOfSeries(history.series[i], std::array{older.path, newer.path}));
  }
  return all;
}

}  // namespace xsp::history
