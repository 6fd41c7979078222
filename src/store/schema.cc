#include "store/schema.h"

#include <algorithm>
#include <map>

#include "store/duckdb_connection.h"
#include "store/timeline_blocks.h"

namespace xsp::store {
namespace {

constexpr std::array<std::string_view, 13> kRawTables = {
    "span", "track",      "metric",       "attribute",  "argument",     "counter",  "mark",
    "link", "diagnostic", "kernel_layer", "call_stack", "stack_sample", kBlockTable};

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

constexpr std::string_view kComment = "COMMENT ON ";

/// What COMMENT ON says, by "TABLE name" or "COLUMN table.name". DuckDB takes a quarter of a second
/// to carry these statements out.
std::map<std::string, std::string, std::less<>> ReadComments() {
  std::map<std::string, std::string, std::less<>> comments;
  for (const std::string_view statement : Statements(SchemaSql())) {
    if (!statement.starts_with(kComment)) continue;
    const std::size_t is = statement.find(" IS '");
    XSP_CHECK(is != std::string_view::npos && statement.back() == '\'');
    std::string& text =
        comments[std::string(statement.substr(kComment.size(), is - kComment.size()))];
    for (std::size_t at = is + 5; at + 1 < statement.size(); ++at) {
      text += statement[at];
      if (statement[at] == '\'') ++at;  // A quote is written twice.
    }
  }
  return comments;
}

Result<std::vector<TableSchema>> ReadSchema() {
  XSP_TRY(const DuckDb db, DuckDb::Open(1));
  XSP_RETURN_IF_ERROR(db.Execute(SchemaTables()));
  auto comments = ReadComments();
  const auto take = [&](const std::string& of) {
    const auto comment = comments.extract(of);
    return comment.empty() ? std::string() : std::move(comment.mapped());
  };
  XSP_TRY(const Table tables,
          db.Query("SELECT table_name FROM duckdb_tables() ORDER BY table_oid"));
  XSP_TRY(const Table columns,
          db.Query("SELECT table_name, column_name, data_type, is_nullable FROM duckdb_columns() "
                   "WHERE table_oid IN (SELECT table_oid FROM duckdb_tables()) ORDER BY "
                   "table_oid, column_index"));
  std::vector<TableSchema> schema;
  auto column = columns.rows.begin();
  for (const auto& row : tables.rows) {
    const auto& name = std::get<std::string>(row[0]);
    TableSchema table{name, take("TABLE " + name), false, {}};
    table.raw = std::find(kRawTables.begin(), kRawTables.end(), table.name) != kRawTables.end();
    for (; column != columns.rows.end() && std::get<std::string>((*column)[0]) == table.name;
         ++column) {
      const auto& column_name = std::get<std::string>((*column)[1]);
      table.columns.push_back({column_name, std::get<std::string>((*column)[2]),
                               std::get<bool>((*column)[3]),
                               take("COLUMN " + name + "." + column_name)});
    }
    schema.push_back(std::move(table));
  }
  XSP_CHECK(comments.empty());  // Of a table or column that there is not.
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
    if (statement.starts_with(kComment)) continue;
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
