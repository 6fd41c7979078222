#include "answer/suite/operation_call.h"

#include <fmt/format.h>

namespace xsp::suite {
namespace {

constexpr std::string_view kError = "error: ";

Error Interrupted() {
  return {ErrorKind::kInterrupted, "interrupted", "what was measured before is kept"};
}

}  // namespace

Result<Performed> CallOperation(const CommandContext& context, std::string_view operation,
                                const nlohmann::json& request, const std::filesystem::path& store) {
  os::Interrupts& interrupts = context.interrupts();
  if (interrupts.stop()) return Interrupted();
  core::NoProgress nobody;
  auto performed = context.perform(operation, request, store, nobody, interrupts);
  if (interrupts.stop()) return Interrupted();
  return performed;
}

std::string TextOf(const Error& error) {
  return error.hint.empty() ? error.what : error.what + "\nhint: " + error.hint;
}

std::string FailureText(const Performed& performed) {
  if (performed.exit_status == 0) return {};
  std::string text;
  for (const std::string& note : performed.notes) {
    if (note.starts_with(kError)) {
      text = note.substr(kError.size());
    } else if (!text.empty() && note.starts_with("hint: ")) {
      text += "\n" + note;
    }
  }
  return text.empty() ? fmt::format("exit status {}", performed.exit_status) : text;
}

ErrorKind FailureKind(int exit_status) {
  const bool states_kind = exit_status >= static_cast<int>(ErrorKind::kBadInput) &&
                           exit_status <= static_cast<int>(ErrorKind::kEnvironment);
  return states_kind ? static_cast<ErrorKind>(exit_status) : ErrorKind::kEnvironment;
}

}  // namespace xsp::suite
