#ifndef XSP_STORE_DATABASE_H_
#define XSP_STORE_DATABASE_H_

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "store/query_budget.h"
#include "store/query_limits.h"
#include "store/row_batch.h"
#include "store/table.h"

namespace xsp::store {

/// Read-only SQL over one or more experiments or runs.
///
/// Views: every experiment table (point, run, sample, layer, kernel, match, roof), what
/// schema/views.sql makes of them (point_time, layer_time, ...), and every raw table (span, track,
/// metric, ...; led by run_id when opened on an experiment). A table that a
/// directory lacks is an empty view of the schema's types. Small tables, and what schema/views.sql
/// makes of them, are held in memory from the first statement that names them, so their files are
/// read once; none is where statements have limits or the catalogue is listed. The file system is
/// closed to the SQL: COPY, ATTACH, INSTALL and reading other files fail.
///
/// Threading: one thread at a time.
class Database {
 public:
  /// Whether duckdb_columns() tells what the views' columns mean: that is half the time of opening.
  enum class Comments { kNone, kOfSchema };

  /// Opens `directories` (experiments, or runs of one). Several experiments: every view is led by
  /// a column `experiment` (the folder's name). Errors: kBadInput (no such directory, not an
  /// XSP directory, a newer format version, a damaged file). `limits` are those of every statement:
  /// with any, the statements are a stranger's, and nothing that they can ask shows where the
  /// directories lie; kEnvironment (no /proc).
  static Result<Database> Open(const std::vector<std::filesystem::path>& directories,
                               Comments comments = Comments::kNone, const QueryLimits& limits = {});

  /// A database without any rows, with every table of the schema as an empty, writable table: what
  /// tests fill by INSERT, and what the published tables are fed into. Not read-only.
  /// `memory_bytes`: of the engine; 0: no limit.
  static Result<Database> OpenEmpty(std::size_t memory_bytes = 0);

  Database(Database&&) noexcept;
  Database& operator=(Database&&) noexcept;
  ~Database();

  /// Runs one SQL statement. Errors: kBadInput with the engine's message, or naming the limit that
  /// the statement exceeds.
  Result<Table> Query(std::string_view sql) const;

  /// Runs one SELECT, also where the database is not read-only, within what is left of `budget`,
  /// which it spends. The memory is limited where the database was opened. Errors: as Query().
  Result<Table> Select(std::string_view sql, QueryBudget* budget) const;

  /// Runs one SELECT of our own (never a user's) whose columns are BIGINT, DOUBLE or VARCHAR, and
  /// passes its rows on in batches while the engine computes them: for whoever reads more rows than
  /// memory should hold. `visit` must not use this database; its error ends the scan. Errors:
  /// kBadInput with the engine's message (a damaged file), kInternal: a column of another type.
  Status Scan(std::string_view sql, const std::function<Status(const RowBatch&)>& visit) const;

  /// The formats of the files that an opened experiment was imported from, as experiment.json has
  /// them, in the order of the files. `experiment`: its folder's name; empty: the only one. None of
  /// an experiment that was not imported, of runs and of an empty database.
  std::vector<std::string> ImportedFormats(std::string_view experiment) const;

 private:
  struct State;
  explicit Database(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace xsp::store

#endif  // XSP_STORE_DATABASE_H_
