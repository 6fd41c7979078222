#include "store/row_batch.h"

#include "store/duckdb_connection.h"

namespace xsp::store {

std::string_view RowBatch::Text(std::size_t column, std::size_t row) const {
  void* data = Data(column, Type::kText);
  if (IsNull(column, row)) return {};
  return StringView(static_cast<duckdb_string_t*>(data)[row]);
}

}  // namespace xsp::store
