#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "app/cli/command.h"
#include "app/cli/output.h"
#include "store/experiment_changes.h"

namespace xsp::cli::rename {
namespace {

struct Options {
  std::string name, new_name;
};

Action Declare(CLI::App& app, const Session& session) {
  auto options = std::make_shared<Options>();
  app.add_option("NAME", options->name, "An experiment of the store")->required();
  app.add_option("NEW-NAME", options->new_name, "The new name")->required();
  return [&session, options]() -> Result<int> {
    XSP_RETURN_IF_ERROR(store::RenameExperiment(session.store, options->name, options->new_name));
    PrintLine(fmt::format("renamed {} to {}", options->name, options->new_name));
    return 0;
  };
}

}  // namespace

extern const CommandSpec kCommand;
constinit const CommandSpec kCommand = {
    .name = "rename",
    .summary = "Renames an experiment",
    .example = "xsp rename resnet50-20260101-120000 before",
    .declare = Declare,
};

}  // namespace xsp::cli::rename
