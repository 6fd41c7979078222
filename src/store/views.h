#ifndef XSP_STORE_VIEWS_H_
#define XSP_STORE_VIEWS_H_

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "store/duckdb_connection.h"
#include "store/schema.h"

namespace xsp::store {

/// One Parquet file of a view, and the constant columns that lead its rows there.
struct ViewFile {
  std::string path;
  std::string leading;  ///< SQL such as "1::BIGINT AS run_id, "; may be empty.
};

/// The names of the columns of each file, by its path.
using FileColumns = std::map<std::string, std::set<std::string, std::less<>>, std::less<>>;

/// Reads the footers of `files`, so that damage is an error of opening. Errors: kBadInput for a
/// damaged file, which it names.
Result<FileColumns> ReadFileColumns(const DuckDb& db, const std::vector<std::string>& files);

/// The SELECT of the view of one schema table over `files`, whose columns are in `columns`: the
/// schema's columns with their types (NULL where a file lacks one), then what else the files hold.
/// `empty_leading` are the names and types that `ViewFile::leading` fills, for a view without any
/// file.
std::string TableView(const TableSchema& table, const std::vector<ViewFile>& files,
                      const FileColumns& columns, std::string_view empty_leading);

/// Says what the table and its columns mean, as COMMENT ON tells it.
Status CommentOnView(const DuckDb& db, const TableSchema& table);

/// Closes the file system to `db` but for reading `files`, and its settings to everyone. The
/// engine's buffers hold at most `memory_bytes`; 0: what it takes by itself, a share of the
/// machine's memory.
Status LockDown(const DuckDb& db, const std::vector<std::string>& files,
                std::size_t memory_bytes = 0);

/// `path` for read_parquet(), which takes *, ? and [ as wild cards.
std::string WithoutWildcards(std::string_view path);

}  // namespace xsp::store

#endif  // XSP_STORE_VIEWS_H_
