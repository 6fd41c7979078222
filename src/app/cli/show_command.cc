#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "app/cli/command.h"
#include "app/cli/output.h"
#include "app/cli/summary_output.h"
#include "os/files.h"
#include "store/catalogue.h"
#include "store/database.h"
#include "store/export.h"

namespace xsp::cli::show {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

struct Options {
  std::string run;
  Format format = Format::kTable;
};

/// experiment.json or run.json of the folder, with the point and run tables beside it.
Result<int> ShowJson(const fs::path& folder, const store::Database& database) {
  json document = {{"path", folder.string()}};
  for (const char* name : {"experiment", "run"}) {
    const auto text = os::ReadFile(folder / fmt::format("{}.json", name));
    if (text.ok()) document[name] = json::parse(text.value(), nullptr, false);
  }
  for (const char* table : {"point", "run", "diagnostic"}) {
    XSP_TRY(const store::Table rows, database.Query(fmt::format("SELECT * FROM {}", table)));
    document[fmt::format("{}s", table)] = json::parse(store::ToJson(rows), nullptr, false);
  }
  PrintLine(document.dump(2));
  return 0;
}

Result<int> Show(const Session& session, const Options& options) {
  XSP_TRY(const fs::path folder, store::Resolve(session.store, options.run));
  XSP_TRY(const store::Database database, store::Database::Open({folder}));
  if (options.format == Format::kJson) return ShowJson(folder, database);
  PrintLine(folder.string());
  XSP_RETURN_IF_ERROR(PrintSummary(session, database));
  XSP_TRY(const store::Table levels,
          database.Query(
              "SELECT level, type, count(*) AS spans, sum(duration_ns) AS duration_ns FROM span "
              "GROUP BY ALL ORDER BY level, spans DESC LIMIT 30"));
  PrintLine("Spans");
  Print(levels, {{"level", ""}, {"type", ""}, {"spans", ""}, {"duration_ns", "ns"}},
        options.format);
  XSP_TRY(const store::Table diagnostics,
          database.Query("SELECT name, sum(count) AS count, any_value(hint) AS hint FROM "
                         "diagnostic GROUP BY name ORDER BY 2 DESC"));
  if (!diagnostics.rows.empty()) {
    PrintLine("Problems while reading, placing or storing events");
    Print(diagnostics, {}, options.format);
  }
  return 0;
}

Action Declare(CLI::App& app, const Session& session) {
  auto options = std::make_shared<Options>();
  app.add_option("RUN", options->run, "A directory, a name in the store, or latest (default)");
  AddFormatOption(app, &options->format);
  return [&session, options] { return Show(session, *options); };
}

}  // namespace

extern const CommandSpec kCommand;
constinit const CommandSpec kCommand = {
    .name = "show",
    .summary = "Shows an experiment or run: its summary, recorded events and problems",
    .example = "xsp show latest",
    .declare = Declare,
};

}  // namespace xsp::cli::show
