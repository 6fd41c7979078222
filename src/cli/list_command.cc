#include <CLI/CLI.hpp>
#include <cstdint>

#include "cli/command.h"
#include "cli/output.h"
#include "store/catalogue.h"

namespace xsp::cli::list {
namespace {

Result<int> List(const Session& session, Format format) {
  XSP_TRY(const std::vector<store::CatalogueEntry> entries, store::List(session.store));
  if (entries.empty() && format == Format::kTable) {
    Say("no experiments in " + session.store.string() + " yet: xsp run resnet50 makes one");
    return 0;
  }
  store::Table table{{"name", "created", "model", "backend", "runs", "status"}, {}};
  for (const store::CatalogueEntry& entry : entries)
    table.rows.push_back(
        {entry.name, entry.created, entry.model, entry.backend, entry.runs, entry.status});
  Print(table, {}, format);
  return 0;
}

Action Declare(CLI::App& app, const Session& session) {
  auto format = std::make_shared<Format>(Format::kTable);
  AddFormatOption(app, format.get());
  return [&session, format] { return List(session, *format); };
}

}  // namespace

extern const CommandSpec kCommand;
constinit const CommandSpec kCommand = {
    .name = "list",
    .summary = "What is in the store",
    .example = "xsp list --format json",
    .declare = Declare,
};

}  // namespace xsp::cli::list
