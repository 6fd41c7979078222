#include "trace/column.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <utility>
#include <vector>

namespace xsp::trace {
namespace {

using testing::ElementsAre;

// Beyond the size at which its memory becomes pages, and back by assignment.
TEST(ColumnTest, HoldsWhatAVectorHolds) {
  std::mt19937 random(5);
  for (int round = 0; round < 20; ++round) {
    Column<std::uint32_t> column;
    std::vector<std::uint32_t> expected;
    for (std::uint32_t left = 1 + random() % 300'000; left > 0; --left) {
      const auto value = static_cast<std::uint32_t>(random());
      column.push_back(value);
      expected.push_back(value);
      if (random() % 50'000 == 0) {
        const std::size_t size = random() % 400'000;
        column.resize(size, 7);
        expected.resize(size, 7);
      }
    }
    ASSERT_EQ(column.size(), expected.size());
    ASSERT_TRUE(std::equal(column.begin(), column.end(), expected.begin()));
    const Column<std::uint32_t> copy = column;
    const Column<std::uint32_t> moved = std::move(column);
    ASSERT_TRUE(copy == moved);
  }
}

TEST(ColumnTest, AValueOfItsOwnCanBeAdded) {
  Column<std::int64_t> column = {1};
  for (int i = 0; i < 100'000; ++i) column.push_back(column.front());
  EXPECT_EQ(column.back(), 1);
  column.resize(300'000, column.back());
  EXPECT_EQ(column.back(), 1);
}

TEST(ColumnTest, IsAssignedAndCleared) {
  Column<int> column = {1, 2, 3};
  column = {4, 5};
  EXPECT_THAT(column, ElementsAre(4, 5));
  column.assign(3, 6);
  EXPECT_THAT(column, ElementsAre(6, 6, 6));
  column.clear();
  EXPECT_TRUE(column.empty());
  column = Column<int>(200'000, 9);
  EXPECT_EQ(column[199'999], 9);
  column = {};
  EXPECT_EQ(column.capacity(), 0U);
}

}  // namespace
}  // namespace xsp::trace
