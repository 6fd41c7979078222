#include "store/listed_tables.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <system_error>

#include "core/counted.h"
#include "core/json_text.h"
#include "store/duckdb_connection.h"
#include "store/sql_text.h"
#include "store/views.h"

namespace xsp::store {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

constexpr const char* kTables = "tables";
constexpr const char* kParquetEnding = ".parquet";

}  // namespace

Result<std::vector<TableRows>> TablesIn(const DuckDb& db, const fs::path& folder) {
  std::vector<std::string> files;
  std::error_code error;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error))
    if (it->path().extension() == kParquetEnding)
      files.push_back(Quoted(WithoutWildcards(it->path().string())));
  std::vector<TableRows> tables;
  if (files.empty()) return tables;
  XSP_TRY(const Table counted,
          db.Query(fmt::format("SELECT parse_filename(file_name, true) AS name, num_rows FROM "
                               "parquet_file_metadata([{}]) ORDER BY name",
                               fmt::join(files, ", ")),
                   ErrorKind::kBadInput));
  for (const auto& row : counted.rows)
    tables.push_back({std::get<std::string>(row.at(0)), std::get<std::int64_t>(row.at(1))});
  return tables;
}

Result<std::string> WithTables(const DuckDb& db, const fs::path& folder, std::string_view text) {
  json object = core::ParseJson(text);
  XSP_CHECK(object.is_object());
  XSP_TRY(const std::vector<TableRows> tables, TablesIn(db, folder));
  object[kTables] = json::object();
  for (const TableRows& one : tables) object[kTables][one.table] = one.rows;
  return core::JsonText(object, 2) + "\n";
}

std::vector<TableRows> ListedTables(const json& object) {
  std::vector<TableRows> tables;
  const auto listed = object.is_object() ? object.find(kTables) : object.end();
  if (listed == object.end() || !listed->is_object()) return tables;
  for (const auto& [table, rows] : listed->items())
    if (rows.is_number_integer()) tables.push_back({table, rows.get<std::int64_t>()});
  return tables;
}

std::string LostTable(const fs::path& folder, const json& object, std::string_view table) {
  std::error_code error;
  for (const TableRows& one : ListedTables(object))
    if ((table.empty() || one.table == table) &&
        !fs::exists(folder / (one.table + kParquetEnding), error))
      return fmt::format("{}{} is missing ({})", one.table, kParquetEnding,
                         core::Counted(one.rows, "row"));
  return {};
}

}  // namespace xsp::store
