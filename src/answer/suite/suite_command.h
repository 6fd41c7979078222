#ifndef XSP_ANSWER_SUITE_SUITE_COMMAND_H_
#define XSP_ANSWER_SUITE_SUITE_COMMAND_H_

#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "answer/suite/answer.h"
#include "core/result.h"

namespace CLI {
class App;
}  // namespace CLI

namespace xsp {

struct SuiteSpec;

namespace suite {

/// What every command of `xsp suite` is given. Outlives the action.
struct CommandContext {
  std::filesystem::path store;
  std::vector<std::filesystem::path> analyses;  ///< Folders with analyses, the built-in one first.
  /// Shows how far long work is, on one line, on a terminal only. Never null.
  std::function<void(const std::string& text)> progress;
  /// The running xsp, for commands that start others of it (answer/suite/xsp_program.h). Empty in
  /// tests of commands that start none.
  std::filesystem::path xsp = {};
  std::vector<std::string> program = {};  ///< What stands after `--`: a program and its arguments.
  /// Every command of `xsp suite`, for the one that joins their answers: plugins do not include
  /// each other.
  std::span<const SuiteSpec* const> commands = {};
};

/// Does the work, once the options have been read.
using Action = std::function<Result<Answer>()>;

}  // namespace suite

/// One command of `xsp suite`: a folder below src/answer/suite that exports
/// xsp::suite::<folder>::kSpec. Static data. How answers are printed (--format, --table, -o) is the
/// command line's.
struct SuiteSpec {
  const char* name;
  const char* summary;  ///< One line, no full stop.
  const char* example;  ///< Can be pasted.
  /// Adds the command's options to `app`. `context` is filled in before the action runs; both
  /// outlive it.
  suite::Action (*declare)(CLI::App& app, const suite::CommandContext& context);
};

namespace suite {

/// Every command of `xsp suite` of this build, by folder name. Generated (cmake/XspModule.cmake).
std::span<const SuiteSpec* const> AllSuiteCommands();

}  // namespace suite

}  // namespace xsp

#endif  // XSP_ANSWER_SUITE_SUITE_COMMAND_H_
