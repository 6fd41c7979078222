#include "store/parquet.h"

#include <fmt/format.h>

#include <string>

#include "store/sql_text.h"
#include "store/staging_folder.h"

namespace xsp::store {

Status WriteParquet(const DuckDb& db, RowFeed& feed, const RowSource& rows,
                    const std::filesystem::path& file) {
  feed.Set(rows);
  std::string options;
  if (rows.most_distinct > 0)
    options += fmt::format(", DICTIONARY_SIZE_LIMIT {}", rows.most_distinct);
  if (rows.row_group_rows > 0) options += fmt::format(", ROW_GROUP_SIZE {}", rows.row_group_rows);
  const auto written =
      db.Execute(fmt::format("COPY (FROM {}()) TO {} (FORMAT parquet, COMPRESSION zstd{})",
                             feed.function(), Quoted(file.string()), options),
                 ErrorKind::kEnvironment);
  if (written.ok()) return Ok{};
  return Error{ErrorKind::kEnvironment,
               fmt::format("cannot write: {}: {}", file.string(), written.error().what),
               SpaceHint(file)};
}

}  // namespace xsp::store
