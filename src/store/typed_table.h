#ifndef XSP_STORE_TYPED_TABLE_H_
#define XSP_STORE_TYPED_TABLE_H_

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/result.h"
#include "store/table.h"

namespace xsp::store {

/// Whether `cell` has the type of `value`, which is then set to it.
template <typename T>
bool FromCell(const Cell& cell, T& value) {
  const T* found = std::get_if<T>(&cell);
  if (found != nullptr) value = *found;
  return found != nullptr;
}
template <typename T>
bool FromCell(const Cell& cell, std::optional<T>& value) {
  if (std::holds_alternative<std::monostate>(cell)) {
    value = std::nullopt;
    return true;
  }
  return FromCell(cell, value.emplace());
}

/// What a query of a table, such as "SELECT * FROM layer", found as typed rows (store/rows): the
/// columns in any order, with others between them. Errors: kInternal for a column that is missing
/// or of another type, NULL included where the schema has none.
template <typename Row>
Result<std::vector<Row>> ToRows(const Table& table) {
  std::vector<Row> rows(table.rows.size());
  Status status = Ok{};
  Row::VisitColumns([&](std::string_view name, auto field) {
    const auto it = std::find(table.columns.begin(), table.columns.end(), name);
    bool fits = it != table.columns.end();
    const auto column = static_cast<std::size_t>(it - table.columns.begin());
    for (std::size_t row = 0; fits && row < rows.size(); ++row)
      fits = FromCell(table.rows[row][column], rows[row].*field);
    if (!fits && status.ok())
      status = Error{
          ErrorKind::kInternal,
          fmt::format("not as the schema has it: table {}, column {}", Row::kTable, name), ""};
  });
  XSP_RETURN_IF_ERROR(status);
  return rows;
}

}  // namespace xsp::store

#endif  // XSP_STORE_TYPED_TABLE_H_
