#include "app/cli/operation_commands.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <string_view>

#include "api/operations/operation_list.h"
#include "app/cli/output.h"
#include "app/cli/view.h"

namespace xsp::cli {
namespace {

std::string Footer(std::string_view example) { return fmt::format("Example: {}", example); }

bool HasOperations(const api::GroupSpec& group) {
  const std::string beginning = std::string(group.name) + "/";
  return std::ranges::any_of(api::AllOperations(), [&](const api::Operation& operation) {
    return operation.name.starts_with(beginning);
  });
}

/// What a command that is no operation's means: a group whose operations this build lacks.
Error NoOperation(const std::string& command) {
  for (const api::GroupSpec* group : api::AllGroups())
    if (group->name == command && group->if_empty != nullptr)
      return {ErrorKind::kNotPossible, group->if_empty, "Build all of XSP: tools/build"};
  return {ErrorKind::kUsage, "a subcommand is required", ""};
}

Show ShowOf(const api::Operation& operation, CLI::App& app, const api::Context& context) {
  for (const ViewSpec* view : AllViews()) {
    const std::string_view shown = view->operation;
    if (shown == operation.name || (shown.ends_with('/') && operation.name.starts_with(shown)))
      return view->declare(app, context);
  }
  return ShowPlainly;
}

}  // namespace

struct OperationCommands::Command {
  Command(CLI::App& app, std::string command) : name(std::move(command)), fields(app) {}

  std::string name;  ///< "zoo make"
  OptionFields fields;
  api::Action perform;
  Show show;
  Format format = Format::kTable;
};

OperationCommands::OperationCommands(CLI::App& app, api::Context& context)
    : context_(context), app_(app) {
  for (const api::Operation& operation : api::AllOperations()) {
    const std::size_t slash = operation.name.find('/');
    const bool is_alone = slash == std::string::npos;
    CLI::App& parent = is_alone ? app : Group(operation.name.substr(0, slash));
    CLI::App* command = parent.add_subcommand(
        is_alone ? operation.name : operation.name.substr(slash + 1), operation.summary);
    command->footer(Footer(operation.example));
    Declare(operation, *command);
  }
  // A group that this build has no operations of says so itself.
  for (const api::GroupSpec* group : api::AllGroups())
    if (!groups_.contains(group->name)) Group(group->name).allow_extras();
  context_.progress = &progress_;
  context_.interrupts = [this]() -> os::Interrupts& {
    if (!interrupts_) {
      interrupts_ = std::make_unique<os::Interrupts>();
      signals_ = std::make_unique<os::SignalInterrupts>(*interrupts_);
    }
    return *interrupts_;
  };
}

OperationCommands::~OperationCommands() = default;

CLI::App& OperationCommands::Group(const std::string& name) {
  CLI::App*& made = groups_[name];
  if (made != nullptr) return *made;
  const auto& all = api::AllGroups();
  const auto found =
      std::ranges::find_if(all, [&](const api::GroupSpec* group) { return group->name == name; });
  XSP_CHECK(found != all.end());
  const api::GroupSpec& group = **found;
  made = app_.add_subcommand(name, group.summary);
  made->footer(Footer(group.example));
  if (HasOperations(group)) made->require_subcommand(group.otherwise == nullptr ? 1 : 0, 1);
  // What the group's name alone means has its options there, too.
  if (group.otherwise != nullptr) Declare(*api::FindOperation(group.otherwise), *made);
  return *made;
}

void OperationCommands::Declare(const api::Operation& operation, CLI::App& app) {
  std::string name = operation.name;
  std::ranges::replace(name, '/', ' ');
  auto command = std::make_unique<Command>(app, name);
  command->perform = operation.declare(command->fields, context_);
  command->fields.Finish();
  command->show = ShowOf(operation, app, context_);
  if (app.get_option_no_throw("--format") == nullptr) AddFormatOption(app, &command->format);
  commands_[&app] = std::move(command);
}

Format OperationCommands::FormatOf(const CLI::App& chosen) const {
  const auto group = commands_.find(chosen.get_parent());
  const bool is_own = group == commands_.end() || chosen.count("--format") > 0;
  return is_own ? commands_.at(&chosen)->format : group->second->format;
}

Result<int> OperationCommands::Run() {
  const CLI::App* chosen = app_.get_subcommands().front();
  while (!chosen->get_subcommands().empty()) chosen = chosen->get_subcommands().front();
  const auto found = commands_.find(chosen);
  if (found == commands_.end()) return NoOperation(chosen->get_name());
  const Command& command = *found->second;
  const Format format = FormatOf(*chosen);
  XSP_RETURN_IF_ERROR(command.fields.Complete(command.name, format == Format::kTable));
  XSP_TRY(const api::Document document, command.perform());
  progress_.Clear();
  for (const std::string& note : document.notes) progress_.Note(note);
  return command.show(document, format);
}

}  // namespace xsp::cli
