#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdint>

#include "app/cli/command.h"
#include "app/cli/output.h"
#include "store/catalogue.h"

namespace xsp::cli::list {
namespace {

struct Options {
  std::vector<std::string> tags;
  Format format = Format::kTable;
};

/// Whether it has all of `tags`, each KEY or KEY=VALUE.
bool HasTags(const store::CatalogueEntry& entry, const std::vector<std::string>& tags) {
  return std::all_of(tags.begin(), tags.end(), [&](const std::string& text) {
    const std::size_t equals = text.find('=');
    const auto found = entry.tags.find(text.substr(0, equals));
    return found != entry.tags.end() &&
           (equals == std::string::npos || found->second == text.substr(equals + 1));
  });
}

std::string TagsText(const store::CatalogueEntry& entry) {
  std::string text;
  for (const auto& [key, value] : entry.tags) text += (text.empty() ? "" : " ") + key + "=" + value;
  return text;
}

Result<int> List(const Session& session, const Options& options) {
  XSP_TRY(const std::vector<store::CatalogueEntry> entries, store::List(session.store));
  if (entries.empty() && options.format == Format::kTable) {
    Say("no experiments in " + session.store.string() + " yet: xsp run resnet50 creates one");
    return 0;
  }
  store::Table table{{"name", "created", "model", "backend", "runs", "status", "tags"}, {}};
  for (const store::CatalogueEntry& entry : entries)
    if (HasTags(entry, options.tags))
      table.rows.push_back({entry.name, entry.created, entry.model, entry.backend, entry.runs,
                            entry.status, TagsText(entry)});
  Print(table, {}, options.format);
  return 0;
}

Action Declare(CLI::App& app, const Session& session) {
  auto options = std::make_shared<Options>();
  app.add_option("--tag", options->tags, "Show only experiments with this tag; may be repeated")
      ->type_name("KEY[=VALUE]");
  AddFormatOption(app, &options->format);
  return [&session, options] { return List(session, *options); };
}

}  // namespace

extern const CommandSpec kCommand;
constinit const CommandSpec kCommand = {
    .name = "list",
    .summary = "Lists the experiments in the store",
    .example = "xsp list --format json",
    .declare = Declare,
};

}  // namespace xsp::cli::list
