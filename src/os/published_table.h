#ifndef XSP_OS_PUBLISHED_TABLE_H_
#define XSP_OS_PUBLISHED_TABLE_H_

#include <filesystem>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"

namespace xsp::os {

/// A table of published figures: comma-separated rows (core/csv.h), the first of which names
/// the columns; lines that begin with '#' are for people. Immutable; any thread.
class PublishedTable {
 public:
  using Row = std::vector<std::string>;

  /// Errors: kEnvironment when the file is missing, a row has too few fields, or one of `columns`
  /// is not there.
  static Result<PublishedTable> Read(const std::filesystem::path& path,
                                     std::initializer_list<std::string_view> columns);

  const Row& header() const { return header_; }
  const std::vector<Row>& rows() const { return rows_; }

  /// The field of a row; empty when there is no such column.
  std::string_view Text(const Row& row, std::string_view column) const;
  /// The same as a number; nothing when it is empty or none.
  std::optional<double> Number(const Row& row, std::string_view column) const;

  /// The row whose column `match` has the most words, all of which stand in `name` (runs of letters
  /// and digits, in any case). Null: none.
  const Row* BestMatch(std::string_view name) const;

 private:
  Row header_;
  std::vector<Row> rows_;
};

}  // namespace xsp::os

#endif  // XSP_OS_PUBLISHED_TABLE_H_
