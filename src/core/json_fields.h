#ifndef XSP_CORE_JSON_FIELDS_H_
#define XSP_CORE_JSON_FIELDS_H_

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "core/request_fields.h"
#include "core/result.h"

namespace xsp::core {

/// Reads the fields of a request from a JSON object. A field that is missing or null keeps its
/// default.
class JsonFields final : public RequestFields {
 public:
  /// `request` is borrowed: an object, or null for one without fields.
  explicit JsonFields(const nlohmann::json& request) : request_(request) {}

  void Add(const std::string& name, FieldValue value, const FieldInfo& info) override;

  /// Once all fields are declared: the first error, kUsage naming the field (of another type, out
  /// of its range, missing, excluded by another, or declared by nobody).
  Status Finish() const;

 private:
  bool IsGiven(const std::string& name) const;
  void Refuse(const std::string& name, const std::string& why, const std::string& help);

  const nlohmann::json& request_;
  std::vector<std::string> names_;
  std::optional<Error> error_;
};

}  // namespace xsp::core

#endif  // XSP_CORE_JSON_FIELDS_H_
