#include "app/cli/program.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <optional>
#include <string_view>
#include <vector>

#include "api/operations/operation_list.h"
#include "app/cli/operation_commands.h"
#include "app/cli/output.h"
#include "app/cli/program_arguments.h"
#include "app/cli/shell_commands.h"
#include "core/nearest_word.h"
#include "os/paths.h"
#include "store/mirror.h"

namespace xsp::cli {
namespace {

namespace fs = std::filesystem;

std::string JoinArguments(int argc, char** argv) {
  std::string line = "xsp";
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    const bool plain =
        !argument.empty() && argument.find_first_of(" \t\n'\"\\$&|;<>()*?") == std::string::npos;
    line += plain ? " " + argument : " '" + argument + "'";
  }
  return line;
}

/// The names of all commands: an operation's up to its first slash.
std::vector<std::string_view> CommandNames() {
  std::vector<std::string_view> names;
  for (const api::Operation& operation : api::AllOperations()) {
    const std::string_view name = operation.name;
    names.push_back(name.substr(0, name.find('/')));
  }
  // One that this build has no operations of says so itself.
  for (const api::GroupSpec* group : api::AllGroups()) names.emplace_back(group->name);
  for (const api::ShellSpec* shell : AllShells()) names.emplace_back(shell->name);
  return names;
}

/// The first word that is no option and no option's value, where it is no command.
std::optional<std::string> UnknownCommand(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    if (word == "--store" || word == "--analyses" || word == "--findings") {
      ++i;
    } else if (!word.starts_with('-')) {
      const std::vector<std::string_view> names = CommandNames();
      const bool is_known = std::find(names.begin(), names.end(), word) != names.end();
      return is_known ? std::nullopt : std::optional<std::string>(word);
    }
  }
  return std::nullopt;
}

int RefuseCommand(const std::string& word) {
  const std::span<const std::string_view> left_out = LeftOutShells();
  if (std::find(left_out.begin(), left_out.end(), word) != left_out.end()) {
    Say(fmt::format("error: this build has no `xsp {0}` (XSP_WITHOUT={0})", word));
    Say("hint: Build all of XSP: tools/build");
    return static_cast<int>(ErrorKind::kNotPossible);
  }
  const std::vector<std::string_view> names = CommandNames();
  const std::string_view meant = core::NearestWord(word, names);
  Say("error: no such command: " + word);
  Say(meant.empty() ? "hint: `xsp --help` lists the commands."
                    : fmt::format("hint: Did you mean `xsp {}`? `xsp --help` lists all.", meant));
  return static_cast<int>(ErrorKind::kUsage);
}

/// The built-in folder of this name, then the user's own.
std::vector<fs::path> BesideBuiltIn(const char* name, const std::vector<fs::path>& own) {
  std::vector<fs::path> folders = {os::DataRoot() / name};
  folders.insert(folders.end(), own.begin(), own.end());
  return folders;
}

}  // namespace

int RunProgram(int argc, char** argv) {
  CLI::App app{
      "XSP profiles machine-learning models across the whole stack and reports where the time "
      "goes."};
  app.name("xsp");
  app.require_subcommand(1);
  app.set_version_flag("--version", XSP_VERSION);
  app.footer(
      "Example: xsp run resnet50 --batch 1,2,4 && xsp report\nEach command: xsp COMMAND --help");
  app.fallthrough();

  api::Context context;
  context.store = os::DefaultStore();
  context.command_line = JoinArguments(argc, argv);
  std::vector<fs::path> own_analyses, own_findings;
  app.add_option(
         "--store", context.store,
         "Folder of experiments, or s3://BUCKET/PREFIX (or XSP_STORE; default: ./xsp-store)")
      ->type_name("DIR");
  app.add_option("--analyses", own_analyses,
                 "A folder with your own analyses, in addition to the built-in ones")
      ->type_name("DIR");
  app.add_option("--findings", own_findings,
                 "A folder with your own rules of findings, in addition to the built-in ones")
      ->type_name("DIR");

  const int own_argc = KeepProgramArguments(argc, argv);
  OperationCommands operations(app, context);
  const ShellCommands shells(app, context);
  if (const auto word = UnknownCommand(own_argc, argv)) return RefuseCommand(*word);
  try {
    app.parse(own_argc, argv);
  } catch (const CLI::ParseError& error) {
    // 0 for --help and --version; every usage error is one status of ours.
    return app.exit(error) == 0 ? 0 : static_cast<int>(ErrorKind::kUsage);
  }
  const CLI::App* innermost = app.get_subcommands().front();
  std::string names = innermost->get_name();
  while (!innermost->get_subcommands().empty()) {
    innermost = innermost->get_subcommands().front();
    names += " " + innermost->get_name();
  }
  if (!ProgramArguments().empty() && innermost->get_option_no_throw("COMMAND") == nullptr) {
    Say(fmt::format("error: xsp {} starts no program: unexpected arguments after `--`", names));
    if (ProgramArguments().front().starts_with('-'))
      Say("hint: a file whose name begins with - is ./" + ProgramArguments().front());
    return static_cast<int>(ErrorKind::kUsage);
  }
  context.analyses = BesideBuiltIn("analyses", own_analyses);
  context.findings = BesideBuiltIn("findings", own_findings);
  const Result<int> result = [&]() -> Result<int> {
    XSP_TRY(context.store, store::OpenStore(context.store.string()));
    return shells.IsChosen() ? shells.Run() : operations.Run();
  }();
  if (result.ok()) return result.value();
  Say("error: " + result.error().what);
  if (!result.error().hint.empty()) Say("hint: " + result.error().hint);
  if (const std::string more = os::SourceTreeHint(result.error().hint); !more.empty())
    Say("hint: " + more);
  return static_cast<int>(result.error().kind);
}

}  // namespace xsp::cli
