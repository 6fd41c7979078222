#include "trace/kind_time.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <vector>

namespace xsp::trace {
namespace {

std::int64_t TotalOf(const std::vector<std::int64_t>& durations_ns) {
  KindTime time;
  for (const std::int64_t duration_ns : durations_ns) time.Add(duration_ns);
  return time.total_ns();
}

TEST(KindTime, CountsAColdCallAsTheNextLongest) {
  EXPECT_EQ(TotalOf({6300, 200, 100}), 500);
  EXPECT_EQ(TotalOf({100, 200, 6300}), 500);
}

TEST(KindTime, CountsASingleCallInFull) {
  EXPECT_EQ(TotalOf({6300}), 6300);
  EXPECT_EQ(TotalOf({}), 0);
}

TEST(KindTime, IsTheSumOfSortedCallsInAnyOrder) {
  std::mt19937 random(7);
  for (int round = 0; round < 200; ++round) {
    std::vector<std::int64_t> durations_ns(2 + random() % 8);
    for (std::int64_t& duration_ns : durations_ns) duration_ns = random() % 5;
    const std::int64_t total_ns = TotalOf(durations_ns);
    std::sort(durations_ns.begin(), durations_ns.end());
    durations_ns.back() = durations_ns[durations_ns.size() - 2];
    EXPECT_EQ(total_ns, std::accumulate(durations_ns.begin(), durations_ns.end(), std::int64_t{0}));
  }
}

}  // namespace
}  // namespace xsp::trace
