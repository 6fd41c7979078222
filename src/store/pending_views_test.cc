#include "store/pending_views.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <variant>
#include <vector>

namespace xsp::store {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

class PendingViewsTest : public testing::Test {
 protected:
  PendingViewsTest() : db_(DuckDb::Open(1).value()) {
    views_.Add("span", "SELECT 1 AS kernel");
    views_.Add("kernel", "SELECT 2 AS n");
    views_.Add("kernel_time", "SELECT n FROM kernel");
    views_.Add("summary", "SELECT n AS kernel_time FROM kernel_time");
  }

  void Create(const std::string& sql) { EXPECT_TRUE(views_.CreateNamed(db_, sql).ok()) << sql; }

  std::vector<std::string> Created() const {
    const Table rows =
        db_.Query("SELECT view_name FROM duckdb_views() WHERE NOT internal ORDER BY view_oid")
            .value();
    std::vector<std::string> names;
    for (const auto& row : rows.rows) names.push_back(std::get<std::string>(row[0]));
    return names;
  }

  DuckDb db_;
  PendingViews views_;
};

TEST_F(PendingViewsTest, CreatesWhatAStatementNamesAndWhatThatRestsOn) {
  Create("SELECT 1 AS spans, 'a' AS summary_of");
  EXPECT_THAT(Created(), IsEmpty());
  Create("SELECT * FROM \"Kernel_Time\"");
  EXPECT_THAT(Created(), ElementsAre("kernel", "kernel_time"));
  Create("SELECT * FROM SUMMARY, main.span");
  EXPECT_THAT(Created(), UnorderedElementsAre("kernel", "kernel_time", "span", "summary"));
  EXPECT_TRUE(views_.empty());
}

TEST_F(PendingViewsTest, AWordThatIsNoViewOfTheStatementMayCreateMore) {
  Create("SELECT kernel FROM span");
  EXPECT_THAT(Created(), ElementsAre("span", "kernel"));
}

TEST_F(PendingViewsTest, AStatementThatMayListTheCatalogueSeesAll) {
  for (const std::string sql :
       {"SHOW TABLES", " describe x", "-- which\nDESC x", "FROM (SHOW ALL TABLES)",
        "SELECT * FROM duckdb_columns()", "SELECT * FROM information_schema.tables"}) {
    PendingViews views;
    views.Add("a", "SELECT 1");
    EXPECT_TRUE(views.CreateNamed(db_, sql).ok());
    EXPECT_TRUE(views.empty()) << sql;
  }
  Create("WITH shown AS (SELECT 1 AS described) FROM shown ORDER BY 1 DESC");
  EXPECT_THAT(Created(), ElementsAre("a"));
}

TEST_F(PendingViewsTest, WhatIsStoredAsATableIsComputedOnce) {
  PendingViews views;
  views.Add("base", "SELECT random() AS x", PendingViews::Form::kTable);
  views.Add("above", "SELECT x FROM base", PendingViews::Form::kTable);
  ASSERT_TRUE(views.CreateNamed(db_, "FROM above").ok());
  EXPECT_TRUE(views.empty());
  EXPECT_THAT(Created(), IsEmpty());
  const auto x = [&](const char* name) {
    return std::get<double>(db_.Query(std::string("FROM ") + name).value().rows[0][0]);
  };
  EXPECT_EQ(x("base"), x("base"));
  EXPECT_EQ(x("base"), x("above"));
}

TEST_F(PendingViewsTest, WhatCannotBeStoredIsAViewWhoseReaderGetsTheError) {
  PendingViews views;
  views.Add("good", "SELECT 1 AS a", PendingViews::Form::kTable);
  views.Add("bad", "SELECT 1 AS a, error('damaged') AS b", PendingViews::Form::kTable);
  ASSERT_TRUE(views.CreateNamed(db_, "FROM good, bad").ok());
  EXPECT_THAT(Created(), ElementsAre("good", "bad"));
  EXPECT_TRUE(db_.Query("FROM good").ok());
  EXPECT_TRUE(db_.Query("SELECT a FROM bad").ok());
  const auto damaged = db_.Query("SELECT b FROM bad");
  ASSERT_FALSE(damaged.ok());
  EXPECT_THAT(damaged.error().what, testing::HasSubstr("damaged"));
}

TEST_F(PendingViewsTest, WhatRestsOnAViewIsNone) {
  PendingViews views;
  views.Add("large", "SELECT random() AS a");
  views.Add("above", "SELECT a FROM large", PendingViews::Form::kTable);
  views.Add("higher", "SELECT a FROM above", PendingViews::Form::kTable);
  ASSERT_TRUE(views.CreateNamed(db_, "FROM higher").ok());
  const auto a = [&] { return std::get<double>(db_.Query("FROM higher").value().rows[0][0]); };
  EXPECT_NE(a(), a());
}

TEST_F(PendingViewsTest, TheCatalogueListsViews) {
  PendingViews views;
  views.Add("a", "SELECT 1", PendingViews::Form::kTable);
  ASSERT_TRUE(views.CreateNamed(db_, "SHOW TABLES").ok());
  EXPECT_THAT(Created(), ElementsAre("a"));
}

TEST_F(PendingViewsTest, AViewThatFailsStaysPendingWithTheOthers) {
  PendingViews views;
  views.Add("a", "SELECT 1");
  views.Add("b", "SELECT * FROM nowhere");
  EXPECT_FALSE(views.CreateNamed(db_, "FROM a, b").ok());
  EXPECT_TRUE(views.CreateNamed(db_, "FROM a").ok());
  EXPECT_FALSE(views.empty());
  EXPECT_TRUE(db_.Query("FROM a").ok());
}

}  // namespace
}  // namespace xsp::store
