#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "app/cli/command.h"
#include "app/cli/output.h"
#include "os/files.h"
#include "store/catalogue.h"
#include "store/database.h"
#include "store/export.h"
#include "store/schema.h"

namespace xsp::cli::export_tables {
namespace {

namespace fs = std::filesystem;

struct Options {
  std::string run;
  std::string format = "csv";
  fs::path output;
};

Result<int> Export(const Session& session, const Options& options) {
  XSP_TRY(const fs::path folder, store::Resolve(session.store, options.run));
  XSP_TRY(const store::Database database, store::Database::Open({folder}));
  const fs::path output =
      options.output.empty() ? fs::path(folder.filename().string() + "-tables") : options.output;
  std::error_code error;
  fs::create_directories(output, error);
  if (error) {
    return Error{ErrorKind::kEnvironment,
                 fmt::format("cannot create {}: {}", output.string(), error.message()),
                 "Choose another folder with -o."};
  }
  for (const store::TableSchema& schema : store::Schema()) {
    if (schema.raw) continue;
    XSP_TRY(const store::Table table, database.Query(fmt::format("SELECT * FROM {}", schema.name)));
    const std::string text = options.format == "csv" ? store::ToCsv(table) : store::ToJson(table);
    XSP_RETURN_IF_ERROR(
        os::WriteFileAtomically(output / fmt::format("{}.{}", schema.name, options.format), text));
  }
  PrintLine(output.string());
  return 0;
}

Action Declare(CLI::App& app, const Session& session) {
  auto options = std::make_shared<Options>();
  app.add_option("RUN", options->run, "A directory, a name in the store, or latest (default)");
  app.add_option("--format", options->format, "csv or json")
      ->check(CLI::IsMember({"csv", "json"}).description(""))
      ->type_name("FORMAT")
      ->default_str("csv");
  app.add_option("-o,--output", options->output, "Output folder (default: NAME-tables)")
      ->type_name("DIR");
  return [&session, options] { return Export(session, *options); };
}

}  // namespace
}  // namespace xsp::cli::export_tables

namespace xsp::cli::export_ {

// `export` is a keyword of C++: the file and the namespace end in an underscore.
extern const CommandSpec kCommand;
constinit const CommandSpec kCommand = {
    .name = "export",
    .summary = "Writes the experiment tables as CSV or JSON files",
    .example = "xsp export latest --format json -o tables",
    .declare = export_tables::Declare,
};

}  // namespace xsp::cli::export_
