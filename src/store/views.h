#ifndef XSP_STORE_VIEWS_H_
#define XSP_STORE_VIEWS_H_

#include <string>
#include <vector>

#include "store/duckdb_connection.h"
#include "store/schema.h"

namespace xsp::store {

/// One Parquet file of a view, and the constant columns that lead its rows there.
struct ViewFile {
  std::string path;
  std::string leading;  ///< SQL such as "1::BIGINT AS run_id, "; may be empty.
};

/// Creates the view of one schema table over `files`: the schema's columns with their types (NULL
/// where a file lacks one), then what else the files hold. `leading_columns` are the names and
/// types that `ViewFile::leading` fills, for a view without any file. Errors: kBadInput for a
/// damaged file.
Status CreateTableView(const DuckDb& db, const TableSchema& table,
                       const std::vector<ViewFile>& files, std::string_view empty_leading);

/// Says what the table and its columns mean, as COMMENT ON tells it.
Status CommentOnView(const DuckDb& db, const TableSchema& table);

/// Creates every view of SharedViews() over the tables and views that are there. `are_led`: the
/// tables are led by a column `experiment`.
Status CreateSharedViews(const DuckDb& db, bool are_led);

/// Closes the file system to `db` but for reading `files`, and its settings to everyone.
Status LockDown(const DuckDb& db, const std::vector<std::string>& files);

/// `path` for read_parquet(), which takes *, ? and [ as wild cards.
std::string WithoutWildcards(std::string_view path);

}  // namespace xsp::store

#endif  // XSP_STORE_VIEWS_H_
