#include "trace/string_pool.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace xsp::trace {
namespace {

TEST(StringPool, ZeroIsTheEmptyString) {
  StringPool pool;
  EXPECT_EQ(pool.Intern(""), 0u);
  EXPECT_EQ(pool.Get(0), "");
  EXPECT_EQ(pool.size(), 1u);
}

TEST(StringPool, TellsStringsApartByEveryByte) {
  StringPool pool;
  // Around the lengths where words are put together differently.
  for (std::size_t length = 1; length <= 50; ++length) {
    const std::string text(length, 'x');
    const StringId id = pool.Intern(text);
    for (std::size_t i = 0; i < length; ++i) {
      std::string other = text;
      other[i] = '\0';
      EXPECT_NE(pool.Intern(other), id) << length << " " << i;
    }
    EXPECT_EQ(pool.Intern(text), id);
  }
}

TEST(StringPool, GivesTheIdsThatAMapGives) {
  std::mt19937 random(5);
  StringPool pool;
  std::unordered_map<std::string, StringId> expected = {{"", 0}};
  std::vector<std::string_view> views = {""};
  for (int round = 0; round < 60000; ++round) {
    // Mostly short and often again; a few are longer than a block of the pool.
    const std::size_t length = round % 2000 == 0 ? random() % 200000 : random() % 24;
    std::string text(length, static_cast<char>('a' + random() % 3));
    if (length > 0) text[random() % length] = static_cast<char>(random() % 256);
    const auto [it, fresh] = expected.emplace(text, static_cast<StringId>(expected.size()));
    ASSERT_EQ(pool.Intern(text), it->second);
    if (fresh) views.push_back(pool.Get(it->second));
  }
  ASSERT_EQ(pool.size(), expected.size());
  // Views taken early still hold, also after a move.
  const StringPool moved = std::move(pool);
  for (const auto& [text, id] : expected) {
    ASSERT_EQ(moved.Get(id), text);
    ASSERT_EQ(views[id], text);
  }
}

}  // namespace
}  // namespace xsp::trace
