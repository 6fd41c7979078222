#ifndef XSP_CORE_FIELD_VALUES_H_
#define XSP_CORE_FIELD_VALUES_H_

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/request_fields.h"

namespace xsp::core {

/// Hands the fields of a request on to another visitor, and knows afterwards what they hold: the
/// request as JSON, whatever it was read from.
class FieldValues final : public RequestFields {
 public:
  /// `reader` is borrowed while fields are added.
  explicit FieldValues(RequestFields& reader) : reader_(reader) {}

  void Add(const std::string& name, FieldValue value, const FieldInfo& info) override;

  /// Once the request has been read, while its variables live: an object that JsonFields reads, of
  /// the fields that do not hold their default.
  nlohmann::json Changed() const;

 private:
  struct Field {
    std::string name;
    FieldValue value;
    nlohmann::json before;
  };

  RequestFields& reader_;
  std::vector<Field> fields_;
};

}  // namespace xsp::core

#endif  // XSP_CORE_FIELD_VALUES_H_
