#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "answer/analyze/analysis.h"
#include "answer/report/report_data.h"
#include "app/cli/command.h"
#include "app/cli/output.h"
#include "app/cli/summary_output.h"
#include "store/catalogue.h"
#include "store/database.h"

namespace xsp::cli::report {
namespace {

namespace fs = std::filesystem;

struct Options {
  std::string run;
  fs::path output;
  bool text = false;
};

Result<int> Report(const Session& session, const Options& options) {
  XSP_TRY(const fs::path folder, store::Resolve(session.store, options.run));
  XSP_TRY(const store::Database database, store::Database::Open({folder}));
  if (options.text) {
    XSP_RETURN_IF_ERROR(PrintSummary(session, database));
    return 0;
  }
  XSP_TRY(const fs::path file, MakeReport(session, folder, options.output));
  PrintLine(file.string());
  return 0;
}

Action Declare(CLI::App& app, const Session& session) {
  auto options = std::make_shared<Options>();
  app.add_option("RUN", options->run, "A directory, a name in the store, or latest (default)");
  app.add_option("-o,--output", options->output,
                 "Output file (default: report.html in the experiment)")
      ->type_name("FILE.html");
  app.add_flag("--text", options->text, "Print the summary to the terminal instead");
  return [&session, options] { return Report(session, *options); };
}

}  // namespace

extern const CommandSpec kCommand;
constinit const CommandSpec kCommand = {
    .name = "report",
    .summary = "Writes one self-contained HTML page about an experiment",
    .example = "xsp report latest -o resnet50.html",
    .declare = Declare,
};

}  // namespace xsp::cli::report
