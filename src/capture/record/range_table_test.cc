#include "capture/record/range_table.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <thread>
#include <vector>

namespace xsp::record {
namespace {

LooseRange Range(std::uint64_t start_ns) {
  return {start_ns, nullptr, 0, 0, 0, true, false, RangeDetails()};
}

TEST(RangeTable, GivesBackWhatWasKeptOnce) {
  static RangeTable table;
  const std::uint64_t id = table.Add(Range(7));
  LooseRange range;
  EXPECT_FALSE(table.Take(id + (std::uint64_t{1} << 32), &range));
  EXPECT_FALSE(table.Take(0, &range));
  EXPECT_FALSE(table.Take(~std::uint64_t{0}, &range));
  ASSERT_TRUE(table.Take(id, &range));
  EXPECT_EQ(range.start_ns, 7u);
  EXPECT_FALSE(table.Take(id, &range));
  const std::uint64_t next = table.Add(Range(8));
  EXPECT_NE(next, id) << "a place is used again, its id is not";
  EXPECT_FALSE(table.Take(id, &range));
  EXPECT_EQ(table.Count(), 1u);
}

TEST(RangeTable, FitsAMapUnderRandomUse) {
  static RangeTable table;
  std::map<std::uint64_t, std::uint64_t> oracle;
  std::mt19937 random(1);
  for (std::uint64_t step = 0; step < 200000; ++step) {
    if (random() % 100 < 52) {
      const std::uint64_t id = table.Add(Range(step));
      if (id == 0) {
        EXPECT_EQ(oracle.size(), RangeTable::kSlots);
      } else {
        EXPECT_TRUE(oracle.emplace(id, step).second);
      }
    } else if (!oracle.empty()) {
      auto it = oracle.lower_bound(random());
      if (it == oracle.end()) it = oracle.begin();
      LooseRange range;
      ASSERT_TRUE(table.Take(it->first, &range));
      EXPECT_EQ(range.start_ns, it->second);
      oracle.erase(it);
    }
  }
  EXPECT_EQ(table.Count(), oracle.size());
}

TEST(RangeTable, GivesEachPlaceToOneThread) {
  static RangeTable table;
  std::vector<std::thread> threads;
  std::atomic<int> wrong{0};
  for (std::uint64_t t = 0; t < 4; ++t) {
    threads.emplace_back([t, &wrong] {
      std::vector<std::pair<std::uint64_t, std::uint64_t>> open;
      for (std::uint64_t i = 0; i < 50000; ++i) {
        const std::uint64_t value = t << 32 | i;
        const std::uint64_t id = table.Add(Range(value));
        if (id != 0) open.emplace_back(id, value);
        if (open.size() > 16 || id == 0) {
          LooseRange range;
          if (!table.Take(open.back().first, &range) || range.start_ns != open.back().second) {
            ++wrong;
          }
          open.pop_back();
        }
      }
      for (const auto& [id, value] : open) {
        LooseRange range;
        if (!table.Take(id, &range) || range.start_ns != value) ++wrong;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong.load(), 0);
  EXPECT_EQ(table.Count(), 0u);
}

}  // namespace
}  // namespace xsp::record
