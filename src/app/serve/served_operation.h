#ifndef XSP_APP_SERVE_SERVED_OPERATION_H_
#define XSP_APP_SERVE_SERVED_OPERATION_H_

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "api/operation.h"
#include "app/serve/message.h"

namespace xsp::serve {

/// An operation that the server performs for others.
struct ServedOperation {
  const api::Operation* operation = nullptr;
  nlohmann::json request_schema;  ///< Without fields that name files of the server.
  std::string page_field;         ///< The field of the page that it writes; empty: it writes none.

  bool is_job() const { return operation->served_as == api::ServedAs::kJob; }
  /// Whether a request is answered at once although others are jobs (OperationSpec::answers_if).
  bool is_answered(const nlohmann::json& request) const {
    const auto field =
        operation->answers_if.empty() ? request.end() : request.find(operation->answers_if);
    return field != request.end() && field->is_boolean() && field->get<bool>();
  }
  /// It can be asked for by GET.
  bool is_read() const { return operation->effect == api::Effect::kReads && !is_job(); }
  Role role() const { return is_read() ? Role::kView : Role::kMeasure; }
  /// "/api/v1/zoo/make"
  std::string path() const { return "/api/v1/" + operation->name; }
};

/// All of them, by name.
const std::vector<ServedOperation>& ServedOperations();

/// The one of that name; null: it is not served.
const ServedOperation* FindServed(std::string_view name);

/// What programs see of them.
nlohmann::json ToJson(const ServedOperation& served);

}  // namespace xsp::serve

#endif  // XSP_APP_SERVE_SERVED_OPERATION_H_
