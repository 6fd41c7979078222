#include "pipeline/base/parameters.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <sstream>

#include "core/json_text.h"

namespace xsp::pipeline {
namespace {

using nlohmann::json;

std::string NumberText(double value) {
  std::ostringstream text;
  text << value;
  return text.str();
}

}  // namespace

std::string ForMessage(const json& value) {
  std::string text = core::AsciiJsonText(value);
  if (text.size() > 80) text = text.substr(0, 77) + "...";
  return text;
}

Parameters::Parameters(const json& object, std::string where)
    : object_(object), where_(std::move(where)) {}

bool Parameters::Has(const char* key) const {
  const auto it = object_.find(key);
  return it != object_.end() && !it->is_null();
}

const json* Parameters::Find(const char* key) {
  known_.emplace_back(key);
  const auto it = object_.find(key);
  return it == object_.end() || it->is_null() ? nullptr : &*it;
}

const json* Parameters::Required(const char* key, bool required) {
  const json* field = Find(key);
  if (!field && required) Fail(std::string(key) + " is missing");
  return field;
}

void Parameters::Fail(const std::string& what, const std::string& hint, const std::string& field) {
  if (status_.ok()) status_ = BadInput(where_ + ": " + what, hint, field);
}

void Parameters::Wrong(const char* key, const std::string& expected, const json& found) {
  Fail(std::string(key) + " must be " + expected + ": " + ForMessage(found), "", key);
}

void Parameters::Text(const char* key, std::string& value, bool required) {
  const json* field = Required(key, required);
  if (!field) return;
  if (!field->is_string()) return Wrong(key, "a text", *field);
  value = field->get<std::string>();
}

void Parameters::Flag(const char* key, bool& value) {
  const json* field = Find(key);
  if (!field) return;
  if (!field->is_boolean()) return Wrong(key, "true or false", *field);
  value = field->get<bool>();
}

void Parameters::Integer(const char* key, std::int64_t& value, std::int64_t low, std::int64_t high,
                         bool required) {
  const json* field = Required(key, required);
  if (!field) return;
  // An unsigned value beyond int64 turns negative here, and so out of range where low is not.
  if (!field->is_number_integer() || field->get<std::int64_t>() < low ||
      field->get<std::int64_t>() > high) {
    return Wrong(key, "an integer from " + std::to_string(low) + " to " + std::to_string(high),
                 *field);
  }
  value = field->get<std::int64_t>();
}

void Parameters::Number(const char* key, double& value, double low, double high) {
  const json* field = Find(key);
  if (!field) return;
  if (!field->is_number() || !(field->get<double>() >= low && field->get<double>() <= high)) {
    return Wrong(key, "a number from " + NumberText(low) + " to " + NumberText(high), *field);
  }
  value = field->get<double>();
}

void Parameters::Numbers(const char* key, std::vector<double>& value, std::size_t count) {
  const json* field = Find(key);
  if (!field) return;
  if (field->is_number() && count > 0) {
    value.assign(count, field->get<double>());
    return;
  }
  const bool numbers =
      field->is_array() && std::all_of(field->begin(), field->end(), [](const json& item) {
        return item.is_number() && std::isfinite(item.get<double>());
      });
  if (!numbers || (count > 0 && field->size() != count)) {
    return Wrong(key,
                 count > 0 ? "a list of " + std::to_string(count) + " numbers, or one number"
                           : "a list of numbers",
                 *field);
  }
  value = field->get<std::vector<double>>();
}

void Parameters::Texts(const char* key, std::vector<std::string>& value) {
  const json* field = Find(key);
  if (!field) return;
  const bool texts = field->is_array() && std::all_of(field->begin(), field->end(),
                                                      [](const json& i) { return i.is_string(); });
  if (!texts) return Wrong(key, "a list of texts", *field);
  value = field->get<std::vector<std::string>>();
}

int Parameters::ChoiceIndex(const char* key, const std::vector<const char*>& names) {
  const json* field = Find(key);
  if (!field) return -1;
  std::string list;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (field->is_string() && field->get<std::string>() == names[i]) return static_cast<int>(i);
    list += (i == 0 ? "" : ", ") + std::string(names[i]);
  }
  Wrong(key, "one of " + list, *field);
  return -1;
}

Status Parameters::Finish() {
  XSP_RETURN_IF_ERROR(status_);
  std::vector<std::string> known = known_;
  std::sort(known.begin(), known.end());
  known.erase(std::unique(known.begin(), known.end()), known.end());
  for (const auto& [key, value] : object_.items()) {
    if (std::binary_search(known.begin(), known.end(), key)) continue;
    std::string list;
    for (const std::string& name : known) {
      // What made this object what it is, the caller has read.
      if (name != "step" && name != "kind") list += (list.empty() ? "" : ", ") + name;
    }
    return BadInput(where_ + ": there is no parameter of this name: " + ForMessage(key),
                    list.empty() ? "it takes no parameters" : "it takes: " + list, key);
  }
  return Ok{};
}

}  // namespace xsp::pipeline
