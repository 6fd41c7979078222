#include "store/row_source.h"

#include <algorithm>

namespace xsp::store {
namespace {

/// Length of the valid UTF-8 character at the start of `text` (not empty); 0: none is there.
std::size_t CharacterLength(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return 1;
  const std::size_t length = lead >= 0xF0 && lead <= 0xF4   ? 4
                             : lead >= 0xE0 && lead <= 0xEF ? 3
                             : lead >= 0xC2 && lead <= 0xDF ? 2
                                                            : 0;
  if (length == 0 || text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return 0;
  }
  // Over-long forms, surrogates and code points past U+10FFFF show in the second byte.
  const unsigned char second = byte(1);
  const bool wrong = (lead == 0xE0 && second < 0xA0) || (lead == 0xED && second > 0x9F) ||
                     (lead == 0xF0 && second < 0x90) || (lead == 0xF4 && second > 0x8F);
  return wrong ? 0 : length;
}

/// How far one scan has come. DuckDB owns it.
struct ScanState {
  std::size_t next = 0;
};

void Bind(duckdb_bind_info info) {
  const RowSource& source = static_cast<RowFeed*>(duckdb_bind_get_extra_info(info))->source();
  for (const SourceColumn& column : source.columns) {
    duckdb_logical_type type = duckdb_create_logical_type(column.type);
    duckdb_bind_add_result_column(info, column.name.c_str(), type);
    duckdb_destroy_logical_type(&type);
  }
  duckdb_bind_set_cardinality(info, source.rows, true);
}

void Init(duckdb_init_info info) {
  duckdb_init_set_init_data(info, new ScanState,
                            [](void* state) { delete static_cast<ScanState*>(state); });
  duckdb_init_set_max_threads(info, 1);  // Rows keep their order.
}

void Scan(duckdb_function_info info, duckdb_data_chunk output) {
  const RowSource& source = static_cast<RowFeed*>(duckdb_function_get_extra_info(info))->source();
  auto* state = static_cast<ScanState*>(duckdb_function_get_init_data(info));
  const std::size_t count = std::min<std::size_t>(source.rows - state->next, duckdb_vector_size());
  for (idx_t i = 0; count > 0 && i < source.columns.size(); ++i) {
    source.columns[i].fill(state->next, count, duckdb_data_chunk_get_vector(output, i));
  }
  duckdb_data_chunk_set_size(output, count);
  state->next += count;
}

}  // namespace

StringDictionary::StringDictionary(std::size_t size,
                                   const std::function<std::string_view(std::size_t)>& text) {
  duckdb_logical_type type = duckdb_create_logical_type(DUCKDB_TYPE_VARCHAR);
  strings_ = duckdb_create_vector(type, std::max<idx_t>(size, duckdb_vector_size()));
  duckdb_destroy_logical_type(&type);
  for (std::size_t i = 0; i < size; ++i) {
    // DuckDB takes UTF-8 on trust; foreign files do not always hold it.
    const std::string valid = ValidUtf8(text(i));
    duckdb_vector_assign_string_element_len(strings_, i, valid.data(), valid.size());
  }
}

StringDictionary::~StringDictionary() { duckdb_destroy_vector(&strings_); }

RowFeed::RowFeed(duckdb_connection connection) {
  duckdb_table_function function = duckdb_create_table_function();
  duckdb_table_function_set_name(function, "xsp_rows");
  duckdb_table_function_set_extra_info(function, this, nullptr);
  duckdb_table_function_set_bind(function, Bind);
  duckdb_table_function_set_init(function, Init);
  duckdb_table_function_set_function(function, Scan);
  duckdb_register_table_function(connection, function);
  duckdb_destroy_table_function(&function);
}

std::string ValidUtf8(std::string_view text) {
  std::string valid;
  valid.reserve(text.size());
  while (!text.empty()) {
    const std::size_t length = CharacterLength(text);
    if (length == 0) {
      valid += "\xEF\xBF\xBD";
      text.remove_prefix(1);
    } else {
      valid += text.substr(0, length);
      text.remove_prefix(length);
    }
  }
  return valid;
}

}  // namespace xsp::store
