#include "store/query_limits.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <fstream>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "core/hang_limit_testing.h"
#include "store/database.h"
#include "store/duckdb_connection.h"
#include "store/experiment_writer.h"
#include "store/query_timer.h"
#include "store/store_testing.h"

namespace xsp::store {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

constexpr const char* kEndless =
    "SELECT count(*) FROM range(10000000) AS a(i), range(10000000) AS b(j) WHERE (i * j) % 7 = 1";

/// An experiment of one run, which is read within limits.
class LimitedStore {
 public:
  LimitedStore() {
    auto writer = ExperimentWriter::Create(folder_.path(), "x");
    EXPECT_TRUE(writer.ok());
    EXPECT_TRUE(writer.value().AddRun("a", RandomTrace(1, 20), "{}").ok());
    path_ = writer.value().Commit("{}").value();
  }
  Result<Database> Open(const QueryLimits& limits) const {
    return Database::Open({path_}, Database::Comments::kNone, limits);
  }
  const fs::path& folder() const { return folder_.path(); }
  const fs::path& path() const { return path_; }

 private:
  TestFolder folder_;
  fs::path path_;
};

/// The error of `sql`, which is one of the input; empty: there is none.
std::string ErrorOf(const Database& database, std::string_view sql) {
  const auto rows = database.Query(sql);
  if (rows.ok()) return "";
  EXPECT_EQ(rows.error().kind, ErrorKind::kBadInput);
  return rows.error().what;
}

TEST(Query, StopsAtItsTimeLimit) {
  const LimitedStore store;
  const auto db = store.Open({.time_s = 0.2});
  ASSERT_TRUE(db.ok()) << db.error().what;
  const auto start = std::chrono::steady_clock::now();
  const auto rows = db.value().Query(kEndless);
  ASSERT_FALSE(rows.ok());
  EXPECT_EQ(rows.error().what, "the statement took longer than its limit: 0.2 s");
  EXPECT_FALSE(rows.error().hint.empty());
  EXPECT_LT(std::chrono::steady_clock::now() - start, core::kHangLimit);
}

TEST(Query, StopsAtItsTimeLimitWhileRowsAreRead) {
  const LimitedStore store;
  const auto db = store.Open({.time_s = 0.2});
  ASSERT_TRUE(db.ok());
  // Few of many rows, one after the other: and of a type that is read as text.
  EXPECT_THAT(
      ErrorOf(db.value(), "SELECT i FROM range(1000000000000) AS t(i) WHERE i % 100000 = 1"),
      HasSubstr("took longer"));
  EXPECT_THAT(
      ErrorOf(db.value(), "SELECT [i] FROM range(1000000000000) AS t(i) WHERE i % 9999 = 1"),
      HasSubstr("took longer"));
}

// The engine forgets the interrupt, and by then its threads may work on the statement.
TEST(Query, LeavesNothingRunningWhereItsTimeIsOverBeforeItBegins) {
  const LimitedStore store;
  std::vector<std::jthread> threads;
  for (int i = 0; i < 8; ++i)
    threads.emplace_back([&store] {
      const auto db = store.Open({.time_s = 1e-6});
      ASSERT_TRUE(db.ok());
      for (int k = 0; k < 40; ++k)
        EXPECT_THAT(ErrorOf(db.value(), kEndless), HasSubstr("took longer"));
    });
}

TEST(Query, AnswersAfterOneThatWasStopped) {
  const LimitedStore store;
  const auto db = store.Open({.time_s = 0.05});
  ASSERT_TRUE(db.ok());
  // On a busy machine the limit may be over before anything is done: then it is asked again.
  const auto error_in_time = [&](const std::string& sql) {
    std::string error = ErrorOf(db.value(), sql);
    for (int i = 0; i < 100 && error.find("took longer") != std::string::npos; ++i)
      error = ErrorOf(db.value(), sql);
    return error;
  };
  for (int i = 0; i < 5; ++i) {
    EXPECT_THAT(ErrorOf(db.value(), kEndless), HasSubstr("took longer"));
    EXPECT_EQ(error_in_time("SELECT 1"), "");
    EXPECT_THAT(error_in_time("FROM no_such_view"), HasSubstr("no_such_view"));
  }
}

TEST(Query, StopsAtItsLimitOfRows) {
  const LimitedStore store;
  const auto db = store.Open({.rows = 1000, .memory_bytes = 256 << 20});
  ASSERT_TRUE(db.ok());
  EXPECT_EQ(ErrorOf(db.value(), "SELECT i, 'a text of row ' || i FROM range(1000000000) AS t(i)"),
            "the result has more rows than its limit: 1000");
  EXPECT_EQ(ErrorOf(db.value(), "SELECT [i] FROM range(1000000000) AS t(i)"),
            "the result has more rows than its limit: 1000");
  EXPECT_EQ(ErrorOf(db.value(), "FROM range(1001)"),
            "the result has more rows than its limit: 1000");
  const auto all = db.value().Query("FROM range(1000)");
  ASSERT_TRUE(all.ok()) << all.error().what;
  EXPECT_EQ(all.value().rows.size(), 1000u);
}

TEST(Query, StopsAtItsLimitOfTexts) {
  const LimitedStore store;
  const auto db = store.Open({.text_bytes = 1000});
  ASSERT_TRUE(db.ok());
  EXPECT_EQ(ErrorOf(db.value(), "SELECT repeat('x', 100) FROM range(1000000000)"),
            "the texts of the result are longer than their limit: 1000 bytes");
  EXPECT_EQ(ErrorOf(db.value(), "SELECT repeat('x', 1001)"),
            "the texts of the result are longer than their limit: 1000 bytes");
  EXPECT_EQ(ErrorOf(db.value(), "SELECT repeat('x', 500), repeat('y', 500)"), "");
}

TEST(Query, StopsAtItsLimitOfMemory) {
  const LimitedStore store;
  const auto db = store.Open({.memory_bytes = 64 << 20});
  ASSERT_TRUE(db.ok());
  EXPECT_EQ(ErrorOf(db.value(),
                    "SELECT count(*) FROM (SELECT DISTINCT hash(i) FROM range(100000000) AS t(i))"),
            "the statement needs more memory than its limit: 67108864 bytes");
  EXPECT_EQ(ErrorOf(db.value(), "FROM span ORDER BY name"), "");
}

TEST(Query, GivesTheSameWithinLimitsAsWithout) {
  const LimitedStore store;
  const auto db = store.Open({.time_s = 600, .rows = 100000, .text_bytes = 1 << 20});
  const auto free = store.Open({});
  ASSERT_TRUE(db.ok() && free.ok());
  for (const char* sql :
       {"FROM span ORDER BY id", "SELECT [1], NULL, 'x', 1.5::DECIMAL(4, 2)", "SHOW TABLES",
        "DESCRIBE span", "SUMMARIZE SELECT 1 AS a", "SELECT count(*) FROM metric",
        "SELECT id, [name] FROM span ORDER BY id LIMIT 5", "SELECT * FROM layer"}) {
    const auto limited = db.value().Query(sql);
    const auto unlimited = free.value().Query(sql);
    ASSERT_TRUE(limited.ok()) << sql << ": " << limited.error().what;
    ASSERT_TRUE(unlimited.ok()) << sql;
    EXPECT_EQ(limited.value().columns, unlimited.value().columns) << sql;
    EXPECT_EQ(limited.value().rows, unlimited.value().rows) << sql;
  }
  for (const char* sql :
       {"FROM spam", "SELECT", "DROP VIEW span", "SELECT ?", "SELECT 1; SELECT 2"})
    EXPECT_EQ(ErrorOf(db.value(), sql), ErrorOf(free.value(), sql)) << sql;
}

TEST(Query, ReportsAnErrorThatComesAfterTheFirstRows) {
  const LimitedStore store;
  const auto db = store.Open({.rows = 1 << 30});
  ASSERT_TRUE(db.ok());
  EXPECT_THAT(ErrorOf(db.value(),
                      "SELECT CASE WHEN i = 300000 THEN error('late') ELSE i END "
                      "FROM range(400000) AS t(i)"),
              HasSubstr("late"));
}

TEST(Query, IsLimitedOnEachOfManyThreads) {
  const LimitedStore store;
  std::vector<std::string> errors(8);
  {
    std::vector<std::jthread> threads;
    for (std::size_t i = 0; i < errors.size(); ++i)
      threads.emplace_back([&store, &error = errors[i], i] {
        const auto db = i % 2 == 0 ? store.Open({.time_s = 0.1}) : store.Open({.rows = 10});
        if (!db.ok()) return;
        error = ErrorOf(db.value(), i % 2 == 0 ? kEndless : "FROM range(1000000000)");
      });
  }
  for (std::size_t i = 0; i < errors.size(); ++i)
    EXPECT_THAT(errors[i], HasSubstr(i % 2 == 0 ? "took longer" : "more rows")) << i;
}

TEST(Query, ReachesNothingOutsideOfItsFiles) {
  const LimitedStore store;
  const auto db = store.Open({.time_s = 60});
  ASSERT_TRUE(db.ok());
  const std::string other = (store.folder() / "other.parquet").string();
  const auto writer = DuckDb::Open(1);
  ASSERT_TRUE(writer.ok());
  ASSERT_TRUE(writer.value().Execute("COPY (SELECT 1) TO '" + other + "' (FORMAT parquet)").ok());
  for (const std::string& sql : std::vector<std::string>{
           "FROM read_csv('/etc/passwd')", "FROM read_text('/etc/passwd')",
           "FROM read_blob('/etc/passwd')", "FROM read_json('/etc/passwd')",
           "FROM read_ndjson_objects('/etc/passwd')", "FROM sniff_csv('/etc/passwd')",
           "FROM '/etc/passwd'", "FROM glob('/etc/*')", "FROM read_parquet('" + other + "')",
           "FROM '" + other + "'", "FROM parquet_schema('" + other + "')",
           "FROM parquet_metadata('" + other + "')", "FROM parquet_file_metadata('" + other + "')",
           "FROM parquet_kv_metadata('" + other + "')",
           "FROM query('FROM read_text(''/etc/passwd'')')", "FROM query_table('/etc/passwd')",
           "FROM read_text('" + (store.path() / "experiment.json").string() + "')",
           "SELECT getenv('HOME')", "SELECT content FROM read_text('/proc/self/environ')"})
    EXPECT_NE(ErrorOf(db.value(), sql), "") << sql;
  const auto secrets = db.value().Query("FROM duckdb_secrets()");
  if (secrets.ok()) {
    EXPECT_TRUE(secrets.value().rows.empty());
  }
}

TEST(Query, ChangesNothing) {
  const LimitedStore store;
  const auto db = store.Open({.time_s = 60});
  ASSERT_TRUE(db.ok());
  const std::string out = (store.folder() / "out").string();
  for (const std::string& sql : std::vector<std::string>{
           "SET memory_limit = '100GB'",
           "SET VARIABLE a = 1",
           "RESET memory_limit",
           "ATTACH '" + out + "'",
           "COPY (SELECT 1) TO '" + out + "'",
           "EXPORT DATABASE '" + out + "'",
           "INSTALL httpfs",
           "LOAD '" + out + "'",
           "PRAGMA enable_profiling",
           "PRAGMA profiling_output = '" + out + "'",
           "CALL enable_logging()",
           "FROM enable_logging(storage = 'file', storage_config = {'path': '" + out + "'})",
           "FROM enable_logging()",
           "SELECT (SELECT count(*) FROM system.main.\"enable_logging\"())",
           "FROM query('FROM enable_' || 'logging()')",
           "FROM enable_profiling()",
           "FROM disable_logging()",
           "FROM force_checkpoint()",
           "CREATE TEMP TABLE t (a INT)",
           "CREATE MACRO f(a) AS a",
           "CREATE SECRET (TYPE s3)",
           "CREATE SEQUENCE s",
           "USE memory",
           "CHECKPOINT",
           "VACUUM"})
    EXPECT_NE(ErrorOf(db.value(), sql), "") << sql;
  EXPECT_FALSE(fs::exists(out));
  // The settings that close the engine hold; only who has no limits sees them.
  const auto free = store.Open({});
  ASSERT_TRUE(free.ok());
  const auto settings = free.value().Query(
      "SELECT name, value FROM duckdb_settings() WHERE name IN ('enable_external_access', "
      "'lock_configuration', 'temp_directory', 'allow_persistent_secrets') ORDER BY name");
  ASSERT_TRUE(settings.ok()) << settings.error().what;
  const auto value = [&](std::size_t row) {
    return std::get<std::string>(settings.value().rows.at(row).at(1));
  };
  EXPECT_EQ(value(0), "false");
  EXPECT_EQ(value(1), "false");
  EXPECT_EQ(value(2), "true");
  EXPECT_EQ(value(3), "");
}

/// Whatever `sql` yields, rows or an error, as one text.
std::string AnswerOf(const Database& database, const std::string& sql) {
  const auto rows = database.Query(sql);
  if (!rows.ok()) return rows.error().what + " " + rows.error().hint;
  std::string text;
  for (const auto& row : rows.value().rows)
    for (const Cell& cell : row)
      if (const auto* part = std::get_if<std::string>(&cell)) text += *part + "\n";
  return text;
}

/// All that the engine offers without an argument: functions of tables, and views.
std::vector<std::string> AllOfTheCatalogue(const Database& database) {
  std::vector<std::string> statements;
  const auto rows = database.Query(
      "SELECT DISTINCT 'FROM ' || function_name || '()' FROM duckdb_functions() WHERE "
      "function_type IN ('table', 'table_macro') AND len(parameters) = 0 UNION ALL "
      "SELECT 'FROM ' || database_name || '.' || schema_name || '.\"' || view_name || '\"' FROM "
      "duckdb_views() UNION ALL SELECT DISTINCT 'SELECT ' || function_name || '()' FROM "
      "duckdb_functions() WHERE function_type IN ('scalar', 'macro') AND len(parameters) = 0");
  EXPECT_TRUE(rows.ok());
  for (const auto& row : rows.value().rows) statements.push_back(std::get<std::string>(row[0]));
  return statements;
}

TEST(Query, ShowsNoPathOfTheStore) {
  const LimitedStore store;
  const auto db = store.Open({.time_s = 600});
  ASSERT_TRUE(db.ok());
  std::vector<std::string> statements = AllOfTheCatalogue(db.value());
  EXPECT_GT(statements.size(), 50u);
  for (const char* sql :
       {"SELECT sql FROM duckdb_views()",
        "FROM duckdb_settings()",
        "FROM pragma_database_list",
        "SELECT current_setting('allowed_paths')",
        "SELECT system.main.current_setting('threads')",
        "SELECT \"current_setting\"('allowed_paths')",
        "SELECT hex(CURRENT_SETTING('allowed_paths'))",
        "FROM query('SELECT current_' || 'setting(''allowed_paths'')')",
        "FROM query /* of */ ('FROM duckdb_' || 'settings()')",
        "FROM \"query\"('FROM duckdb_' || 'settings()')",
        "FROM query_table('duckdb_' || 'views')",
        "FROM json_execute_serialized_sql(json_serialize_sql('FROM duckdb_' || 'settings()'))",
        "SELECT U&\"current\\005Fsetting\"('allowed_paths')",
        "FROM duckdb_external_file_cache()",
        "EXPLAIN SELECT count(*) FROM span",
        "EXPLAIN ANALYZE SELECT sum(id) FROM span",
        "EXPLAIN (FORMAT JSON) FROM span",
        "SHOW ALL TABLES",
        "SHOW allowed_paths",
        "DESCRIBE span",
        "SUMMARIZE span",
        "FROM sqlite_master",
        "FROM information_schema.views",
        "FROM pg_catalog.pg_views",
        "FROM glob('**')",
        "FROM glob('/proc/self/fd/*')",
        "FROM read_text('/proc/self/maps')",
        "FROM read_text('/proc/self/cwd')",
        "FROM spam",
        "SELECT nothing FROM span",
        "SELECT filename FROM span",
        "SELECT error(filename) FROM span",
        "FROM read_parquet('x.parquet')",
        "FROM 'x.parquet'",
        "FROM parquet_metadata('*')"})
    statements.emplace_back(sql);
  // Files by the name that the views show: it can be read, but leads nowhere else.
  const auto views = db.value().Query("SELECT sql FROM duckdb_views() WHERE view_name = 'span'");
  ASSERT_TRUE(views.ok());
  const std::string view = std::get<std::string>(views.value().rows.at(0).at(0));
  const std::size_t begin = view.find("/proc/self/fd/");
  ASSERT_NE(begin, std::string::npos) << view;
  const std::string file = view.substr(begin, view.find('\'', begin) - begin);
  for (const char* sql : {"SELECT filename FROM read_parquet('{}')", "FROM parquet_schema('{}')",
                          "FROM parquet_metadata('{}')", "FROM parquet_file_metadata('{}')",
                          "FROM parquet_kv_metadata('{}')", "SELECT filename FROM read_blob('{}')",
                          "SELECT filename FROM read_csv('{}')", "FROM read_text('{}/../..')",
                          "FROM glob('{}')", "SELECT * FROM read_parquet('{}x')"})
    statements.push_back(fmt::format(fmt::runtime(sql), file));
  const std::string secret = store.folder().string();
  for (const std::string& sql : statements)
    EXPECT_THAT(AnswerOf(db.value(), sql), testing::Not(HasSubstr(secret))) << sql;
  // What is not there shows it to the owner: else this test would find nothing anywhere.
  const auto free = store.Open({});
  ASSERT_TRUE(free.ok());
  EXPECT_THAT(AnswerOf(free.value(), "SELECT sql FROM duckdb_views()"), HasSubstr(secret));
  EXPECT_THAT(AnswerOf(free.value(), "FROM duckdb_settings()"), HasSubstr(secret));
}

TEST(Query, ShowsNoPathOfTheStoreInErrorsOfItsFiles) {
  const LimitedStore store;
  const std::string secret = store.folder().string();
  const auto db = store.Open({.time_s = 600});
  ASSERT_TRUE(db.ok());
  fs::remove(store.path() / "a" / "span.parquet");
  const std::string gone = AnswerOf(db.value(), "SELECT sum(id) FROM span");
  EXPECT_THAT(gone, HasSubstr("x/a/span.parquet"));
  EXPECT_THAT(gone, testing::Not(HasSubstr(secret)));
  const auto lost = store.Open({.time_s = 600});
  ASSERT_FALSE(lost.ok());
  EXPECT_THAT(lost.error().what, HasSubstr("x/a: span.parquet is missing"));
  EXPECT_THAT(lost.error().what, testing::Not(HasSubstr(secret)));
  std::ofstream(store.path() / "a" / "span.parquet") << "PAR1";
  const auto damaged = store.Open({.time_s = 600});
  ASSERT_FALSE(damaged.ok());
  EXPECT_THAT(damaged.error().what, HasSubstr("x/a/span.parquet"));
  EXPECT_THAT(damaged.error().what, testing::Not(HasSubstr(secret)));
  const auto run = Database::Open({store.path() / "a"}, Database::Comments::kNone, {.rows = 10});
  ASSERT_FALSE(run.ok());
  EXPECT_THAT(run.error().what, testing::Not(HasSubstr(secret)));
}

TEST(QueryBudget, IsSpentByAllStatementsTogether) {
  const LimitedStore store;
  const auto db = store.Open({});
  ASSERT_TRUE(db.ok());
  QueryBudget budget({.time_s = 0.2, .rows = 10});
  EXPECT_TRUE(db.value().Select("SELECT count(*) FROM span", &budget).ok() || budget.is_spent());
  const auto stopped = db.value().Select(kEndless, &budget);
  ASSERT_FALSE(stopped.ok());
  EXPECT_EQ(stopped.error().what, "the SQL of the request took longer than its limit: 0.2 s");
  EXPECT_EQ(db.value().Select("SELECT 1", &budget).error().what, stopped.error().what);
  QueryBudget rows({.rows = 10});
  EXPECT_THAT(db.value().Select("FROM range(11)", &rows).error().what, HasSubstr("more rows"));
  QueryBudget none;
  EXPECT_EQ(db.value().Select("FROM range(11)", &none).value().rows.size(), 11u);
  // Not even where the database can be written to.
  const auto tables = Database::OpenEmpty();
  EXPECT_FALSE(tables.value().Select("DROP TABLE span", &none).ok());
  EXPECT_FALSE(tables.value().Select("SELECT 1; DROP TABLE span", &none).ok());
}

TEST(QueryTimer, ExpiresNeverWithoutALimit) {
  const auto db = DuckDb::Open(1);
  ASSERT_TRUE(db.ok());
  for (const double limit_s : {0.0, 1e300}) {
    const QueryTimer timer(db.value().connection(), limit_s);
    EXPECT_FALSE(timer.expired());
  }
}

TEST(QueryTimer, HitsNoStatementAfterItsEnd) {
  const auto db = DuckDb::Open(1);
  ASSERT_TRUE(db.ok());
  for (int i = 0; i < 300; ++i) {
    { const QueryTimer timer(db.value().connection(), 1e-6 * (i % 100 + 1)); }
    const auto rows = db.value().Query("SELECT sum(i) FROM range(1000) AS t(i)");
    ASSERT_TRUE(rows.ok()) << rows.error().what;
  }
}

}  // namespace
}  // namespace xsp::store
