#include "api/operations/gate_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "answer/wording/quantity.h"
#include "answer/wording/short_name.h"

namespace xsp::api {
namespace {

using nlohmann::json;

std::string Quantity(const json& value, std::string_view unit) {
  if (!value.is_number()) return "nothing";
  return wording::FormatQuantity(value.get<double>(), unit);
}

/// The ratio that is just within the limit.
double LimitOf(const json& gate) {
  const double limit = gate["limit"];
  return gate["metric"] == "throughput" ? 1 - limit : 1 + limit;
}

}  // namespace

std::string GateValueText(const json& gate) {
  std::string text;
  if (gate["a"].is_number() || gate["b"].is_number()) {
    const std::string unit = gate["unit"];
    text = fmt::format("{}, then {}", Quantity(gate["a"], unit), Quantity(gate["b"], unit));
    if (gate["of"].is_string()) text += fmt::format(" ({})", gate["of"].get<std::string>());
  }
  if (gate["value"].is_number()) {
    text += "; ratio " + wording::FormatRatio(gate["value"].get<double>());
    if (gate["low"].is_number() && gate["high"].is_number() && gate["low"] != gate["high"])
      text +=
          fmt::format(", 95 % interval {} to {}", wording::FormatRatio(gate["low"].get<double>()),
                      wording::FormatRatio(gate["high"].get<double>()));
    text += ", limit " + wording::FormatRatio(LimitOf(gate));
  }
  if (gate["reason"].is_string())
    text += (text.empty() ? "" : ": ") + gate["reason"].get<std::string>();
  return text;
}

std::string ShortRowPath(const std::string& path, const std::string& kind) {
  constexpr std::size_t kMaxBytes = 60;
  if (kind == "module" || kind == "operator") return path;
  // A signature may have slashes, too; the name of an operator has none.
  const std::size_t signature = std::min(path.find('('), path.find('<'));
  const std::size_t slash = path.rfind('/', signature);
  const std::size_t name = slash == std::string::npos ? 0 : slash + 1;
  return path.substr(0, name) + wording::ShortName(path.substr(name), kMaxBytes);
}

std::vector<std::string> GateNodeLines(const json& gate) {
  std::vector<std::string> lines;
  for (const json& node : gate["nodes"]) {
    lines.push_back(fmt::format(
        "+{} ({} of the difference) {}: {}, then {}", Quantity(node["difference_ns"], "ns"),
        wording::Percent(node["share"].get<double>()), ShortRowPath(node["path"], node["kind"]),
        Quantity(node["a_ns"], "ns"), Quantity(node["b_ns"], "ns")));
  }
  return lines;
}

}  // namespace xsp::api
