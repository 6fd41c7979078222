#include "answer/report/report_data.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "answer/findings/findings_json.h"
#include "answer/report/columns_json.h"
#include "answer/report/experiment_facts.h"
#include "answer/report/html.h"
#include "answer/report/ranks.h"
#include "answer/report/rows.h"
#include "answer/report/run_timeline.h"
#include "answer/report/summary.h"
#include "answer/report/timeline.h"
#include "core/clock_text.h"
#include "core/json_text.h"
#include "os/files.h"

namespace xsp::report {

namespace fs = std::filesystem;

namespace {

using nlohmann::json;

constexpr int kFormatVersion = 1;  // web/src/report_data.ts: kFormatVersion
// Rows that keep the page under 3 MB for a model of ResNet-50's size at five batch sizes.
constexpr std::size_t kMostSpansOfTimeline = 6000;
constexpr std::size_t kMostRowsOfRanks = 64;
constexpr std::size_t kMostRowsOfTable = 20000;
constexpr std::int64_t kMostRowsOfAnalysis = 1000;

/// The table `name` by columns, cut to kMostRowsOfTable rows; `rows` is the query that selects
/// them.
Result<json> TableJson(const store::Database& database, std::string_view name,
                       std::string_view rows, std::string_view order, json& cuts) {
  XSP_TRY(const Rows total,
          Rows::Of(database, fmt::format("SELECT count(*) AS n FROM ({})", rows)));
  XSP_TRY(const store::Table table,
          database.Query(fmt::format("{} ORDER BY {} LIMIT {}", rows, order, kMostRowsOfTable)));
  const std::int64_t all = total.Integer(0, "n");
  if (all > static_cast<std::int64_t>(table.rows.size())) {
    cuts.push_back(
        {{"table", fmt::format("{}s", name)},
         {"shown", table.rows.size()},
         {"total", all},
         {"text", fmt::format("All {} rows: `xsp query RUN 'SELECT * FROM {}'`.", all, name)}});
  }
  return ColumnsJson(table);
}

Result<json> OptimaJson(const store::Database& database) {
  XSP_TRY(const Rows rows, Rows::Of(database, R"(
      WITH step AS (
        SELECT *, batch / latency_ns AS throughput,
               lead(batch / latency_ns) OVER w AS next_throughput, lead(batch) OVER w AS next_batch
        FROM point WHERE latency_ns > 0 AND batch > 0
        WINDOW w AS (PARTITION BY model, backend, device, settings ORDER BY batch))
      SELECT list(point_id ORDER BY batch)::VARCHAR AS ids, max_by(batch, throughput) AS best,
             coalesce(min(batch) FILTER (WHERE next_batch IS NOT NULL AND
                 pow(next_throughput / throughput, 1 / log2(next_batch / batch)) - 1 <= 0.05),
               max(batch)) AS worth
      FROM step GROUP BY model, backend, device, settings ORDER BY min(point_id))"));
  json optima = json::array();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    optima.push_back({{"point_ids", core::ParseJson(rows.Text(i, "ids"))},
                      {"highest_throughput", rows.Integer(i, "best")},
                      {"last_worth_doubling", rows.Integer(i, "worth")}});
  }
  return optima;
}

Result<json> AttributionJson(const store::Database& database) {
  XSP_TRY(const Rows rows, Rows::Of(database, R"(
      SELECT p.point_id, sum(k.duration_ns) FILTER (WHERE k.layer_index IS NOT NULL) / nullif(sum(k.duration_ns), 0) AS share,
             count(k.duration_ns) AS kernels
      FROM point p LEFT JOIN kernel k USING (point_id) GROUP BY p.point_id ORDER BY p.point_id)"));
  json list = json::array();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const bool none = rows.Integer(i, "kernels") == 0;
    const double share = rows.IsNull(i, "share") ? 0 : rows.Number(i, "share");
    list.push_back(
        {{"point_id", rows.Integer(i, "point_id")}, {"share", none ? json(nullptr) : json(share)}});
  }
  return list;
}

json AnalysisJson(const analyze::AnalysisResult& result, json& cuts) {
  const analyze::Analysis& analysis = *result.analysis;
  if (result.rows_left_out > 0) {
    const std::size_t shown = result.table.rows.size();
    const std::size_t total = shown + static_cast<std::size_t>(result.rows_left_out);
    cuts.push_back({{"table", "analysis-" + analysis.id},
                    {"shown", shown},
                    {"total", total},
                    {"text", fmt::format("All {} rows: `xsp analyze {} RUN --format csv`.", total,
                                         analysis.id)}});
  }
  json columns = json::array();
  json table = json::array();
  for (std::size_t i = 0; i < result.columns.size(); ++i) {
    const analyze::Column& column = result.columns[i];
    columns.push_back({{"name", column.name},
                       {"unit", column.unit},
                       {"help", column.help},
                       {"provenance", column.provenance}});
    if (i < result.table.columns.size()) table.push_back(ColumnJson(result.table, i));
  }
  json missing = json::array();
  for (const analyze::MissingLevel& level : result.missing)
    missing.push_back({{"level", level.level}, {"how", level.how}});
  const json chart = core::ParseJson(analysis.chart);
  return json{{"id", analysis.id},
              {"title", analysis.title},
              {"question", analysis.question},
              {"text", analysis.text},
              {"sql", analysis.sql},
              {"chart", chart.is_object() ? chart : json(nullptr)},
              {"columns", std::move(columns)},
              {"table", std::move(table)},
              {"missing", std::move(missing)}};
}

json SummaryJson(const Summary& summary) {
  json badges = json::array();
  for (const Badge& badge : summary.badges)
    badges.push_back({{"id", badge.id},
                      {"status", badge.status},
                      {"value", badge.value},
                      {"sentence", badge.sentence},
                      {"anchor", badge.anchor}});
  json document = findings::ToJson(summary.findings);
  document["badges"] = std::move(badges);
  document["findings_point_id"] = summary.point_id;
  return document;
}

/// What of an experiment there is to show.
struct Content {
  bool layers, kernels, roofs, batches, spans;
};

Result<Content> ContentOf(const store::Database& database) {
  XSP_TRY(const Rows rows, Rows::Of(database, R"(
      SELECT (SELECT count(*) FROM layer) AS layers, (SELECT count(*) FROM kernel) AS kernels,
             (SELECT count(*) FROM roof WHERE used) AS roofs, (SELECT count(*) FROM point WHERE batch > 0) AS batches,
             (SELECT count(*) FROM span) AS spans)"));
  const auto any = [&](std::string_view column) { return rows.Integer(0, column) > 0; };
  return Content{any("layers"), any("kernels"), any("roofs"), any("batches"), any("spans")};
}

/// Sections that this experiment can never fill: they are left out of the page. One that was
/// measured keeps all, each with the depth that would fill it.
json AbsentJson(const Content& content, const ExperimentFacts& facts, bool monitored) {
  if (monitored) return {"stack", "batches", "layers", "rooflines", "kernels", "timeline"};
  json absent = json::array();
  if (!facts.recorded && facts.imported_from.empty()) return absent;
  if (!content.layers) absent = {"stack", "layers"};
  if (!content.kernels) absent.insert(absent.end(), {"rooflines", "kernels"});
  if (!content.batches) absent.push_back("batches");
  if (!content.spans) absent.push_back("timeline");
  return absent;
}

json MonitoredGapsJson() {
  return json::array({{{"section", "analyses"},
                       {"text",
                        "The machine was sampled, not what the program did: analyses of models, "
                        "layers and kernels "
                        "are left out."}}});
}

/// What a shallower experiment cannot show, one sentence a section.
json GapsJson(const Content& content, const ExperimentFacts& facts) {
  json gaps = json::array();
  const auto add = [&](std::string_view section, std::string_view what, std::string_view depth) {
    const std::string how =
        facts.recorded ? std::string("What is seen of which framework: docs/record.md.")
        : facts.imported_from.empty()
            ? fmt::format("Measure it with `xsp run {} --depth {}`.", facts.model, depth)
            : fmt::format("A profile of the same program that holds {} events would fill this.",
                          depth);
    gaps.push_back({{"section", section}, {"text", fmt::format("{} {}", what, how)}});
  };
  if (!content.layers) {
    add("stack", "No layers were recorded.", "layer");
    add("layers", "No layers were recorded.", "layer");
  } else if (!content.kernels) {
    add("stack", "No kernels were recorded: layers are the finest level here.", "kernel");
  }
  if (!content.kernels) {
    add("kernels", "No kernels were recorded.", "kernel");
    add("rooflines", "Without kernels there are neither FLOPs nor bytes to draw.", "kernel");
  } else if (!content.roofs) {
    gaps.push_back({{"section", "rooflines"},
                    {"text",
                     "The roofs of the machine that this ran on are not known. `xsp system` "
                     "measures those of the machine it runs on."}});
  }
  if (!content.batches)
    gaps.push_back(
        {{"section", "batches"}, {"text", "The batch size of this recording is not known."}});
  return gaps;
}

Result<json> TablesJson(const store::Database& database, json& cuts) {
  json tables;
  struct Named {
    std::string_view key, table, order;
    std::string_view rows = {};  ///< Empty: all of the table.
  };
  constexpr Named kTables[] = {{"points", "point", "point_id"},
                               {"point_times", "point_time", "point_id"},
                               {"runs", "run", "run_id"},
                               {"samples", "sample", "run_id, iteration",
                                // Baseline calls are in the same table.
                                "SELECT sample.* FROM sample JOIN run USING (run_id) "
                                "WHERE coalesce(sample.rung, run.rung) = run.rung"},
                               {"layers", "layer", "point_id, layer_index"},
                               {"kernels", "kernel", "point_id, kernel_index"},
                               {"roofs", "roof", "kind DESC, used DESC, value DESC"},
                               {"matches", "match", "point_id, level, run_a, run_b"},
                               {"diagnostics", "diagnostic", "count DESC, name"}};
  for (const Named& named : kTables) {
    const std::string rows =
        named.rows.empty() ? fmt::format("SELECT * FROM {}", named.table) : std::string(named.rows);
    XSP_TRY(tables[std::string(named.key)],
            TableJson(database, named.table, rows, named.order, cuts));
  }
  return tables;
}

}  // namespace

Result<std::string> ReportData(const fs::path& experiment, const store::Database& database,
                               const std::vector<analyze::Analysis>& analyses,
                               const std::vector<findings::Rule>& rules) {
  XSP_TRY(const ExperimentFacts facts, ReadExperimentFacts(experiment, database));
  XSP_TRY(const Summary summary, Summarise(database, rules));
  json cuts = json::array();
  json data = SummaryJson(summary);
  XSP_TRY(const json tables, TablesJson(database, cuts));
  data.update(tables);
  data["format_version"] = kFormatVersion;
  data["generated_at"] = core::NowRfc3339();
  data["xsp_version"] = XSP_VERSION;
  data["title"] = TitleJson(facts);
  data["stack"] = facts.stack;
  data["method"] = MethodJson(facts);
  XSP_TRY(data["method"]["attribution"], AttributionJson(database));
  XSP_TRY(const bool monitored, WasOnlyMonitored(database));
  XSP_TRY(const Content content, ContentOf(database));
  data["absent"] = AbsentJson(content, facts, monitored);
  data["gaps"] = monitored ? MonitoredGapsJson() : GapsJson(content, facts);
  XSP_TRY(data["optima"], OptimaJson(database));
  XSP_TRY(data["timelines"], Timelines(database, kMostSpansOfTimeline, cuts));
  XSP_TRY(data["run_timelines"], RunTimelines(database, cuts));
  XSP_TRY(data["ranks"], RanksOfRuns(database, kMostRowsOfRanks, cuts));
  XSP_TRY(const std::vector<analyze::AnalysisResult> results,
          analyze::RunAll(analyses, database, kMostRowsOfAnalysis));
  json views = json::array();
  for (const analyze::AnalysisResult& result : results) {
    json view = AnalysisJson(result, cuts);
    if (monitored && !view["missing"].empty()) continue;
    views.push_back(std::move(view));
  }
  data["analyses"] = std::move(views);
  data["cuts"] = std::move(cuts);
  // Foreign names may not be UTF-8; a replacement character is better than no page.
  return core::JsonText(data);
}

Status WriteReport(const fs::path& experiment, const store::Database& database,
                   const std::vector<analyze::Analysis>& analyses,
                   const std::vector<findings::Rule>& rules, const fs::path& file) {
  XSP_TRY(const std::string data, ReportData(experiment, database, analyses, rules));
  XSP_TRY(const std::string page, Page(data));
  return os::WriteFileAtomically(file, page);
}

}  // namespace xsp::report
