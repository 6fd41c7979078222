#include "store/database.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "os/files.h"
#include "store/duckdb_connection.h"
#include "store/experiment_writer.h"
#include "store/rows/run_row.h"
#include "store/schema.h"
#include "store/store_testing.h"

namespace xsp::store {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

using Row = std::vector<Cell>;

std::int64_t operator""_i(unsigned long long value) { return static_cast<std::int64_t>(value); }

/// An experiment of two runs, of which run.parquet says that "b" is run 1.
fs::path WriteExperiment(const fs::path& store, std::string_view name) {
  auto writer = ExperimentWriter::Create(store, name);
  EXPECT_TRUE(writer.ok());
  EXPECT_TRUE(writer.value().AddRun("a", RandomTrace(1, 20), "{}").ok());
  EXPECT_TRUE(writer.value().AddRun("b", RandomTrace(2, 30), "{}").ok());
  const std::vector<RunRow> runs = {
      {.run_id = 2, .point_id = 1, .rung = "layer", .status = "done", .path = "a"},
      {.run_id = 1, .point_id = 1, .rung = "model", .status = "done", .path = "b"}};
  EXPECT_TRUE(writer.value().AddRows(runs).ok());
  const auto path = writer.value().Commit("{}");
  EXPECT_TRUE(path.ok());
  return path.value();
}

Table Ask(const Database& db, std::string_view sql) {
  auto rows = db.Query(sql);
  EXPECT_TRUE(rows.ok()) << rows.error().what;
  return rows.ok() ? std::move(rows).value() : Table{};
}

TEST(Database, LeadsRawViewsOfAnExperimentByRun) {
  const TestFolder store;
  const auto db = Database::Open({WriteExperiment(store.path(), "x")});
  ASSERT_TRUE(db.ok()) << db.error().what;
  EXPECT_THAT(Ask(db.value(), "SELECT run_id, count(*) FROM span GROUP BY ALL ORDER BY ALL").rows,
              ElementsAre(Row{1_i, 30_i}, Row{2_i, 20_i}));
  EXPECT_EQ(Ask(db.value(), "SELECT * FROM metric LIMIT 0").columns.front(), "run_id");
  EXPECT_EQ(Ask(db.value(), "SELECT * FROM kernel_layer LIMIT 0").columns.front(), "run_id");
  EXPECT_EQ(Ask(db.value(), "SELECT * FROM layer LIMIT 0").columns.front(), "point_id");
}

TEST(Database, NamesTheFormatsThatAnExperimentWasImportedFrom) {
  const TestFolder store;
  const auto write = [&](std::string_view name, std::string_view json) {
    auto writer = ExperimentWriter::Create(store.path(), name);
    EXPECT_TRUE(writer.value().AddRun("imported", RandomTrace(1, 5), "{}").ok());
    return writer.value().Commit(json).value();
  };
  const fs::path imported =
      write("imported", R"({"inputs": [{"file": "a", "format": "kineto"}, 7, {"format": "x"}]})");
  const fs::path damaged = write("damaged", R"({"inputs": "kineto"})");
  const auto one = Database::Open({imported});
  EXPECT_THAT(one.value().ImportedFormats(""), ElementsAre("kineto", "x"));
  const auto several = Database::Open({damaged, imported, WriteExperiment(store.path(), "run")});
  EXPECT_THAT(several.value().ImportedFormats("imported"), ElementsAre("kineto", "x"));
  EXPECT_THAT(several.value().ImportedFormats("damaged"), ElementsAre());
  EXPECT_THAT(several.value().ImportedFormats("run"), ElementsAre());
  EXPECT_THAT(Database::Open({imported / "imported"}).value().ImportedFormats(""), ElementsAre());
}

TEST(Database, LeadsViewsOfSeveralExperimentsByName) {
  const TestFolder store;
  const fs::path x = WriteExperiment(store.path(), "x");
  const fs::path y = WriteExperiment(store.path(), "y");
  const auto db = Database::Open({x, y});
  ASSERT_TRUE(db.ok()) << db.error().what;
  EXPECT_THAT(
      Ask(db.value(), "SELECT experiment, sum(run_id) FROM run GROUP BY ALL ORDER BY ALL").rows,
      ElementsAre(Row{std::string("x"), 3_i}, Row{std::string("y"), 3_i}));
  EXPECT_THAT(
      Ask(db.value(), "SELECT * FROM span LIMIT 0").columns,
      ElementsAre("experiment", "run_id", "id", "parent_id", "level", "type", "name", "track_id",
                  "start_ns", "duration_ns", "placed_by", "correlation_id", "lane"));
  EXPECT_EQ(Ask(db.value(), "SELECT * FROM kernel LIMIT 0").columns.front(), "experiment");
  EXPECT_TRUE(Ask(db.value(), "SELECT * FROM roof").rows.empty());
}

TEST(Database, OpensARunAlone) {
  const TestFolder store;
  const fs::path x = WriteExperiment(store.path(), "x");
  const auto one = Database::Open({x / "a"});
  ASSERT_TRUE(one.ok()) << one.error().what;
  EXPECT_EQ(Ask(one.value(), "SELECT * FROM span").columns.front(), "id");
  const auto both = Database::Open({x / "a", x / "b"});
  ASSERT_TRUE(both.ok()) << both.error().what;
  EXPECT_THAT(Ask(both.value(), "SELECT run_id, count(*) FROM span GROUP BY ALL ORDER BY ALL").rows,
              ElementsAre(Row{1_i, 30_i}, Row{2_i, 20_i}));
  EXPECT_FALSE(Database::Open({x, x / "a"}).ok());
}

TEST(Database, OpensFoldersWithWildcardsInTheirNames) {
  const TestFolder store;
  const fs::path x = WriteExperiment(store.path() / "[a] it's *?", "x");
  const auto db = Database::Open({x});
  ASSERT_TRUE(db.ok()) << db.error().what;
  EXPECT_EQ(Ask(db.value(), "FROM span").rows.size(), 50u);
}

TEST(Database, TellsTheMeaningOfEveryColumnWhereThatIsAskedFor) {
  const TestFolder store;
  const fs::path x = WriteExperiment(store.path(), "x");
  const auto bare = Database::Open({x});
  ASSERT_TRUE(bare.ok());
  EXPECT_THAT(Ask(bare.value(),
                  "SELECT comment FROM duckdb_columns() WHERE table_name = 'layer' "
                  "AND column_name = 'peak_bytes'")
                  .rows,
              ElementsAre(Row{{}}));
  const auto db = Database::Open({x}, Database::Comments::kOfSchema);
  ASSERT_TRUE(db.ok());
  EXPECT_THAT(Ask(db.value(),
                  "SELECT comment FROM duckdb_columns() WHERE table_name = 'layer' AND "
                  "column_name = 'peak_bytes'")
                  .rows,
              ElementsAre(Row{std::string("Peak above the level at its start, bytes")}));
}

TEST(Database, HasItsViewsByAnyNameAndListsThem) {
  const TestFolder store;
  const fs::path x = WriteExperiment(store.path(), "x");
  const auto db = Database::Open({x});
  ASSERT_TRUE(db.ok());
  EXPECT_EQ(Ask(db.value(), "FROM query_table('sp' || 'an')").rows.size(), 50u);
  const auto wrong = db.value().Query("FROM layer_tim");
  ASSERT_FALSE(wrong.ok());
  EXPECT_THAT(wrong.error().what, testing::HasSubstr("layer_time"));
  EXPECT_EQ(Ask(Database::Open({x}).value(), "SHOW TABLES").rows.size(),
            Schema().size() + SharedViews().size());
}

TEST(Database, ScansTheRowsThatAQueryFinds) {
  const TestFolder store;
  auto writer = ExperimentWriter::Create(store.path(), "x");
  ASSERT_TRUE(writer.ok());
  ASSERT_TRUE(writer.value().AddRun("a", RandomTrace(3, 5000), "{}").ok());
  const fs::path x = writer.value().Commit("{}").value();
  const auto db = Database::Open({x / "a"});
  ASSERT_TRUE(db.ok()) << db.error().what;
  constexpr std::string_view kSql =
      "SELECT id, duration_ns, name, CAST(start_ns AS DOUBLE) AS start FROM span ORDER BY id";
  const Table expected = Ask(db.value(), kSql);
  std::size_t row = 0, batches = 0;
  const Status scanned = db.value().Scan(kSql, [&](const RowBatch& batch) -> Status {
    ++batches;
    for (std::size_t i = 0; i < batch.size(); ++i, ++row) {
      const Row& cells = expected.rows[row];
      EXPECT_EQ(batch.Integer(0, i), std::get<std::int64_t>(cells[0]));
      EXPECT_EQ(batch.IsNull(1, i), std::holds_alternative<std::monostate>(cells[1]));
      if (batch.IsNull(1, i)) {
        EXPECT_EQ(batch.Integer(1, i, -7), -7);
      } else {
        EXPECT_EQ(batch.Integer(1, i, -7), std::get<std::int64_t>(cells[1]));
      }
      EXPECT_EQ(batch.Text(2, i), std::get<std::string>(cells[2]));
      EXPECT_EQ(batch.Double(3, i), std::get<double>(cells[3]));
    }
    return Ok{};
  });
  ASSERT_TRUE(scanned.ok()) << scanned.error().what;
  EXPECT_EQ(row, expected.rows.size());
  EXPECT_GT(batches, 1u);
}

TEST(Database, EndsAScanWithTheFirstError) {
  const TestFolder store;
  const auto db = Database::Open({WriteExperiment(store.path(), "x")});
  ASSERT_TRUE(db.ok()) << db.error().what;
  const auto none = [](const RowBatch&) -> Status { return Ok{}; };
  int visits = 0;
  const Status stopped = db.value().Scan("SELECT id FROM span", [&](const RowBatch&) -> Status {
    ++visits;
    return Error{ErrorKind::kInterrupted, "enough", ""};
  });
  ASSERT_FALSE(stopped.ok());
  EXPECT_EQ(stopped.error().kind, ErrorKind::kInterrupted);
  EXPECT_EQ(visits, 1);
  const Status wrong = db.value().Scan("SELECT error('late') FROM span", none);
  ASSERT_FALSE(wrong.ok());
  EXPECT_THAT(wrong.error().what, HasSubstr("late"));
  EXPECT_EQ(db.value().Scan("SELECT * FROM spam", none).error().kind, ErrorKind::kBadInput);
  EXPECT_EQ(db.value().Scan("SELECT true FROM span", none).error().kind, ErrorKind::kInternal);
}

TEST(Database, IsClosedToWritingAndToOtherFiles) {
  const TestFolder store;
  const fs::path x = WriteExperiment(store.path(), "x");
  const auto db = Database::Open({x});
  ASSERT_TRUE(db.ok());
  const std::string outside = (store.path() / "out.csv").string();
  const std::string inside = (x / "a" / "span.parquet").string();
  for (const std::string& sql : std::vector<std::string>{
           "COPY span TO '" + outside + "'",
           "COPY (SELECT 1) TO '" + inside + "' (FORMAT parquet)",
           "EXPLAIN ANALYZE COPY (SELECT 1) TO '" + inside + "' (FORMAT parquet)",
           "EXPORT DATABASE '" + outside + "'",
           "ATTACH '" + outside + "' AS other",
           "INSTALL httpfs",
           "LOAD httpfs",
           "SELECT * FROM read_csv('/etc/passwd')",
           "SELECT * FROM read_text('/etc/passwd')",
           "SELECT * FROM '/etc/passwd'",
           "SELECT * FROM glob('/etc/*')",
           "SELECT * FROM read_text('" + (x / "experiment.json").string() + "')",
           "SELECT * FROM read_parquet('http://localhost/x.parquet')",
           "SET enable_external_access = true",
           "RESET lock_configuration",
           "CREATE TABLE t (a INT)",
           "DROP VIEW span",
           "SELECT 1; DROP VIEW span",
           "PREPARE p AS SELECT 1",
           "WITH a AS (SELECT 1) INSERT INTO span (id) SELECT 1",
           "WITH a AS (SELECT 1) DELETE FROM span",
           "WITH a AS (SELECT 1)/**/delete/**/FROM point",
           "WITH a AS (SELECT 1) UPDATE span SET id = 1",
           "SELECT ?",
           "SELECT $1",
           "FROM span WHERE id = CAST('x' AS BIGINT)",
           "PRAGMA threads = 1",
           "CALL pragma_version()",
           "SELECT",
           "",
           "-- nothing"}) {
    const auto rows = db.value().Query(sql);
    ASSERT_FALSE(rows.ok()) << sql;
    EXPECT_EQ(rows.error().kind, ErrorKind::kBadInput) << sql;
    EXPECT_FALSE(rows.error().what.empty()) << sql;
  }
  EXPECT_FALSE(fs::exists(outside));
  EXPECT_EQ(Ask(db.value(), "FROM span").rows.size(), 50u);
}

TEST(Database, ReadsTheFormatsBefore) {
  const TestFolder store;
  const fs::path x = WriteExperiment(store.path(), "x");
  for (int version = 1; version < kFormatVersion; ++version) {
    const std::string json = fmt::format(R"({{"format_version": {}}})", version);
    ASSERT_TRUE(os::WriteFileAtomically(x / "experiment.json", json).ok());
    const auto db = Database::Open({x});
    ASSERT_TRUE(db.ok()) << db.error().what;
    // Samples of version 1 name no rung: they are the run's own. Layers of 2 have no path.
    EXPECT_TRUE(db.value()
                    .Query("SELECT count(*) FROM sample JOIN run USING (run_id) "
                           "WHERE coalesce(sample.rung, run.rung) = run.rung")
                    .ok());
    EXPECT_TRUE(db.value().Query("SELECT path, node FROM layer").ok());
  }
}

TEST(Database, SaysThatTheFormatIsNewer) {
  const TestFolder store;
  const fs::path x = WriteExperiment(store.path(), "x");
  const std::string json = fmt::format(R"({{"format_version": {}}})", kFormatVersion + 1);
  ASSERT_TRUE(os::WriteFileAtomically(x / "experiment.json", json).ok());
  const auto db = Database::Open({x});
  ASSERT_FALSE(db.ok());
  EXPECT_EQ(db.error().kind, ErrorKind::kBadInput);
  EXPECT_THAT(db.error().what,
              HasSubstr(fmt::format("newer XSP: format version {}", kFormatVersion + 1)));
  EXPECT_THAT(db.error().hint, HasSubstr("update"));
}

TEST(Database, NamesTheDamagedFile) {
  const TestFolder store;
  const fs::path x = WriteExperiment(store.path(), "x");
  const fs::path file = x / "b" / "span.parquet";
  for (const std::uintmax_t size : {fs::file_size(file) / 2, std::uintmax_t{0}}) {
    fs::resize_file(file, size);
    const auto db = Database::Open({x});
    ASSERT_FALSE(db.ok()) << size;
    EXPECT_EQ(db.error().kind, ErrorKind::kBadInput);
    EXPECT_THAT(db.error().what, HasSubstr(file.string()));
  }
  EXPECT_TRUE(Database::Open({x / "a"}).ok());
}

TEST(Database, DoesNotTakeALostTableForOneWithoutRows) {
  const TestFolder store;
  const fs::path x = WriteExperiment(store.path(), "x");
  fs::remove(x / "b" / "span.parquet");
  for (const fs::path& folder : {x, x / "b"}) {
    const auto db = Database::Open({folder});
    ASSERT_FALSE(db.ok());
    EXPECT_EQ(db.error().kind, ErrorKind::kBadInput);
    EXPECT_THAT(db.error().what, HasSubstr("b: span.parquet is missing (30 rows)"));
    EXPECT_THAT(db.error().hint, HasSubstr("xsp store check"));
  }
  EXPECT_TRUE(Database::Open({x / "a"}).ok());
  fs::remove(x / "run.parquet");
  EXPECT_THAT(Database::Open({x}).error().what, HasSubstr("damaged: x: run.parquet is missing"));
}

TEST(Database, RefusesFoldersThatAreNotXsp) {
  const TestFolder store;
  EXPECT_EQ(Database::Open({store.path()}).error().kind, ErrorKind::kBadInput);
  EXPECT_EQ(Database::Open({store.path() / "none"}).error().kind, ErrorKind::kBadInput);
  fs::create_directories(store.path() / "broken");
  for (const char* json : {"", "[]", "{", "{}", R"({"format_version": "one"})"}) {
    ASSERT_TRUE(os::WriteFileAtomically(store.path() / "broken" / "run.json", json).ok());
    const auto db = Database::Open({store.path() / "broken"});
    ASSERT_FALSE(db.ok()) << json;
    EXPECT_EQ(db.error().kind, ErrorKind::kBadInput) << json;
  }
}

TEST(Database, KeepsColumnsThatStandBesideTheFixedOnes) {
  const TestFolder store;
  const fs::path x = WriteExperiment(store.path(), "x");
  // A table of another writer: a column more, one less, another order and another integer type.
  const auto db = DuckDb::Open();
  ASSERT_TRUE(db.ok());
  ASSERT_TRUE(db.value()
                  .Execute("COPY (SELECT {'a': [7], 'b': 1} AS colour, 5::INTEGER AS time_ns, 'm' "
                           "AS name) TO '" +
                           (x / "a" / "mark.parquet").string() + "' (FORMAT parquet)")
                  .ok());
  const auto opened = Database::Open({x});
  ASSERT_TRUE(opened.ok()) << opened.error().what;
  EXPECT_THAT(Ask(opened.value(), "SELECT * FROM mark ORDER BY run_id").columns,
              ElementsAre("run_id", "track_id", "time_ns", "name", "colour"));
  EXPECT_THAT(Ask(opened.value(), "SELECT * FROM mark ORDER BY run_id").rows,
              ElementsAre(Row{1_i, 1_i, std::int64_t{-5}, std::string(), std::monostate{}},
                          Row{2_i, std::monostate{}, 5_i, std::string("m"),
                              std::string("{'a': [7], 'b': 1}")}));
}

TEST(EmptyDatabase, HasEveryTableOfTheSchema) {
  const auto db = Database::OpenEmpty();
  ASSERT_TRUE(db.ok()) << db.error().what;
  for (const TableSchema& table : Schema()) {
    const auto rows = db.value().Query("SELECT * FROM " + table.name);
    ASSERT_TRUE(rows.ok()) << rows.error().what;
    EXPECT_EQ(rows.value().columns.size(), table.columns.size());
    EXPECT_TRUE(rows.value().rows.empty());
  }
}

TEST(EmptyDatabase, KeepsWhatIsInserted) {
  const auto db = Database::OpenEmpty();
  ASSERT_TRUE(db.ok());
  const auto inserted = db.value().Query(
      "INSERT INTO roof VALUES ('flops', 'float32 vector', 'float32', 'vector', 2, 1e12, "
      "'measured:xsp', 'FMA', true)");
  ASSERT_TRUE(inserted.ok()) << inserted.error().what;
  const auto rows = db.value().Query("SELECT name, cores, value, used FROM roof");
  ASSERT_TRUE(rows.ok());
  EXPECT_EQ(rows.value().rows, (std::vector<std::vector<Cell>>{
                                   {std::string("float32 vector"), std::int64_t{2}, 1e12, true}}));
}

TEST(Query, GivesTypedCells) {
  const auto db = Database::OpenEmpty();
  ASSERT_TRUE(db.ok());
  const auto rows = db.value().Query(
      "SELECT NULL, true, 1::TINYINT, 18446744073709551615::UBIGINT, sum(i), 1.5, 0.25::FLOAT, "
      "'a much longer text than twelve', (-7)::HUGEINT FROM range(3) AS t(i)");
  ASSERT_TRUE(rows.ok()) << rows.error().what;
  EXPECT_EQ(rows.value().rows.front(),
            (std::vector<Cell>{std::monostate{}, true, std::int64_t{1},
                               std::string("18446744073709551615"), std::int64_t{3}, 1.5, 0.25,
                               std::string("a much longer text than twelve"), std::int64_t{-7}}));
}

TEST(Query, GivesEveryOtherTypeAsText) {
  const TestFolder store;
  const auto db = Database::Open({WriteExperiment(store.path(), "x")});
  ASSERT_TRUE(db.ok());
  const Table rows = Ask(db.value(),
                         "SELECT DATE '2026-01-02' AS \"a b\", [1, 2] AS l, 1 AS \"a b\", {'k': 1} "
                         "FROM range(2) ORDER BY 1; -- the end");
  EXPECT_THAT(rows.columns, ElementsAre("a b", "l", "a b", "main.struct_pack(k := 1)"));
  EXPECT_THAT(
      rows.rows,
      ElementsAre(
          Row{std::string("2026-01-02"), std::string("[1, 2]"), 1_i, std::string("{'k': 1}")},
          Row{std::string("2026-01-02"), std::string("[1, 2]"), 1_i, std::string("{'k': 1}")}));
}

TEST(Schema, IsWhatTheDatabaseReads) {
  const auto db = DuckDb::Open(1);
  ASSERT_TRUE(db.ok());
  ASSERT_TRUE(db.value().Execute(std::string(SchemaSql())).ok());
  const auto tables =
      db.value().Query("SELECT table_name, comment FROM duckdb_tables() ORDER BY table_oid");
  const auto columns = db.value().Query(
      "SELECT table_name, column_name, data_type, is_nullable, comment FROM duckdb_columns() WHERE "
      "table_oid IN (SELECT table_oid FROM duckdb_tables()) ORDER BY table_oid, column_index");
  ASSERT_TRUE(tables.ok());
  ASSERT_TRUE(columns.ok());
  std::vector<Row> declared_tables, declared_columns;
  for (const TableSchema& table : Schema()) {
    declared_tables.push_back({table.name, table.comment});
    for (const ColumnSchema& column : table.columns)
      declared_columns.push_back(
          {table.name, column.name, column.type, column.nullable, column.comment});
  }
  EXPECT_EQ(declared_tables, tables.value().rows);
  EXPECT_EQ(declared_columns, columns.value().rows);
}

TEST(Schema, CommentsOnEveryTableAndColumn) {
  ASSERT_GE(Schema().size(), 15u);
  for (const TableSchema& table : Schema()) {
    EXPECT_FALSE(table.comment.empty()) << table.name;
    for (const ColumnSchema& column : table.columns) {
      EXPECT_FALSE(column.comment.empty()) << table.name << "." << column.name;
    }
  }
}

}  // namespace
}  // namespace xsp::store
