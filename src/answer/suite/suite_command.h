#ifndef XSP_ANSWER_SUITE_SUITE_COMMAND_H_
#define XSP_ANSWER_SUITE_SUITE_COMMAND_H_

#include <filesystem>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "answer/suite/answer.h"
#include "core/progress.h"
#include "core/request_fields.h"
#include "core/result.h"
#include "os/interrupt.h"
#include "store/query_budget.h"

namespace xsp {

struct SuiteSpec;

namespace suite {

/// What an operation of XSP answered: as api::Document has it.
struct Performed {
  nlohmann::json document;
  std::vector<std::string> notes = {};  ///< "error: the layer rung failed", "hint: ..."
  int exit_status = 0;                  ///< 0; or that of what failed though there is a document.
};

/// Performs an operation of XSP by its name, in this process, on the store in `store`: what the
/// command line of the same words does. Errors: the operation's. Threading: as that of `operation`.
using Perform = std::function<Result<Performed>(
    std::string_view operation, const nlohmann::json& request, const std::filesystem::path& store,
    core::Progress& progress, os::Interrupts& interrupts)>;

/// What every command of `xsp suite` is given. Outlives the action.
struct CommandContext {
  std::filesystem::path store;
  std::vector<std::filesystem::path> analyses;  ///< Folders with analyses, the built-in one first.
  core::Progress* progress = nullptr;           ///< Never null while an action runs.
  /// Of the SQL that the request states. Never null.
  std::shared_ptr<store::QueryBudget> sql = std::make_shared<store::QueryBudget>();
  /// The requests to stop. A command calls it when it heeds them from then on: the first asks it to
  /// answer with what it has, the second to give up.
  std::function<os::Interrupts&()> interrupts = {};
  /// Empty in tests of commands that need no other operation.
  Perform perform = {};
  /// The command line that performs an operation with this request: what perform() stores with what
  /// it measures.
  std::function<std::string(std::string_view operation, const nlohmann::json& request)>
      command_line = {};
  /// Every command of `xsp suite`, for the one that joins their answers: plugins do not include
  /// each other.
  std::span<const SuiteSpec* const> commands = {};
};

/// Does the work, once the request has been read. Prints nothing.
using Action = std::function<Result<Answer>()>;

}  // namespace suite

/// One command of `xsp suite`: a folder below src/answer/suite that exports
/// xsp::suite::<folder>::kSpec. Static data. What all commands have in common (table, rows, output)
/// is declared by api/operations/suite_operations.h.
struct SuiteSpec {
  const char* name;
  const char* summary;  ///< One line, no full stop.
  const char* example;  ///< Can be pasted.
  /// Makes a request, gives its fields to `fields`, and returns what answers it. `context` is
  /// filled in before the action runs and outlives it.
  suite::Action (*declare)(core::RequestFields& fields, const suite::CommandContext& context);
  bool measures = false;  ///< Loads this machine, on its own or by programs that it runs.
};

namespace suite {

/// Every command of `xsp suite` of this build, by folder name. Generated (cmake/XspModule.cmake).
std::span<const SuiteSpec* const> AllSuiteCommands();

}  // namespace suite

}  // namespace xsp

#endif  // XSP_ANSWER_SUITE_SUITE_COMMAND_H_
