#include "suite/table_query.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "store/database.h"

namespace xsp::suite {
namespace {

constexpr std::size_t kRowsAtOnce = 500;

std::string Quoted(std::string_view text, char quote) {
  std::string quoted(1, quote);
  for (const char c : text) {
    quoted += c;
    if (c == quote) quoted += c;
  }
  return quoted + quote;
}

std::string Literal(const store::Cell& cell) {
  if (const auto* truth = std::get_if<bool>(&cell)) return *truth ? "true" : "false";
  if (const auto* whole = std::get_if<std::int64_t>(&cell)) return fmt::format("{}", *whole);
  if (const auto* text = std::get_if<std::string>(&cell)) return Quoted(*text, '\'');
  if (const auto* number = std::get_if<double>(&cell)) {
    // 17 digits give every value back; the exponent makes it no decimal.
    return std::isfinite(*number) ? fmt::format("{:.16e}", *number)
                                  : fmt::format("'{}'::DOUBLE", *number);
  }
  return "NULL";
}

/// Text where any cell is text, else the widest of the numbers.
std::string TypeOf(const store::Table& rows, std::size_t column) {
  std::string type = "DOUBLE";
  bool whole = true;
  bool truth = true;
  bool known = false;
  for (const auto& row : rows.rows) {
    const store::Cell& cell = row[column];
    if (std::holds_alternative<std::string>(cell)) return "VARCHAR";
    if (std::holds_alternative<std::monostate>(cell)) continue;
    known = true;
    whole = whole && std::holds_alternative<std::int64_t>(cell);
    truth = truth && std::holds_alternative<bool>(cell);
  }
  if (known && whole) type = "BIGINT";
  if (known && truth) type = "BOOLEAN";
  return type;
}

}  // namespace

Result<store::Table> QueryTable(const store::Table& rows, std::string_view sql) {
  XSP_TRY(const store::Database database, store::Database::OpenEmpty());
  std::string create = "CREATE TEMP TABLE input (";
  for (std::size_t c = 0; c < rows.columns.size(); ++c)
    create += fmt::format("{} {}, ", Quoted(rows.columns[c], '"'), TypeOf(rows, c));
  XSP_TRY(const auto made, database.Query(create + "input_row BIGINT)"));
  static_cast<void>(made);
  for (std::size_t start = 0; start < rows.rows.size(); start += kRowsAtOnce) {
    std::string insert = "INSERT INTO input VALUES ";
    const std::size_t end = std::min(start + kRowsAtOnce, rows.rows.size());
    for (std::size_t r = start; r < end; ++r) {
      insert += r == start ? "(" : ", (";
      for (const store::Cell& cell : rows.rows[r]) insert += Literal(cell) + ", ";
      insert += fmt::format("{})", r);
    }
    XSP_TRY(const auto filled, database.Query(insert));
    static_cast<void>(filled);
  }
  auto answer = database.Query(sql);
  if (!answer.ok())
    return Error{ErrorKind::kBadInput, answer.error().what,
                 fmt::format("the table's columns: {}", fmt::join(rows.columns, ", "))};
  return answer;
}

Result<store::Table> RowsWhere(const store::Table& rows, const std::string& condition) {
  XSP_TRY(const store::Table kept,
          QueryTable(rows, fmt::format("SELECT input_row FROM input WHERE (\n{}\n) "
                                       "ORDER BY input_row",
                                       condition)));
  store::Table result{rows.columns, {}};
  for (const auto& row : kept.rows)
    result.rows.push_back(rows.rows[static_cast<std::size_t>(std::get<std::int64_t>(row[0]))]);
  if (result.rows.empty())
    return Error{ErrorKind::kBadInput,
                 fmt::format("no row is left of {}: {}", rows.rows.size(), condition),
                 fmt::format("the table's columns: {}", fmt::join(rows.columns, ", "))};
  return result;
}

}  // namespace xsp::suite
