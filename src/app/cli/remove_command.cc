#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "app/cli/command.h"
#include "app/cli/output.h"
#include "store/experiment_changes.h"

namespace xsp::cli::remove {
namespace {

Result<int> Remove(const Session& session, const std::vector<std::string>& names) {
  // All names are looked up before the first is removed: a slip of the pen costs nothing.
  for (const std::string& name : names) {
    XSP_TRY(const auto folder, store::FindExperiment(session.store, name));
  }
  for (const std::string& name : names) {
    XSP_RETURN_IF_ERROR(store::RemoveExperiment(session.store, name));
    PrintLine(fmt::format("removed {}", name));
  }
  return 0;
}

Action Declare(CLI::App& app, const Session& session) {
  auto names = std::make_shared<std::vector<std::string>>();
  app.add_option("NAME", *names, "Experiments of the store; all their runs are removed, too")
      ->required();
  return [&session, names] { return Remove(session, *names); };
}

}  // namespace

extern const CommandSpec kCommand;
constinit const CommandSpec kCommand = {
    .name = "remove",
    .summary = "Removes experiments from the store",
    .example = "xsp remove resnet50-20260101-120000",
    .declare = Declare,
};

}  // namespace xsp::cli::remove
