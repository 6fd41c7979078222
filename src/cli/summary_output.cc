#include "cli/summary_output.h"

#include <fmt/format.h>

#include "analyze/analysis.h"
#include "cli/output.h"
#include "report/report_data.h"
#include "report/summary.h"

namespace xsp::cli {
namespace {

/// Backticks mark code on the page; a terminal does without.
std::string Plain(std::string text) {
  std::erase(text, '`');
  return text;
}

Status PrintTable(const store::Database& database, const std::string& heading,
                  const std::string& sql, const std::vector<xsp::report::TerminalColumn>& columns) {
  XSP_TRY(const store::Table table, database.Query(sql));
  if (table.rows.empty()) return Ok{};
  PrintLine(heading);
  PrintLine(xsp::report::RenderTable(columns, table, xsp::report::StyleOfStandardOutput()));
  return Ok{};
}

}  // namespace

Status PrintSummary(const store::Database& database) {
  XSP_TRY(const xsp::report::Summary summary, xsp::report::Summarise(database));
  const xsp::report::TerminalStyle style = xsp::report::StyleOfStandardOutput();
  std::string badges;
  for (const xsp::report::Badge& badge : summary.badges)
    badges += fmt::format("{}{} {} ({})", badges.empty() ? "" : "   ", badge.id, badge.value,
                          badge.status);
  PrintLine(xsp::report::Wrap(badges, style.width, 2));
  PrintLine("");
  for (const xsp::report::Sentence& sentence : summary.sentences)
    PrintLine(xsp::report::Wrap("- " + Plain(sentence.text), style.width, 2));
  PrintLine("");
  XSP_RETURN_IF_ERROR(
      PrintTable(database, "Batch sizes (95 % intervals)",
                 "SELECT backend, batch, latency_ns, latency_low_ns, latency_high_ns, batch "
                 "* 1e9 / latency_ns AS throughput_per_s, "
                 "peak_bytes, precision, status FROM point ORDER BY point_id",
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
      database, "Against the fastest of each batch size (results: against the first backend)",
      "WITH fastest AS (SELECT model, batch, arg_min(point_id, latency_ns) AS id FROM point "
      "WHERE point_id IN (SELECT point_id FROM comparison) GROUP BY ALL) "
      "SELECT p.batch, p.backend, c.verdict, c.ratio, c.ratio_low, c.ratio_high, "
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
  return PrintTable(database, "Rungs: what each level of profiling costs",
                    "SELECT p.backend, p.batch, r.rung, r.samples, r.disturbed, r.latency_ns, "
                    "r.overhead_ratio, r.overhead_ratio_low, r.overhead_ratio_high, "
                    "r.status FROM run r "
                    "JOIN point p USING (point_id) WHERE r.rung <> 'details' ORDER BY r.run_id",
                    {{"backend", ""},
                     {"batch", ""},
                     {"rung", ""},
                     {"samples", ""},
                     {"disturbed", ""},
                     {"latency_ns", "ns"},
                     {"overhead_percent", "1"},
                     {"low_percent", "1"},
                     {"high_percent", "1"},
                     {"status", ""}});
}

Result<std::filesystem::path> MakeReport(const Session& session,
                                         const std::filesystem::path& folder,
                                         const std::filesystem::path& file) {
  XSP_TRY(const store::Database database, store::Database::Open({folder}));
  XSP_TRY(const std::vector<analyze::Analysis> analyses,
          analyze::LoadAnalyses(AnalysisFolders(session)));
  const std::filesystem::path target = file.empty() ? folder / "report.html" : file;
  XSP_RETURN_IF_ERROR(xsp::report::WriteReport(folder, database, analyses, target));
  return target;
}

}  // namespace xsp::cli
