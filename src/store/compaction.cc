#include "store/compaction.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <system_error>
#include <vector>

#include "store/directory.h"
#include "store/duckdb_connection.h"
#include "store/experiment_changes.h"
#include "store/mirror.h"
#include "store/mirrored_store.h"
#include "store/sql_text.h"
#include "store/staging_folder.h"
#include "store/views.h"

namespace xsp::store {

namespace fs = std::filesystem;

namespace {

// Less is mostly what describes the columns.
constexpr std::uint64_t kSmallestBytes = 8192;
// Higher ones gain a few per cent more, in many times as long (docs/store.md).
constexpr int kCompressionLevel = 9;
constexpr const char* kMark = "xsp.compact";

/// A folder, whatever it is called meanwhile: what is renamed into it never lands in another that
/// was put in its place.
class OpenFolder {
 public:
  explicit OpenFolder(const fs::path& path)
      : fd_(open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {}
  OpenFolder(const OpenFolder&) = delete;
  OpenFolder& operator=(const OpenFolder&) = delete;
  ~OpenFolder() {
    if (fd_ >= 0) close(fd_);
  }

  bool is_open() const { return fd_ >= 0; }

  /// The path of `name` in it that says nothing of where it is.
  fs::path PathOf(const fs::path& name) const {
    return fmt::format("/proc/self/fd/{}", fd_) / name;
  }

  /// `file` takes the place of `name`; both are on the disk then.
  bool Replace(const fs::path& file, const fs::path& name) const {
    return renameat(AT_FDCWD, file.c_str(), fd_, name.c_str()) == 0 && fsync(fd_) == 0;
  }

 private:
  const int fd_;
};

std::string FileOf(const fs::path& file) { return Quoted(WithoutWildcards(file.string())); }

/// Rows of its largest row group; 0: none, or it was compacted before. Errors: kBadInput.
Result<std::int64_t> RowsToCompact(const DuckDb& db, const fs::path& file) {
  XSP_TRY(const Table answer,
          db.Query(fmt::format("SELECT coalesce(max(row_group_num_rows), 0) FROM "
                               "parquet_metadata({0}) WHERE NOT EXISTS (FROM "
                               "parquet_kv_metadata({0}) WHERE key = '{1}'::BLOB)",
                               FileOf(file), kMark),
                   ErrorKind::kBadInput));
  return std::get<std::int64_t>(answer.rows.at(0).at(0));
}

/// Errors: kInternal when a row is not the same in both.
Status Compare(const DuckDb& db, const fs::path& file, const fs::path& other) {
  XSP_TRY(
      const Table answer,
      db.Query(fmt::format("SELECT count(*) FROM (FROM read_parquet({})) AS one POSITIONAL JOIN "
                           "(FROM read_parquet({})) AS other WHERE one IS DISTINCT FROM other",
                           FileOf(file), FileOf(other)),
               ErrorKind::kBadInput));
  if (std::get<std::int64_t>(answer.rows.at(0).at(0)) == 0) return Ok{};
  return Error{ErrorKind::kInternal, "the rewritten table differs; the old one was left", ""};
}

Status WriteCompactly(const DuckDb& db, const fs::path& file, std::int64_t group_rows,
                      const fs::path& compact) {
  const Status written = db.Execute(
      fmt::format("COPY (FROM read_parquet({})) TO {} (FORMAT parquet, PARQUET_VERSION v2, "
                  "COMPRESSION zstd, COMPRESSION_LEVEL {}, ROW_GROUP_SIZE {}, "
                  "KV_METADATA {{\"{}\": '1'}})",
                  FileOf(file), Quoted(compact.string()), kCompressionLevel, group_rows, kMark),
      ErrorKind::kEnvironment);
  if (written.ok()) return Compare(db, file, compact);
  // Which of the two files it was.
  XSP_TRY(const Table read,
          db.Query(fmt::format("SELECT count(COLUMNS(*)) FROM read_parquet({})", FileOf(file)),
                   ErrorKind::kBadInput));
  return written;
}

/// Where tables are written before they take their places.
class Staging {
 public:
  Staging(const fs::path& store, std::string_view name) : folder_(store / TemporaryName(name)) {}
  Staging(const Staging&) = delete;
  Staging& operator=(const Staging&) = delete;
  ~Staging() {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }
  const fs::path& folder() const { return folder_; }

 private:
  const fs::path folder_;
};

class Compactor {
 public:
  Compactor(const DuckDb& db, const CompactionRequest& request, const fs::path& staging)
      : db_(db), request_(request), staging_(staging) {}

  /// The tables directly in `path`.
  Status CompactFolder(const fs::path& path) {
    std::vector<fs::path> names;
    std::error_code error;
    for (fs::directory_iterator it(path, error), end; !error && it != end; it.increment(error))
      if (it->path().extension() == ".parquet") names.push_back(it->path().filename());
    std::ranges::sort(names);
    const OpenFolder folder(path);
    if (error || !folder.is_open())
      return Error{ErrorKind::kEnvironment, "cannot read " + path.string(), SpaceHint(path)};
    for (const fs::path& name : names) {
      if (request_.stop()) return Ok{};
      if (const Status done = CompactTable(folder, name); !done.ok())
        return Error{done.error().kind,
                     fmt::format("{}: {}", (path / name).string(), done.error().what),
                     done.error().kind == ErrorKind::kEnvironment ? SpaceHint(path)
                                                                  : "`xsp store check --data` says "
                                                                    "what else is damaged."};
    }
    return Ok{};
  }

  const Compaction& done() const { return done_; }

 private:
  Status CompactTable(const OpenFolder& folder, const fs::path& name) {
    const fs::path file = folder.PathOf(name), compact = staging_ / name;
    std::error_code error;
    const std::uint64_t bytes = fs::file_size(file, error);
    if (error || bytes < kSmallestBytes) return Ok{};
    XSP_TRY(const std::int64_t group_rows, RowsToCompact(db_, file));
    if (group_rows == 0) return Ok{};
    ++done_.tables;
    done_.bytes += bytes;
    if (request_.plan) return Ok{};
    XSP_RETURN_IF_ERROR(WriteCompactly(db_, file, group_rows, compact));
    const std::uint64_t new_bytes = fs::file_size(compact, error);
    if (error || new_bytes >= bytes) return Ok{};
    fs::permissions(compact, fs::status(file, error).permissions(), error);
    XSP_RETURN_IF_ERROR(SyncTree(staging_));
    if (!folder.Replace(compact, name))
      return Error{ErrorKind::kEnvironment, std::generic_category().message(errno), ""};
    ++done_.rewritten;
    done_.saved_bytes += bytes - new_bytes;
    return Ok{};
  }

  const DuckDb& db_;
  const CompactionRequest& request_;
  const fs::path& staging_;
  Compaction done_;
};

}  // namespace

Result<Compaction> CompactExperiment(const fs::path& store, std::string_view name,
                                     const CompactionRequest& request) {
  XSP_TRY(const fs::path path, FindExperiment(store, name));
  XSP_RETURN_IF_ERROR(FetchFolder(path));
  XSP_TRY(const Directory experiment, Inspect(path));
  XSP_TRY(const DuckDb db, DuckDb::Open());
  const Staging staging(store, name);
  if (!request.plan) XSP_RETURN_IF_ERROR(MakeFolder(staging.folder()));
  Compactor compactor(db, request, staging.folder());
  Status done = compactor.CompactFolder(path);
  for (std::size_t i = 0; done.ok() && i < experiment.runs.size(); ++i)
    done = compactor.CompactFolder(experiment.runs[i].path);
  // What the server has is no more what this mirror has: the next push publishes it again.
  std::error_code ignored;
  if (compactor.done().rewritten > 0) fs::remove(path / kMirroredFile, ignored);
  XSP_RETURN_IF_ERROR(done);
  return compactor.done();
}

}  // namespace xsp::store
