#include "store/typed_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <string>

#include "store/database.h"
#include "store/experiment_writer.h"
#include "store/nullable.h"
#include "store/rows/point_row.h"
#include "store/rows/prediction_row.h"
#include "store/rows/scenario_row.h"
#include "store/schema.h"
#include "store/store_testing.h"

namespace xsp::store {
namespace {

/// `rows` as they are read back from the file that they were written to.
template <typename Row>
std::vector<Row> WrittenAndRead(const std::vector<Row>& rows) {
  const TestFolder store;
  auto writer = ExperimentWriter::Create(store.path(), "x");
  EXPECT_TRUE(writer.ok());
  const auto added = writer.value().AddRows(rows);
  EXPECT_TRUE(added.ok()) << added.error().what;
  EXPECT_TRUE(
      std::filesystem::exists(writer.value().folder() / (std::string(Row::kTable) + ".parquet")));
  const auto db = Database::Open({writer.value().folder()});
  EXPECT_TRUE(db.ok()) << db.error().what;
  const auto table = db.value().Query("SELECT * FROM " + std::string(Row::kTable));
  EXPECT_TRUE(table.ok()) << table.error().what;
  auto read = ToRows<Row>(table.value());
  EXPECT_TRUE(read.ok()) << read.error().what;
  return read.ok() ? std::move(read).value() : std::vector<Row>{};
}

ScenarioRow ScenarioOf(std::int64_t query) {
  return {.point_id = 1,
          .run_id = 2,
          .scenario = "server",
          .try_index = query,
          .queries = std::numeric_limits<std::int64_t>::max(),
          .first_iteration = std::numeric_limits<std::int64_t>::min(),
          .chosen = query % 2 == 0};
}

TEST(TypedTableTest, ReadsEveryTypeAsItWasWritten) {
  ScenarioRow full = ScenarioOf(0);
  full.offered_rate = 0.1;
  full.latency_p99_ns = std::numeric_limits<double>::infinity();
  full.bound_ns = -1;
  full.passed = false;
  full.message = "größer \"quoted\", 'too'\nand " + std::string(10000, 'x');
  ScenarioRow half = ScenarioOf(1);
  half.passed = true;
  half.message = "";
  const std::vector<ScenarioRow> rows = {full, half, ScenarioOf(2)};
  EXPECT_EQ(WrittenAndRead(rows), rows);
}

TEST(TypedTableTest, KeepsTheOrderOfMoreRowsThanAChunkHolds) {
  std::vector<ScenarioRow> rows;
  for (std::int64_t i = 0; i < 10000; ++i) {
    rows.push_back(ScenarioOf(i));
    if (i % 3 == 0) rows.back().gap_ns = static_cast<double>(i) / 7;
    if (i % 5 == 0) rows.back().message = std::to_string(i);
    if (i % 7 == 0) rows.back().above_bound = i;
  }
  EXPECT_EQ(WrittenAndRead(rows), rows);
}

TEST(TypedTableTest, ATableWithoutRowsHasItsColumns) {
  EXPECT_TRUE(WrittenAndRead(std::vector<ScenarioRow>()).empty());
}

TEST(TypedTableTest, AColumnMayBeNamedAfterAWordOfTheLanguage) {
  const std::vector<PredictionRow> rows = {
      {.point_id = 1, .run_id = 1, .position = 0, .sample = "a.png", .class_ = 7}};
  EXPECT_EQ(WrittenAndRead(rows), rows);
}

TEST(TypedTableTest, BytesThatAreNoTextAreReplaced) {
  const auto rows = WrittenAndRead(std::vector<PredictionRow>{
      {.point_id = 1, .run_id = 1, .position = 0, .sample = "a\xff", .error = "\xffz"}});
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(rows[0].sample, "a\uFFFD");
  EXPECT_EQ(rows[0].error, "\uFFFDz");
}

TEST(TypedTableTest, FieldsAreTheColumnsOfTheSchemaInItsOrder) {
  std::vector<std::string> fields, columns;
  PointRow::VisitColumns([&](std::string_view name, auto) { fields.emplace_back(name); });
  for (const ColumnSchema& column : FindTable(PointRow::kTable)->columns)
    columns.push_back(column.name);
  EXPECT_EQ(fields, columns);
}

/// A row as a query may return it: columns in another order, and one more.
Table PredictionTable() {
  return {{"more", "error", "result", "label", "class", "sample", "position", "run_id", "point_id"},
          {{true, std::string("e"), Cell(), Cell(), std::int64_t{4}, std::string("s"),
            std::int64_t{3}, std::int64_t{2}, std::int64_t{1}}}};
}

TEST(TypedTableTest, ReadsColumnsByName) {
  const auto rows = ToRows<PredictionRow>(PredictionTable());
  ASSERT_TRUE(rows.ok()) << rows.error().what;
  EXPECT_THAT(
      rows.value(),
      testing::ElementsAre(PredictionRow{
          .point_id = 1, .run_id = 2, .position = 3, .sample = "s", .class_ = 4, .error = "e"}));
}

TEST(TypedTableTest, RefusesWhatTheSchemaDoesNotHave) {
  const auto refused = [](std::size_t column, Cell cell) {
    Table table = PredictionTable();
    table.rows[0][column] = std::move(cell);
    const auto rows = ToRows<PredictionRow>(table);
    return rows.ok() ? std::string("nothing") : rows.error().what;
  };
  EXPECT_EQ(refused(8, Cell()), "not as the schema has it: table prediction, column point_id");
  EXPECT_EQ(refused(5, 1.5), "not as the schema has it: table prediction, column sample");
  EXPECT_EQ(refused(1, std::int64_t{1}),
            "not as the schema has it: table prediction, column error");
  Table lacking = PredictionTable();
  lacking.columns[4] = "colour";
  EXPECT_EQ(ToRows<PredictionRow>(lacking).error().what,
            "not as the schema has it: table prediction, column class");
}

TEST(NullableTest, WhatIsNotKnownIsNull) {
  EXPECT_EQ(NumberOrNull(std::numeric_limits<double>::quiet_NaN()), std::nullopt);
  EXPECT_EQ(NumberOrNull(std::optional<double>()), std::nullopt);
  EXPECT_EQ(NumberOrNull(0.0), 0.0);
  EXPECT_EQ(TextOrNull(""), std::nullopt);
  EXPECT_EQ(TextOrNull("a"), "a");
  EXPECT_EQ(PositiveOrNull(0), std::nullopt);
  EXPECT_EQ(PositiveOrNull(-1), std::nullopt);
  EXPECT_EQ(PositiveOrNull(2), 2);
}

}  // namespace
}  // namespace xsp::store
