#ifndef XSP_API_REQUEST_JSON_H_
#define XSP_API_REQUEST_JSON_H_

#include <nlohmann/json.hpp>
#include <string>

#include "api/operation.h"
#include "core/result.h"

namespace xsp::api {

/// The JSON Schema (2020-12) of an operation's request: an object; each field with its description,
/// type, default, allowed values and range, and with annotations: `unit`; `refers`, what its value
/// stands for ("stored", "model", "input", "output", "output_page", "program"); `positional` and
/// `program` as core::FieldInfo has them.
nlohmann::json RequestSchema(const Operation& operation);

/// Declares `operation`, reads its fields from the object `request`, and returns its action. A
/// field that is missing or null keeps its default. Errors: kUsage naming the field (unknown, of
/// another type, out of its range, missing, excluded by another).
Result<Action> ReadRequest(const Operation& operation, const nlohmann::json& request,
                           const Context& context);

/// The command line that asks for the same: "xsp run resnet50 --batch 1,2". Words with characters
/// that a shell reads are quoted. Fields that the operation does not know are left out.
std::string CommandLine(const Operation& operation, const nlohmann::json& request);

}  // namespace xsp::api

#endif  // XSP_API_REQUEST_JSON_H_
