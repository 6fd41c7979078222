#include "store/rows_across.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <span>
#include <utility>

#include "store/duckdb_connection.h"
#include "store/schema.h"
#include "store/views.h"

namespace xsp::store {
namespace {

namespace fs = std::filesystem;

/// The table's file of one experiment.
struct File {
  std::size_t experiment;
  std::string path;
};

/// The view `rows` over `files`, as a WITH clause.
std::string RowsOf(const TableSchema& table, std::span<const File> files) {
  std::vector<std::string> paths, numbers, columns, nulls;
  for (const File& file : files) {
    paths.push_back(Quoted(WithoutWildcards(file.path)));
    numbers.push_back(fmt::format("({}, {}::BIGINT)", Quoted(file.path), file.experiment));
  }
  for (const ColumnSchema& column : table.columns) {
    const std::string name = QuotedName(column.name);
    columns.push_back(fmt::format("CAST({0} AS {1}) AS {0}", name, column.type));
    nulls.push_back(fmt::format("NULL::{} AS {}", column.type, name));
  }
  // The row of NULLs brings the columns that no file has.
  return fmt::format(
      "WITH read AS (SELECT * FROM read_parquet([{}], union_by_name = true, filename = 'read_from')"
      " UNION ALL BY NAME SELECT {} WHERE false), "
      "numbers(numbered_path, experiment) AS (VALUES {}), "
      "rows AS (SELECT experiment, {} FROM read JOIN numbers ON read_from = "
      "numbered_path) ",
      fmt::join(paths, ", "), fmt::join(nulls, ", "), fmt::join(numbers, ", "),
      fmt::join(columns, ", "));
}

class Reader {
 public:
  Reader(const DuckDb& db, const TableSchema& table, std::string_view select)
      : db_(db), table_(table), select_(select) {}

  void Read(std::span<const File> files) {
    if (files.empty()) return;
    auto rows = db_.Query(RowsOf(table_, files) + std::string(select_), ErrorKind::kBadInput);
    if (rows.ok()) {
      Add(std::move(rows.value()));
    } else if (files.size() == 1) {
      found_.unreadable.push_back({files.front().experiment, rows.error().what});
    } else {
      Read(files.first(files.size() / 2));
      Read(files.subspan(files.size() / 2));
    }
  }

  RowsAcross Take() && { return std::move(found_); }

 private:
  void Add(Table table) {
    if (found_.rows.columns.empty()) {
      found_.rows = std::move(table);
      return;
    }
    std::move(table.rows.begin(), table.rows.end(), std::back_inserter(found_.rows.rows));
  }

  const DuckDb& db_;
  const TableSchema& table_;
  std::string_view select_;
  RowsAcross found_;
};

}  // namespace

Result<RowsAcross> ReadAcross(const std::vector<fs::path>& experiments, std::string_view table,
                              std::string_view select) {
  const TableSchema* const schema = FindTable(table);
  if (schema == nullptr || schema->raw)
    return Error{ErrorKind::kInternal, fmt::format("no experiment table: {}", table), ""};
  XSP_TRY(const DuckDb db, DuckDb::Open());
  // Columns of a question that is wrong, and of one without a file.
  std::vector<std::string> nulls;
  for (const ColumnSchema& column : schema->columns)
    nulls.push_back(fmt::format("NULL::{} AS {}", column.type, QuotedName(column.name)));
  XSP_TRY(Table none, db.Query(fmt::format("WITH rows AS (SELECT NULL::BIGINT AS experiment, {} "
                                           "WHERE false) {}",
                                           fmt::join(nulls, ", "), select),
                               ErrorKind::kBadInput));
  std::vector<File> files;
  std::error_code error;
  for (std::size_t i = 0; i < experiments.size(); ++i) {
    const fs::path file = experiments[i] / fmt::format("{}.parquet", table);
    if (fs::exists(file, error)) files.push_back({i, file.string()});
  }
  Reader reader(db, *schema, select);
  reader.Read(files);
  RowsAcross found = std::move(reader).Take();
  if (found.rows.columns.empty()) found.rows = std::move(none);
  return found;
}

}  // namespace xsp::store
