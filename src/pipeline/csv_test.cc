#include "pipeline/csv.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace xsp::pipeline {
namespace {

using testing::ElementsAre;

TEST(CsvReader, KnowsQuotesAndLineEnds) {
  CsvReader reader(
      "\xef\xbb\xbf"
      "a,b\r\n\n\"x,\"\"y\"\"\nz\",\r\n,last",
      ',');
  CsvReader::Row row;
  ASSERT_TRUE(reader.Next(row));
  EXPECT_THAT(row.fields, ElementsAre("a", "b"));
  ASSERT_TRUE(reader.Next(row));
  EXPECT_THAT(row.fields, ElementsAre("x,\"y\"\nz", ""));
  EXPECT_EQ(row.line, 3u);
  ASSERT_TRUE(reader.Next(row));
  EXPECT_THAT(row.fields, ElementsAre("", "last"));
  EXPECT_EQ(row.line, 5u);
  EXPECT_FALSE(reader.Next(row));
}

TEST(CsvReader, MarksDamagedQuotes) {
  for (const char* text : {"\"open", "\"a\"b,c", "\"\"b"}) {
    CsvReader reader(text, ',');
    CsvReader::Row row;
    ASSERT_TRUE(reader.Next(row)) << text;
    EXPECT_TRUE(row.damaged) << text;
    EXPECT_FALSE(reader.Next(row));
  }
}

}  // namespace
}  // namespace xsp::pipeline
