#include "store/typed_source.h"

#include "core/utf8.h"

namespace xsp::store {
namespace {

template <typename T>
constexpr duckdb_type kTypeOf = DUCKDB_TYPE_INVALID;
template <>
constexpr duckdb_type kTypeOf<std::int64_t> = DUCKDB_TYPE_BIGINT;
template <>
constexpr duckdb_type kTypeOf<double> = DUCKDB_TYPE_DOUBLE;
template <>
constexpr duckdb_type kTypeOf<bool> = DUCKDB_TYPE_BOOLEAN;
template <>
constexpr duckdb_type kTypeOf<std::string> = DUCKDB_TYPE_VARCHAR;

template <typename T>
void Put(const T& value, std::size_t row, duckdb_vector out) {
  static_cast<T*>(duckdb_vector_get_data(out))[row] = value;
}

void Put(const std::string& text, std::size_t row, duckdb_vector out) {
  // DuckDB takes UTF-8 on trust; foreign files do not always hold it.
  if (core::IsCleanUtf8(text)) {
    duckdb_vector_assign_string_element_len(out, row, text.data(), text.size());
    return;
  }
  const std::string valid = core::ToCleanUtf8(text);
  duckdb_vector_assign_string_element_len(out, row, valid.data(), valid.size());
}

}  // namespace

template <typename T>
SourceColumn ColumnOf(std::string_view name, FieldOfRows<T> values) {
  const auto fill = [values](std::size_t first, std::size_t count, duckdb_vector out) {
    for (std::size_t i = 0; i < count; ++i) Put(values[first + i], i, out);
  };
  return {std::string(name), kTypeOf<T>, fill};
}

template <typename T>
SourceColumn ColumnOf(std::string_view name, FieldOfRows<std::optional<T>> values) {
  const auto fill = [values](std::size_t first, std::size_t count, duckdb_vector out) {
    duckdb_vector_ensure_validity_writable(out);
    std::uint64_t* validity = duckdb_vector_get_validity(out);
    for (std::size_t i = 0; i < count; ++i) {
      const std::optional<T>& value = values[first + i];
      duckdb_validity_set_row_validity(validity, i, value.has_value());
      if (value) Put(*value, i, out);
    }
  };
  return {std::string(name), kTypeOf<T>, fill};
}

template SourceColumn ColumnOf(std::string_view, FieldOfRows<std::int64_t>);
template SourceColumn ColumnOf(std::string_view, FieldOfRows<double>);
template SourceColumn ColumnOf(std::string_view, FieldOfRows<bool>);
template SourceColumn ColumnOf(std::string_view, FieldOfRows<std::string>);
template SourceColumn ColumnOf(std::string_view, FieldOfRows<std::optional<std::int64_t>>);
template SourceColumn ColumnOf(std::string_view, FieldOfRows<std::optional<double>>);
template SourceColumn ColumnOf(std::string_view, FieldOfRows<std::optional<bool>>);
template SourceColumn ColumnOf(std::string_view, FieldOfRows<std::optional<std::string>>);

}  // namespace xsp::store
