#include "store/schema.h"

#include <algorithm>

#include "store/duckdb_connection.h"

namespace xsp::store {
namespace {

constexpr std::array<std::string_view, 12> kRawTables = {
    "span", "track", "metric",     "attribute",    "argument",   "counter",
    "mark", "link",  "diagnostic", "kernel_layer", "call_stack", "stack_sample"};

Result<std::vector<TableSchema>> ReadSchema() {
  XSP_TRY(const DuckDb db, DuckDb::Open(1));
  XSP_RETURN_IF_ERROR(db.Execute(std::string(SchemaSql())));
  XSP_TRY(const Table tables, db.Query("SELECT table_name, coalesce(comment, '') FROM "
                                       "duckdb_tables() ORDER BY table_oid"));
  XSP_TRY(const Table columns,
          db.Query("SELECT table_name, column_name, data_type, is_nullable, coalesce(comment, '') "
                   "FROM duckdb_columns() WHERE table_oid IN (SELECT table_oid FROM "
                   "duckdb_tables()) ORDER BY table_oid, column_index"));
  std::vector<TableSchema> schema;
  auto column = columns.rows.begin();
  for (const auto& row : tables.rows) {
    TableSchema table{std::get<std::string>(row[0]), std::get<std::string>(row[1]), false, {}};
    table.raw = std::find(kRawTables.begin(), kRawTables.end(), table.name) != kRawTables.end();
    for (; column != columns.rows.end() && std::get<std::string>((*column)[0]) == table.name;
         ++column) {
      table.columns.push_back({std::get<std::string>((*column)[1]),
                               std::get<std::string>((*column)[2]), std::get<bool>((*column)[3]),
                               std::get<std::string>((*column)[4])});
    }
    schema.push_back(std::move(table));
  }
  return schema;
}

}  // namespace

const std::vector<TableSchema>& Schema() {
  // It is part of the program: failing to read it is our own bug.
  static const std::vector<TableSchema> schema = [] {
    auto read = ReadSchema();
    XSP_CHECK(read.ok());
    return std::move(read).value();
  }();
  return schema;
}

const TableSchema* FindTable(std::string_view name) {
  const auto& schema = Schema();
  const auto it = std::find_if(schema.begin(), schema.end(),
                               [&](const TableSchema& table) { return table.name == name; });
  return it == schema.end() ? nullptr : &*it;
}

}  // namespace xsp::store
