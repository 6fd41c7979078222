#ifndef XSP_STORE_TABLE_FILE_H_
#define XSP_STORE_TABLE_FILE_H_

#include <filesystem>

#include "core/result.h"
#include "store/table.h"

namespace xsp::store {

/// The table in a user's file: Parquet where its content says so, else CSV (gzip and zstd too) with
/// a header line: fields apart by comma, semicolon, tab or bar, whichever the header has most of,
/// and perhaps in double quotes; the types of columns are found by looking at the whole file.
/// Errors: kBadInput (no such file, an empty one, a line with more or fewer fields than the header,
/// quotes that are not closed, no UTF-8), with the line.
Result<Table> ReadTableFile(const std::filesystem::path& file);

}  // namespace xsp::store

#endif  // XSP_STORE_TABLE_FILE_H_
