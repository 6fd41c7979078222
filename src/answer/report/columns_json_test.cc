#include "answer/report/columns_json.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "core/json_text.h"

namespace xsp::report {
namespace {

using nlohmann::json;

store::Table TableOf(std::size_t rows, const store::Cell& cell) {
  return {{"c"}, std::vector<std::vector<store::Cell>>(rows, {cell})};
}

TEST(ColumnsJson, WritesALongColumnOfOneValueOnce) {
  EXPECT_EQ(ColumnJson(TableOf(9, std::monostate{}), 0), (json{{"value", nullptr}, {"count", 9}}));
  EXPECT_EQ(ColumnJson(TableOf(9, std::string("a")), 0), (json{{"value", "a"}, {"count", 9}}));
  EXPECT_EQ(ColumnJson(TableOf(2, std::int64_t{1}), 0), json({1, 1}));
  EXPECT_EQ(ColumnJson(TableOf(9, std::int64_t{1}), 0, Repeats::kEach),
            json(std::vector<int>(9, 1)));
  store::Table table = TableOf(9, std::int64_t{1});
  table.rows[8][0] = std::int64_t{2};
  EXPECT_TRUE(ColumnJson(table, 0).is_array());
}

TEST(ColumnsJson, NumbersHaveNineDigits) {
  store::Table table{{"c"}, {{0.12345678949}, {1234567.0}, {2.0 / 3}}};
  EXPECT_EQ(core::JsonText(ColumnJson(table, 0)), "[0.123456789,1234567,0.666666667]");
}

TEST(ColumnsJson, TextIsWrittenByNumber) {
  store::Table table{{"c"}, {{std::string("b")}, {std::monostate{}}, {std::string("b")}}};
  EXPECT_EQ(ColumnJson(table, 0), (json{{"dict", {"b"}}, {"codes", {0, -1, 0}}}));
}

TEST(ColumnsJson, NumbersAtTheEndOfTextAreWrittenApart) {
  store::Table table{{"c"},
                     {{std::string("add #7")},
                      {std::string("add #123")},
                      {std::string("no number #")},
                      {std::string("a #07")},
                      {std::monostate{}},
                      {std::string("b #99999999999999999999")}}};
  EXPECT_EQ(ColumnJson(table, 0),
            (json{{"dict", {"add", "no number #", "a #07", "b #99999999999999999999"}},
                  {"codes", {0, 0, 1, 2, -1, 3}},
                  {"numbers", {7, 123, -1, -1, -1, -1}}}));
}

}  // namespace
}  // namespace xsp::report
