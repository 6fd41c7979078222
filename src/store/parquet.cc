#include "store/parquet.h"

#include <fmt/format.h>

#include "store/folder.h"

namespace xsp::store {

Status WriteParquet(const DuckDb& db, RowFeed& feed, const RowSource& rows,
                    const std::filesystem::path& file) {
  feed.Set(rows);
  const auto written =
      db.Execute(fmt::format("COPY (FROM {}()) TO {} (FORMAT parquet, COMPRESSION zstd)",
                             feed.function(), Quoted(file.string())),
                 ErrorKind::kEnvironment);
  if (written.ok()) return Ok{};
  return Error{ErrorKind::kEnvironment,
               fmt::format("cannot write: {}: {}", file.string(), written.error().what),
               SpaceHint(file)};
}

}  // namespace xsp::store
