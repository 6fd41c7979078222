#include "store/table_file.h"

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

namespace xsp::store {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

std::string FileWith(std::string_view text) {
  const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
  const auto file = std::filesystem::path(::testing::TempDir()) /
                    (std::string("table_file_") + test->name() + ".csv");
  std::ofstream(file, std::ios::binary) << text;
  return file.string();
}

std::string WhyNot(std::string_view text) {
  const auto table = ReadTableFile(FileWith(text));
  if (table.ok()) return "fine";
  EXPECT_EQ(table.error().kind, ErrorKind::kBadInput);
  EXPECT_FALSE(table.error().hint.empty());
  return table.error().what;
}

TEST(TableFileTest, LineThatDoesNotFitTheHeaderIsNamed) {
  EXPECT_THAT(WhyNot("job,cpu\na,1\nb,2,3\n"), HasSubstr("line 3 has 3 fields, the header line 2"));
  EXPECT_THAT(WhyNot("job,cpu\na,1\nb,2,3\nc,4\nd,5\n"), HasSubstr("line 3 has 3 fields"));
  EXPECT_THAT(WhyNot("job,cpu,gpu\na,1,2\n\nb\nc,4,5\n"), HasSubstr("line 4 has 1 field,"));
  EXPECT_THAT(WhyNot("job,cpu\na,\"1\nb,2\n"), HasSubstr("the quotes of line 2 are not closed"));
}

TEST(TableFileTest, FilesThatHoldNoTableSaySoInOneLine) {
  EXPECT_THAT(WhyNot(""), HasSubstr("the file is empty"));
  EXPECT_THAT(WhyNot("\n\r\n"), HasSubstr("the file is empty"));
  const auto one_line = AllOf(HasSubstr("not a table"), Not(HasSubstr("\n")));
  EXPECT_THAT(WhyNot("a\xff,cpu\n1,2\n"), AllOf(one_line, HasSubstr("not utf-8")));
  EXPECT_THAT(WhyNot("PAR1 but no more"), one_line);
}

TEST(TableFileTest, DelimiterIsThatOfTheHeaderAndQuotedFieldsHoldAnything) {
  const auto table =
      ReadTableFile(FileWith("job;\"a, b\"\r\n\"x; y\";1.5\r\n\"say \"\"hi\"\"\nthere\";\r\n"));
  ASSERT_TRUE(table.ok()) << table.error().what;
  EXPECT_THAT(table.value().columns, ElementsAre("job", "a, b"));
  ASSERT_EQ(table.value().rows.size(), 2U);
  EXPECT_EQ(table.value().rows[0][0], Cell(std::string("x; y")));
  EXPECT_EQ(table.value().rows[0][1], Cell(1.5));
  EXPECT_EQ(table.value().rows[1][0], Cell(std::string("say \"hi\"\nthere")));
  EXPECT_EQ(table.value().rows[1][1], Cell());
}

TEST(TableFileTest, DelimitersWithinQuotesDoNotCount) {
  for (const char* text : {"\"a;b;c\"|job\n1|2\n", "job|\"a;b;c\"\n1|2\n"}) {
    const auto table = ReadTableFile(FileWith(text));
    ASSERT_TRUE(table.ok()) << table.error().what;
    EXPECT_EQ(table.value().columns.size(), 2U) << text;
  }
}

TEST(TableFileTest, OneColumnAndAHeaderAloneAreTables) {
  const auto one = ReadTableFile(FileWith("job\na\nb\n"));
  ASSERT_TRUE(one.ok()) << one.error().what;
  EXPECT_EQ(one.value().rows.size(), 2U);
  const auto none = ReadTableFile(FileWith("job,cpu\n"));
  ASSERT_TRUE(none.ok()) << none.error().what;
  EXPECT_THAT(none.value().columns, ElementsAre("job", "cpu"));
  EXPECT_TRUE(none.value().rows.empty());
}

}  // namespace
}  // namespace xsp::store
