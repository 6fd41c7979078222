#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "app/cli/command.h"
#include "app/cli/output.h"
#include "store/experiment_changes.h"

namespace xsp::cli::tag {
namespace {

struct Options {
  std::string name;
  std::vector<std::string> tags;
  Format format = Format::kTable;
};

Result<int> Tag(const Session& session, const Options& options) {
  store::Tags changes;
  for (const std::string& text : options.tags) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0)
      return Error{ErrorKind::kUsage, fmt::format("a tag is KEY=VALUE: {}", text),
                   "KEY= removes the tag."};
    changes[text.substr(0, equals)] = text.substr(equals + 1);
  }
  XSP_TRY(const store::Tags tags, store::TagExperiment(session.store, options.name, changes));
  store::Table table{{"tag", "value"}, {}};
  for (const auto& [key, value] : tags) table.rows.push_back({key, value});
  if (table.rows.empty() && options.format == Format::kTable) {
    Say(options.name + " has no tags");
    return 0;
  }
  Print(table, {}, options.format);
  return 0;
}

Action Declare(CLI::App& app, const Session& session) {
  auto options = std::make_shared<Options>();
  app.add_option("NAME", options->name, "An experiment of the store")->required();
  app.add_option("TAGS", options->tags, "Tags to set; KEY= removes one; without tags: shows them")
      ->type_name("KEY=VALUE ...");
  AddFormatOption(app, &options->format);
  return [&session, options] { return Tag(session, *options); };
}

}  // namespace

extern const CommandSpec kCommand;
constinit const CommandSpec kCommand = {
    .name = "tag",
    .summary = "Sets and shows tags of an experiment; `xsp list` shows and selects by tags",
    .example = "xsp tag before git=a1b2c3 purpose=baseline && xsp list --tag purpose=baseline",
    .declare = Declare,
};

}  // namespace xsp::cli::tag
