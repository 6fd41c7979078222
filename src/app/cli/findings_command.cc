#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>
#include <string_view>

#include "answer/findings/find_all.h"
#include "answer/findings/findings_json.h"
#include "answer/findings/focus.h"
#include "answer/wording/quantity.h"
#include "app/cli/command.h"
#include "app/cli/output.h"
#include "app/cli/summary_output.h"
#include "store/catalogue.h"
#include "store/database.h"

namespace xsp::cli::findings {
namespace {

namespace fs = std::filesystem;
using xsp::findings::Finding;
using xsp::findings::Findings;

struct Options {
  std::string run;
  Format format = Format::kTable;
};

/// "warning; would save 1.20 ms a call (0.80 ms to 1.50 ms); more: layers in the report".
std::string DetailsOf(const Finding& finding) {
  std::string details(NameOf(finding.rule->severity));
  if (const auto& gain = finding.evidence.gain)
    details += fmt::format(
        "; would save {} a call ({} to {})", wording::FormatQuantity(gain->ns, "ns"),
        wording::FormatQuantity(gain->low_ns, "ns"), wording::FormatQuantity(gain->high_ns, "ns"));
  if (!finding.rule->analysis.empty())
    return details + fmt::format("; more: xsp analyze {}", finding.rule->analysis);
  return details + fmt::format("; more: #{} in the report", finding.rule->see);
}

void PrintForPeople(const Findings& findings) {
  const int width = xsp::report::StyleOfStandardOutput().width;
  int number = 0;
  for (const Finding& finding : findings.found) {
    PrintLine(xsp::report::Wrap(fmt::format("{}. {}", ++number, WithoutCodeMarks(finding.sentence)),
                                width, 3));
    PrintLine("   " + xsp::report::Wrap(DetailsOf(finding), width - 3, 3));
  }
  if (findings.found.empty()) PrintLine("No finding holds.");
  if (findings.abstained.empty()) return;
  PrintLine("");
  PrintLine("Abstained");
  for (const auto& abstention : findings.abstained)
    PrintLine(xsp::report::Wrap(
        fmt::format("- {}: {}", abstention.rule->id, WithoutCodeMarks(abstention.reason)), width,
        2));
}

Result<int> ShowFindings(const Session& session, const Options& options) {
  if (options.format == Format::kCsv) {
    return Error{ErrorKind::kUsage, "findings are not a table: --format csv",
                 "Use json; `xsp analyze ID --format csv` writes the rows of an analysis."};
  }
  XSP_TRY(const fs::path folder, store::Resolve(session.store, options.run));
  XSP_TRY(const std::vector<xsp::findings::Rule> rules, FindingRules(session));
  XSP_TRY(const store::Database database, store::Database::Open({folder}));
  XSP_TRY(const std::int64_t point_id, xsp::findings::BestPoint(database));
  XSP_TRY(const Findings findings, xsp::findings::FindAll(rules, database, point_id));
  if (options.format == Format::kJson) {
    nlohmann::json document = xsp::findings::ToJson(findings);
    document["run"] = folder.string();
    PrintLine(document.dump(2, ' ', false, nlohmann::json::error_handler_t::replace));
  } else {
    PrintForPeople(findings);
  }
  return 0;
}

Action Declare(CLI::App& app, const Session& session) {
  auto options = std::make_shared<Options>();
  app.add_option("RUN", options->run, "A directory, a name in the store, or latest (default)");
  AddFormatOption(app, &options->format);
  return [&session, options] { return ShowFindings(session, *options); };
}

}  // namespace

extern const CommandSpec kCommand;
constinit const CommandSpec kCommand = {
    .name = "findings",
    .summary = "Lists what stands out in an experiment, with evidence",
    .example = "xsp findings latest --format json",
    .declare = Declare,
};

}  // namespace xsp::cli::findings
