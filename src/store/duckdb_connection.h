#ifndef XSP_STORE_DUCKDB_CONNECTION_H_
#define XSP_STORE_DUCKDB_CONNECTION_H_

// Private to store/: the only header of the house that shows DuckDB.

#include <duckdb.h>

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "core/result.h"
#include "store/query_limits.h"
#include "store/row_batch.h"
#include "store/table.h"

namespace xsp::store {

/// A statement's result, freed with it. Chunks are fetched in order.
class QueryResult {
 public:
  QueryResult() : result_{} {}
  QueryResult(const QueryResult&) = delete;
  QueryResult& operator=(const QueryResult&) = delete;
  QueryResult(QueryResult&& other) noexcept : result_(other.result_) { other.result_ = {}; }
  QueryResult& operator=(QueryResult&&) = delete;
  ~QueryResult() { duckdb_destroy_result(&result_); }

  duckdb_result* get() { return &result_; }

 private:
  duckdb_result result_;
};

/// One fetched chunk of a result (at most a few thousand rows), freed with it.
class DataChunk {
 public:
  explicit DataChunk(duckdb_data_chunk chunk) : chunk_(chunk) {}
  DataChunk(const DataChunk&) = delete;
  DataChunk& operator=(const DataChunk&) = delete;
  ~DataChunk() { duckdb_destroy_data_chunk(&chunk_); }

  bool exists() const { return chunk_ != nullptr; }
  idx_t size() const { return duckdb_data_chunk_get_size(chunk_); }
  duckdb_vector vector(idx_t column) const { return duckdb_data_chunk_get_vector(chunk_, column); }

 private:
  duckdb_data_chunk chunk_;
};

/// A connection to a DuckDB instance in memory, which lives as long as its last connection. It
/// never loads an extension from the network and never spills to disk. One thread at a time.
class DuckDb {
 public:
  /// A new instance. `threads` of 0: as many as this process may run on. With one, all work is done
  /// by the threads that call.
  static Result<DuckDb> Open(int threads = 0);

  /// From now on as many threads work as this process may run on. Errors: kInternal.
  Status UseAllThreads() const;

  /// Another connection to the same instance, for another thread.
  Result<DuckDb> Connect() const;

  DuckDb(DuckDb&& other) noexcept;
  DuckDb& operator=(DuckDb&& other) noexcept;
  ~DuckDb();

  /// Runs one or more statements of our own. Errors: `kind` with the engine's message.
  Status Execute(const std::string& sql, ErrorKind kind = ErrorKind::kInternal) const;

  /// Runs `sql` and returns the last statement's rows.
  Result<Table> Query(const std::string& sql, ErrorKind kind = ErrorKind::kInternal) const;

  /// Runs `sql` for a caller who reads the chunks itself.
  Result<QueryResult> Run(const std::string& sql, ErrorKind kind = ErrorKind::kInternal) const;

  /// Runs one foreign statement, which must be a SELECT. Errors: kBadInput. A result with a column
  /// of a type that Cell has no place for is computed twice, the second time with it as text. With
  /// limits of rows or texts, no more of the result is computed than is read.
  Result<Table> Select(const std::string& sql, const QueryLimits& limits = {}) const;

  /// Runs one statement of our own and passes its rows on while the engine computes them, so that
  /// they need no room together. `visit` must not use this connection; its error ends the scan.
  /// Errors: kBadInput with the engine's message; kInternal: a column that is not BIGINT, DOUBLE or
  /// VARCHAR.
  Status Scan(const std::string& sql, const std::function<Status(const RowBatch&)>& visit) const;

  duckdb_connection connection() const { return connection_; }

 private:
  DuckDb() = default;

  std::shared_ptr<_duckdb_database> database_;
  duckdb_connection connection_ = nullptr;
};

/// The text of a string cell. Points into `text` where it is short: `text` must outlive it.
std::string_view StringView(duckdb_string_t& text);

}  // namespace xsp::store

#endif  // XSP_STORE_DUCKDB_CONNECTION_H_
