#include "measure/manifest/given_input.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <string>
#include <vector>

#include "core/dtype.h"
#include "measure/manifest/manifest_reader.h"

namespace xsp::manifest {
namespace {

using nlohmann::json;

std::vector<std::string_view> Split(std::string_view text, std::string_view separator) {
  std::vector<std::string_view> parts;
  for (;;) {
    const std::size_t at = text.find(separator);
    parts.push_back(text.substr(0, at));
    if (at == std::string_view::npos) return parts;
    text.remove_prefix(at + separator.size());
  }
}

template <typename Number>
std::optional<Number> ParseNumber(std::string_view text) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

/// Nothing: it is no shape.
std::optional<json> ParseShape(std::string_view text) {
  if (text == "scalar") return json::array();
  json shape = json::array();
  for (const std::string_view size : Split(text, "x")) {
    if (size == "N") {
      shape.push_back("batch");
      continue;
    }
    const auto number = ParseNumber<std::int64_t>(size);
    if (!number || *number < 1 || *number > kLargestSize) return std::nullopt;
    shape.push_back(*number);
  }
  return shape;
}

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  Result<json> Parse() {
    std::string_view rest = text_;
    std::optional<json> shape = ParseShape(rest.substr(0, rest.find(':')));
    if (!shape) {
      // Names may hold colons ("input:0"), sizes no equals sign.
      const std::size_t equals = rest.find('=');
      if (equals == std::string_view::npos || equals == 0) return Wrong("it has no shape");
      input_["name"] = std::string(rest.substr(0, equals));
      rest.remove_prefix(equals + 1);
      const std::string_view sizes = rest.substr(0, rest.find(':'));
      shape = ParseShape(sizes);
      if (!shape) return Wrong(fmt::format("not a shape: {}", sizes));
    }
    input_["shape"] = std::move(*shape);
    auto parts = Split(rest, ":");
    parts.erase(parts.begin());
    for (const std::string_view part : parts) XSP_RETURN_IF_ERROR(Take(part));
    return std::move(input_);
  }

 private:
  Status Take(std::string_view part) {
    if (part.starts_with("range=")) return TakeRange(part.substr(6));
    if (part.starts_with("value=")) {
      const auto value = ParseNumber<double>(part.substr(6));
      if (!value) return Wrong(fmt::format("not a number: {}", part.substr(6)));
      input_["value"] = *value;
      return Ok{};
    }
    if (part.starts_with("fill=")) {
      if (std::find(kFills.begin(), kFills.end(), part.substr(5)) == kFills.end())
        return Wrong(fmt::format("fill is one of {}", fmt::join(kFills, ", ")));
      input_["fill"] = std::string(part.substr(5));
      return Ok{};
    }
    if (std::find(core::kDtypeNames.begin(), core::kDtypeNames.end(), part) ==
        core::kDtypeNames.end())
      return Wrong(fmt::format("neither type nor range, value or fill: {} (types are {})", part,
                               fmt::join(core::kDtypeNames, ", ")));
    input_["dtype"] = std::string(part);
    return Ok{};
  }

  Status TakeRange(std::string_view text) {
    const auto ends = Split(text, "..");
    if (ends.size() != 2) return Wrong("a range is LOW..HIGH");
    const auto low = ParseNumber<std::int64_t>(ends[0]), high = ParseNumber<std::int64_t>(ends[1]);
    if (!low || !high || *low >= *high) return Wrong("a range is LOW..HIGH with LOW < HIGH");
    input_["range"] = {*low, *high};
    return Ok{};
  }

  Error Wrong(const std::string& why) const {
    return {
        ErrorKind::kUsage, fmt::format("cannot read --input {}: {}", text_, why),
        "Write --input NAME=1x3x224x224, with :int64, :range=0..1000 or :value=1 after it where "
        "needed; N is the batch."};
  }

  std::string_view text_;
  json input_ = json::object();
};

}  // namespace

Result<json> ParseGivenInput(std::string_view text) { return Parser(text).Parse(); }

}  // namespace xsp::manifest
