#ifndef XSP_STORE_PARQUET_H_
#define XSP_STORE_PARQUET_H_

// Private to store/: how every table is written.

#include <filesystem>

#include "core/result.h"
#include "store/duckdb_connection.h"
#include "store/row_source.h"

namespace xsp::store {

/// Writes `rows` into a new `file`. `feed` belongs to `db`. Errors: kEnvironment.
Status WriteParquet(const DuckDb& db, RowFeed& feed, const RowSource& rows,
                    const std::filesystem::path& file);

}  // namespace xsp::store

#endif  // XSP_STORE_PARQUET_H_
