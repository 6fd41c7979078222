#include "answer/suite/table_query.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "answer/suite/data_frame.h"
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

bool HasColumn(const store::Table& rows, const std::string& folded) {
  return std::ranges::find(rows.columns, folded, FoldedName) != rows.columns.end();
}

/// A database with `rows` as its table `input`, their numbers behind the others as `row_name`.
Result<store::Database> WithInput(const store::Table& rows, const std::string& row_name,
                                  std::size_t memory_bytes) {
  XSP_TRY(store::Database database, store::Database::OpenEmpty(memory_bytes));
  std::string create = "CREATE TEMP TABLE input (";
  for (std::size_t c = 0; c < rows.columns.size(); ++c)
    create += fmt::format("{} {}, ", Quoted(rows.columns[c], '"'), TypeOf(rows, c));
  XSP_TRY(const auto made, database.Query(create + row_name + " BIGINT)"));
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
  return database;
}

std::string TheColumns(const store::Table& rows) {
  return fmt::format("the table's columns: {}", fmt::join(rows.columns, ", "));
}

/// `select` is asked of the table `input`; in it {expression} and {row}, the row's number, stand
/// for themselves.
Result<store::Table> Ask(const store::Table& rows, const std::string& expression,
                         const char* select, store::QueryBudget* budget) {
  std::string row = "input_row";
  while (HasColumn(rows, row)) row += '_';
  XSP_TRY(const store::Database database, WithInput(rows, row, budget->limits().memory_bytes));
  auto answer = database.Select(fmt::format(fmt::runtime(select), fmt::arg("row", row),
                                            fmt::arg("expression", "(\n" + expression + "\n)")),
                                budget);
  if (!answer.ok()) return Error{ErrorKind::kBadInput, answer.error().what, TheColumns(rows)};
  // Within our parentheses "a) OR (b" is an expression, too; by itself it is none.
  const auto alone =
      database.Select(fmt::format("SELECT\n{}\nFROM input LIMIT 0", expression), budget);
  if (alone.ok()) return answer;
  // Of a budget that the answer itself used up, the expression says nothing.
  if (budget->is_spent()) return alone.error();
  return Error{ErrorKind::kBadInput, "not one expression: " + expression,
               "give one whose parentheses match; " + TheColumns(rows)};
}

}  // namespace

std::string FoldedName(std::string name) {
  for (char& c : name)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return name;
}

Result<std::vector<double>> NumbersOf(const store::Table& rows, const std::string& expression,
                                      store::QueryBudget* budget) {
  XSP_TRY(const store::Table answer,
          Ask(rows, expression, "SELECT {expression}::DOUBLE FROM input ORDER BY {row}", budget));
  if (answer.rows.size() != rows.rows.size())
    return Error{ErrorKind::kBadInput, "not one value a row: " + expression, TheColumns(rows)};
  std::vector<double> numbers;
  for (const auto& row : answer.rows) numbers.push_back(NumberOf(row.at(0)));
  return numbers;
}

Result<store::Table> RowsWhere(const store::Table& rows, const std::string& condition,
                               store::QueryBudget* budget) {
  XSP_TRY(
      const store::Table kept,
      Ask(rows, condition, "SELECT {row} FROM input WHERE {expression} ORDER BY {row}", budget));
  store::Table result{rows.columns, {}};
  for (const auto& row : kept.rows)
    result.rows.push_back(rows.rows[static_cast<std::size_t>(std::get<std::int64_t>(row[0]))]);
  if (result.rows.empty())
    return Error{ErrorKind::kBadInput,
                 fmt::format("no row is left of {}: {}", rows.rows.size(), condition),
                 TheColumns(rows)};
  return result;
}

}  // namespace xsp::suite
