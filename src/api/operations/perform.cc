#include <algorithm>

#include "api/field_names.h"
#include "api/operations/operation_list.h"
#include "api/request_json.h"
#include "core/nearest_word.h"

namespace xsp::api {

Error NoSuchOperation(std::string_view name) {
  std::vector<std::string_view> names;
  for (const Operation& operation : AllOperations()) names.push_back(operation.name);
  const std::string_view meant = core::NearestWord(name, names);
  return {ErrorKind::kUsage, "no such operation: " + std::string(name),
          meant.empty() ? "`xsp api` lists the operations."
                        : "Did you mean " + std::string(meant) + "?"};
}

Result<Document> Perform(std::string_view name, const nlohmann::json& request,
                         const Context& context) {
  const Operation* operation = FindOperation(name);
  if (operation == nullptr) return NoSuchOperation(name);
  Context own = context;
  core::NoProgress nobody;
  os::Interrupts never;
  if (own.progress == nullptr) own.progress = &nobody;
  if (!own.interrupts) own.interrupts = [&never]() -> os::Interrupts& { return never; };
  if (own.command_line.empty()) own.command_line = CommandLine(*operation, request);
  const Result<Action> action = ReadRequest(*operation, request, own);
  Result<Document> answer = action.ok() ? action.value()() : action.error();
  if (answer.ok()) return answer;
  Error error = answer.error();
  error.hint = WithFieldNames(error.hint);
  return error;
}

}  // namespace xsp::api
