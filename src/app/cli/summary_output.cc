#include "app/cli/summary_output.h"

#include <fmt/format.h>

#include "answer/wording/quantity.h"
#include "app/cli/output.h"

namespace xsp::cli {
namespace {

Status PrintTable(const store::Database& database, const std::string& heading,
                  const std::string& sql, const std::vector<xsp::report::TerminalColumn>& columns) {
  XSP_TRY(const store::Table table, database.Query(sql));
  if (table.rows.empty()) return Ok{};
  PrintLine(heading);
  PrintLine(xsp::report::RenderTable(columns, table, xsp::report::StyleOfStandardOutput()));
  return Ok{};
}

/// What a scenario found, a sentence for each point.
Status PrintScenarioResults(const store::Database& database) {
  XSP_TRY(const store::Table table, database.Query(R"(
      SELECT p.backend, p.batch, s.scenario,
             max(s.offered_rate) FILTER (WHERE s.chosen), max(s.throughput_per_s) FILTER (WHERE s.chosen),
             any_value(s.percentile), max(s.percentile_ns) FILTER (WHERE s.chosen),
             max(s.estimate_ns) FILTER (WHERE s.chosen), any_value(s.bound_ns)
      FROM scenario s JOIN point p USING (point_id)
      GROUP BY s.point_id, p.backend, p.batch, s.scenario ORDER BY s.point_id)"));
  for (const auto& row : table.rows) {
    const auto number = [&](std::size_t column) {
      if (const auto* value = std::get_if<std::int64_t>(&row[column]))
        return static_cast<double>(*value);
      const auto* value = std::get_if<double>(&row[column]);
      return value != nullptr ? *value : 0.0;
    };
    const auto time = [&](std::size_t column) {
      return xsp::wording::FormatQuantity(number(column), "ns");
    };
    const auto* scenario = std::get_if<std::string>(&row[2]);
    const auto* backend = std::get_if<std::string>(&row[0]);
    if (scenario == nullptr || backend == nullptr) continue;
    std::string found;
    if (*scenario == "offline") {
      found = fmt::format("{} items/s", xsp::wording::Format(number(4), {}));
    } else if (*scenario != "server") {
      found =
          fmt::format("{:g}th percentile {}{}", number(5), time(6),
                      number(7) > 0 ? fmt::format(", not above {} with 99 % confidence", time(7))
                                    : ", of too few queries to be sure of it");
    } else if (number(3) > 0) {
      found = fmt::format("{} queries/s keep the {:g}th percentile under {}",
                          xsp::wording::Format(number(3), {}), number(5), time(8));
    } else {
      found = fmt::format("no rate was found that keeps the {:g}th percentile under {}", number(5),
                          time(8));
    }
    PrintLine(xsp::report::Wrap(fmt::format("- {}, batch {}: {}.", *backend, number(1), found),
                                xsp::report::StyleOfStandardOutput().width, 2));
  }
  return Ok{};
}

/// The columns of one scenario: what it does not have would leave no room for what it has.
Status PrintScenarioTable(const store::Database& database, const std::string& scenario) {
  const std::string from =
      " FROM scenario s JOIN point p USING (point_id) "
      "ORDER BY s.point_id, s.offered_rate NULLS FIRST, s.try_index";
  if (scenario == "offline") {
    return PrintTable(database,
                      "Offline: items over the whole time (gap: the worker between calls)",
                      "SELECT p.backend, p.batch, s.throughput_per_s, s.service_p50_ns, "
                      "s.service_p99_ns, s.gap_ns, s.queries" +
                          from,
                      {{"backend", ""},
                       {"batch", ""},
                       {"throughput", "items/s"},
                       {"call_p50", "ns"},
                       {"call_p99", "ns"},
                       {"gap", "ns"},
                       {"calls", ""}});
  }
  if (scenario != "server") {
    return PrintTable(
        database, "Latency of a query (tail: at the percentile; estimate: its upper end)",
        "SELECT p.backend, p.batch, s.latency_p50_ns, s.percentile_ns, s.estimate_ns, "
        "s.throughput_per_s, s.gap_ns, s.queries, s.percentile" +
            from,
        {{"backend", ""},
         {"batch", ""},
         {"p50", "ns"},
         {"tail", "ns"},
         {"estimate", "ns"},
         {"throughput", "items/s"},
         {"gap", "ns"},
         {"queries", ""},
         {"percentile", ""}});
  }
  return PrintTable(
      database, "Rates tried: latency from arrival to end (tail: at the percentile)",
      "SELECT p.backend, p.batch, "
      "CASE WHEN s.offered_rate IS NULL THEN 'closed loop' "
      "WHEN s.chosen THEN 'highest rate' WHEN s.passed THEN 'kept' "
      "WHEN s.utilisation >= 1 THEN 'overload' ELSE 'too slow' END, "
      "s.offered_rate, s.latency_p50_ns, s.percentile_ns, s.estimate_ns, "
      "s.queue_p99_ns, s.service_p99_ns, s.utilisation, s.throughput_per_s, s.queries, "
      "s.percentile, s.bound_ns" +
          from,
      {{"backend", ""},
       {"batch", ""},
       {"result", ""},
       {"rate", "1/s"},
       {"p50", "ns"},
       {"tail", "ns"},
       {"estimate", "ns"},
       {"queue_p99", "ns"},
       {"call_p99", "ns"},
       {"load", ""},
       {"served", "items/s"},
       {"queries", ""},
       {"percentile", ""},
       {"bound", "ns"}});
}

/// False where the experiment has no scenario.
Result<bool> PrintScenario(const store::Database& database) {
  XSP_TRY(const store::Table table, database.Query("SELECT any_value(scenario) FROM scenario"));
  const auto* scenario =
      table.rows.empty() ? nullptr : std::get_if<std::string>(&table.rows.front().front());
  if (scenario == nullptr) return false;
  XSP_RETURN_IF_ERROR(PrintScenarioTable(database, *scenario));
  XSP_RETURN_IF_ERROR(PrintScenarioResults(database));
  return true;
}

}  // namespace

std::string WithoutCodeMarks(std::string text) {
  std::erase(text, '`');
  return text;
}

Status PrintSummary(const nlohmann::json& summary, const store::Database& database) {
  const xsp::report::TerminalStyle style = xsp::report::StyleOfStandardOutput();
  std::string badges;
  for (const nlohmann::json& badge : summary["badges"]) {
    if (!badges.empty()) badges += "; ";
    badges += badge["id"].get<std::string>() + " " + badge["value"].get<std::string>();
    // "not known" says that it is.
    if (const auto status = badge["status"].get<std::string>(); status != "unknown")
      badges += fmt::format(" ({})", status);
  }
  PrintLine(xsp::report::Wrap(badges, style.width, 2));
  PrintLine("");
  for (const nlohmann::json& sentence : summary["findings"])
    PrintLine(xsp::report::Wrap("- " + sentence.get<std::string>(), style.width, 2));
  if (const int more = summary["findings_left_out"]; more > 0)
    PrintLine(fmt::format("  {} more: xsp findings", more));
  if (!summary["findings"].empty()) PrintLine("");
  XSP_RETURN_IF_ERROR(
      PrintTable(database, "Batch sizes (95 % intervals)",
                 "SELECT backend, batch, latency_ns, latency_low_ns, latency_high_ns, batch "
                 "* 1e9 / latency_ns AS throughput_per_s, "
                 "peak_bytes, precision, status FROM point WHERE (SELECT count(latency_ns) FROM "
                 "point) > 0 OR status <> 'done' ORDER BY point_id",
                 {{"backend", ""},
                  {"batch", ""},
                  {"latency_ns", "ns"},
                  {"low_ns", "ns"},
                  {"high_ns", "ns"},
                  {"throughput", "items/s"},
                  {"peak_memory", "byte"},
                  {"precision", ""},
                  {"status", ""}}));
  XSP_RETURN_IF_ERROR(PrintTable(
      database, "Compared with the fastest of each batch size (results: with the first backend)",
      "WITH fastest AS (SELECT model, batch, arg_min(point_id, latency_ns) AS id FROM point "
      "WHERE point_id IN (SELECT point_id FROM comparison) GROUP BY ALL) "
      "SELECT p.batch, p.backend, coalesce(c.verdict, 'fastest'), coalesce(c.ratio, 1), "
      "c.ratio_low, c.ratio_high, "
      "min(a.label_agreement), max(a.max_absolute_error) FROM fastest f JOIN point p ON p.model = "
      "f.model AND p.batch IS NOT DISTINCT FROM f.batch "
      "LEFT JOIN comparison c ON c.point_id = p.point_id AND c.against_point_id = f.id "
      "LEFT JOIN agreement a ON a.point_id = p.point_id WHERE p.latency_ns IS NOT NULL "
      "GROUP BY ALL ORDER BY p.batch, min(p.latency_ns)",
      {{"batch", ""},
       {"backend", ""},
       {"latency", ""},
       {"ratio", ""},
       {"low", ""},
       {"high", ""},
       {"same_label", ""},
       {"largest_error", ""}}));
  XSP_TRY(const bool is_scenario, PrintScenario(database));
  if (is_scenario) return Ok{};  // It has one rung.
  return PrintTable(database, "Rungs: overhead of each level of profiling",
                    "SELECT p.backend, p.batch, r.rung, r.latency_ns, "
                    "r.overhead_ratio, r.overhead_ratio_low, r.overhead_ratio_high, r.samples, "
                    "r.disturbed, r.status FROM run r "
                    "JOIN point p USING (point_id) WHERE r.rung <> 'details' AND (r.samples > 0 OR "
                    "r.status <> 'done') ORDER BY r.run_id",
                    {{"backend", ""},
                     {"batch", ""},
                     {"rung", ""},
                     {"latency_ns", "ns"},
                     {"overhead_percent", "1"},
                     {"low_percent", "1"},
                     {"high_percent", "1"},
                     {"samples", ""},
                     {"disturbed", ""},
                     {"status", ""}});
}

}  // namespace xsp::cli
