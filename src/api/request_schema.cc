#include <cmath>
#include <type_traits>

#include "api/request_json.h"

namespace xsp::api {
namespace {

using nlohmann::json;

/// `{"type": ...}` of one value, with the range and the allowed values that `info` gives.
template <typename T>
json ScalarSchema(const core::FieldInfo& info) {
  json schema;
  if constexpr (std::is_same_v<T, bool>) {
    schema["type"] = "boolean";
  } else if constexpr (std::is_arithmetic_v<T>) {
    schema["type"] = std::is_integral_v<T> ? "integer" : "number";
    const auto bound = [&schema](const char* name, double value) {
      if (std::is_integral_v<T> && std::isfinite(value)) {
        schema[name] = static_cast<std::int64_t>(value);
      } else if (std::isfinite(value)) {
        schema[name] = value;
      }
    };
    bound(info.range.above_low ? "exclusiveMinimum" : "minimum", info.range.low);
    bound(info.range.below_high ? "exclusiveMaximum" : "maximum", info.range.high);
  } else {
    schema["type"] = "string";
    if (!info.allowed.empty()) schema["enum"] = info.allowed;
  }
  return schema;
}

/// The default as JSON. Null: none that a request may state, as a 0 that means "not given" where
/// only numbers above 0 are taken.
template <typename T>
json DefaultOf(const T& value, const core::FieldInfo& info) {
  if constexpr (std::is_arithmetic_v<T> && !std::is_same_v<T, bool>) {
    return info.range.Contains(static_cast<double>(value)) ? json(value) : json();
  } else if constexpr (std::is_same_v<T, std::filesystem::path>) {
    return value.empty() ? json() : json(value.string());
  } else if constexpr (std::is_same_v<T, std::string>) {
    return value.empty() ? json() : json(value);
  } else {
    return value;
  }
}

template <typename T>
json ValueSchema(const T& value, const core::FieldInfo& info) {
  json schema = ScalarSchema<T>(info);
  if (json fallback = DefaultOf(value, info); !fallback.is_null() && !info.required)
    schema["default"] = std::move(fallback);
  return schema;
}

template <typename T>
json ValueSchema(const std::optional<T>& value, const core::FieldInfo& info) {
  return value ? ValueSchema(*value, info) : ScalarSchema<T>(info);
}

template <typename T>
json ValueSchema(const std::vector<T>& values, const core::FieldInfo& info) {
  json schema = {{"type", "array"}, {"items", ScalarSchema<T>(info)}};
  if (info.max_items > 0) schema["maxItems"] = info.max_items;
  if (info.required) schema["minItems"] = 1;
  json fallback = json::array();
  for (const T& value : values) fallback.push_back(DefaultOf(value, info));
  if (!fallback.empty()) schema["default"] = std::move(fallback);
  return schema;
}

/// The annotation of what a value stands for; null: none.
const char* AnnotationOf(core::Refers refers) {
  switch (refers) {
    case core::Refers::kNothing:
    case core::Refers::kSql:
      return nullptr;
    case core::Refers::kStored:
      return "stored";
    case core::Refers::kModel:
      return "model";
    case core::Refers::kManifest:
      return "manifest";
    case core::Refers::kInput:
      return "input";
    case core::Refers::kOutput:
      return "output";
    case core::Refers::kOutputPage:
      return "output_page";
    case core::Refers::kProgram:
      return "program";
  }
  return nullptr;
}

class SchemaFields final : public core::RequestFields {
 public:
  void Add(const std::string& name, core::FieldValue value, const core::FieldInfo& info) override {
    json schema =
        std::visit([&info](const auto* variable) { return ValueSchema(*variable, info); }, value);
    schema["description"] = info.help;
    if (!info.unit.empty()) schema["unit"] = info.unit;
    if (const char* annotation = AnnotationOf(info.refers)) schema["refers"] = annotation;
    if (!info.or_default.empty()) schema["default_description"] = info.or_default;
    if (info.positional) schema["positional"] = true;
    if (info.program) schema["program"] = true;
    properties_[name] = std::move(schema);
    if (info.required) required_.push_back(name);
    for (const std::string& excluded : info.excludes)
      excluded_.push_back({{"required", json::array({name, excluded})}});
    if (!info.needs.empty()) needed_[name].push_back(info.needs);
  }

  json Schema() const {
    json schema = {
        {"type", "object"}, {"properties", properties_}, {"additionalProperties", false}};
    if (!required_.empty()) schema["required"] = required_;
    if (!needed_.empty()) schema["dependentRequired"] = needed_;
    if (!excluded_.empty()) schema["not"] = {{"anyOf", excluded_}};
    return schema;
  }

 private:
  json properties_ = json::object();
  json required_ = json::array();
  json excluded_ = json::array();
  json needed_ = json::object();
};

}  // namespace

json RequestSchema(const Operation& operation) {
  SchemaFields fields;
  const Context nobody;
  operation.declare(fields, nobody);
  return fields.Schema();
}

}  // namespace xsp::api
