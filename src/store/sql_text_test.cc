#include "store/sql_text.h"

#include <gtest/gtest.h>

#include <string>

namespace xsp::store {
namespace {

TEST(SqlTextTest, SignsOfParametersCountOutsideOfTextsNamesAndComments) {
  for (const std::string sql :
       {"SELECT ?", "SELECT $1", "SELECT 'a' || $name", "SELECT '' || ?", "/* a */ SELECT ?",
        "-- a\nSELECT ?", "SELECT 'it''s' || ?", "SELECT \"a\"\"\", ?", "SELECT $$a$$",
        // What does not end is left to the engine.
        "SELECT 'a", "SELECT \"a", "/* a"})
    EXPECT_TRUE(MayHaveParameters(sql)) << sql;
  for (const std::string sql :
       {"SELECT 1", "SELECT a->>'$.\"blocks per SM\"'", "-- which?\nSELECT 1", "SELECT 1 -- $1",
        "/* ? */ SELECT '$'", "SELECT \"?\" FROM t", "SELECT 'it''s $1?', 2", ""})
    EXPECT_FALSE(MayHaveParameters(sql)) << sql;
}

TEST(SqlTextTest, StatementsThatChangeTablesAreFoundBehindWith) {
  for (const std::string sql :
       {"WITH a AS (SELECT 1) INSERT INTO t SELECT 1", "with a as(from b)delete from t",
        "WITH a AS (SELECT 1)/**/Update t SET x = 1", "WITH a AS (FROM b) MERGE INTO t"})
    EXPECT_TRUE(MayChangeTables(sql)) << sql;
  EXPECT_FALSE(MayChangeTables("WITH inserts AS (SELECT deleted FROM updates) FROM inserts"));
}

}  // namespace
}  // namespace xsp::store
