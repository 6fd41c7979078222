#include "ingest/importers/json_scan.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <string_view>

namespace xsp::importers::scan {
namespace {

/// One character after the other.
const char* PassNestedSlowly(const char* at, const char* end) {
  std::size_t depth = 0;
  while (at < end) {
    const char c = *at++;
    if (c == '"') {
      for (; at < end && *at != '"'; ++at)
        if (*at == '\\') ++at;
      if (at >= end) return nullptr;
      ++at;
    } else if (c == '{' || c == '[') {
      ++depth;
    } else if ((c == '}' || c == ']') && --depth == 0) {
      return at;
    }
  }
  return nullptr;
}

std::string RandomText(std::mt19937& random, std::string_view alphabet, std::size_t most) {
  std::string text;
  for (std::size_t length = random() % most; text.size() < length;)
    text.append(1 + random() % 20 / 17 * 20, alphabet[random() % alphabet.size()]);
  return text;
}

TEST(PassNested, FindsTheBracketThatOneCharacterAfterTheOtherFinds) {
  std::mt19937 random(2);
  int closed = 0;
  for (int round = 0; round < 20000; ++round) {
    const std::string_view alphabet = round % 2 == 0 ? "[[[]]{}\"\"ab, :z" : "[[[]]{}\"\"\\ab, :z;";
    const std::string text = "[" + RandomText(random, alphabet, 300) +
                             std::string(random() % 3 == 0 ? random() % 100 : 0, ']');
    const char* end = text.data() + text.size();
    const char* expected = PassNestedSlowly(text.data(), end);
    ASSERT_EQ(PassNested(text.data(), end), expected) << text;
    closed += expected != nullptr ? 1 : 0;
  }
  EXPECT_GT(closed, 1000);
}

TEST(Passing, StopsWhereOneCharacterAfterTheOtherStops) {
  std::mt19937 random(3);
  for (int round = 0; round < 20000; ++round) {
    const std::string text = RandomText(random, "  \n\t\r01239-+.eE,/:*}]\"\\a\x80\xff", 60);
    const char* begin = text.data();
    const char* end = begin + text.size();
    const auto first = [&](auto stops) {
      const char* at = begin;
      while (at < end && !stops(*at)) ++at;
      return at;
    };
    ASSERT_EQ(PassSpace(begin, end), first([](char c) { return !IsSpace(c); })) << text;
    ASSERT_EQ(FindQuote(begin, end), first([](char c) { return c == '"' || c == '\\'; })) << text;
    ASSERT_EQ(PassBareValue(begin, end), first(EndsBareValue)) << text;
  }
}

}  // namespace
}  // namespace xsp::importers::scan
