#include "measure/protocols/rate_search.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace xsp::protocols {
namespace {

struct Search {
  std::optional<double> found;
  std::vector<double> tried;
};

Search Find(double start, double limit) {
  Search search;
  search.found = FindHighestRate(start, [&](double rate) -> Result<bool> {
                   search.tried.push_back(rate);
                   return rate <= limit;
                 }).value();
  return search;
}

TEST(FindHighestRate, ComesAsCloseAsItsResolutionFromBothSides) {
  for (const double limit : {1.7, 3.0, 24.9, 50.0, 99.0, 100.0, 101.0, 199.0, 750.0, 6000.0}) {
    const Search search = Find(100, limit);
    ASSERT_TRUE(search.found) << limit;
    EXPECT_LE(*search.found, limit);
    EXPECT_GE(*search.found, limit * (1 - kRateResolution));
    EXPECT_LE(search.tried.size(), 1u + kMostSteps + 6);
  }
}

TEST(FindHighestRate, TriesNoRateTwice) {
  Search search = Find(100, 37);
  std::sort(search.tried.begin(), search.tried.end());
  EXPECT_EQ(std::adjacent_find(search.tried.begin(), search.tried.end()), search.tried.end());
}

TEST(FindHighestRate, GivesUpWhereNothingPasses) {
  const Search search = Find(64, 0.5);
  EXPECT_EQ(search.found, std::nullopt);
  EXPECT_EQ(search.tried, (std::vector<double>{64, 32, 16, 8, 4, 2, 1}));
}

TEST(FindHighestRate, StopsWhereEverythingPasses) {
  const Search search = Find(1, 1e9);
  EXPECT_EQ(search.found, 64);
  EXPECT_EQ(search.tried.size(), 7u);
}

TEST(FindHighestRate, HandsOnAnError) {
  int tries = 0;
  const auto result = FindHighestRate(100, [&](double) -> Result<bool> {
    if (++tries == 3) return Error{ErrorKind::kInterrupted, "interrupted", ""};
    return false;
  });
  EXPECT_EQ(result.error().kind, ErrorKind::kInterrupted);
  EXPECT_EQ(tries, 3);
}

}  // namespace
}  // namespace xsp::protocols
