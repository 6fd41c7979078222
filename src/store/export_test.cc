#include "store/export.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <nlohmann/json.hpp>
#include <random>

#include "core/json_text.h"

namespace xsp::store {
namespace {

using nlohmann::json;

TEST(ToCsv, QuotesWhatNeedsQuotes) {
  const Table table{{"a", "b,c"},
                    {{std::string("say \"hi\""), std::string("two\nlines")},
                     {std::monostate{}, std::string()},
                     {true, std::int64_t{-5}},
                     {1.0, 0.1}}};
  EXPECT_EQ(ToCsv(table),
            "a,\"b,c\"\r\n\"say \"\"hi\"\"\",\"two\nlines\"\r\n,\"\"\r\ntrue,-5\r\n1.0,0.1\r\n");
}

TEST(ToCsv, HasALineOfNamesWithoutRows) { EXPECT_EQ(ToCsv({{"a", "b"}, {}}), "a,b\r\n"); }

TEST(ToJson, KeepsTypes) {
  const double nan = std::nan("");
  const Table table{{"a", "b", "a"},
                    {{std::numeric_limits<std::int64_t>::max(), nan, std::string("\x01\"\\\n")},
                     {std::monostate{}, -std::numeric_limits<double>::infinity(), false}}};
  const json parsed = core::ParseJson(ToJson(table));
  EXPECT_EQ(parsed[0]["a"].get<std::int64_t>(), std::numeric_limits<std::int64_t>::max());
  EXPECT_TRUE(parsed[0]["b"].is_null());
  EXPECT_EQ(parsed[0]["a_2"], "\x01\"\\\n");
  EXPECT_TRUE(parsed[1]["a"].is_null());
  EXPECT_TRUE(parsed[1]["b"].is_null());
  EXPECT_EQ(parsed[1]["a_2"], false);
}

TEST(ToJson, IsAnArrayWithoutRows) {
  EXPECT_EQ(core::ParseJson(ToJson({{"a"}, {}})), json::array());
}

TEST(ToJson, ReplacesBytesThatAreNoText) {
  const json parsed = core::ParseJson(ToJson({{"a"}, {{std::string("x\xFFy")}}}));
  EXPECT_EQ(parsed[0]["a"], "x\xEF\xBF\xBDy");
}

TEST(Export, WritesDoublesThatReadBackAsThemselves) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 2000; ++i) {
    const auto bits = random();
    double value;
    static_assert(sizeof value == sizeof bits);
    std::memcpy(&value, &bits, sizeof value);
    if (!std::isfinite(value)) continue;
    const Table table{{"v"}, {{value}}};
    EXPECT_EQ(core::ParseJson(ToJson(table))[0]["v"].get<double>(), value);
    EXPECT_EQ(std::strtod(ToCsv(table).c_str() + 3, nullptr), value);
  }
}

}  // namespace
}  // namespace xsp::store
