#ifndef XSP_ANSWER_SUITE_SUITE_COMMAND_TESTING_H_
#define XSP_ANSWER_SUITE_SUITE_COMMAND_TESTING_H_

// For tests of the commands of `xsp suite`.

#include <gtest/gtest.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "answer/suite/suite_command.h"

namespace xsp::suite {

/// What the command answers to these arguments, on an empty store.
inline Result<Answer> RunCommand(const SuiteSpec& spec, std::vector<std::string> arguments) {
  const CommandContext context{
      std::filesystem::path(::testing::TempDir()) / "no-store", {}, [](const std::string&) {}};
  CLI::App app;
  const Action action = spec.declare(app, context);
  std::ranges::reverse(arguments);  // As CLI11 wants them.
  try {
    app.parse(arguments);
  } catch (const CLI::ParseError& error) {
    return Error{ErrorKind::kUsage, error.what(), ""};
  }
  return action();
}

/// The path of a new file of this test with `text` in it.
inline std::string TextFile(std::string_view name, std::string_view text) {
  const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
  const std::filesystem::path file =
      std::filesystem::path(::testing::TempDir()) /
      (std::string(test->test_suite_name()) + "_" + test->name() + "_" + std::string(name));
  std::ofstream(file) << text;
  return file.string();
}

/// A shell program in a folder that stands for xsp: it notes each call in the file `calls`, a line
/// each, fails while there is a file `fails` ("error: no luck", exit status 3), and else runs
/// `measure`, to which $all are the arguments, $name and $store those of the options, $here the
/// folder. `xsp doctor` is `doctor` instead.
class XspStandIn {
 public:
  XspStandIn(std::filesystem::path folder, std::string_view measure, std::string_view doctor = ":")
      : folder_(std::move(folder)) {
    std::ofstream(path()) << "#!/bin/sh\nif [ \"$1\" = doctor ]; then " << doctor << "; exit; fi\n"
                          << R"sh(all="$*" here=$(dirname "$0")
echo "$all" >>"$here/calls"
if [ -e "$here/fails" ]; then echo 'error: no luck' >&2; exit 3; fi
while [ $# -gt 0 ]; do
  case "$1" in
    --name) name=$2 ;;
    --store) store=$2 ;;
  esac
  shift
done
)sh" << measure << "\n";
    std::filesystem::permissions(path(), std::filesystem::perms::owner_all);
  }

  std::filesystem::path path() const { return folder_ / "xsp"; }
  CommandContext context() const {
    return {folder_ / "store", {}, [](const std::string&) {}, path()};
  }
  void FailFromNowOn() const { std::ofstream(folder_ / "fails"); }

  /// How often it was called, `xsp doctor` aside.
  int Calls() const {
    std::ifstream file(folder_ / "calls");
    int calls = 0;
    for (std::string line; std::getline(file, line);) ++calls;
    return calls;
  }

 private:
  std::filesystem::path folder_;
};

}  // namespace xsp::suite

#endif  // XSP_ANSWER_SUITE_SUITE_COMMAND_TESTING_H_
