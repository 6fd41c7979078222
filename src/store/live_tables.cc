#include "store/live_tables.h"

#include <fmt/format.h>

#include <string_view>
#include <system_error>
#include <utility>

#include "store/duckdb_connection.h"
#include "store/parquet.h"
#include "store/typed_source.h"

namespace xsp::store {

namespace fs = std::filesystem;

struct LiveTables::State {
  fs::path folder;
  std::string prefix;
  DuckDb db;
  RowFeed feed;
  std::int64_t next = 1;

  State(fs::path in, std::string named, DuckDb opened)
      : folder(std::move(in)),
        prefix(std::move(named)),
        db(std::move(opened)),
        feed(db.connection()) {}
};

LiveTables::LiveTables(std::unique_ptr<State> state) : state_(std::move(state)) {}
LiveTables::LiveTables(LiveTables&&) noexcept = default;
LiveTables::~LiveTables() = default;

Result<LiveTables> LiveTables::Create(const fs::path& folder, const std::string& prefix) {
  std::error_code error;
  const fs::path whole = fs::absolute(folder, error);
  for (const char* table : {LiveSpanRow::kTable, LiveTrackRow::kTable, LiveMetricRow::kTable,
                            LiveAttributeRow::kTable}) {
    if (!error) fs::create_directories(whole / table, error);
  }
  if (error)
    return Error{ErrorKind::kEnvironment,
                 fmt::format("cannot create: {}: {}", folder.string(), error.message()),
                 "Choose a folder that can be written."};
  // The calling thread does all the work: it has the lowest priority.
  XSP_TRY(DuckDb db, DuckDb::Open(1));
  LiveTables tables(std::make_unique<State>(whole, prefix, std::move(db)));
  XSP_RETURN_IF_ERROR(tables.WriteFile(std::vector<LiveSpanRow>()));
  XSP_RETURN_IF_ERROR(tables.WriteFile(std::vector<LiveTrackRow>()));
  XSP_RETURN_IF_ERROR(tables.WriteFile(std::vector<LiveMetricRow>()));
  XSP_RETURN_IF_ERROR(tables.WriteFile(std::vector<LiveAttributeRow>()));
  return tables;
}

template <typename Row>
Status LiveTables::Append(const std::vector<Row>& rows) {
  return rows.empty() ? Status(Ok{}) : WriteFile(rows);
}

template <typename Row>
Status LiveTables::WriteFile(const std::vector<Row>& rows) {
  RowSource source{rows.size(), {}};
  Row::VisitColumns([&](std::string_view name, auto field) {
    source.columns.push_back(ColumnOf(name, FieldOfRows(rows, field)));
  });
  const fs::path folder = state_->folder / Row::kTable;
  const std::string name = fmt::format("{}-{:06}.parquet", state_->prefix, state_->next);
  // Readers of a folder skip what begins with a dot, and globs do.
  const fs::path staging = folder / fmt::format(".{}.tmp", name);
  Status written = WriteParquet(state_->db, state_->feed, source, staging);
  std::error_code error;
  if (written.ok()) {
    fs::rename(staging, folder / name, error);
    if (!error) {
      ++state_->next;
      return Ok{};
    }
    written =
        Error{ErrorKind::kEnvironment,
              fmt::format("cannot write: {}: {}", (folder / name).string(), error.message()), ""};
  }
  fs::remove(staging, error);
  return written;
}

template Status LiveTables::Append(const std::vector<LiveSpanRow>&);
template Status LiveTables::Append(const std::vector<LiveTrackRow>&);
template Status LiveTables::Append(const std::vector<LiveMetricRow>&);
template Status LiveTables::Append(const std::vector<LiveAttributeRow>&);

}  // namespace xsp::store
