#include "ingest/importers/json_text.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

namespace xsp::importers {
namespace {

using Kind = Value::Kind;

Value Number(std::string_view text) { return {Kind::kNumber, false, text}; }

/// The value at the start of `text`, which something follows.
Value Read(std::string_view text) {
  Cursor cursor{text.data(), text.data() + text.size()};
  Value value;
  EXPECT_EQ(ReadValue(cursor, value), Scan::kDone) << text;
  return value;
}

TEST(ReadValue, FindsTheEndOfEveryKind) {
  EXPECT_EQ(Read("12.5,").text, "12.5");
  EXPECT_EQ(Read(" \n\"a\\\"b\" ,").text, "a\\\"b");
  EXPECT_EQ(Read("[1, \"]\", [2]] ").text, "[1, \"]\", [2]]");
  EXPECT_EQ(Read("{\"}\": {}}").text, "{\"}\": {}}");
  EXPECT_EQ(Read("null}").kind, Kind::kLiteral);
  EXPECT_EQ(Read("-1]").kind, Kind::kNumber);
}

TEST(ReadValue, AsksForMoreWhereTheTextEndsInside) {
  for (const std::string_view text :
       {"", " ", "\"abc", "\"abc\\", "\"abc\\\"", "[1,[2]", "{\"a\":{}", "12", "nul"}) {
    Cursor cursor{text.data(), text.data() + text.size()};
    Value value;
    EXPECT_EQ(ReadValue(cursor, value), Scan::kMore) << text;
    EXPECT_EQ(cursor.at, text.data());
  }
}

TEST(ReadValue, ADeepNestTakesNoStack) {
  const std::string deep = std::string(5'000'000, '[') + std::string(5'000'000, ']');
  EXPECT_EQ(Read(deep).text.size(), deep.size());
}

TEST(Unescape, GivesTheCharactersThatAreMeant) {
  const auto unescape = [](std::string_view text) {
    std::string scratch;
    return std::string(Unescape({Kind::kString, true, text}, scratch));
  };
  EXPECT_EQ(unescape(R"(a\nb\t\"\\\/)"), "a\nb\t\"\\/");
  EXPECT_EQ(unescape(R"(\u0041\u00e9\u20ac\ud83d\ude00)"), "A\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80");
  // Half a surrogate pair, and no hexadecimal number.
  EXPECT_EQ(unescape(R"(\ud83d!)"), "\xef\xbf\xbd!");
  EXPECT_EQ(unescape(R"(\u12)"),
            "\xef\xbf\xbd"
            "12");
}

TEST(MicrosecondsToNs, IsExact) {
  EXPECT_EQ(MicrosecondsToNs(Number("1694039968956739")), 1694039968956739000);
  // A double would round this by a quarter of a microsecond.
  EXPECT_EQ(MicrosecondsToNs(Number("1694039968956739.123")), 1694039968956739123);
  EXPECT_EQ(MicrosecondsToNs(Number("0.5")), 500);
  EXPECT_EQ(MicrosecondsToNs(Number("-2.25")), -2250);
  EXPECT_EQ(MicrosecondsToNs(Number("1.0005")), 1001);
  EXPECT_EQ(MicrosecondsToNs(Number("1.00049999999999999999999")), 1000);
  EXPECT_EQ(MicrosecondsToNs(Number("1.5e3")), 1500000);
  EXPECT_EQ(MicrosecondsToNs(Number("15E-1")), 1500);
  EXPECT_EQ(MicrosecondsToNs(Number("1e-300")), 0);
  EXPECT_EQ(MicrosecondsToNs({Kind::kString, false, "12.001"}), 12001);
}

TEST(MicrosecondsToNs, RefusesWhatIsNoTime) {
  for (const std::string_view text : {"", "-", ".", "1.2.3", "1e", "0x10", "1e999", "nan", "1 ",
                                      "9223372036854775808", "99999999999999999999999"})
    EXPECT_EQ(MicrosecondsToNs(Number(text)), std::nullopt) << text;
  EXPECT_EQ(MicrosecondsToNs({Kind::kLiteral, false, "null"}), std::nullopt);
}

TEST(MicrosecondsToNs, AgreesWithLongArithmeticOnRandomNumbers) {
  std::mt19937_64 random(4);
  for (int i = 0; i < 100'000; ++i) {
    const auto whole = static_cast<std::int64_t>(random() % 9'000'000'000'000'000);
    const auto part = static_cast<std::int64_t>(random() % 1000);
    char text[64];
    std::snprintf(text, sizeof text, "%lld.%03lld", static_cast<long long>(whole),
                  static_cast<long long>(part));
    EXPECT_EQ(MicrosecondsToNs(Number(text)), whole * 1000 + part) << text;
  }
}

}  // namespace
}  // namespace xsp::importers
