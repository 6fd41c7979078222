#include "answer/findings/rule.h"
#include "answer/report/summary_document.h"
#include "app/cli/summary_output.h"
#include "app/cli/view.h"

namespace xsp::cli::show_view {
namespace {

using nlohmann::json;

Result<int> ShowAnswer(const api::Context& context, const api::Document& document, Format format) {
  const std::string path = std::get<json>(document.content)["path"];
  XSP_TRY(const store::Database database, store::Database::Open({path}));
  PrintLine(path);
  XSP_TRY(const std::vector<xsp::findings::Rule> rules, xsp::findings::LoadRules(context.findings));
  XSP_TRY(const json summary, xsp::report::SummaryDocument(database, rules));
  XSP_RETURN_IF_ERROR(PrintSummary(summary, database));
  XSP_TRY(const store::Table levels,
          database.Query(
              "SELECT level, type, count(*) AS spans, sum(duration_ns) AS duration_ns FROM span "
              "GROUP BY ALL ORDER BY level, spans DESC, duration_ns DESC, type LIMIT 30"));
  if (!levels.rows.empty()) {
    PrintLine("Spans");
    Print(levels, {{"level", ""}, {"type", ""}, {"spans", ""}, {"duration_ns", "ns"}}, format);
  }
  XSP_TRY(const store::Table diagnostics,
          database.Query("SELECT name, sum(count) AS count, any_value(hint) AS hint FROM "
                         "diagnostic GROUP BY name ORDER BY 2 DESC"));
  if (!diagnostics.rows.empty()) {
    PrintLine("Diagnostics: what was lost, and notes, while events were read and stored");
    Print(diagnostics, {}, format);
  }
  return document.exit_status;
}

Show Declare(CLI::App&, const api::Context& context) {
  return JsonOr([&context](const api::Document& document, Format format) {
    return ShowAnswer(context, document, format);
  });
}

}  // namespace

extern const ViewSpec kView;
constinit const ViewSpec kView = {.operation = "show", .declare = Declare};

}  // namespace xsp::cli::show_view
