#ifndef XSP_ANSWER_REPORT_ROWS_H_
#define XSP_ANSWER_REPORT_ROWS_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "core/result.h"
#include "store/database.h"
#include "store/table.h"

namespace xsp::report {

/// A query's result, read by column name. NULL is NaN, 0 or "" by the type asked for; ask IsNull()
/// where the difference matters. A name that the query lacks is our bug (XSP_CHECK).
class Rows {
 public:
  /// Runs `sql`. Errors: those of Database::Query.
  static Result<Rows> Of(const store::Database& database, std::string_view sql);

  std::size_t size() const { return table_.rows.size(); }
  bool empty() const { return table_.rows.empty(); }
  const store::Table& table() const { return table_; }

  bool IsNull(std::size_t row, std::string_view column) const;
  double Number(std::size_t row, std::string_view column) const;
  std::int64_t Integer(std::size_t row, std::string_view column) const;
  std::string Text(std::size_t row, std::string_view column) const;
  bool Truth(std::size_t row, std::string_view column) const;

 private:
  explicit Rows(store::Table table) : table_(std::move(table)) {}
  const store::Cell& At(std::size_t row, std::string_view column) const;

  store::Table table_;
};

}  // namespace xsp::report

#endif  // XSP_ANSWER_REPORT_ROWS_H_
