#include "report/columns_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <unordered_map>

namespace xsp::report {
namespace {

using nlohmann::json;

json CellJson(const store::Cell& cell) {
  struct Visitor {
    json operator()(std::monostate) const { return nullptr; }
    json operator()(bool value) const { return value; }
    json operator()(std::int64_t value) const { return value; }
    json operator()(double value) const {
      if (!std::isfinite(value)) return nullptr;
      // Nothing is measured to more than nine digits; whole numbers need no point.
      const double rounded = std::strtod(fmt::format("{:.9g}", value).c_str(), nullptr);
      if (rounded == std::floor(rounded) && std::abs(rounded) < 1e15)
        return static_cast<std::int64_t>(rounded);
      return rounded;
    }
    json operator()(const std::string& value) const { return value; }
  };
  return std::visit(Visitor{}, cell);
}

/// From this many rows on, a column of one value is written once.
constexpr std::size_t kRepeats = 8;

bool IsRepeated(const store::Table& table, std::size_t column) {
  return table.rows.size() >= kRepeats &&
         std::all_of(table.rows.begin(), table.rows.end(),
                     [&](const auto& row) { return row[column] == table.rows.front()[column]; });
}

bool IsText(const store::Table& table, std::size_t column) {
  for (const auto& row : table.rows)
    if (row[column].index() != 0) return std::holds_alternative<std::string>(row[column]);
  return false;
}

}  // namespace

json ColumnJson(const store::Table& table, std::size_t column, Repeats repeats) {
  if (repeats == Repeats::kOnce && IsRepeated(table, column))
    return {{"value", CellJson(table.rows.front()[column])}, {"count", table.rows.size()}};
  if (!IsText(table, column)) {
    json values = json::array();
    for (const auto& row : table.rows) values.push_back(CellJson(row[column]));
    return values;
  }
  json dict = json::array();
  json codes = json::array();
  std::unordered_map<std::string, std::int64_t> known;
  for (const auto& row : table.rows) {
    const auto* text = std::get_if<std::string>(&row[column]);
    if (text == nullptr) {
      codes.push_back(-1);
      continue;
    }
    const auto [it, is_new] = known.emplace(*text, static_cast<std::int64_t>(known.size()));
    if (is_new) dict.push_back(*text);
    codes.push_back(it->second);
  }
  return {{"dict", std::move(dict)}, {"codes", std::move(codes)}};
}

json ColumnsJson(const store::Table& table, Repeats repeats) {
  json columns = json::object();
  for (std::size_t i = 0; i < table.columns.size(); ++i)
    columns[table.columns[i]] = ColumnJson(table, i, repeats);
  return columns;
}

}  // namespace xsp::report
