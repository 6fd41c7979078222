#include "harness/arrivals.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "capture/wire/xsp.h"

namespace xsp::worker {
namespace {

TEST(Arrivals, ArePoisson) {
  constexpr std::size_t kCount = 20'000;
  const auto arrivals_ns = PoissonArrivals(1000, kCount, 7);
  ASSERT_EQ(arrivals_ns.size(), kCount);
  EXPECT_TRUE(std::is_sorted(arrivals_ns.begin(), arrivals_ns.end()));
  double sum = 0, squares = 0;
  for (std::size_t i = 0; i < kCount; ++i) {
    const double gap = static_cast<double>(arrivals_ns[i] - (i ? arrivals_ns[i - 1] : 0));
    sum += gap;
    squares += gap * gap;
  }
  const double mean = sum / kCount;
  const double deviation = std::sqrt(squares / kCount - mean * mean);
  // Exponential gaps: the deviation is the mean. Five standard errors each.
  EXPECT_NEAR(mean, 1e6, 5 * 1e6 / std::sqrt(kCount));
  EXPECT_NEAR(deviation / mean, 1, 0.05);
}

TEST(Arrivals, ComeFromTheSeedAndStretchWithTheRate) {
  const auto slow = PoissonArrivals(10, 50, 3);
  const auto fast = PoissonArrivals(20, 50, 3);
  EXPECT_EQ(slow, PoissonArrivals(10, 50, 3));
  EXPECT_NE(slow, PoissonArrivals(10, 50, 4));
  for (std::size_t i = 0; i < slow.size(); ++i)
    EXPECT_NEAR(static_cast<double>(slow[i]), 2 * static_cast<double>(fast[i]), 2);
}

TEST(Arrivals, WaitsUntilTheTimeAndNoShorter) {
  const std::uint64_t until_ns = xsp_now_ns() + 3'000'000;
  WaitUntil(until_ns);
  EXPECT_GE(xsp_now_ns(), until_ns);
  WaitUntil(until_ns - 1'000'000'000);  // Long past.
}

}  // namespace
}  // namespace xsp::worker
