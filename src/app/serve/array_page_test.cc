#include "app/serve/array_page.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <nlohmann/json.hpp>
#include <random>
#include <string>

namespace xsp::serve {
namespace {

using nlohmann::json;

json NumbersBelow(std::size_t count) {
  json numbers = json::array();
  for (std::size_t i = 0; i < count; ++i) numbers.push_back(i);
  return numbers;
}

TEST(ArrayPage, FollowingCursorsYieldsEachItemOnce) {
  std::mt19937 random(3);
  for (int round = 0; round < 200; ++round) {
    const json array = NumbersBelow(random() % 60);
    const std::size_t limit = 1 + random() % 20;
    json all = json::array();
    std::string cursor;
    std::size_t pages = 0;
    do {
      const ArrayPage page = PageOf(array, limit, cursor, "list").value();
      EXPECT_EQ(page.total, array.size());
      EXPECT_LE(page.items.size(), limit);
      for (const json& item : page.items) all.push_back(item);
      cursor = page.next_cursor;
      ASSERT_LE(++pages, array.size() + 1);
    } while (!cursor.empty());
    EXPECT_EQ(all, array);
    EXPECT_EQ(pages, array.empty() ? 1 : (array.size() + limit - 1) / limit);
  }
}

TEST(ArrayPage, AnEmptyArrayIsOneEmptyPage) {
  const ArrayPage page = PageOf(json::array(), 5, "", "list").value();
  EXPECT_EQ(page.items, json::array());
  EXPECT_EQ(page.total, 0U);
  EXPECT_EQ(page.next_cursor, "");
}

TEST(ArrayPage, AnArrayThatBecameShorterEnds) {
  const std::string cursor = PageOf(NumbersBelow(10), 6, "", "list").value().next_cursor;
  const ArrayPage page = PageOf(NumbersBelow(4), 6, cursor, "list").value();
  EXPECT_EQ(page.items, json::array());
  EXPECT_EQ(page.next_cursor, "");
}

TEST(ArrayPage, ACursorOfAnotherListIsRefused) {
  const std::string cursor = PageOf(NumbersBelow(10), 5, "", "list a=1").value().next_cursor;
  EXPECT_TRUE(PageOf(NumbersBelow(10), 5, cursor, "list a=1").ok());
  EXPECT_FALSE(PageOf(NumbersBelow(10), 5, cursor, "list a=2").ok());
}

TEST(ArrayPage, HostileCursorsAreRefused) {
  const std::string cursor = PageOf(NumbersBelow(10), 5, "", "list").value().next_cursor;
  const std::string mark = cursor.substr(0, cursor.find('-') + 1);
  const std::string hostile[] = {"5",
                                 "-",
                                 "-5",
                                 mark,
                                 mark.substr(0, mark.size() - 1),
                                 mark + "-1",
                                 mark + "+1",
                                 mark + " 1",
                                 mark + "1 ",
                                 mark + "0x1",
                                 mark + "1e3",
                                 mark + "1.0",
                                 mark + std::string("1\0", 2),
                                 mark + "18446744073709551616",
                                 mark + std::string(100'000, '9'),
                                 mark + "\xff\xfe",
                                 "\xff" + cursor,
                                 mark + cursor,
                                 std::string(cursor.size(), '0')};
  for (const std::string& text : hostile) {
    const auto page = PageOf(NumbersBelow(10), 5, text, "list");
    ASSERT_FALSE(page.ok()) << text.substr(0, 80);
    EXPECT_EQ(page.error().kind, ErrorKind::kUsage);
    EXPECT_EQ(page.error().field, "cursor");
  }
}

TEST(ArrayPage, HugePositionsAndLimitsAreSafe) {
  const std::string cursor = PageOf(NumbersBelow(10), 5, "", "list").value().next_cursor;
  const std::string mark = cursor.substr(0, cursor.find('-') + 1);
  for (const std::string position : {"10", "11", "18446744073709551615", "9223372036854775808"}) {
    const ArrayPage page = PageOf(NumbersBelow(10), 5, mark + position, "list").value();
    EXPECT_EQ(page.items, json::array());
    EXPECT_EQ(page.next_cursor, "");
  }
  const auto all = static_cast<std::size_t>(-1);
  EXPECT_EQ(PageOf(NumbersBelow(10), all, cursor, "list").value().items.size(), 5U);
  EXPECT_EQ(PageOf(NumbersBelow(10), all, "", "list").value().items.size(), 10U);
}

}  // namespace
}  // namespace xsp::serve
