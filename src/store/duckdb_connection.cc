#include "store/duckdb_connection.h"

#include <fmt/format.h>
#include <sched.h>

#include <algorithm>
#include <optional>
#include <thread>
#include <utility>
#include <variant>
#include <vector>

#include "store/foreign_sql.h"
#include "store/query_timer.h"
#include "store/sql_text.h"

namespace xsp::store {
namespace {

class PreparedStatement {
 public:
  PreparedStatement() = default;
  PreparedStatement(const PreparedStatement&) = delete;
  PreparedStatement& operator=(const PreparedStatement&) = delete;
  ~PreparedStatement() { duckdb_destroy_prepare(&statement_); }
  duckdb_prepared_statement* out() { return &statement_; }
  duckdb_prepared_statement get() const { return statement_; }

 private:
  duckdb_prepared_statement statement_ = nullptr;
};

class PendingResult {
 public:
  PendingResult() = default;
  PendingResult(const PendingResult&) = delete;
  PendingResult& operator=(const PendingResult&) = delete;
  ~PendingResult() { duckdb_destroy_pending(&result_); }
  duckdb_pending_result* out() { return &result_; }
  duckdb_pending_result get() const { return result_; }

 private:
  duckdb_pending_result result_ = nullptr;
};

class ExtractedStatements {
 public:
  ExtractedStatements(duckdb_connection connection, const std::string& sql)
      : count_(duckdb_extract_statements(connection, sql.c_str(), &statements_)) {}
  ExtractedStatements(const ExtractedStatements&) = delete;
  ExtractedStatements& operator=(const ExtractedStatements&) = delete;
  ~ExtractedStatements() { duckdb_destroy_extracted(&statements_); }
  idx_t count() const { return count_; }
  duckdb_extracted_statements get() const { return statements_; }

 private:
  duckdb_extracted_statements statements_ = nullptr;
  idx_t count_;
};

int UsableThreads() {
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) == 0) return std::max(1, CPU_COUNT(&set));
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

std::string Message(const char* message) { return message != nullptr ? message : "unknown error"; }

__extension__ typedef __int128 Int128;

/// Past 64 bits an integer stays exact as text.
Cell HugeCell(Int128 value) {
  if (value >= INT64_MIN && value <= INT64_MAX) return static_cast<std::int64_t>(value);
  return fmt::format("{}", value);
}

Int128 ToInt128(duckdb_hugeint value) {
  return static_cast<Int128>(value.upper) * (static_cast<Int128>(1) << 64) + value.lower;
}

/// How a column's cells are read: its type, and for decimals the power of ten.
struct ColumnReader {
  duckdb_type type;
  duckdb_type storage;  ///< Of decimals and enums; else as `type`.
  double divisor = 1;
};

ColumnReader MakeReader(duckdb_logical_type type) {
  ColumnReader reader{duckdb_get_type_id(type), duckdb_get_type_id(type)};
  if (reader.type == DUCKDB_TYPE_DECIMAL) {
    reader.storage = duckdb_decimal_internal_type(type);
    for (int i = 0; i < duckdb_decimal_scale(type); ++i) reader.divisor *= 10;
  }
  return reader;
}

/// Types that ReadCell() understands; every other one is cast to text by the engine.
bool IsReadable(duckdb_type type) {
  switch (type) {
    case DUCKDB_TYPE_BOOLEAN:
    case DUCKDB_TYPE_TINYINT:
    case DUCKDB_TYPE_SMALLINT:
    case DUCKDB_TYPE_INTEGER:
    case DUCKDB_TYPE_BIGINT:
    case DUCKDB_TYPE_UTINYINT:
    case DUCKDB_TYPE_USMALLINT:
    case DUCKDB_TYPE_UINTEGER:
    case DUCKDB_TYPE_UBIGINT:
    case DUCKDB_TYPE_HUGEINT:
    case DUCKDB_TYPE_FLOAT:
    case DUCKDB_TYPE_DOUBLE:
    case DUCKDB_TYPE_DECIMAL:
    case DUCKDB_TYPE_VARCHAR:
    case DUCKDB_TYPE_SQLNULL:
      return true;
    default:
      return false;
  }
}

template <typename T>
T At(void* data, idx_t row) {
  return static_cast<T*>(data)[row];
}

Int128 Integer(duckdb_type type, void* data, idx_t row) {
  switch (type) {
    case DUCKDB_TYPE_TINYINT:
      return At<std::int8_t>(data, row);
    case DUCKDB_TYPE_SMALLINT:
      return At<std::int16_t>(data, row);
    case DUCKDB_TYPE_INTEGER:
      return At<std::int32_t>(data, row);
    case DUCKDB_TYPE_BIGINT:
      return At<std::int64_t>(data, row);
    case DUCKDB_TYPE_UTINYINT:
      return At<std::uint8_t>(data, row);
    case DUCKDB_TYPE_USMALLINT:
      return At<std::uint16_t>(data, row);
    case DUCKDB_TYPE_UINTEGER:
      return At<std::uint32_t>(data, row);
    case DUCKDB_TYPE_UBIGINT:
      return At<std::uint64_t>(data, row);
    default:
      return ToInt128(At<duckdb_hugeint>(data, row));
  }
}

Cell ReadCell(const ColumnReader& reader, void* data, idx_t row) {
  switch (reader.type) {
    case DUCKDB_TYPE_BOOLEAN:
      return At<bool>(data, row);
    case DUCKDB_TYPE_FLOAT:
      return static_cast<double>(At<float>(data, row));
    case DUCKDB_TYPE_DOUBLE:
      return At<double>(data, row);
    case DUCKDB_TYPE_VARCHAR:
      return std::string(StringView(static_cast<duckdb_string_t*>(data)[row]));
    case DUCKDB_TYPE_DECIMAL:
      return static_cast<double>(Integer(reader.storage, data, row)) / reader.divisor;
    case DUCKDB_TYPE_SQLNULL:
      return std::monostate{};
    default:
      return HugeCell(Integer(reader.type, data, row));
  }
}

/// Rows as they are read, within limits.
class TableReader {
 public:
  TableReader(QueryResult& result, const QueryLimits& limits) : limits_(limits) {
    const idx_t columns = duckdb_column_count(result.get());
    for (idx_t i = 0; i < columns; ++i) {
      table_.columns.push_back(Message(duckdb_column_name(result.get(), i)));
      duckdb_logical_type type = duckdb_column_logical_type(result.get(), i);
      readers_.push_back(MakeReader(type));
      duckdb_destroy_logical_type(&type);
    }
  }

  /// Errors: kBadInput, naming the limit that is exceeded.
  Status Add(const DataChunk& chunk) {
    const std::size_t first = table_.rows.size();
    if (limits_.rows > 0 && first + chunk.size() > static_cast<std::uint64_t>(limits_.rows))
      return Error{ErrorKind::kBadInput,
                   fmt::format("the result has more rows than its limit: {}", limits_.rows),
                   "Add LIMIT to the statement, or ask for sums."};
    table_.rows.resize(first + chunk.size(), std::vector<Cell>(readers_.size()));
    for (idx_t column = 0; column < readers_.size(); ++column) {
      void* data = duckdb_vector_get_data(chunk.vector(column));
      std::uint64_t* validity = duckdb_vector_get_validity(chunk.vector(column));
      for (idx_t row = 0; row < chunk.size(); ++row) {
        if (validity != nullptr && !duckdb_validity_row_is_valid(validity, row)) continue;
        Cell& cell = table_.rows[first + row][column];
        cell = ReadCell(readers_[column], data, row);
        if (const auto* text = std::get_if<std::string>(&cell)) text_bytes_ += text->size();
        if (limits_.text_bytes > 0 && text_bytes_ > limits_.text_bytes) return TooMuchText();
      }
    }
    return Ok{};
  }

  Table Take() { return std::move(table_); }

 private:
  Error TooMuchText() const {
    return {ErrorKind::kBadInput,
            fmt::format("the texts of the result are longer than their limit: {} bytes",
                        limits_.text_bytes),
            "Add LIMIT to the statement, or select fewer columns."};
  }

  const QueryLimits& limits_;
  std::vector<ColumnReader> readers_;
  Table table_;
  std::size_t text_bytes_ = 0;
};

/// Errors: kBadInput: more than `limits` allow, or what a result that is computed while it is read
/// ends with.
Result<Table> ReadTable(QueryResult& result, const QueryLimits& limits = {}) {
  TableReader reader(result, limits);
  for (;;) {
    const DataChunk chunk(duckdb_fetch_chunk(*result.get()));
    if (!chunk.exists() || chunk.size() == 0) break;
    XSP_RETURN_IF_ERROR(reader.Add(chunk));
  }
  if (const char* message = duckdb_result_error(result.get()))
    return Error{ErrorKind::kBadInput, message, ""};
  return reader.Take();
}

constexpr std::string_view kTextView = "xsp_query_as_text";
constexpr const char* kHowToAsk = "Ask with a single SELECT (or DESCRIBE, SHOW, SUMMARIZE).";

bool IsAllReadable(QueryResult& result) {
  for (idx_t i = 0; i < duckdb_column_count(result.get()); ++i)
    if (!IsReadable(duckdb_column_type(result.get(), i))) return false;
  return true;
}

/// True for a statement whose words show that it can be run as it is: it only reads (WITH may begin
/// an INSERT) and has no parameter. All others are prepared first to learn what they are, which
/// binds them once more: statements over files are bound again when they are executed.
bool IsPlainSelect(std::string_view sql) {
  const std::size_t start = SkipComments(sql);
  const bool reads = WordAt(sql, start, "select") || WordAt(sql, start, "from") ||
                     (WordAt(sql, start, "with") && !MayChangeTables(sql));
  return reads && !MayHaveParameters(sql);
}

/// A SELECT from kTextView (to be made from the statement itself) with every column that ReadCell()
/// cannot read cast to text; nothing where none needs it.
std::optional<std::string> CastToText(duckdb_prepared_statement statement) {
  const idx_t columns = duckdb_prepared_statement_column_count(statement);
  std::string casts, names;
  bool needed = false;
  for (idx_t i = 0; i < columns; ++i) {
    const bool readable = IsReadable(duckdb_prepared_statement_column_type(statement, i));
    needed = needed || !readable;
    const char* name = duckdb_prepared_statement_column_name(statement, i);
    const std::string cell = fmt::format("c{}", i);
    casts +=
        fmt::format("{}{} AS {}", i == 0 ? "" : ", ",
                    readable ? cell : fmt::format("CAST({} AS VARCHAR)", cell), QuotedName(name));
    names += (i == 0 ? "" : ", ") + cell;
    duckdb_free(const_cast<char*>(name));
  }
  if (!needed) return std::nullopt;
  return fmt::format("SELECT {} FROM {} AS t({})", casts, kTextView, names);
}

/// Prepares a foreign statement. Errors: kBadInput: not a SELECT, or one with parameters.
Status PrepareSelect(duckdb_connection connection, const ExtractedStatements& statements,
                     PreparedStatement& prepared) {
  if (duckdb_prepare_extracted_statement(connection, statements.get(), 0, prepared.out()) ==
      DuckDBError) {
    return Error{ErrorKind::kBadInput, Message(duckdb_prepare_error(prepared.get())), ""};
  }
  // Results are only read here: a statement of any other kind could write into a file of the store.
  if (duckdb_prepared_statement_type(prepared.get()) != DUCKDB_STATEMENT_TYPE_SELECT) {
    return Error{ErrorKind::kBadInput, "results are read-only: the statement is not a SELECT",
                 kHowToAsk};
  }
  if (duckdb_nparams(prepared.get()) != 0) {
    return Error{ErrorKind::kBadInput, "the SQL statement has parameters without values", ""};
  }
  return Ok{};
}

std::string CreateTextView(const std::string& sql) {
  return fmt::format("CREATE OR REPLACE TEMP VIEW {} AS {}", kTextView, sql);
}

std::string DropTextView() { return fmt::format("DROP VIEW IF EXISTS {}", kTextView); }

/// Runs a statement whose rows are computed while they are read.
Result<Table> Stream(const PreparedStatement& prepared, const QueryLimits& limits,
                     const QueryTimer& timer) {
  PendingResult pending;
  if (duckdb_pending_prepared_streaming(prepared.get(), pending.out()) == DuckDBError)
    return Error{ErrorKind::kBadInput, Message(duckdb_pending_error(pending.get())), ""};
  // The engine has forgotten an interrupt that came before this point; it heeds one that comes now.
  if (timer.expired()) return Error{ErrorKind::kBadInput, "interrupted", ""};
  QueryResult result;
  if (duckdb_execute_pending(pending.get(), result.get()) == DuckDBError)
    return Error{ErrorKind::kBadInput, Message(duckdb_result_error(result.get())), ""};
  return ReadTable(result, limits);
}

Result<Table> PrepareAndStream(const DuckDb& db, const ExtractedStatements& statements,
                               const std::string& sql, const QueryLimits& limits,
                               const QueryTimer& timer) {
  XSP_RETURN_IF_ERROR(CheckNames(sql));
  PreparedStatement prepared;
  XSP_RETURN_IF_ERROR(PrepareSelect(db.connection(), statements, prepared));
  XSP_RETURN_IF_ERROR(CheckFunctions(db, sql));
  const auto as_text = CastToText(prepared.get());
  if (!as_text) return Stream(prepared, limits, timer);
  XSP_RETURN_IF_ERROR(db.Execute(CreateTextView(sql), ErrorKind::kBadInput));
  PreparedStatement of_view;
  if (duckdb_prepare(db.connection(), as_text->c_str(), of_view.out()) == DuckDBError)
    return Error{ErrorKind::kBadInput, Message(duckdb_prepare_error(of_view.get())), ""};
  return Stream(of_view, limits, timer);
}

/// `error` in terms of the limit that led to it, if one did.
Error Explained(Error error, const QueryLimits& limits, bool is_expired) {
  if (is_expired)
    return {ErrorKind::kBadInput,
            fmt::format("the statement took longer than its limit: {:g} s", limits.time_s),
            "Ask for fewer rows, or join fewer tables."};
  if (limits.memory_bytes > 0 && error.what.starts_with("Out of Memory"))
    return {ErrorKind::kBadInput,
            fmt::format("the statement needs more memory than its limit: {} bytes",
                        limits.memory_bytes),
            "Sort, join or group fewer rows."};
  return error;
}

Status CheckIsOne(const ExtractedStatements& statements) {
  if (statements.count() == 0) {
    const char* message = duckdb_extract_statements_error(statements.get());
    return Error{ErrorKind::kBadInput, message != nullptr ? message : "no SQL statement", ""};
  }
  if (statements.count() > 1)
    return Error{ErrorKind::kBadInput,
                 fmt::format("more than one SQL statement: {}", statements.count()), kHowToAsk};
  return Ok{};
}

/// Asks again where the engine only says that it was interrupted: a thread of it that fails
/// interrupts the others before it notes why, and one of these may be noted first.
template <typename Ask>
Result<Table> AskUntilExplained(const Ask& ask) {
  constexpr int kMostTimes = 5;
  auto rows = ask();
  for (int times = 1; times < kMostTimes; ++times) {
    if (rows.ok() || !rows.error().what.starts_with("INTERRUPT")) break;
    rows = ask();
  }
  return rows;
}

Result<Table> SelectWithin(const DuckDb& db, const ExtractedStatements& statements,
                           const std::string& sql, const QueryLimits& limits,
                           const QueryTimer& timer) {
  auto rows = PrepareAndStream(db, statements, sql, limits, timer);
  if (rows.ok()) return rows;
  // Other threads may still work on it, without an end where it has none: the engine forgets an
  // interrupt that came before they began, and the next statement waits for them.
  duckdb_interrupt(db.connection());
  return Explained(rows.error(), limits, timer.expired());
}

Result<Table> SelectAtOnce(const DuckDb& db, const ExtractedStatements& statements,
                           const std::string& sql) {
  if (IsPlainSelect(sql)) {
    XSP_TRY(QueryResult result, db.Run(sql, ErrorKind::kBadInput));
    if (duckdb_result_statement_type(*result.get()) == DUCKDB_STATEMENT_TYPE_SELECT &&
        IsAllReadable(result))
      return ReadTable(result);
  }
  PreparedStatement prepared;
  XSP_RETURN_IF_ERROR(PrepareSelect(db.connection(), statements, prepared));
  if (const auto as_text = CastToText(prepared.get())) {
    XSP_RETURN_IF_ERROR(db.Execute(CreateTextView(sql), ErrorKind::kBadInput));
    return db.Query(*as_text, ErrorKind::kBadInput);
  }
  QueryResult result;
  if (duckdb_execute_prepared(prepared.get(), result.get()) == DuckDBError) {
    return Error{ErrorKind::kBadInput, Message(duckdb_result_error(result.get())), ""};
  }
  return ReadTable(result);
}

}  // namespace

Result<DuckDb> DuckDb::Open(int threads) {
  duckdb_config config = nullptr;
  if (duckdb_create_config(&config) == DuckDBError) {
    return Error{ErrorKind::kInternal, "cannot configure the SQL engine", ""};
  }
  const int used = threads > 0 ? threads : UsableThreads();
  duckdb_set_config(config, "threads", std::to_string(used).c_str());
  duckdb_set_config(config, "autoinstall_known_extensions", "false");
  duckdb_set_config(config, "autoload_known_extensions", "false");
  duckdb_set_config(config, "temp_directory", "");
  duckdb_database database = nullptr;
  char* message = nullptr;
  const duckdb_state opened = duckdb_open_ext(nullptr, &database, config, &message);
  duckdb_destroy_config(&config);
  if (opened == DuckDBError) {
    Error error{ErrorKind::kEnvironment,
                fmt::format("cannot start the SQL engine: {}", Message(message)), ""};
    duckdb_free(message);
    return error;
  }
  DuckDb db;
  db.database_.reset(database, [](duckdb_database last) { duckdb_close(&last); });
  return db.Connect();
}

Status DuckDb::UseAllThreads() const {
  return Execute(fmt::format("SET threads={}", UsableThreads()));
}

Result<DuckDb> DuckDb::Connect() const {
  DuckDb db;
  db.database_ = database_;
  if (duckdb_connect(database_.get(), &db.connection_) == DuckDBError) {
    return Error{ErrorKind::kEnvironment, "cannot connect to the SQL engine", ""};
  }
  return db;
}

DuckDb::DuckDb(DuckDb&& other) noexcept
    : database_(std::move(other.database_)),
      connection_(std::exchange(other.connection_, nullptr)) {}

DuckDb& DuckDb::operator=(DuckDb&& other) noexcept {
  std::swap(database_, other.database_);
  std::swap(connection_, other.connection_);
  return *this;
}

DuckDb::~DuckDb() {
  if (connection_ != nullptr) duckdb_disconnect(&connection_);
}

Result<QueryResult> DuckDb::Run(const std::string& sql, ErrorKind kind) const {
  QueryResult result;
  if (duckdb_query(connection_, sql.c_str(), result.get()) == DuckDBError) {
    return Error{kind, Message(duckdb_result_error(result.get())), ""};
  }
  return result;
}

Status DuckDb::Execute(const std::string& sql, ErrorKind kind) const {
  XSP_TRY([[maybe_unused]] QueryResult result, Run(sql, kind));
  return Ok{};
}

Result<Table> DuckDb::Query(const std::string& sql, ErrorKind kind) const {
  XSP_TRY(QueryResult result, Run(sql, kind));
  return ReadTable(result);
}

Result<Table> DuckDb::Select(const std::string& sql, const QueryLimits& limits) const {
  auto rows = [&] {
    const QueryTimer timer(connection_, limits.time_s);
    return AskUntilExplained([&]() -> Result<Table> {
      // Preparing uses them up.
      const ExtractedStatements statements(connection_, sql);
      XSP_RETURN_IF_ERROR(CheckIsOne(statements));
      return limits.IsSet() ? SelectWithin(*this, statements, sql, limits, timer)
                            : SelectAtOnce(*this, statements, sql);
    });
  }();
  XSP_RETURN_IF_ERROR(Execute(DropTextView()));
  return rows;
}

Status DuckDb::Scan(const std::string& sql,
                    const std::function<Status(const RowBatch&)>& visit) const {
  PreparedStatement prepared;
  if (duckdb_prepare(connection_, sql.c_str(), prepared.out()) == DuckDBError)
    return Error{ErrorKind::kBadInput, Message(duckdb_prepare_error(prepared.get())), ""};
  PendingResult pending;
  if (duckdb_pending_prepared_streaming(prepared.get(), pending.out()) == DuckDBError)
    return Error{ErrorKind::kBadInput, Message(duckdb_pending_error(pending.get())), ""};
  QueryResult result;
  if (duckdb_execute_pending(pending.get(), result.get()) == DuckDBError)
    return Error{ErrorKind::kBadInput, Message(duckdb_result_error(result.get())), ""};
  RowBatch batch;
  for (idx_t i = 0; i < duckdb_column_count(result.get()); ++i) {
    const duckdb_type type = duckdb_column_type(result.get(), i);
    if (type != DUCKDB_TYPE_BIGINT && type != DUCKDB_TYPE_DOUBLE && type != DUCKDB_TYPE_VARCHAR)
      return Error{ErrorKind::kInternal,
                   fmt::format("column {} is neither BIGINT, DOUBLE nor VARCHAR: {}", i, sql), ""};
    batch.columns_.push_back({type == DUCKDB_TYPE_BIGINT   ? RowBatch::Type::kInteger
                              : type == DUCKDB_TYPE_DOUBLE ? RowBatch::Type::kDouble
                                                           : RowBatch::Type::kText,
                              nullptr, nullptr});
  }
  for (;;) {
    const DataChunk chunk(duckdb_fetch_chunk(*result.get()));
    if (!chunk.exists() || chunk.size() == 0) break;
    batch.size_ = chunk.size();
    for (std::size_t i = 0; i < batch.columns_.size(); ++i) {
      batch.columns_[i].data = duckdb_vector_get_data(chunk.vector(i));
      batch.columns_[i].validity = duckdb_vector_get_validity(chunk.vector(i));
    }
    XSP_RETURN_IF_ERROR(visit(batch));
  }
  // A statement that fails on the way ends as one that is done.
  const char* message = duckdb_result_error(result.get());
  if (message != nullptr && *message != '\0') return Error{ErrorKind::kBadInput, message, ""};
  return Ok{};
}

std::string_view StringView(duckdb_string_t& text) {
  return {duckdb_string_t_data(&text), duckdb_string_t_length(text)};
}

}  // namespace xsp::store
