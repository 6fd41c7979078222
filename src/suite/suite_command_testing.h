#ifndef XSP_SUITE_SUITE_COMMAND_TESTING_H_
#define XSP_SUITE_SUITE_COMMAND_TESTING_H_

// For tests of the commands of `xsp suite`.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "suite/suite_command.h"

namespace xsp::suite {

/// What the command answers to these arguments, on an empty store.
inline Result<Answer> RunCommand(const SuiteSpec& spec, std::vector<std::string> arguments) {
  const Surroundings surroundings{
      std::filesystem::path(::testing::TempDir()) / "no-store", {}, [](const std::string&) {}};
  CLI::App app;
  const Action action = spec.declare(app, surroundings);
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

}  // namespace xsp::suite

#endif  // XSP_SUITE_SUITE_COMMAND_TESTING_H_
