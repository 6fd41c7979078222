#ifndef XSP_STORE_TYPED_SOURCE_H_
#define XSP_STORE_TYPED_SOURCE_H_

// Private to store/: typed rows as columns for DuckDB. Included by the generated rows.cc, which
// instantiates AddRows() for the rows of every experiment table.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "store/experiment_writer.h"
#include "store/row_source.h"

namespace xsp::store {

/// One field of all rows of an array. Its type is that of the field alone, so that what fills
/// columns is compiled once for a type of field, not once for a table. Borrows the rows.
template <typename T>
class FieldOfRows {
 public:
  template <typename Row>
  FieldOfRows(const std::vector<Row>& rows, T Row::*field)
      : first_(rows.empty() ? nullptr : reinterpret_cast<const std::byte*>(&(rows[0].*field))),
        distance_(sizeof(Row)) {}

  const T& operator[](std::size_t row) const {
    return *reinterpret_cast<const T*>(first_ + row * distance_);
  }

 private:
  const std::byte* first_;
  std::size_t distance_;  ///< From one row's field to the next one's, bytes.
};

/// A column that is never NULL. T: std::int64_t, double, bool or std::string.
template <typename T>
SourceColumn ColumnOf(std::string_view name, FieldOfRows<T> values);
/// A column that may be.
template <typename T>
SourceColumn ColumnOf(std::string_view name, FieldOfRows<std::optional<T>> values);

extern template SourceColumn ColumnOf(std::string_view, FieldOfRows<std::int64_t>);
extern template SourceColumn ColumnOf(std::string_view, FieldOfRows<double>);
extern template SourceColumn ColumnOf(std::string_view, FieldOfRows<bool>);
extern template SourceColumn ColumnOf(std::string_view, FieldOfRows<std::string>);
extern template SourceColumn ColumnOf(std::string_view, FieldOfRows<std::optional<std::int64_t>>);
extern template SourceColumn ColumnOf(std::string_view, FieldOfRows<std::optional<double>>);
extern template SourceColumn ColumnOf(std::string_view, FieldOfRows<std::optional<bool>>);
extern template SourceColumn ColumnOf(std::string_view, FieldOfRows<std::optional<std::string>>);

template <typename Row>
Status ExperimentWriter::AddRows(const std::vector<Row>& rows) {
  RowSource source{rows.size(), {}};
  Row::VisitColumns([&](std::string_view name, auto field) {
    source.columns.push_back(ColumnOf(name, FieldOfRows(rows, field)));
  });
  return WriteTable(Row::kTable, source);
}

}  // namespace xsp::store

#endif  // XSP_STORE_TYPED_SOURCE_H_
