#include "evaluate/schedule.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

namespace xsp::evaluate {
namespace {

TEST(InterleavedTurnsTest, GivesEachWorkerAllItsIterations) {
  const std::vector<int> asked = {35, 30, 3, 0};
  std::vector<int> given(asked.size());
  for (const Turn& turn : InterleavedTurns(asked, 10, 1)) {
    EXPECT_GE(turn.iterations, 1);
    EXPECT_LE(turn.iterations, 10);
    given[turn.worker] += turn.iterations;
  }
  EXPECT_EQ(given, asked);
}

TEST(InterleavedTurnsTest, EveryWorkerHasATurnInEveryRound) {
  const std::vector<Turn> turns = InterleavedTurns({30, 30, 30}, 10, 4);
  ASSERT_EQ(turns.size(), 9u);
  for (std::size_t round = 0; round < 3; ++round) {
    std::set<std::size_t> seen;
    for (std::size_t i = 0; i < 3; ++i) seen.insert(turns[3 * round + i].worker);
    EXPECT_EQ(seen.size(), 3u);
  }
}

TEST(InterleavedTurnsTest, ShufflesWithTheSeed) {
  const auto order = [](std::uint64_t seed) {
    std::vector<std::size_t> workers;
    for (const Turn& turn : InterleavedTurns({50, 50, 50, 50}, 10, seed))
      workers.push_back(turn.worker);
    return workers;
  };
  EXPECT_EQ(order(1), order(1));
  EXPECT_NE(order(1), order(2));
}

TEST(InterleavedTurnsTest, NoWorkerIsAlwaysFirst) {
  std::map<std::size_t, int> first;
  const std::vector<Turn> turns = InterleavedTurns({3000, 3000, 3000}, 10, 7);
  for (std::size_t i = 0; i < turns.size(); i += 3) ++first[turns[i].worker];
  for (std::size_t worker = 0; worker < 3; ++worker) {
    EXPECT_GT(first[worker], 70);
    EXPECT_LT(first[worker], 130);
  }
}

}  // namespace
}  // namespace xsp::evaluate
