#include "answer/report/columns_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string_view>
#include <unordered_map>
#include <utility>

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

/// "aten::add #17" is ("aten::add", 17): layers without names of their own are numbered so.
std::pair<std::string_view, std::int64_t> SplitNumber(std::string_view text) {
  const std::size_t at = text.rfind(" #");
  std::int64_t number = 0;
  if (at == std::string_view::npos || text.size() - at < 3 || text.size() - at > 11 ||
      (text[at + 2] == '0' && text.size() - at > 3))
    return {text, -1};
  const char* end = text.data() + text.size();
  const auto read = std::from_chars(text.data() + at + 2, end, number);
  if (read.ec != std::errc() || read.ptr != end || number < 0) return {text, -1};
  return {text.substr(0, at), number};
}

/// Texts by number, each once; what ends in a number of its own is written without it.
class TextColumn {
 public:
  TextColumn(const store::Table& table, std::size_t column) {
    for (const auto& row : table.rows) Add(std::get_if<std::string>(&row[column]));
  }

  json Json() && {
    json column = {{"dict", std::move(dict_)}, {"codes", std::move(codes_)}};
    if (has_numbers_) column["numbers"] = std::move(numbers_);
    return column;
  }

 private:
  void Add(const std::string* text) {
    if (text == nullptr) {
      codes_.push_back(-1);
      numbers_.push_back(-1);
      return;
    }
    const auto [name, number] = SplitNumber(*text);
    const auto [it, is_new] =
        known_.emplace(std::string(name), static_cast<std::int64_t>(known_.size()));
    if (is_new) dict_.push_back(it->first);
    codes_.push_back(it->second);
    numbers_.push_back(number);
    has_numbers_ = has_numbers_ || number >= 0;
  }

  std::unordered_map<std::string, std::int64_t> known_;
  json dict_ = json::array(), codes_ = json::array(), numbers_ = json::array();
  bool has_numbers_ = false;
};

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
  TextColumn column_json(table, column);
  return std::move(column_json).Json();
}

json ColumnsJson(const store::Table& table, Repeats repeats) {
  json columns = json::object();
  for (std::size_t i = 0; i < table.columns.size(); ++i)
    columns[table.columns[i]] = ColumnJson(table, i, repeats);
  return columns;
}

}  // namespace xsp::report
