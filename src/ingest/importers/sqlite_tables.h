#ifndef XSP_INGEST_IMPORTERS_SQLITE_TABLES_H_
#define XSP_INGEST_IMPORTERS_SQLITE_TABLES_H_

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace xsp::importers {

inline constexpr std::string_view kSqliteMagic{"SQLite format 3\0", 16};

/// Names of the tables and views of an SQLite database, in no order, without those of SQLite itself
/// (https://www.sqlite.org/fileformat2.html: the B-tree whose root is page 1). Enough to tell whose
/// database it is: at most 4096 names, and what cannot be read, as of a damaged file, is left out.
/// Empty for other files. Reads at most 256 pages.
std::vector<std::string> SqliteTables(const std::filesystem::path& file);

}  // namespace xsp::importers

#endif  // XSP_INGEST_IMPORTERS_SQLITE_TABLES_H_
