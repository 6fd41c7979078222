#ifndef XSP_API_OPERATIONS_OPERATION_LIST_H_
#define XSP_API_OPERATIONS_OPERATION_LIST_H_

#include <nlohmann/json.hpp>
#include <span>
#include <string_view>
#include <vector>

#include "api/operation.h"
#include "core/result.h"

namespace xsp::api {

/// Every operation of this build, by name: those of src/api/operations/*_operation.cc, whose list
/// module.cmake generates, and the commands of the suite.
const std::vector<Operation>& AllOperations();

/// Every group of operations, by name: of src/api/operations/*_group.cc. Generated likewise.
std::span<const GroupSpec* const> AllGroups();

/// Null: there is none of this name.
const Operation* FindOperation(std::string_view name);

/// That there is no operation `name`, with the one that was probably meant. kUsage.
Error NoSuchOperation(std::string_view name);

/// Performs an operation by name. Without a command line in `context`, the one that asks for the
/// same is stored with what is measured; without progress and interrupts nobody is told and nothing
/// stops it. Errors: kUsage (no such operation, or as ReadRequest), and the operation's own; their
/// hints name fields, not options.
/// Threading: any thread, and several at once.
Result<Document> Perform(std::string_view operation, const nlohmann::json& request,
                         const Context& context);

}  // namespace xsp::api

#endif  // XSP_API_OPERATIONS_OPERATION_LIST_H_
