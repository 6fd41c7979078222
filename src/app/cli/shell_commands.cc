#include "app/cli/shell_commands.h"

#include <CLI/CLI.hpp>
#include <string>

namespace xsp::cli {

struct ShellCommands::Command {
  explicit Command(CLI::App& app) : fields(app) {}

  OptionFields fields;
  api::ShellLoop run;
};

ShellCommands::ShellCommands(CLI::App& app, const api::Context& context) : app_(app) {
  for (const api::ShellSpec* shell : AllShells()) {
    CLI::App* added = app.add_subcommand(shell->name, shell->summary);
    added->footer(std::string("Example: ") + shell->example);
    auto command = std::make_unique<Command>(*added);
    command->run = shell->declare(command->fields, context);
    command->fields.Finish();
    commands_[added] = std::move(command);
  }
}

ShellCommands::~ShellCommands() = default;

bool ShellCommands::IsChosen() const { return commands_.contains(app_.get_subcommands().front()); }

Result<int> ShellCommands::Run() const {
  const CLI::App* chosen = app_.get_subcommands().front();
  const Command& command = *commands_.at(chosen);
  XSP_RETURN_IF_ERROR(command.fields.Complete(chosen->get_name(), true));
  return command.run();
}

}  // namespace xsp::cli
