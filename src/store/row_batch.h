#ifndef XSP_STORE_ROW_BATCH_H_
#define XSP_STORE_ROW_BATCH_H_

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "core/result.h"

namespace xsp::store {

/// Some thousand rows of a query, read by column and row where the engine has them. Valid while
/// Database::Scan() passes them on. A column read as another type is our bug (XSP_CHECK).
class RowBatch {
 public:
  std::size_t size() const { return size_; }

  bool IsNull(std::size_t column, std::size_t row) const {
    const std::uint64_t* validity = columns_[column].validity;
    return validity != nullptr && ((validity[row / 64] >> (row % 64)) & 1U) == 0;
  }
  /// BIGINT; `null` for NULL.
  std::int64_t Integer(std::size_t column, std::size_t row, std::int64_t null = 0) const {
    const void* data = Data(column, Type::kInteger);
    return IsNull(column, row) ? null : static_cast<const std::int64_t*>(data)[row];
  }
  /// DOUBLE; 0 for NULL.
  double Double(std::size_t column, std::size_t row) const {
    const void* data = Data(column, Type::kDouble);
    return IsNull(column, row) ? 0.0 : static_cast<const double*>(data)[row];
  }
  /// VARCHAR, any bytes; empty for NULL.
  std::string_view Text(std::size_t column, std::size_t row) const;

 private:
  friend class DuckDb;
  enum class Type : std::uint8_t { kInteger, kDouble, kText };
  struct Column {
    Type type;
    void* data;
    const std::uint64_t* validity;  // A bit for each row that is not NULL; null: none is.
  };

  void* Data(std::size_t column, Type type) const {
    XSP_CHECK(column < columns_.size() && columns_[column].type == type);
    return columns_[column].data;
  }

  std::size_t size_ = 0;
  std::vector<Column> columns_;
};

}  // namespace xsp::store

#endif  // XSP_STORE_ROW_BATCH_H_
