#ifndef XSP_STORE_LISTED_TABLES_H_
#define XSP_STORE_LISTED_TABLES_H_

// Private to store/.

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/result.h"

namespace xsp::store {

class DuckDb;

// run.json and experiment.json list the tables that lie beside them, as `tables`, with their rows:
// else a table that is lost reads like one without rows. Earlier versions of XSP listed none.

struct TableRows {
  std::string table;  ///< Its name, such as "span".
  std::int64_t rows;
};

/// The tables directly in `folder`, in order of name, counted by how the files end. Errors:
/// kBadInput: the first that cannot be read.
Result<std::vector<TableRows>> TablesIn(const DuckDb& db, const std::filesystem::path& folder);

/// `json` (an object) with the tables in `folder`. Errors: as TablesIn().
Result<std::string> WithTables(const DuckDb& db, const std::filesystem::path& folder,
                               std::string_view json);

/// What the run.json or experiment.json `json` lists, in order of name. Whatever is no table with
/// its rows is passed over.
std::vector<TableRows> ListedTables(const nlohmann::json& json);

/// One line that names the first listed table, or `table` if it is listed, whose file is not in
/// `folder`; empty: none.
std::string LostTable(const std::filesystem::path& folder, const nlohmann::json& json,
                      std::string_view table = {});

}  // namespace xsp::store

#endif  // XSP_STORE_LISTED_TABLES_H_
