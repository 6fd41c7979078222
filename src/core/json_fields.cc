#include "core/json_fields.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string_view>
#include <type_traits>
#include <utility>

#include "core/json_text.h"
#include "core/nearest_word.h"

namespace xsp::core {
namespace {

using nlohmann::json;

/// The shortest text that reads back as `value`.
std::string Text(double value) {
  char text[32];
  const auto end = std::to_chars(text, text + sizeof(text), value).ptr;
  return {text, end};
}

std::string Joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

/// What a value must be, in words: "a number above 0".
template <typename T>
std::string Wanted(const FieldInfo& info) {
  if constexpr (std::is_same_v<T, bool>) {
    return "true or false";
  } else if constexpr (std::is_arithmetic_v<T>) {
    const NumberRange& range = info.range;
    std::string text = std::is_integral_v<T> ? "an integer" : "a number";
    if (std::isfinite(range.low))
      text += (range.above_low ? " above " : " of at least ") + Text(range.low);
    if (std::isfinite(range.high))
      text += (std::isfinite(range.low) ? " and " : " ") +
              std::string(range.below_high ? "below " : "of at most ") + Text(range.high);
    return text;
  } else {
    return info.allowed.empty() ? "a text" : "one of " + Joined(info.allowed);
  }
}

/// False: `given` is not what `info` takes.
template <typename T>
bool Read(const json& given, const FieldInfo& info, T& value) {
  if constexpr (std::is_same_v<T, bool>) {
    if (!given.is_boolean()) return false;
    value = given.get<bool>();
    return true;
  } else if constexpr (std::is_arithmetic_v<T>) {
    if (!given.is_number()) return false;
    const auto number = given.get<double>();
    if (!std::isfinite(number) || !info.range.Contains(number)) return false;
    if constexpr (std::is_integral_v<T>) {
      if (!given.is_number_integer()) return false;
      if (given.is_number_unsigned() ? !std::in_range<T>(given.get<std::uint64_t>())
                                     : !std::in_range<T>(given.get<std::int64_t>()))
        return false;
    }
    value = given.get<T>();
    return true;
  } else {
    if (!given.is_string()) return false;
    const auto& text = given.get_ref<const std::string&>();
    if (!info.allowed.empty() && std::ranges::find(info.allowed, text) == info.allowed.end())
      return false;
    value = text;
    return true;
  }
}

/// Empty: read. Else what the field must be.
template <typename T>
std::string ReadValue(const json& given, const FieldInfo& info, T& value) {
  return Read(given, info, value) ? "" : Wanted<T>(info);
}

template <typename T>
std::string ReadValue(const json& given, const FieldInfo& info, std::optional<T>& value) {
  return ReadValue(given, info, value.emplace());
}

template <typename T>
std::string ReadValue(const json& given, const FieldInfo& info, std::vector<T>& values) {
  const std::string wanted = "an array, each element " + Wanted<T>(info);
  if (!given.is_array()) return wanted;
  if (info.max_items > 0 && given.size() > static_cast<std::size_t>(info.max_items))
    return "an array of at most " + std::to_string(info.max_items);
  values.clear();
  for (const json& element : given) {
    T value{};
    if (!Read(element, info, value)) return wanted;
    values.push_back(std::move(value));
  }
  return info.required && values.empty() ? "an array that is not empty" : "";
}

std::string Shortened(const json& value) {
  std::string text = core::AsciiJsonText(value);
  constexpr std::size_t kLongest = 60;
  return text.size() <= kLongest ? text : text.substr(0, kLongest) + "...";
}

}  // namespace

void JsonFields::Add(const std::string& name, FieldValue value, const FieldInfo& info) {
  names_.push_back(name);
  if (!IsGiven(name)) {
    if (info.required) Refuse(name, "field is missing", info.help);
    return;
  }
  const json& given = request_.at(name);
  const std::string wanted =
      std::visit([&](auto* variable) { return ReadValue(given, info, *variable); }, value);
  if (!wanted.empty())
    Refuse(name, "field must be " + wanted + ", not " + Shortened(given), info.help);
  for (const std::string& excluded : info.excludes)
    if (IsGiven(excluded)) Refuse(name, "field excludes " + excluded, info.help);
  if (!info.needs.empty() && !IsGiven(info.needs))
    Refuse(name, "field needs " + info.needs, info.help);
}

Status JsonFields::Finish() const {
  if (error_) return *error_;
  const std::vector<std::string_view> known(names_.begin(), names_.end());
  for (const auto& [name, value] : request_.items()) {
    if (std::ranges::find(names_, name) != names_.end()) continue;
    const std::string_view meant = NearestWord(name, known);
    return Error{.kind = ErrorKind::kUsage,
                 .what = "no such field: " + name,
                 .hint = meant.empty() ? "Fields: " + Joined(names_)
                                       : "Did you mean " + std::string(meant) + "?",
                 .field = name};
  }
  return Ok{};
}

bool JsonFields::IsGiven(const std::string& name) const {
  const auto found = request_.find(name);
  return found != request_.end() && !found->is_null();
}

void JsonFields::Refuse(const std::string& name, const std::string& why, const std::string& help) {
  if (!error_)
    error_ = Error{.kind = ErrorKind::kUsage,
                   .what = why + ": " + name,
                   .hint = name + ": " + help,
                   .field = name};
}

}  // namespace xsp::core
