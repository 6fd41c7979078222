#include "report/ranks.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>

#include "report/rows.h"
#include "report/run_tracks.h"

namespace xsp::report {
namespace {

using nlohmann::json;

/// One device of one rank; device -1: a rank without one.
using Key = std::pair<std::int64_t, std::int64_t>;

/// Time of compute, of communication without it, of copies without either.
constexpr std::array<const char*, 3> kActivities = {"compute", "communication", "copy"};
using Times = std::array<double, 3>;

struct Row {
  std::int64_t kernels = 0, first_ns = 0, last_ns = 0;
  Times total{};
  std::vector<Times> strip;
};

/// By stretch of time, how long a device does an activity or one that comes before it in
/// kActivities (`up_to_0`, ...): each kernel adds what it has beyond the latest end seen. Kernels
/// are cut at the stretches first, as a running maximum over few rows is cheap. Names of
/// communication libraries as in timeline/activity.cc.
Result<Rows> ReadActivity(const store::Database& database, std::int64_t run_id,
                          std::int64_t start_ns, std::int64_t stretch_ns) {
  return Rows::Of(database, fmt::format(R"(
      WITH known AS (
        SELECT name, regexp_matches(name, '(?i)nccl|rccl|oneccl|msccl|nvshmem|internode::dispatch|internode::combine|cross_device_reduce|quickreduce|oneshotallreduce|one_shot_all_reduce') AS communicates
        FROM (SELECT DISTINCT name FROM span WHERE run_id = {run} AND level = 'kernel')),
      kernel_span AS (
        SELECT t.rank, coalesce(t.device, -1) AS device, s.start_ns - {start} AS start_ns,
               s.start_ns - {start} + s.duration_ns AS end_ns,
               CASE WHEN s.type IN ('memcpy', 'memset') THEN 2 WHEN communicates THEN 1 ELSE 0 END AS activity
        FROM span s JOIN track t ON t.run_id = s.run_id AND t.id = s.track_id JOIN known ON known.name = s.name
        WHERE s.run_id = {run} AND s.level = 'kernel' AND s.duration_ns > 0 AND t.rank IS NOT NULL
          AND NOT coalesce(t.is_reference, false)),
      part AS (
        SELECT rank, device, activity, stretch, greatest(start_ns, stretch * {length}) AS start_ns,
               least(end_ns, (stretch + 1) * {length}) AS end_ns
        FROM (SELECT *, unnest(range(start_ns // {length}, (end_ns - 1) // {length} + 1)) AS stretch
              FROM kernel_span)),
      seen AS (
        SELECT *, coalesce(max(CASE WHEN activity = 0 THEN end_ns END) OVER before, 0) AS seen_0,
               coalesce(max(CASE WHEN activity <= 1 THEN end_ns END) OVER before, 0) AS seen_1,
               coalesce(max(end_ns) OVER before, 0) AS seen_2
        FROM part
        WINDOW before AS (PARTITION BY rank, device, stretch ORDER BY start_ns, end_ns DESC
                          ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING))
      SELECT rank, device, stretch,
             coalesce(sum(greatest(0, end_ns - greatest(start_ns, seen_0))) FILTER (WHERE activity = 0), 0)::BIGINT AS up_to_0,
             coalesce(sum(greatest(0, end_ns - greatest(start_ns, seen_1))) FILTER (WHERE activity <= 1), 0)::BIGINT AS up_to_1,
             sum(greatest(0, end_ns - greatest(start_ns, seen_2)))::BIGINT AS up_to_2
      FROM seen GROUP BY ALL)",
                                        fmt::arg("run", run_id), fmt::arg("start", start_ns),
                                        fmt::arg("length", stretch_ns)));
}

/// First start, last end and number of kernels of every device of every rank.
Result<std::map<Key, Row>> ReadRows(const store::Database& database, std::int64_t run_id) {
  XSP_TRY(const Rows rows, Rows::Of(database, fmt::format(R"(
      SELECT t.rank, coalesce(t.device, -1) AS device, count(*) AS kernels, min(s.start_ns) AS first_ns,
             max(s.start_ns + s.duration_ns) AS last_ns
      FROM span s JOIN track t ON t.run_id = s.run_id AND t.id = s.track_id
      WHERE s.run_id = {} AND s.level = 'kernel' AND s.duration_ns > 0 AND t.rank IS NOT NULL
        AND NOT coalesce(t.is_reference, false) GROUP BY ALL)",
                                                          run_id)));
  std::map<Key, Row> found;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    Row& row = found[{rows.Integer(i, "rank"), rows.Integer(i, "device")}];
    row.kernels = rows.Integer(i, "kernels");
    row.first_ns = rows.Integer(i, "first_ns");
    row.last_ns = rows.Integer(i, "last_ns");
  }
  return found;
}

Result<std::map<std::int64_t, std::pair<std::int64_t, double>>> StepsByRank(
    const store::Database& database, std::int64_t run_id) {
  XSP_TRY(const Rows rows, Rows::Of(database, fmt::format(R"(
      SELECT t.rank, count(*) AS steps, avg(s.duration_ns) AS mean_ns
      FROM span s JOIN track t ON t.run_id = s.run_id AND t.id = s.track_id
      WHERE s.run_id = {} AND s.level = 'application' AND s.type = 'step' AND s.duration_ns > 0
        AND t.rank IS NOT NULL AND NOT coalesce(t.is_reference, false) GROUP BY ALL)",
                                                          run_id)));
  std::map<std::int64_t, std::pair<std::int64_t, double>> steps;
  for (std::size_t i = 0; i < rows.size(); ++i)
    steps[rows.Integer(i, "rank")] = {rows.Integer(i, "steps"), rows.Number(i, "mean_ns")};
  return steps;
}

json RowJson(const Key& key, const Row& row, std::int64_t start_ns, std::int64_t stretch_ns) {
  json out{{"rank", key.first},
           {"device", key.second < 0 ? json(nullptr) : json(key.second)},
           {"kernels", row.kernels},
           {"first_ns", row.first_ns - start_ns},
           {"last_ns", row.last_ns - start_ns},
           {"strip", json::object()}};
  for (std::size_t activity = 0; activity < kActivities.size(); ++activity) {
    out[fmt::format("{}_ns", kActivities[activity])] = row.total[activity];
    json parts = json::array();
    for (const Times& times : row.strip)
      parts.push_back(std::llround(1000 * times[activity] / static_cast<double>(stretch_ns)));
    out["strip"][kActivities[activity]] = std::move(parts);
  }
  return out;
}

}  // namespace

Result<json> Ranks(const store::Database& database, std::int64_t point_id, std::int64_t run_id,
                   std::size_t most_rows, json& cuts) {
  XSP_TRY(auto rows, ReadRows(database, run_id));
  std::set<std::int64_t> ranks;
  std::int64_t start_ns = 0, end_ns = 0;
  for (const auto& [key, row] : rows) {
    start_ns = ranks.empty() ? row.first_ns : std::min(start_ns, row.first_ns);
    end_ns = ranks.empty() ? row.last_ns : std::max(end_ns, row.last_ns);
    ranks.insert(key.first);
  }
  if (ranks.size() < 2) return json(nullptr);

  const std::size_t all = rows.size();
  while (rows.size() > most_rows) rows.erase(std::prev(rows.end()));
  // As many numbers in all whatever the number of ranks.
  const auto stretches =
      std::clamp<std::int64_t>(static_cast<std::int64_t>(12'000 / rows.size()), 100, 400);
  const std::int64_t stretch_ns = (end_ns - start_ns) / stretches + 1;
  for (auto& [key, row] : rows) row.strip.resize(static_cast<std::size_t>(stretches));
  XSP_TRY(const Rows activity, ReadActivity(database, run_id, start_ns, stretch_ns));
  for (std::size_t i = 0; i < activity.size(); ++i) {
    const auto row = rows.find({activity.Integer(i, "rank"), activity.Integer(i, "device")});
    if (row == rows.end()) continue;
    Times& times = row->second.strip.at(static_cast<std::size_t>(activity.Integer(i, "stretch")));
    double before = 0;
    for (std::size_t up_to = 0; up_to < times.size(); ++up_to) {
      const double now = activity.Number(i, fmt::format("up_to_{}", up_to));
      times[up_to] = now - before;
      row->second.total[up_to] += now - before;
      before = now;
    }
  }
  XSP_TRY(const auto steps, StepsByRank(database, run_id));
  json list = json::array();
  for (const auto& [key, row] : rows) {
    json item = RowJson(key, row, start_ns, stretch_ns);
    const auto found = steps.find(key.first);
    item["steps"] = found == steps.end() ? 0 : found->second.first;
    item["step_ns"] = found == steps.end() ? json(nullptr) : json(found->second.second);
    list.push_back(std::move(item));
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
              {"duration_ns", end_ns - start_ns},
              {"stretch_ns", stretch_ns},
              {"rows", std::move(list)}};
}

Result<json> RanksOfRuns(const store::Database& database, std::size_t most_rows, json& cuts) {
  XSP_TRY(const Rows runs,
          Rows::Of(database,
                   "SELECT point_id, run_id FROM run WHERE status <> 'failed' AND rung = "
                   "'imported' ORDER BY run_id"));
  json list = json::array();
  for (std::size_t i = 0; i < runs.size(); ++i) {
    XSP_TRY(json ranks, Ranks(database, runs.Integer(i, "point_id"), runs.Integer(i, "run_id"),
                              most_rows, cuts));
    if (!ranks.is_null()) list.push_back(std::move(ranks));
  }
  return list;
}

}  // namespace xsp::report
