#include "core/csv.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <vector>

namespace xsp::core {
namespace {

using testing::ElementsAre;

TEST(CsvReader, KnowsQuotesAndLineEnds) {
  std::istringstream text(
      "\xef\xbb\xbf"
      "a,b\r\n\n\"x,\"\"y\"\"\nz\",\r\n,last");
  CsvReader reader(text, ',');
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
  for (const char* damaged : {"\"open", "\"a\"b,c", "\"\"b"}) {
    std::istringstream text(damaged);
    CsvReader reader(text, ',');
    CsvReader::Row row;
    ASSERT_TRUE(reader.Next(row)) << damaged;
    EXPECT_TRUE(row.damaged) << damaged;
    EXPECT_FALSE(reader.Next(row));
  }
}

std::vector<std::vector<std::string>> RowsOf(const std::string& content, char separator) {
  std::istringstream text(content);
  CsvReader reader(text, separator, '#');
  std::vector<std::vector<std::string>> rows;
  for (CsvReader::Row row; reader.Next(row);) rows.push_back(row.fields);
  return rows;
}

TEST(CsvReader, PassesOverComments) {
  EXPECT_THAT(RowsOf("# say, \"hi\na;b\n#\n c;#d\n# end", ';'),
              ElementsAre(ElementsAre("a", "b"), ElementsAre(" c", "#d")));
}

TEST(CsvReader, LeavesQuotesWithinAFieldAlone) {
  std::istringstream text("5\" disk\n\"5\"\" disk\"");
  CsvReader reader(text, ',');
  CsvReader::Row row;
  ASSERT_TRUE(reader.Next(row));
  EXPECT_TRUE(row.stray_quote);
  ASSERT_TRUE(reader.Next(row));
  EXPECT_FALSE(row.stray_quote);
  EXPECT_THAT(RowsOf("5\" disk,\"5\"\" disk\"", ','),
              ElementsAre(ElementsAre("5\" disk", "5\" disk")));
}

TEST(CsvReader, KeepsWhatIsNoByteOrderMark) {
  EXPECT_THAT(RowsOf("\xef\xbc\xa1,b", ','), ElementsAre(ElementsAre("\xef\xbc\xa1", "b")));
  EXPECT_THAT(RowsOf("\xef\xbb", ','), ElementsAre(ElementsAre("\xef\xbb")));
  EXPECT_THAT(RowsOf("\xef\xbb\xbf", ','), testing::IsEmpty());
  EXPECT_THAT(RowsOf("", ','), testing::IsEmpty());
}

TEST(QuotedCsvField, IsReadBackAsItWas) {
  const std::string text = "a, \"b\"\r\n";
  EXPECT_EQ(QuotedCsvField("a \"b\""), "\"a \"\"b\"\"\"");
  EXPECT_THAT(RowsOf(QuotedCsvField(text) + ",c", ','), ElementsAre(ElementsAre(text, "c")));
}

}  // namespace
}  // namespace xsp::core
