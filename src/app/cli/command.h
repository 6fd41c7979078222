#ifndef XSP_APP_CLI_COMMAND_H_
#define XSP_APP_CLI_COMMAND_H_

#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "core/result.h"

namespace CLI {
class App;
}  // namespace CLI

namespace xsp::cli {

/// What every command is given: the options that stand before or after its name.
struct Session {
  std::filesystem::path store;
  std::vector<std::filesystem::path> analyses;  ///< --analyses DIR, beside the built-in ones.
  std::vector<std::filesystem::path> findings;  ///< --findings DIR, likewise.
  std::string command_line;                     ///< As typed, for the record of an experiment.
};

/// Runs a command whose options have been read. Returns the exit status of a command that did its
/// work (0, or e.g. 130 when it was interrupted and kept what it had).
using Action = std::function<Result<int>()>;

/// One command of `xsp`. Static data.
struct CommandSpec {
  const char* name;
  const char* summary;  ///< One line, no full stop.
  const char* example;  ///< Can be pasted.
  /// Adds the command's options to `app`. `session` is filled in before the action runs; both
  /// outlive it.
  Action (*declare)(CLI::App& app, const Session& session);
};

/// Every command, in the order in which help lists them. The list is generated from the files
/// src/app/cli/*_command.cc by module.cmake.
std::span<const CommandSpec* const> AllCommands();

/// The folders with analyses: the built-in one, then the session's.
std::vector<std::filesystem::path> AnalysisFolders(const Session& session);

/// The folders with rules of findings, likewise.
std::vector<std::filesystem::path> RuleFolders(const Session& session);

}  // namespace xsp::cli

#endif  // XSP_APP_CLI_COMMAND_H_
