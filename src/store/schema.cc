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

/// Each view is "CREATE VIEW name AS", its SELECT up to the first ';', and COMMENT statements.
std::vector<SharedView> ReadViews() {
  constexpr std::string_view kCreate = "CREATE VIEW ", kAs = " AS\n";
  std::vector<SharedView> views;
  const std::string_view sql = ViewsSql();
  for (std::size_t at = sql.find(kCreate); at != std::string_view::npos;) {
    const std::size_t name = at + kCreate.size();
    const std::size_t as = sql.find(kAs, name);
    const std::size_t end = sql.find(";\n", as);
    XSP_CHECK(as != std::string_view::npos && end != std::string_view::npos);
    const std::size_t next = sql.find(kCreate, end);
    const std::size_t body = as + kAs.size();
    views.push_back(
        {std::string(sql.substr(name, as - name)), std::string(sql.substr(body, end - body)),
         std::string(sql.substr(
             end + 1, next == std::string_view::npos ? std::string_view::npos : next - end - 1))});
    at = next;
  }
  return views;
}

}  // namespace

std::string SharedView::Select(bool is_led) const {
  constexpr std::string_view kLead = "{lead}";
  std::string sql;
  std::size_t at = 0;
  for (std::size_t next; (next = select.find(kLead, at)) != std::string::npos;
       at = next + kLead.size()) {
    sql.append(select, at, next - at);
    if (is_led) sql += "experiment, ";
  }
  return sql + select.substr(at);
}

const std::vector<SharedView>& SharedViews() {
  static const std::vector<SharedView> views = ReadViews();
  return views;
}

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
