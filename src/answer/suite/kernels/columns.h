#ifndef XSP_ANSWER_SUITE_KERNELS_COLUMNS_H_
#define XSP_ANSWER_SUITE_KERNELS_COLUMNS_H_

#include <cstddef>
#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

#include "answer/suite/kernels/classes.h"
#include "core/result.h"
#include "store/table.h"

namespace xsp::suite::kernels {

/// A table of kernels, or of classes of them, whose columns are found by name: the first of `names`
/// that there is. Borrows the table.
class Columns {
 public:
  Columns(const store::Table& table, std::string source);

  bool Has(std::initializer_list<const char*> names) const { return Find(names).has_value(); }
  bool HasTime() const;

  /// The word in a row (0-based); empty: none, or no such column.
  std::string TextAt(std::size_t row, std::initializer_list<const char*> names) const;
  /// The number in a row; kMissing: none, an infinite one, or no such column.
  double NumberAt(std::size_t row, std::initializer_list<const char*> names) const;
  /// Milliseconds, from whichever column of time there is.
  double Time(std::size_t row) const;
  /// Bytes, or transactions of 32 of them; kMissing: not known.
  double Bytes(std::size_t row) const;
  /// Time, calls, FLOPs and bytes of a row; calls are kMissing where they are not known.
  Sums SumsAt(std::size_t row) const;

  /// Refuses numbers below zero, and columns of numbers that hold text, with the row.
  Status CheckNumbers() const;
  /// Says in `*methods` (appended to; not null) how many rows have no time that is known. Without
  /// any time nothing has a share: kBadInput.
  Status SayUntimed(std::vector<std::string>* methods) const;
  /// An error about this table: "SOURCE: what".
  Error Wrong(const std::string& what, const std::string& hint) const;

  std::size_t rows() const { return table_.rows.size(); }
  const std::string& source() const { return source_; }
  const store::Table& table() const { return table_; }

 private:
  std::optional<std::size_t> Find(std::initializer_list<const char*> names) const;

  const store::Table& table_;
  std::string source_;
};

}  // namespace xsp::suite::kernels

#endif  // XSP_ANSWER_SUITE_KERNELS_COLUMNS_H_
