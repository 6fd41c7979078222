#include "derive/compare/measured_tables.h"

#include <gtest/gtest.h>

#include "derive/compare/measured_tables_testing.h"
#include "store/store_testing.h"

namespace xsp::compare {
namespace {

MeasuredTables ReadFrom(const std::filesystem::path& experiment) {
  const auto database = store::Database::Open({experiment});
  EXPECT_TRUE(database.ok()) << database.error().what;
  auto read = ReadMeasuredTables(database.value());
  EXPECT_TRUE(read.ok()) << read.error().what;
  return std::move(read).value();
}

void ExpectEqual(const MeasuredTables& found, const MeasuredTables& wanted) {
  EXPECT_EQ(found.point, wanted.point);
  EXPECT_EQ(found.run, wanted.run);
  EXPECT_EQ(found.sample, wanted.sample);
  EXPECT_EQ(found.layer, wanted.layer);
}

TEST(MeasuredTables, AreReadAsTheyWereWrittenBeforeAndAfterCommit) {
  MeasuredTables tables;
  AddTestPoint(tables, {.seed = 1});
  AddTestPoint(tables, {.batch = std::nullopt, .seed = 2});
  const store::TestFolder store;
  store::ExperimentWriter writer = WriteTestTables(tables, store.path());
  ExpectEqual(ReadFrom(writer.folder()), tables);
  ExpectEqual(ReadFrom(writer.Commit("{}").value()), tables);
}

TEST(MeasuredTables, ATableThatTheExperimentLacksIsEmpty) {
  MeasuredTables tables;
  AddTestPoint(tables, {});
  const store::TestFolder store;
  auto writer = store::ExperimentWriter::Create(store.path(), "x").value();
  ASSERT_TRUE(writer.AddRows(tables.point).ok());
  const MeasuredTables read = ReadFrom(writer.folder());
  EXPECT_EQ(read.point, tables.point);
  EXPECT_TRUE(read.run.empty());
  EXPECT_TRUE(read.sample.empty());
  EXPECT_TRUE(read.layer.empty());
}

}  // namespace
}  // namespace xsp::compare
