#ifndef XSP_STORE_ROW_SOURCE_H_
#define XSP_STORE_ROW_SOURCE_H_

// Private to store/: columns of this program handed to DuckDB a chunk at a time, without a copy of
// the whole and without an object per row.

#include <duckdb.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace xsp::store {

/// Writes rows first ... first + count - 1 of one column into `out` (count <= its capacity).
using FillColumn = std::function<void(std::size_t first, std::size_t count, duckdb_vector out)>;

/// A column of few distinct strings: DuckDB receives them once, and each row is a number. In the
/// file it is a column of strings like any other; but no row's string is hashed or copied on the
/// way.
class StringSet {
 public:
  /// `texts`: nothing twice, nothing that is not clean UTF-8 (core::IsCleanUtf8).
  explicit StringSet(const std::vector<std::string>& texts);
  StringSet(const StringSet&) = delete;
  StringSet& operator=(const StringSet&) = delete;
  ~StringSet() { duckdb_destroy_logical_type(&type_); }

  duckdb_logical_type type() const { return type_; }

  /// Makes rows 0 ... count - 1 of `out` the strings `index(row)`.
  template <typename Index>
  void Fill(std::size_t count, duckdb_vector out, Index index) const {
    void* data = duckdb_vector_get_data(out);
    const auto put = [&](auto* numbers) {
      using Number = std::remove_pointer_t<decltype(numbers)>;
      for (std::size_t row = 0; row < count; ++row) numbers[row] = static_cast<Number>(index(row));
    };
    switch (duckdb_enum_internal_type(type_)) {
      case DUCKDB_TYPE_UTINYINT:
        return put(static_cast<std::uint8_t*>(data));
      case DUCKDB_TYPE_USMALLINT:
        return put(static_cast<std::uint16_t*>(data));
      default:
        return put(static_cast<std::uint32_t*>(data));
    }
  }

 private:
  duckdb_logical_type type_;
};

struct SourceColumn {
  std::string name;
  duckdb_type type;  ///< BIGINT, DOUBLE, VARCHAR or BOOLEAN.
  FillColumn fill;
  std::shared_ptr<const StringSet> strings = nullptr;  ///< Of a VARCHAR column, where there is one.
};

/// Rows that exist only as far as DuckDB asks for them. What the columns read is borrowed.
struct RowSource {
  std::size_t rows = 0;  ///< With `fetch`: a guess.
  std::vector<SourceColumn> columns;
  /// A column of numbers or of VARCHAR without a StringSet that has more distinct values in a row
  /// group is stored without a dictionary; 0: the engine's choice.
  std::size_t most_distinct = 0;
  std::size_t row_group_rows = 0;  ///< 0: the engine's choice.
  /// For rows that are still being made: waits for the next ones, at most `most`, which the columns
  /// then write, and returns how many there are; 0: the end.
  std::function<std::size_t(std::size_t most)> fetch = nullptr;
};

/// Distinct strings as one DuckDB vector, which string columns refer to by index: each string is
/// handed over once, however many rows hold it. Invalid UTF-8 is replaced by U+FFFD.
class StringDictionary {
 public:
  StringDictionary(std::size_t size, const std::function<std::string_view(std::size_t)>& text);
  StringDictionary(const StringDictionary&) = delete;
  StringDictionary& operator=(const StringDictionary&) = delete;
  ~StringDictionary();

  /// Makes rows 0 ... count - 1 of `out` the strings `index(row)`.
  template <typename Index>
  void Fill(std::size_t count, duckdb_vector out, Index index) const {
    // A selection of its own for each chunk: the sliced vector goes on sharing its memory.
    duckdb_selection_vector selection = duckdb_create_selection_vector(count);
    sel_t* selected = duckdb_selection_vector_get_data_ptr(selection);
    for (std::size_t row = 0; row < count; ++row) selected[row] = static_cast<sel_t>(index(row));
    duckdb_vector_reference_vector(out, strings_);
    duckdb_slice_vector(out, selection, count);
    duckdb_destroy_selection_vector(selection);
  }

 private:
  duckdb_vector strings_ = nullptr;
};

/// A BIGINT column of `value(row)`; with `null`, that value is stored as NULL.
template <typename Value>
FillColumn FillBigint(Value value) {
  return [value](std::size_t first, std::size_t count, duckdb_vector out) {
    auto* data = static_cast<std::int64_t*>(duckdb_vector_get_data(out));
    for (std::size_t i = 0; i < count; ++i) data[i] = static_cast<std::int64_t>(value(first + i));
  };
}

/// As FillBigint, `null` stored as NULL.
template <typename Value>
FillColumn FillBigintOrNull(Value value, std::int64_t null) {
  return [value, null](std::size_t first, std::size_t count, duckdb_vector out) {
    auto* data = static_cast<std::int64_t*>(duckdb_vector_get_data(out));
    duckdb_vector_ensure_validity_writable(out);
    std::uint64_t* validity = duckdb_vector_get_validity(out);
    for (std::size_t i = 0; i < count; ++i) {
      data[i] = static_cast<std::int64_t>(value(first + i));
      duckdb_validity_set_row_validity(validity, i, data[i] != null);
    }
  };
}

template <typename Value>
FillColumn FillDouble(Value value) {
  return [value](std::size_t first, std::size_t count, duckdb_vector out) {
    auto* data = static_cast<double*>(duckdb_vector_get_data(out));
    for (std::size_t i = 0; i < count; ++i) data[i] = value(first + i);
  };
}

/// A VARCHAR column of entry `index(row)` of `dictionary`.
template <typename Index>
FillColumn FillText(std::shared_ptr<const StringDictionary> dictionary, Index index) {
  return [dictionary = std::move(dictionary), index](std::size_t first, std::size_t count,
                                                     duckdb_vector out) {
    dictionary->Fill(count, out, [&](std::size_t row) { return index(first + row); });
  };
}

/// Hands RowSources to the SQL of one connection as a table function of its own.
class RowFeed {
 public:
  /// Registers the function. The feed must outlive every statement on `connection`.
  explicit RowFeed(duckdb_connection connection);
  RowFeed(const RowFeed&) = delete;
  RowFeed& operator=(const RowFeed&) = delete;

  /// What the next statements read. Borrowed.
  void Set(const RowSource& source) { source_ = &source; }

  const RowSource& source() const { return *source_; }

  /// The function's name: unique in the process, since connections to one instance share functions.
  const std::string& function() const { return function_; }

 private:
  std::string function_;
  const RowSource* source_ = nullptr;
};

}  // namespace xsp::store

#endif  // XSP_STORE_ROW_SOURCE_H_
