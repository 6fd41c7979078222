#include "core/alignment.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace xsp::core {
namespace {

using ::testing::ElementsAre;

/// Length of a longest common subsequence by the textbook table.
std::int64_t SlowLcs(const std::vector<Token>& a, const std::vector<Token>& b) {
  std::vector<std::vector<std::int64_t>> best(a.size() + 1,
                                              std::vector<std::int64_t>(b.size() + 1, 0));
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t j = 0; j < b.size(); ++j) {
      best[i + 1][j + 1] = a[i] == b[j] ? best[i][j] + 1 : std::max(best[i][j + 1], best[i + 1][j]);
    }
  }
  return best[a.size()][b.size()];
}

std::vector<Token> RandomTokens(std::mt19937& random, std::size_t longest, unsigned kinds) {
  std::vector<Token> tokens(random() % (longest + 1));
  for (Token& token : tokens) token = random() % kinds;
  return tokens;
}

void ExpectConsistent(const std::vector<Token>& a, const std::vector<Token>& b,
                      const Alignment& alignment) {
  ASSERT_EQ(alignment.a_to_b.size(), a.size());
  ASSERT_EQ(alignment.b_to_a.size(), b.size());
  std::int64_t matched = 0;
  std::int32_t last = -1;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const std::int32_t j = alignment.a_to_b[i];
    if (j < 0) continue;
    EXPECT_GT(j, last) << "order is not kept";
    EXPECT_EQ(a[i], b[static_cast<std::size_t>(j)]);
    EXPECT_EQ(alignment.b_to_a[static_cast<std::size_t>(j)], static_cast<std::int32_t>(i));
    last = j;
    ++matched;
  }
  EXPECT_EQ(matched, alignment.matched);
  EXPECT_EQ(std::count(alignment.b_to_a.begin(), alignment.b_to_a.end(), -1), alignment.only_b());
}

TEST(Align, FindsALongestCommonSubsequence) {
  std::mt19937 random(7);
  for (int i = 0; i < 2000; ++i) {
    const unsigned kinds = 1 + random() % 6;
    const auto a = RandomTokens(random, 20, kinds), b = RandomTokens(random, 20, kinds);
    const Alignment alignment = Align(a, b);
    ExpectConsistent(a, b, alignment);
    EXPECT_EQ(alignment.matched, SlowLcs(a, b));
  }
}

TEST(Align, StaysConsistentWhenSequencesHaveLittleInCommon) {
  std::mt19937 random(8);
  for (int i = 0; i < 500; ++i) {
    const auto a = RandomTokens(random, 30, 5), b = RandomTokens(random, 30, 5);
    const Alignment alignment = Align(a, b, 3);
    ExpectConsistent(a, b, alignment);
    EXPECT_LE(alignment.matched, SlowLcs(a, b));
  }
}

TEST(Align, NamesWhatTheOtherLacks) {
  const std::vector<Token> a = {1, 2, 3, 4}, b = {1, 3, 9, 4};
  const Alignment alignment = Align(a, b);
  EXPECT_THAT(alignment.a_to_b, ElementsAre(0, -1, 1, 3));
  EXPECT_EQ(alignment.FirstOnlyA(), 1u);
  EXPECT_EQ(alignment.FirstOnlyB(), 2u);
  EXPECT_EQ(alignment.only_a(), 1);
  EXPECT_EQ(alignment.only_b(), 1);
}

TEST(FindReference, TakesTheMostCommonSequenceOfUsedCalls) {
  const std::vector<std::vector<Token>> sequences = {{1, 2, 3}, {1, 3}, {1, 3}, {1, 2, 3}, {1, 3}};
  EXPECT_THAT(FindReference(sequences, {true, true, true, true, true}).tokens, ElementsAre(1, 3));
  const Reference reference = FindReference(sequences, {true, false, false, true, true});
  EXPECT_THAT(reference.tokens, ElementsAre(1, 2, 3));
  EXPECT_EQ(reference.call, 0u);
  EXPECT_EQ(reference.calls[1]->only_a(), 1);
  EXPECT_EQ(reference.calls[3]->only_a(), 0);
  EXPECT_THAT(FindReference(sequences, {false, false, false, false, false}).tokens,
              ElementsAre(1, 3));
}

}  // namespace
}  // namespace xsp::core
