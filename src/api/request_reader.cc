#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <type_traits>

#include "api/request_json.h"
#include "core/nearest_word.h"

namespace xsp::api {
namespace {

using nlohmann::json;

/// What a value must be, in words: "a number above 0".
template <typename T>
std::string Wanted(const core::FieldInfo& info) {
  if constexpr (std::is_same_v<T, bool>) {
    return "true or false";
  } else if constexpr (std::is_arithmetic_v<T>) {
    const core::NumberRange& range = info.range;
    std::string text = std::is_integral_v<T> ? "an integer" : "a number";
    if (std::isfinite(range.low))
      text += fmt::format(" {} {}", range.above_low ? "above" : "of at least", range.low);
    if (std::isfinite(range.high))
      text += fmt::format("{}{} {}", std::isfinite(range.low) ? " and " : " ",
                          range.below_high ? "below" : "of at most", range.high);
    return text;
  } else {
    return info.allowed.empty() ? std::string("a text")
                                : fmt::format("one of {}", fmt::join(info.allowed, ", "));
  }
}

/// False: `given` is not what `info` takes.
template <typename T>
bool Read(const json& given, const core::FieldInfo& info, T& value) {
  if constexpr (std::is_same_v<T, bool>) {
    if (!given.is_boolean()) return false;
    value = given.get<bool>();
    return true;
  } else if constexpr (std::is_arithmetic_v<T>) {
    if (!given.is_number() || !info.range.Contains(given.get<double>())) return false;
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
std::string ReadValue(const json& given, const core::FieldInfo& info, T& value) {
  return Read(given, info, value) ? "" : Wanted<T>(info);
}

template <typename T>
std::string ReadValue(const json& given, const core::FieldInfo& info, std::optional<T>& value) {
  return ReadValue(given, info, value.emplace());
}

template <typename T>
std::string ReadValue(const json& given, const core::FieldInfo& info, std::vector<T>& values) {
  const std::string wanted = fmt::format("an array, each element {}", Wanted<T>(info));
  if (!given.is_array()) return wanted;
  if (info.max_items > 0 && given.size() > static_cast<std::size_t>(info.max_items))
    return fmt::format("an array of at most {}", info.max_items);
  values.clear();
  for (const json& element : given) {
    T value{};
    if (!Read(element, info, value)) return wanted;
    values.push_back(std::move(value));
  }
  return info.required && values.empty() ? "an array that is not empty" : "";
}

class JsonFields final : public core::RequestFields {
 public:
  explicit JsonFields(const json& request) : request_(request) {}

  void Add(const std::string& name, core::FieldValue value, const core::FieldInfo& info) override {
    names_.push_back(name);
    if (!IsGiven(name)) {
      if (info.required) Refuse(name, "field is missing", info.help);
      return;
    }
    const json& given = request_.at(name);
    const std::string wanted =
        std::visit([&](auto* variable) { return ReadValue(given, info, *variable); }, value);
    if (!wanted.empty())
      Refuse(name, fmt::format("field must be {}, not {}", wanted, Shortened(given)), info.help);
    for (const std::string& excluded : info.excludes)
      if (IsGiven(excluded)) Refuse(name, fmt::format("field excludes {}", excluded), info.help);
    if (!info.needs.empty() && !IsGiven(info.needs))
      Refuse(name, fmt::format("field needs {}", info.needs), info.help);
  }

  /// The first error, or that of a field that nobody declared.
  Status Finish() const {
    if (error_) return *error_;
    const std::vector<std::string_view> known(names_.begin(), names_.end());
    for (const auto& [name, value] : request_.items()) {
      if (std::ranges::find(names_, name) != names_.end()) continue;
      const std::string_view meant = core::NearestWord(name, known);
      return Error{.kind = ErrorKind::kUsage,
                   .what = "no such field: " + name,
                   .hint = meant.empty() ? fmt::format("Fields: {}", fmt::join(names_, ", "))
                                         : fmt::format("Did you mean {}?", meant),
                   .field = name};
    }
    return Ok{};
  }

 private:
  bool IsGiven(const std::string& name) const {
    const auto found = request_.find(name);
    return found != request_.end() && !found->is_null();
  }

  static std::string Shortened(const json& value) {
    std::string text = value.dump(-1, ' ', true, json::error_handler_t::replace);
    constexpr std::size_t kLongest = 60;
    return text.size() <= kLongest ? text : text.substr(0, kLongest) + "...";
  }

  void Refuse(const std::string& name, const std::string& why, const std::string& help) {
    if (!error_)
      error_ = Error{.kind = ErrorKind::kUsage,
                     .what = fmt::format("{}: {}", why, name),
                     .hint = fmt::format("{}: {}", name, help),
                     .field = name};
  }

  const json& request_;
  std::vector<std::string> names_;
  std::optional<Error> error_;
};

}  // namespace

Result<Action> ReadRequest(const Operation& operation, const json& request,
                           const Context& context) {
  if (!request.is_object())
    return Error{ErrorKind::kUsage, fmt::format("request of {} must be an object", operation.name),
                 ""};
  JsonFields fields(request);
  Action action = operation.declare(fields, context);
  XSP_RETURN_IF_ERROR(fields.Finish());
  return action;
}

}  // namespace xsp::api
