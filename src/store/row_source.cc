#include "store/row_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>

#include "core/utf8.h"

namespace xsp::store {
namespace {

/// How far one scan has come. DuckDB owns it.
struct ScanState {
  std::size_t next = 0;
};

void Bind(duckdb_bind_info info) {
  const RowSource& source = static_cast<RowFeed*>(duckdb_bind_get_extra_info(info))->source();
  for (const SourceColumn& column : source.columns) {
    if (column.strings != nullptr) {
      duckdb_bind_add_result_column(info, column.name.c_str(), column.strings->type());
      continue;
    }
    duckdb_logical_type type = duckdb_create_logical_type(column.type);
    duckdb_bind_add_result_column(info, column.name.c_str(), type);
    duckdb_destroy_logical_type(&type);
  }
  duckdb_bind_set_cardinality(info, source.rows, source.fetch == nullptr);
}

void Init(duckdb_init_info info) {
  duckdb_init_set_init_data(info, new ScanState,
                            [](void* state) { delete static_cast<ScanState*>(state); });
  duckdb_init_set_max_threads(info, 1);  // Rows keep their order.
}

void Scan(duckdb_function_info info, duckdb_data_chunk output) {
  const RowSource& source = static_cast<RowFeed*>(duckdb_function_get_extra_info(info))->source();
  auto* state = static_cast<ScanState*>(duckdb_function_get_init_data(info));
  const std::size_t most = duckdb_vector_size();
  const std::size_t count =
      source.fetch ? source.fetch(most) : std::min<std::size_t>(source.rows - state->next, most);
  for (idx_t i = 0; count > 0 && i < source.columns.size(); ++i) {
    source.columns[i].fill(state->next, count, duckdb_data_chunk_get_vector(output, i));
  }
  duckdb_data_chunk_set_size(output, count);
  state->next += count;
}

}  // namespace

StringSet::StringSet(const std::vector<std::string>& texts) {
  std::vector<const char*> names;
  for (const std::string& text : texts) names.push_back(text.c_str());
  if (names.empty()) names.push_back("");  // There are no rows then, but a type has to be.
  type_ = duckdb_create_enum_type(names.data(), names.size());
}

StringDictionary::StringDictionary(std::size_t size,
                                   const std::function<std::string_view(std::size_t)>& text) {
  duckdb_logical_type type = duckdb_create_logical_type(DUCKDB_TYPE_VARCHAR);
  strings_ = duckdb_create_vector(type, std::max<idx_t>(size, duckdb_vector_size()));
  duckdb_destroy_logical_type(&type);
  for (std::size_t i = 0; i < size; ++i) {
    // DuckDB takes UTF-8 on trust; foreign files do not always hold it.
    const std::string valid = core::ToCleanUtf8(text(i));
    duckdb_vector_assign_string_element_len(strings_, i, valid.data(), valid.size());
  }
}

StringDictionary::~StringDictionary() { duckdb_destroy_vector(&strings_); }

RowFeed::RowFeed(duckdb_connection connection) {
  static std::atomic<int> next = 0;
  function_ = fmt::format("xsp_rows_{}", next.fetch_add(1));
  duckdb_table_function function = duckdb_create_table_function();
  duckdb_table_function_set_name(function, function_.c_str());
  duckdb_table_function_set_extra_info(function, this, nullptr);
  duckdb_table_function_set_bind(function, Bind);
  duckdb_table_function_set_init(function, Init);
  duckdb_table_function_set_function(function, Scan);
  duckdb_register_table_function(connection, function);
  duckdb_destroy_table_function(&function);
}

}  // namespace xsp::store
