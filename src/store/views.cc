#include "store/views.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "store/sql_text.h"

namespace xsp::store {
namespace {

std::string PathList(const std::vector<std::string>& files) {
  std::vector<std::string> quoted;
  for (const std::string& file : files) quoted.push_back(Quoted(WithoutWildcards(file)));
  return fmt::format("[{}]", fmt::join(quoted, ", "));
}

std::string SelectFile(const TableSchema& table, const ViewFile& file,
                       const std::set<std::string, std::less<>>& present) {
  std::string sql = "SELECT " + file.leading;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    const ColumnSchema& column = table.columns[i];
    const std::string name = QuotedName(column.name);
    sql += fmt::format("{}CAST({} AS {}) AS {}", i == 0 ? "" : ", ",
                       present.contains(column.name) ? name : "NULL", column.type, name);
  }
  for (const std::string& name : present) {
    const bool known = std::any_of(table.columns.begin(), table.columns.end(),
                                   [&](const ColumnSchema& column) { return column.name == name; });
    if (!known) sql += ", " + QuotedName(name);
  }
  return sql + fmt::format(" FROM read_parquet({})", Quoted(WithoutWildcards(file.path)));
}

}  // namespace

std::string WithoutWildcards(std::string_view path) {
  std::string escaped;
  for (const char c : path) {
    if (c == '*' || c == '?' || c == '[') {
      escaped += {'[', c, ']'};
    } else {
      escaped += c;
    }
  }
  return escaped;
}

Result<FileColumns> ReadFileColumns(const DuckDb& db, const std::vector<std::string>& files) {
  FileColumns columns;
  if (files.empty()) return columns;
  const auto rows =
      db.Query(fmt::format("SELECT file_name, name, coalesce(num_children, 0)::BIGINT "
                           "FROM parquet_schema({})",
                           PathList(files)),
               ErrorKind::kBadInput);
  if (!rows.ok() && files.size() > 1) {
    // One after another, to name the damaged one.
    for (const std::string& file : files) XSP_RETURN_IF_ERROR(ReadFileColumns(db, {file}));
  }
  if (!rows.ok()) {
    return Error{ErrorKind::kBadInput,
                 fmt::format("damaged file: {}: {}", files.front(), rows.error().what),
                 "The run has to be measured or imported again; other runs are not affected."};
  }
  // A tree in depth-first order: the root of a file first, whose children are the columns.
  std::vector<std::int64_t> open;  // Children still to come, of each node above.
  for (const auto& row : rows.value().rows) {
    auto& names = columns[std::get<std::string>(row[0])];
    if (open.size() == 1) names.insert(std::get<std::string>(row[1]));
    if (!open.empty()) --open.back();
    open.push_back(std::get<std::int64_t>(row[2]));
    while (!open.empty() && open.back() == 0) open.pop_back();
  }
  return columns;
}

std::string TableView(const TableSchema& table, const std::vector<ViewFile>& files,
                      const FileColumns& columns, std::string_view empty_leading) {
  std::vector<std::string> parts;
  for (const ViewFile& file : files) {
    const auto found = columns.find(file.path);
    XSP_CHECK(found != columns.end());
    parts.push_back(SelectFile(table, file, found->second));
  }
  if (parts.empty()) {
    std::vector<std::string> nulls;
    for (const ColumnSchema& column : table.columns) {
      nulls.push_back(fmt::format("NULL::{} AS {}", column.type, QuotedName(column.name)));
    }
    return fmt::format("SELECT {}{} WHERE false", empty_leading, fmt::join(nulls, ", "));
  }
  return fmt::format("{}", fmt::join(parts, "\nUNION ALL BY NAME\n"));
}

Status CommentOnView(const DuckDb& db, const TableSchema& table) {
  std::string sql =
      fmt::format("COMMENT ON VIEW {} IS {};\n", QuotedName(table.name), Quoted(table.comment));
  for (const ColumnSchema& column : table.columns) {
    sql += fmt::format("COMMENT ON COLUMN {}.{} IS {};\n", QuotedName(table.name),
                       QuotedName(column.name), Quoted(column.comment));
  }
  return db.Execute(sql, ErrorKind::kBadInput);
}

Status LockDown(const DuckDb& db, const std::vector<std::string>& files, std::size_t memory_bytes) {
  std::vector<std::string> quoted;
  for (const std::string& file : files) {
    quoted.push_back(Quoted(file));
    // What the views name, and looks itself up where it holds no wild card after all.
    if (const std::string named = WithoutWildcards(file); named != file) {
      quoted.push_back(Quoted(named));
    }
  }
  if (memory_bytes > 0)
    XSP_RETURN_IF_ERROR(db.Execute(fmt::format("SET memory_limit='{}B'", memory_bytes)));
  return db.Execute(
      fmt::format("SET allow_persistent_secrets=false; SET allowed_paths=[{}]; "
                  "SET enable_external_access=false; SET lock_configuration=true;",
                  fmt::join(quoted, ", ")));
}

}  // namespace xsp::store
