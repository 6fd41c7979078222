#include "core/turns.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

namespace xsp::core {
namespace {

using testing::UnorderedElementsAre;

/// Who had each turn, when member i wants `wanted[i]` turns.
std::vector<std::size_t> TurnsOf(const std::vector<int>& wanted, std::uint64_t seed) {
  Turns turns(wanted.size(), seed);
  std::vector<std::size_t> had;  // Without a lock: turns order it.
  std::atomic<int> at_work = 0;
  std::vector<std::jthread> threads;
  for (std::size_t member = 0; member < wanted.size(); ++member) {
    threads.emplace_back([&, member] {
      turns.Join(member);
      for (int turn = 0; turn < wanted[member]; ++turn) {
        if (turn > 0) turns.Pass(member);
        EXPECT_EQ(++at_work, 1);
        had.push_back(member);
        std::this_thread::yield();
        --at_work;
      }
      turns.Leave(member);
    });
  }
  threads.clear();
  return had;
}

TEST(Turns, EveryoneHasOneInEachRound) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const std::vector<std::size_t> had = TurnsOf({5, 5, 5}, seed);
    ASSERT_EQ(had.size(), 15u);
    for (std::size_t round = 0; round < 5; ++round)
      EXPECT_THAT((std::vector<std::size_t>(had.begin() + 3 * round, had.begin() + 3 * round + 3)),
                  UnorderedElementsAre(0, 1, 2));
  }
}

TEST(Turns, TheOrderOfRoundsIsDrawn) {
  const std::vector<std::size_t> had = TurnsOf({50, 50}, 1);
  int first = 0;
  for (std::size_t round = 0; round < 50; ++round) first += had[2 * round] == 0;
  EXPECT_GT(first, 10);
  EXPECT_LT(first, 40);
}

TEST(Turns, WhoLeavesIsNotWaitedFor) {
  const std::vector<std::size_t> had = TurnsOf({1, 6, 3}, 7);
  EXPECT_EQ(had.size(), 10u);
  EXPECT_THAT((std::vector<std::size_t>(had.end() - 3, had.end())), testing::Each(1u));
}

TEST(Turns, OneAloneNeverWaits) {
  Turns turns(1, 0);
  turns.Join(0);
  EXPECT_TRUE(turns.alone());
  for (int i = 0; i < 3; ++i) turns.Pass(0);
  turns.Leave(0);
}

}  // namespace
}  // namespace xsp::core
