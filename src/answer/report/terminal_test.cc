#include "answer/report/terminal.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

namespace xsp::report {
namespace {

using testing::HasSubstr;
using testing::Not;

store::Table Layers() {
  return {{"index", "name", "latency_ns", "latency_share"},
          {{std::int64_t{0}, std::string("aten::conv2d"), 5.1e6, 0.5},
           {std::int64_t{1}, std::string("aten::relu_"), 2.55e5, 0.025},
           {std::int64_t{2}, std::string("aten::linear"), {}, {}}}};
}
const std::vector<TerminalColumn> kColumns = {
    {"index", ""}, {"name", ""}, {"latency_ns", "ns"}, {"latency_share", "1"}};

int Widest(const std::string& text) {
  std::istringstream lines(text);
  int widest = 0;
  for (std::string line; std::getline(lines, line);) {
    int columns = 0;
    for (char c : line) columns += (c & 0xC0) != 0x80;
    widest = std::max(widest, columns);
  }
  return widest;
}

TEST(TerminalTest, ShowsUnitsOnceAColumn) {
  const std::string text = RenderTable(kColumns, Layers(), {});
  EXPECT_THAT(text, HasSubstr("latency  latency share\n"));
  EXPECT_THAT(text, HasSubstr("5.10"));
  EXPECT_THAT(text, HasSubstr("ms"));
  EXPECT_THAT(text, HasSubstr("50.0"));
}

TEST(TerminalTest, UnknownIsADashAndNotZero) {
  EXPECT_THAT(RenderTable(kColumns, Layers(), {}), HasSubstr("aten::linear        -"));
}

TEST(TerminalTest, FitsTheWidthAndSaysWhatItLeftOut) {
  for (int width = 20; width < 80; ++width) {
    const std::string text = RenderTable(kColumns, Layers(), {.width = width});
    EXPECT_LE(Widest(text), width) << text;
  }
  EXPECT_THAT(RenderTable(kColumns, Layers(), {.width = 30}), HasSubstr("too narrow for"));
}

TEST(TerminalTest, APipeGetsEveryColumnWhole) {
  store::Table table = Layers();
  for (auto& row : table.rows) row[1] = std::string(200, 'n');
  const std::string text = RenderTable(kColumns, table, {.width = 30, .fits_tables = false});
  EXPECT_THAT(text, HasSubstr("latency share"));
  EXPECT_THAT(text, HasSubstr(std::string(200, 'n')));
  EXPECT_THAT(text, Not(HasSubstr("in every row")));
  EXPECT_THAT(text, Not(HasSubstr("too narrow")));
}

TEST(TerminalTest, ExactIsAsInTheData) {
  store::Table table = Layers();
  table.rows[1][2] = 254'999.123456789;
  const std::string text = RenderTable(kColumns, table, {.fits_tables = false, .exact = true});
  EXPECT_THAT(text, HasSubstr("latency_share"));
  EXPECT_THAT(text, HasSubstr("254999.123456789"));
  EXPECT_THAT(text, HasSubstr("0.025"));
}

TEST(TerminalTest, SaysOnceWhatIsTheSameInEveryRow) {
  store::Table table = Layers();
  table.columns.insert(table.columns.begin(), {"point_id", "gap_ns", "batch"});
  for (auto& row : table.rows) row.insert(row.begin(), {std::int64_t{7}, 2.5e6, store::Cell()});
  std::vector<TerminalColumn> columns = kColumns;
  columns.insert(columns.begin(), {{"point_id", ""}, {"gap_ns", "ns"}, {"batch", "1"}});
  const std::string text = RenderTable(columns, table, {});
  EXPECT_THAT(text, HasSubstr("(in every row: point id 7, gap 2.50 ms)"));
  EXPECT_THAT(text, HasSubstr("(not known: batch)"));
  table.rows.resize(1);
  EXPECT_THAT(RenderTable(columns, table, {}), Not(HasSubstr("in every row")));
}

TEST(TerminalTest, GivesUpBarsBeforeColumns) {
  const std::string wide = RenderTable(kColumns, Layers(), {.width = 60});
  const std::string narrow = RenderTable(kColumns, Layers(), {.width = 44});
  EXPECT_THAT(wide, HasSubstr("\u2588"));
  EXPECT_THAT(narrow, Not(HasSubstr("\u2588")));
  EXPECT_THAT(narrow, Not(HasSubstr("too narrow for")));
}

TEST(TerminalTest, CountsTheRowsItDoesNotShow) {
  EXPECT_THAT(RenderTable(kColumns, Layers(), {.max_rows = 1}), HasSubstr("and 2 more rows"));
}

TEST(TerminalTest, NamesCannotSteerTheTerminal) {
  const store::Table table{{"name"}, {{std::string("evil\033[2Jname\n")}}};
  EXPECT_THAT(RenderTable({{"name", ""}}, table, {}), Not(HasSubstr("\033")));
}

TEST(TerminalTest, WrapsAtWords) { EXPECT_EQ(Wrap("one two three", 7, 2), "one two\n  three"); }

}  // namespace
}  // namespace xsp::report
