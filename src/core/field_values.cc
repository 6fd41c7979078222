#include "core/field_values.h"

#include <filesystem>
#include <optional>
#include <variant>

namespace xsp::core {
namespace {

using nlohmann::json;

template <typename T>
json JsonOf(const T& value) {
  return value;
}

json JsonOf(const std::filesystem::path& value) { return value.string(); }

template <typename T>
json JsonOf(const std::optional<T>& value) {
  return value ? json(*value) : json();
}

template <typename T>
json JsonOf(const std::vector<T>& values) {
  json array = json::array();
  for (const T& value : values) array.push_back(JsonOf(value));
  return array;
}

json JsonOf(const FieldValue& value) {
  return std::visit([](const auto* variable) { return JsonOf(*variable); }, value);
}

}  // namespace

void FieldValues::Add(const std::string& name, FieldValue value, const FieldInfo& info) {
  fields_.push_back({name, value, JsonOf(value)});
  reader_.Add(name, value, info);
}

json FieldValues::Changed() const {
  json request = json::object();
  for (const Field& field : fields_)
    if (json now = JsonOf(field.value); now != field.before) request[field.name] = std::move(now);
  return request;
}

}  // namespace xsp::core
