#ifndef XSP_ANSWER_SUITE_SUITE_COMMAND_TESTING_H_
#define XSP_ANSWER_SUITE_SUITE_COMMAND_TESTING_H_

// For tests of the commands of `xsp suite`.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "answer/suite/suite_command.h"
#include "core/json_fields.h"
#include "core/json_text.h"

namespace xsp::suite {

/// What the command answers to this request in this context.
inline Result<Answer> RunCommand(const SuiteSpec& spec, const nlohmann::json& request,
                                 const CommandContext& context) {
  core::JsonFields fields(request);
  const Action action = spec.declare(fields, context);
  XSP_RETURN_IF_ERROR(fields.Finish());
  return action();
}

/// The command line of a request, options by name: "xsp run m --batch 1,2 --only".
inline std::string WordsOf(std::string_view operation, const nlohmann::json& request) {
  const auto word = [](const nlohmann::json& value) {
    return value.is_string() ? value.get<std::string>() : core::JsonText(value);
  };
  std::string line = "xsp " + std::string(operation);
  if (request.contains("model")) line += " " + word(request["model"]);
  for (const auto& [name, value] : request.items()) {
    if (name == "model" || name == "program") continue;
    line += " --" + name;
    if (value == true) continue;
    std::string words;
    for (const nlohmann::json& one : value.is_array() ? value : nlohmann::json::array({value}))
      words += (words.empty() ? "" : ",") + word(one);
    line += " " + words;
  }
  std::ranges::replace(line, '_', '-');
  return line;
}

/// Of a store, with nobody who is told of progress or asks to stop, and no operations.
class TestContext : public CommandContext {
 public:
  explicit TestContext(std::filesystem::path folder) {
    store = std::move(folder);
    progress = &nobody_;
    interrupts = [this]() -> os::Interrupts& { return asked_; };
    command_line = WordsOf;
  }
  TestContext(const TestContext&) = delete;
  TestContext& operator=(const TestContext&) = delete;

  /// Asks to stop.
  void Interrupt() { asked_.Request(); }

 private:
  core::NoProgress nobody_;
  os::Interrupts asked_;
};

/// What the command answers to this request, on an empty store.
inline Result<Answer> RunCommand(const SuiteSpec& spec, const nlohmann::json& request) {
  const TestContext context(std::filesystem::path(::testing::TempDir()) / "no-store");
  return RunCommand(spec, request, context);
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

/// Stands for operations that measure: counts their calls, fails from FailFromNowOn() on ("no
/// luck", kNotPossible), and else calls `measure` with the folder of the experiment and the command
/// line that is to be stored.
class MeasuringContext : public TestContext {
 public:
  using Measure =
      std::function<void(const std::filesystem::path& experiment, const std::string& command)>;

  MeasuringContext(std::filesystem::path folder, Measure measure)
      : TestContext(std::move(folder)), measure_(std::move(measure)) {
    perform = [this](std::string_view operation, const nlohmann::json& request,
                     const std::filesystem::path& in, core::Progress&,
                     os::Interrupts&) -> Result<Performed> {
      const auto answer = answers_.find(std::string(operation));
      if (answer != answers_.end()) return Performed{answer->second};
      ++calls_;
      if (fails_) return Error{ErrorKind::kNotPossible, "no luck", ""};
      measure_(in / request.at("name").get<std::string>(), command_line(operation, request));
      return Performed{};
    };
  }

  /// What another operation, which measures nothing, answers.
  void Answers(const std::string& operation, nlohmann::json document) {
    answers_[operation] = std::move(document);
  }
  void FailFromNowOn() { fails_ = true; }
  int Calls() const { return calls_; }

 private:
  Measure measure_;
  std::map<std::string, nlohmann::json> answers_;
  bool fails_ = false;
  int calls_ = 0;
};

}  // namespace xsp::suite

#endif  // XSP_ANSWER_SUITE_SUITE_COMMAND_TESTING_H_
