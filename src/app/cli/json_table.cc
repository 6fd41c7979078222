#include "app/cli/json_table.h"

#include <utility>

namespace xsp::cli {
namespace {

using nlohmann::json;

store::Cell CellOf(const json& value) {
  if (value.is_boolean()) return value.get<bool>();
  if (value.is_number_integer()) return value.get<std::int64_t>();
  if (value.is_number()) return value.get<double>();
  if (value.is_string()) return value.get<std::string>();
  return {};
}

}  // namespace

store::Table TableOf(std::vector<std::string> columns, const json& rows) {
  store::Table table{std::move(columns), {}};
  table.rows.reserve(rows.size());
  for (const json& row : rows) {
    std::vector<store::Cell>& cells = table.rows.emplace_back();
    cells.reserve(table.columns.size());
    for (const std::string& column : table.columns) {
      const auto found = row.find(column);
      cells.push_back(found == row.end() ? store::Cell() : CellOf(*found));
    }
  }
  return table;
}

}  // namespace xsp::cli
