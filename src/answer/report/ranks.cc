#include "answer/report/ranks.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "answer/report/rows.h"

namespace xsp::report {
namespace {

using nlohmann::json;

/// One device of one rank; device -1: it has no number.
using Key = std::pair<std::int64_t, std::int64_t>;

/// Time of compute, of communication without it, of copies without either.
constexpr std::array<const char*, 3> kActivities = {"compute", "communication", "copy"};

struct Row {
  std::int64_t kernels = 0, first_ns = 0, last_ns = 0;
  std::array<double, 3> total{};
  std::array<std::map<std::int64_t, double>, 3> strip;  ///< By segment, ns.
};

Result<std::map<Key, Row>> ReadRows(const store::Database& database, std::int64_t run_id) {
  XSP_TRY(const Rows rows, Rows::Of(database, fmt::format(R"(
      SELECT rank, coalesce(device, -1) AS device, spans, start_ns, start_ns + total_ns AS end_ns,
             compute_ns, exposed_communication_ns, exposed_copy_ns
      FROM device_time WHERE run_id = {} AND step IS NULL AND rank IS NOT NULL)",
                                                          run_id)));
  std::map<Key, Row> found;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    found[{rows.Integer(i, "rank"), rows.Integer(i, "device")}] = {
        rows.Integer(i, "spans"),
        rows.Integer(i, "start_ns"),
        rows.Integer(i, "end_ns"),
        {rows.Number(i, "compute_ns"), rows.Number(i, "exposed_communication_ns"),
         rows.Number(i, "exposed_copy_ns")},
        {}};
  }
  return found;
}

struct Axis {
  std::int64_t start_ns = 0, length_ns = 1, segments = 0;
};

/// Fills the strips of `rows`.
Result<Axis> ReadStrips(const store::Database& database, std::int64_t run_id,
                        std::map<Key, Row>& rows) {
  XSP_TRY(const Rows parts, Rows::Of(database, fmt::format(R"(
      SELECT rank, coalesce(device, -1) AS device, stretch, start_ns, length_ns, compute_ns,
             communication_ns, copy_ns
      FROM device_strip WHERE run_id = {})",
                                                           run_id)));
  Axis axis;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const std::int64_t stretch = parts.Integer(i, "stretch");
    axis.length_ns = parts.Integer(i, "length_ns");
    axis.start_ns = parts.Integer(i, "start_ns") - stretch * axis.length_ns;
    axis.segments = std::max(axis.segments, stretch + 1);
    const auto row = rows.find({parts.Integer(i, "rank"), parts.Integer(i, "device")});
    if (row == rows.end()) continue;
    for (std::size_t activity = 0; activity < kActivities.size(); ++activity)
      row->second.strip[activity][stretch] =
          parts.Number(i, fmt::format("{}_ns", kActivities[activity]));
  }
  return axis;
}

/// Number of steps and their mean, by rank.
Result<std::map<std::int64_t, std::pair<std::int64_t, double>>> StepsByRank(
    const store::Database& database, std::int64_t run_id) {
  XSP_TRY(const Rows rows, Rows::Of(database, fmt::format(R"(
      SELECT rank, count(*) AS steps, avg(duration_ns) AS mean_ns
      FROM step WHERE run_id = {} AND rank IS NOT NULL GROUP BY rank)",
                                                          run_id)));
  std::map<std::int64_t, std::pair<std::int64_t, double>> steps;
  for (std::size_t i = 0; i < rows.size(); ++i)
    steps[rows.Integer(i, "rank")] = {rows.Integer(i, "steps"), rows.Number(i, "mean_ns")};
  return steps;
}

json RowJson(const Key& key, const Row& row, const Axis& axis) {
  json out{{"rank", key.first},
           {"device", key.second < 0 ? json(nullptr) : json(key.second)},
           {"kernels", row.kernels},
           {"first_ns", row.first_ns - axis.start_ns},
           {"last_ns", row.last_ns - axis.start_ns},
           {"strip", json::object()}};
  for (std::size_t activity = 0; activity < kActivities.size(); ++activity) {
    out[fmt::format("{}_ns", kActivities[activity])] = row.total[activity];
    std::vector<long long> parts(static_cast<std::size_t>(axis.segments));
    for (const auto& [stretch, ns] : row.strip[activity])
      parts[static_cast<std::size_t>(stretch)] =
          std::llround(1000 * ns / static_cast<double>(axis.length_ns));
    out["strip"][kActivities[activity]] = parts;
  }
  return out;
}

}  // namespace

Result<json> Ranks(const store::Database& database, std::int64_t point_id, std::int64_t run_id,
                   std::size_t most_rows, json& cuts) {
  XSP_TRY(auto rows, ReadRows(database, run_id));
  std::set<std::int64_t> ranks;
  for (const auto& [key, row] : rows) ranks.insert(key.first);
  if (ranks.size() < 2) return json(nullptr);
  const std::size_t all = rows.size();
  while (rows.size() > most_rows) rows.erase(std::prev(rows.end()));
  XSP_TRY(const Axis axis, ReadStrips(database, run_id, rows));
  XSP_TRY(const auto steps, StepsByRank(database, run_id));
  json list = json::array();
  std::int64_t end_ns = axis.start_ns;
  for (const auto& [key, row] : rows) {
    json item = RowJson(key, row, axis);
    const auto found = steps.find(key.first);
    item["steps"] = found == steps.end() ? 0 : found->second.first;
    item["step_ns"] = found == steps.end() ? json(nullptr) : json(found->second.second);
    list.push_back(std::move(item));
    end_ns = std::max(end_ns, row.last_ns);
  }
  if (all > rows.size())
    cuts.push_back(
        {{"table", "ranks"},
         {"shown", rows.size()},
         {"total", all},
         {"text", fmt::format("The first {} of {} devices; all: `xsp query RUN 'SELECT * "
                              "FROM device_time'`.",
                              rows.size(), all)}});
  return json{{"point_id", point_id},
              {"run_id", run_id},
              {"duration_ns", end_ns - axis.start_ns},
              {"stretch_ns", axis.length_ns},
              {"rows", std::move(list)}};
}

Result<json> RanksOfRuns(const store::Database& database, std::size_t most_rows, json& cuts) {
  XSP_TRY(const Rows runs,
          Rows::Of(database,
                   "SELECT point_id, run_id FROM run WHERE status <> 'failed' AND rung IN "
                   "('imported', 'recorded') ORDER BY run_id"));
  json list = json::array();
  for (std::size_t i = 0; i < runs.size(); ++i) {
    XSP_TRY(json ranks, Ranks(database, runs.Integer(i, "point_id"), runs.Integer(i, "run_id"),
                              most_rows, cuts));
    if (!ranks.is_null()) list.push_back(std::move(ranks));
  }
  return list;
}

}  // namespace xsp::report
