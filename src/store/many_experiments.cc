#include "store/many_experiments.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <set>
#include <string>

#include "store/duckdb_connection.h"
#include "store/schema.h"
#include "store/views.h"

namespace xsp::store {
namespace {

namespace fs = std::filesystem;

/// The columns of the schema that `present` has, and the others as NULL.
std::string SelectList(const TableSchema& table,
                       const std::set<std::string, std::less<>>& present) {
  std::vector<std::string> columns;
  for (const ColumnSchema& column : table.columns) {
    const std::string name = QuotedName(column.name);
    columns.push_back(fmt::format("CAST({} AS {}) AS {}",
                                  present.contains(column.name) ? "f." + name : "NULL", column.type,
                                  name));
  }
  return fmt::format("{}", fmt::join(columns, ", "));
}

Status CreateTableOver(const DuckDb& db, const std::vector<fs::path>& experiments,
                       const TableSchema& table) {
  std::vector<std::string> files, places;
  for (std::size_t i = 0; i < experiments.size(); ++i) {
    const fs::path file = experiments[i] / (std::string(table.name) + ".parquet");
    std::error_code error;
    if (!fs::exists(file, error)) continue;
    files.push_back(Quoted(WithoutWildcards(file.string())));
    places.push_back(fmt::format("({}, {})", Quoted(file.string()), i));
  }
  const std::string name = QuotedName(table.name);
  if (files.empty())
    return db.Execute(
        fmt::format("CREATE VIEW {} AS SELECT 0::BIGINT AS experiment, {} WHERE false", name,
                    SelectList(table, {})));
  const std::string source = fmt::format(
      "read_parquet([{}], union_by_name = true, filename = true)", fmt::join(files, ", "));
  XSP_TRY(const Table head,
          db.Query(fmt::format("SELECT * FROM {} LIMIT 0", source), ErrorKind::kBadInput));
  const std::set<std::string, std::less<>> present(head.columns.begin(), head.columns.end());
  const std::string place = QuotedName("place of " + std::string(table.name));
  return db.Execute(
      fmt::format(
          "CREATE TABLE {0} (file VARCHAR, experiment BIGINT); INSERT INTO {0} VALUES {1};\n"
          "CREATE VIEW {2} AS SELECT p.experiment, {3} FROM {4} f JOIN {0} p ON p.file = "
          "f.filename",
          place, fmt::join(places, ", "), name, SelectList(table, present), source),
      ErrorKind::kBadInput);
}

}  // namespace

Result<Table> QueryExperiments(const std::vector<fs::path>& experiments,
                               const std::vector<std::string_view>& tables, std::string_view sql) {
  XSP_TRY(const DuckDb db, DuckDb::Open());
  for (const std::string_view wanted : tables) {
    const TableSchema* const table = FindTable(wanted);
    if (table == nullptr || table->raw)
      return Error{ErrorKind::kInternal, fmt::format("no experiment table: {}", wanted), ""};
    XSP_RETURN_IF_ERROR(CreateTableOver(db, experiments, *table));
  }
  return db.Query(std::string(sql), ErrorKind::kBadInput);
}

}  // namespace xsp::store
