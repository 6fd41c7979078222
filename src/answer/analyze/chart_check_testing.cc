#include "answer/analyze/chart_check_testing.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>
#include <set>

#include "core/json_text.h"

namespace xsp::analyze {
namespace {

using nlohmann::json;

bool IsWordCharacter(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

/// "#rgb" to "#rrggbbaa".
bool IsColour(std::string_view text) {
  return text.size() >= 4 && text.size() <= 9 && text.front() == '#' &&
         std::all_of(text.begin() + 1, text.end(),
                     [](unsigned char c) { return std::isxdigit(c) != 0; });
}

/// What a chart computes, what it reads, and what else is wrong with it.
class ChartReader {
 public:
  void Read(const json& node, const std::string& key = "") {
    if (node.is_object()) {
      for (const auto& [name, value] : node.items()) ReadMember(name, value);
      if (key == "x" || key == "y") CheckAxis(key, node);
    } else if (node.is_array()) {
      for (const json& item : node) Read(item, key);
    }
  }

  std::set<std::string> computed;
  std::set<std::string> used;
  std::vector<std::string> wrong;

 private:
  static void Collect(const json& value, std::set<std::string>& into) {
    if (value.is_string()) into.insert(value.get<std::string>());
    if (!value.is_array()) return;
    for (const json& item : value) {
      if (item.is_string()) into.insert(item.get<std::string>());
    }
  }

  void ReadMember(const std::string& name, const json& value) {
    if (name == "as") {
      Collect(value, computed);
    } else if (name == "field" || name == "groupby" || name == "fold" || name == "flatten") {
      Collect(value, used);
      if (name == "fold") computed.insert({"key", "value"});
    } else if (name == "calculate" || name == "filter" || name == "test") {
      ReadExpression(value);
    } else if (name == "url" || name == "values") {
      wrong.push_back(fmt::format("has data of its own: '{}'", name));
    } else if (value.is_string() && IsColour(value.get<std::string>())) {
      wrong.push_back(fmt::format("has a colour of its own: {}", value.get<std::string>()));
    }
    Read(value, name);
  }

  /// Collects the fields that an expression reads: datum.name and datum['name'].
  void ReadExpression(const json& value) {
    if (!value.is_string()) return;
    const std::string text = value.get<std::string>();
    constexpr std::string_view kDatum = "datum";
    for (std::size_t at = text.find(kDatum); at != std::string::npos;
         at = text.find(kDatum, at + 1)) {
      const std::size_t name = at + kDatum.size();
      if (name >= text.size()) return;
      if (text[name] == '.') {
        const auto end = std::find_if_not(text.begin() + static_cast<std::ptrdiff_t>(name) + 1,
                                          text.end(), IsWordCharacter);
        used.insert(std::string(text.begin() + static_cast<std::ptrdiff_t>(name) + 1, end));
      } else if (text[name] == '[' && name + 2 < text.size()) {
        used.insert(text.substr(name + 2, text.find(text[name + 1], name + 2) - name - 2));
      }
    }
  }

  void CheckAxis(const std::string& channel, const json& encoding) {
    if (encoding.value("type", "") != "quantitative") return;
    if (!encoding.contains("title")) {
      wrong.push_back(fmt::format("axis {} of {} has no title", channel,
                                  core::JsonText(encoding.value("field", json("?")))));
    }
    const json scale = encoding.value("scale", json::object());
    if (scale.is_object() && scale.value("type", "linear") == "linear" &&
        scale.value("zero", true) == false) {
      wrong.push_back(fmt::format("axis {} does not start at zero", channel));
    }
  }
};

}  // namespace

std::vector<std::string> CheckChart(const Analysis& analysis) {
  if (analysis.chart.empty()) return {};
  const json chart = core::ParseJson(analysis.chart);
  if (!chart.is_object()) return {"is not a JSON object"};
  ChartReader reader;
  reader.Read(chart);
  if (chart.value("data", json::object()) != json{{"name", "rows"}}) {
    reader.wrong.push_back("does not read the data named \"rows\"");
  }
  if (!chart.contains("description")) reader.wrong.push_back("has no description");
  for (const Column& column : analysis.columns) reader.computed.insert(column.name);
  for (const std::string& field : reader.used) {
    if (!reader.computed.contains(field)) {
      reader.wrong.push_back(fmt::format("uses a field that is no column: {}", field));
    }
  }
  return reader.wrong;
}

}  // namespace xsp::analyze
