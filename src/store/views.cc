#include "store/views.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>

namespace xsp::store {
namespace {

using FileColumns = std::map<std::string, std::set<std::string, std::less<>>, std::less<>>;

std::string PathList(const std::vector<ViewFile>& files) {
  std::vector<std::string> quoted;
  for (const ViewFile& file : files) quoted.push_back(Quoted(WithoutWildcards(file.path)));
  return fmt::format("[{}]", fmt::join(quoted, ", "));
}

/// The columns of each file. Reading the footers here makes damage an error of opening.
Result<FileColumns> ReadFileColumns(const DuckDb& db, const std::vector<ViewFile>& files) {
  FileColumns columns;
  if (files.empty()) return columns;
  const auto rows =
      db.Query(fmt::format("SELECT file_name, name, coalesce(num_children, 0)::BIGINT "
                           "FROM parquet_schema({})",
                           PathList(files)),
               ErrorKind::kBadInput);
  if (!rows.ok() && files.size() > 1) {
    // One after another, to name the damaged one.
    for (const ViewFile& file : files) {
      XSP_RETURN_IF_ERROR(ReadFileColumns(db, {file}));
    }
  }
  if (!rows.ok()) {
    return Error{ErrorKind::kBadInput,
                 fmt::format("damaged file: {}: {}", files.front().path, rows.error().what),
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

Status CreateTableView(const DuckDb& db, const TableSchema& table,
                       const std::vector<ViewFile>& files, std::string_view empty_leading) {
  XSP_TRY(const FileColumns columns, ReadFileColumns(db, files));
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
    parts.push_back(fmt::format("SELECT {}{} WHERE false", empty_leading, fmt::join(nulls, ", ")));
  }
  return db.Execute(fmt::format("CREATE VIEW {} AS {};\n", QuotedName(table.name),
                                fmt::join(parts, "\nUNION ALL BY NAME\n")),
                    ErrorKind::kBadInput);
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

Status CreateSharedViews(const DuckDb& db, bool are_led) {
  std::string sql;
  for (const SharedView& view : SharedViews())
    sql += fmt::format("CREATE VIEW {} AS {};\n", view.name, view.Select(are_led));
  return db.Execute(sql);
}

Status LockDown(const DuckDb& db, const std::vector<std::string>& files) {
  std::vector<std::string> quoted;
  for (const std::string& file : files) {
    quoted.push_back(Quoted(file));
    // What the views name, and looks itself up where it holds no wild card after all.
    if (const std::string named = WithoutWildcards(file); named != file) {
      quoted.push_back(Quoted(named));
    }
  }
  return db.Execute(
      fmt::format("SET allowed_paths=[{}]; SET enable_external_access=false; "
                  "SET lock_configuration=true;",
                  fmt::join(quoted, ", ")));
}

}  // namespace xsp::store
