#include "answer/compare_page/side_details.h"

#include <fmt/format.h>

#include <string>
#include <utility>

#include "answer/report/columns_json.h"
#include "answer/report/rows.h"
#include "answer/report/timeline.h"

namespace xsp::compare_page {
namespace {

using nlohmann::json;
using report::Rows;

/// The rows of `sql` with a time, FLOPs and bytes, the longest first, and how many there are in
/// all, with their time.
Result<json> WorkJson(const store::Database& database, const std::string& sql, std::size_t most) {
  XSP_TRY(const Rows all,
          Rows::Of(database, fmt::format("SELECT count(*) AS n, sum(time_ns)::DOUBLE AS time_ns "
                                         "FROM ({}) WHERE time_ns > 0",
                                         sql)));
  XSP_TRY(const store::Table table,
          database.Query(fmt::format("SELECT * FROM ({}) WHERE time_ns > 0 AND flops > 0 AND "
                                     "bytes > 0 ORDER BY time_ns DESC, name LIMIT {}",
                                     sql, most)));
  return json{
      {"rows", report::ColumnsJson(table, report::Repeats::kOnce)},
      {"total", all.Integer(0, "n")},
      {"total_ns", all.IsNull(0, "time_ns") ? json(nullptr) : json(all.Number(0, "time_ns"))}};
}

Result<json> KernelsJson(const store::Database& database, std::int64_t point_id, std::size_t most) {
  return WorkJson(database,
                  fmt::format(R"(
      SELECT k.name, coalesce(l.path, l.name) AS layer, k.duration_ns AS time_ns, k.flops,
             coalesce(k.read_bytes, 0) + coalesce(k.write_bytes, 0) AS bytes, k.dtype, k.unit
      FROM kernel k LEFT JOIN layer l ON l.point_id = k.point_id AND l.layer_index = k.layer_index
      WHERE k.point_id = {})",
                              point_id),
                  most);
}

Result<json> LayersJson(const store::Database& database, std::int64_t point_id, std::size_t most) {
  return WorkJson(database,
                  fmt::format(R"(
      SELECT coalesce(path, name) AS name, type AS layer, kernel_ns AS time_ns, flops,
             coalesce(read_bytes, 0) + coalesce(write_bytes, 0) AS bytes, dtype, NULL::VARCHAR AS unit
      FROM layer WHERE point_id = {})",
                              point_id),
                  most);
}

Result<json> RoofsJson(const store::Database& database) {
  XSP_TRY(const store::Table table,
          database.Query("SELECT kind, name, dtype, unit, cores, value, provenance, used FROM roof "
                         "WHERE used ORDER BY kind DESC, value DESC"));
  return report::ColumnsJson(table);
}

/// Idle time of all devices by cause, ns per step (of the whole run where it has no steps). While
/// the host had not launched, it is to blame; what it had launched waited for something else.
Result<json> IdleCauses(const store::Database& database, std::int64_t run_id) {
  XSP_TRY(const Rows rows, Rows::Of(database, fmt::format(R"(
      WITH own AS (SELECT * FROM idle WHERE run_id = {0} AND stream IS NULL),
      chosen AS (SELECT * FROM own WHERE (step IS NOT NULL) = (SELECT bool_or(step IS NOT NULL) FROM own)),
      steps AS (
        SELECT count(DISTINCT (coalesce(rank, -1), coalesce(step, -1))) AS n FROM device_time
        WHERE run_id = {0} AND (step IS NOT NULL) =
          (SELECT bool_or(step IS NOT NULL) FROM device_time WHERE run_id = {0})),
      part AS (
        SELECT cause, idle_ns - CASE WHEN cause = 'host' THEN coalesce(launched_ns, 0) ELSE 0 END AS ns FROM chosen
        UNION ALL
        SELECT 'other', launched_ns FROM chosen WHERE cause = 'host')
      SELECT cause, sum(ns)::DOUBLE / nullif((SELECT n FROM steps), 0) AS idle_ns FROM part
      GROUP BY cause HAVING sum(ns) > 0 ORDER BY idle_ns DESC, cause)",
                                                          run_id)));
  json causes = json::array();
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (!rows.IsNull(i, "idle_ns"))
      causes.push_back({{"cause", rows.Text(i, "cause")}, {"idle_ns", rows.Number(i, "idle_ns")}});
  return causes;
}

}  // namespace

Result<json> SideDetails(const store::Database& database, std::int64_t point_id,
                         std::int64_t run_id, const SideLimits& limits) {
  json details;
  XSP_TRY(details["roofs"], RoofsJson(database));
  XSP_TRY(details["kernels"], KernelsJson(database, point_id, limits.work));
  XSP_TRY(details["layers"], LayersJson(database, point_id, limits.work));
  XSP_TRY(details["idle_causes"], IdleCauses(database, run_id));
  json cuts = json::array();
  XSP_TRY(details["timeline"],
          report::CallTimeline(database, point_id, run_id, limits.spans, cuts));
  details["timeline_cut"] = cuts.empty() ? json(nullptr) : cuts.front().at("text");
  return details;
}

}  // namespace xsp::compare_page
