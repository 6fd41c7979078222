#include "store/schema.h"

#include <algorithm>

#include "store/declared_table.h"

namespace xsp::store {
namespace {

/// The statements of `sql`, without the comments between them.
std::vector<std::string_view> Statements(std::string_view sql) {
  std::vector<std::string_view> statements;
  constexpr std::size_t kNone = std::string_view::npos;
  std::size_t start = kNone;
  bool quoted = false;
  for (std::size_t at = 0; at < sql.size(); ++at) {
    if (sql[at] == '\'') quoted = !quoted;
    if (quoted) continue;
    if (sql.substr(at, 2) == "--") {
      at = std::min(sql.find('\n', at), sql.size());
    } else if (sql[at] == ';') {
      if (start != kNone) statements.push_back(sql.substr(start, at - start));
      start = kNone;
    } else if (start == kNone && sql[at] > ' ') {
      start = at;
    }
  }
  return statements;
}

std::vector<TableSchema> ReadSchema() {
  std::vector<TableSchema> schema;
  for (const DeclaredTable& declared : DeclaredTables()) {
    TableSchema& table = schema.emplace_back(
        TableSchema{std::string(declared.name), std::string(declared.comment), declared.raw, {}});
    for (const DeclaredColumn& column : declared.columns)
      table.columns.push_back({std::string(column.name), std::string(column.type), column.nullable,
                               std::string(column.comment)});
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

std::string SchemaTables() {
  std::string sql;
  for (const std::string_view statement : Statements(SchemaSql())) {
    if (statement.starts_with("COMMENT ON ")) continue;
    sql += statement;
    sql += ';';
  }
  return sql;
}

const std::vector<SharedView>& SharedViews() {
  static const std::vector<SharedView> views = ReadViews();
  return views;
}

const std::vector<TableSchema>& Schema() {
  static const std::vector<TableSchema> schema = ReadSchema();
  return schema;
}

const TableSchema* FindTable(std::string_view name) {
  const auto& schema = Schema();
  const auto it = std::find_if(schema.begin(), schema.end(),
                               [&](const TableSchema& table) { return table.name == name; });
  return it == schema.end() ? nullptr : &*it;
}

}  // namespace xsp::store
