#include "answer/report/rows.h"

#include <algorithm>
#include <cmath>

namespace xsp::report {

Result<Rows> Rows::Of(const store::Database& database, std::string_view sql) {
  XSP_TRY(store::Table table, database.Query(sql));
  return Rows(std::move(table));
}

const store::Cell& Rows::At(std::size_t row, std::string_view column) const {
  const auto it = std::find(table_.columns.begin(), table_.columns.end(), column);
  XSP_CHECK(it != table_.columns.end());
  return table_.rows.at(row).at(static_cast<std::size_t>(it - table_.columns.begin()));
}

bool Rows::IsNull(std::size_t row, std::string_view column) const {
  return std::holds_alternative<std::monostate>(At(row, column));
}

double Rows::Number(std::size_t row, std::string_view column) const {
  const store::Cell& cell = At(row, column);
  if (const auto* real = std::get_if<double>(&cell)) return *real;
  if (const auto* integer = std::get_if<std::int64_t>(&cell)) return static_cast<double>(*integer);
  return std::nan("");
}

std::int64_t Rows::Integer(std::size_t row, std::string_view column) const {
  const store::Cell& cell = At(row, column);
  if (const auto* integer = std::get_if<std::int64_t>(&cell)) return *integer;
  if (const auto* real = std::get_if<double>(&cell)) return static_cast<std::int64_t>(*real);
  return 0;
}

std::string Rows::Text(std::size_t row, std::string_view column) const {
  const auto* text = std::get_if<std::string>(&At(row, column));
  return text == nullptr ? std::string() : *text;
}

bool Rows::Truth(std::size_t row, std::string_view column) const {
  const auto* truth = std::get_if<bool>(&At(row, column));
  return truth != nullptr && *truth;
}

}  // namespace xsp::report
