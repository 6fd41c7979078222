#ifndef XSP_APP_CLI_SHELL_COMMANDS_H_
#define XSP_APP_CLI_SHELL_COMMANDS_H_

#include <map>
#include <memory>
#include <span>
#include <string_view>

#include "api/shell.h"
#include "app/cli/option_fields.h"
#include "core/result.h"

namespace CLI {
class App;
}  // namespace CLI

namespace xsp::cli {

/// Every shell, by name. Generated from src/app/*/*_shell.cc by module.cmake.
std::span<const api::ShellSpec* const> AllShells();

/// The names of shells that this build was told to leave out (XSP_WITHOUT). Generated beside it.
std::span<const std::string_view> LeftOutShells();

/// Every shell as a command: `xsp serve`. Lives as long as the command line is read and performed.
class ShellCommands {
 public:
  /// Adds the commands to `app`. `context` is filled in before Run(); both outlive this.
  ShellCommands(CLI::App& app, const api::Context& context);
  ~ShellCommands();

  /// Whether the command line that `app` has read asks for one of them.
  bool IsChosen() const;

  /// Runs the chosen one; returns the exit status. Errors: kUsage, and those of the shell.
  Result<int> Run() const;

 private:
  struct Command;
  const CLI::App& app_;
  std::map<const CLI::App*, std::unique_ptr<Command>> commands_;
};

}  // namespace xsp::cli

#endif  // XSP_APP_CLI_SHELL_COMMANDS_H_
