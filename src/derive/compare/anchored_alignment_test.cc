#include "derive/compare/anchored_alignment.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <numeric>
#include <random>
#include <vector>

#include "core/hang_limit_testing.h"

namespace xsp::compare {
namespace {

using core::Token;
using Tokens = std::vector<Token>;

/// Length of the longest common subsequence, by the table of all prefixes.
std::int64_t LongestCommon(const Tokens& a, const Tokens& b) {
  std::vector<std::int64_t> row(b.size() + 1, 0);
  for (const Token token : a) {
    std::int64_t diagonal = 0;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::int64_t above = row[j + 1];
      row[j + 1] = token == b[j] ? diagonal + 1 : std::max(above, row[j]);
      diagonal = above;
    }
  }
  return row.back();
}

void ExpectIsAlignment(const Tokens& a, const Tokens& b, const core::Alignment& found) {
  ASSERT_EQ(found.a_to_b.size(), a.size());
  ASSERT_EQ(found.b_to_a.size(), b.size());
  std::int32_t last = -1;
  std::int64_t matched = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const std::int32_t j = found.a_to_b[i];
    if (j < 0) continue;
    EXPECT_GT(j, last) << "out of order at " << i;
    last = j;
    EXPECT_EQ(a[i], b[static_cast<std::size_t>(j)]);
    EXPECT_EQ(found.b_to_a[static_cast<std::size_t>(j)], static_cast<std::int32_t>(i));
    ++matched;
  }
  EXPECT_EQ(found.matched, matched);
}

/// `tokens` with some removed, inserted and replaced.
Tokens Edited(const Tokens& tokens, std::mt19937& random, unsigned one_in, Token fresh) {
  Tokens edited;
  for (const Token token : tokens) {
    const unsigned action = static_cast<unsigned>(random()) % one_in;
    if (action != 0) edited.push_back(action == 1 ? fresh + random() : token);
    if (action == 2) edited.push_back(fresh + random());
  }
  return edited;
}

TEST(AnchoredAlignment, IsTheLongestCommonSubsequenceOfDistinctTokens) {
  std::mt19937 random(1);
  for (int round = 0; round < 200; ++round) {
    Tokens a(random() % 60);
    std::iota(a.begin(), a.end(), Token{1});
    Tokens b = a;
    std::shuffle(b.begin(), b.end(), random);
    b.resize(b.size() - std::min<std::size_t>(b.size(), random() % 10));
    const core::Alignment found = AlignAnchored(a, b);
    ExpectIsAlignment(a, b, found);
    EXPECT_EQ(found.matched, LongestCommon(a, b)) << "round " << round;
  }
}

TEST(AnchoredAlignment, IsTheLongestWithoutAnyAnchor) {
  std::mt19937 random(2);
  for (int round = 0; round < 200; ++round) {
    // Every token twice or more on both sides: nothing is unique.
    Tokens a, b;
    for (Token token = 0; token < 6; ++token) {
      for (unsigned n = 2 + static_cast<unsigned>(random()) % 4; n > 0; --n) a.push_back(token);
      for (unsigned n = 2 + static_cast<unsigned>(random()) % 4; n > 0; --n) b.push_back(token);
    }
    // What both begin or end with is a part of a longest one.
    std::shuffle(a.begin(), a.end(), random);
    std::shuffle(b.begin(), b.end(), random);
    a.insert(a.begin(), 100), a.push_back(102), b.insert(b.begin(), 101), b.push_back(103);
    const core::Alignment found = AlignAnchored(a, b);
    ExpectIsAlignment(a, b, found);
    EXPECT_EQ(found.matched, LongestCommon(a, b)) << "round " << round;
  }
}

TEST(AnchoredAlignment, OfEditedSequencesIsNearlyTheLongest) {
  std::mt19937 random(3);
  std::int64_t matched = 0, longest = 0;
  for (int round = 0; round < 100; ++round) {
    // Half of the tokens are common ones, as in a model of equal layers.
    Tokens a(200);
    for (std::size_t i = 0; i < a.size(); ++i) a[i] = random() % 2 == 0 ? random() % 8 : 1000 + i;
    const Tokens b = Edited(a, random, 12, 1'000'000);
    const core::Alignment found = AlignAnchored(a, b);
    ExpectIsAlignment(a, b, found);
    const std::int64_t best = LongestCommon(a, b);
    EXPECT_LE(found.matched, best);
    matched += found.matched;
    longest += best;
  }
  EXPECT_GE(static_cast<double>(matched), 0.99 * static_cast<double>(longest));
}

TEST(AnchoredAlignment, OfNothingIsEmpty) {
  ExpectIsAlignment({}, {}, AlignAnchored({}, {}));
  const Tokens some = {1, 2, 3};
  const core::Alignment found = AlignAnchored(some, {});
  ExpectIsAlignment(some, {}, found);
  EXPECT_EQ(found.only_a(), 3);
}

TEST(AnchoredAlignment, OfAMillionWithoutACommonTokenTakesSeconds) {
  std::mt19937 random(4);
  Tokens a(1'000'000), b(1'000'000);
  for (Token& token : a) token = random() % 1000;
  for (Token& token : b) token = random() % 1000;
  const auto start = std::chrono::steady_clock::now();
  ExpectIsAlignment(a, b, AlignAnchored(a, b));
  // Without a bound this is 10^12 steps; the factor is for sanitizers.
  EXPECT_LT(std::chrono::steady_clock::now() - start, core::kHangLimit);
}

}  // namespace
}  // namespace xsp::compare
