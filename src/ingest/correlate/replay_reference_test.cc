#include "ingest/correlate/replay_reference.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>
#include <string>

namespace xsp::correlate {
namespace {

using core::Token;

constexpr std::int64_t kPlenty = 1'000'000'000;

/// Kernel i of name names[i] belongs to operator operators[i].
KernelSequence Sequence(const std::vector<Token>& names,
                        const std::vector<trace::StringId>& operators) {
  KernelSequence sequence;
  sequence.names = names;
  for (std::size_t i = 0; i < names.size(); ++i) {
    sequence.calls.push_back({operators[i], operators[i], 0, 0});
    sequence.inner.push_back(static_cast<std::int32_t>(i));
    sequence.outer.push_back(static_cast<std::int32_t>(i));
  }
  return sequence;
}

/// Length of a longest common subsequence, by the textbook table.
std::int64_t SlowLcs(const std::vector<Token>& a, const std::vector<Token>& b) {
  std::vector<std::vector<std::int64_t>> best(a.size() + 1,
                                              std::vector<std::int64_t>(b.size() + 1, 0));
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t j = 0; j < b.size(); ++j)
      best[i + 1][j + 1] = a[i] == b[j] ? best[i][j] + 1 : std::max(best[i][j + 1], best[i + 1][j]);
  return best[a.size()][b.size()];
}

std::vector<std::size_t> SlowOccurrences(const std::vector<Token>& part,
                                         const std::vector<Token>& whole) {
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i + part.size() <= whole.size(); ++i)
    if (std::equal(part.begin(), part.end(), whole.begin() + static_cast<std::ptrdiff_t>(i)))
      found.push_back(i);
  return found;
}

struct Drawn {
  std::vector<Token> names;
  std::vector<trace::StringId> operators;
};

Drawn Draw(std::mt19937& random, std::size_t longest, unsigned kinds, unsigned operators) {
  Drawn drawn;
  for (std::size_t i = 1 + random() % longest; i > 0; --i) {
    drawn.names.push_back(random() % kinds);
    drawn.operators.push_back(1 + random() % operators);
  }
  return drawn;
}

TEST(ReplayReference, TheReferenceWithTheLongestCommonSubsequenceIsTaken) {
  std::mt19937 random(1);
  int explained = 0;
  for (int round = 0; round < 3000; ++round) {
    const unsigned kinds = 1 + random() % 8;
    std::vector<Drawn> drawn;
    ReferenceSet references(kPlenty);
    for (unsigned i = 0; i < 4; ++i) {
      drawn.push_back(Draw(random, 20, kinds, 3));
      references.Add(Sequence(drawn.back().names, drawn.back().operators));
    }
    const std::vector<Token> replay = Draw(random, 20, kinds, 1).names;
    const Explanation found = references.Explain(replay);
    std::int64_t most = 0;
    std::size_t first = 0;
    // Equality, then being a part, go before everything: no other reference explains more.
    int rank_of_first = 0;
    for (std::size_t i = 0; i < drawn.size(); ++i) {
      const std::int64_t common = SlowLcs(replay, drawn[i].names);
      const bool is_part = !SlowOccurrences(replay, drawn[i].names).empty();
      const int rank = drawn[i].names == replay ? 2 : is_part ? 1 : 0;
      if (rank > rank_of_first || (rank == rank_of_first && common > most)) {
        first = i;
        rank_of_first = rank;
      }
      most = std::max(most, common);
    }
    if (2 * most < static_cast<std::int64_t>(replay.size())) {
      EXPECT_EQ(found.reference, nullptr);
      continue;
    }
    ++explained;
    ASSERT_NE(found.reference, nullptr);
    EXPECT_EQ(found.aligned, most);
    EXPECT_EQ(found.reference->names, drawn[first].names);
    for (std::size_t i = 0; i < replay.size(); ++i) {
      const Claim& claim = found.claims[i];
      if (claim.at < 0) continue;
      EXPECT_EQ(found.reference->names[static_cast<std::size_t>(claim.at)], replay[i]);
      EXPECT_GT(claim.confidence, 0.0);
      EXPECT_LE(claim.confidence, 1.0);
    }
  }
  EXPECT_GT(explained, 1000);
}

/// Kernels are lost, or come in, at random; names repeat, so that it is often open which. What is
/// claimed is the truth all the same.
TEST(ReplayReference, NoClaimIsWrongWhereKernelsAreMissingOrWhereSomeCameIn) {
  std::mt19937 random(2);
  int claimed = 0, open = 0;
  for (int round = 0; round < 20'000; ++round) {
    const bool lose = round % 2 == 0;
    const Drawn reference = Draw(random, 30, 1 + random() % 6, 1 + random() % 4);
    std::vector<Token> replay;
    std::vector<trace::StringId> truth;  // 0: came in.
    for (std::size_t i = 0; i < reference.names.size(); ++i) {
      const bool changes = random() % 6 == 0;
      if (changes && !lose) replay.push_back(random() % 6), truth.push_back(0);
      if (changes && lose) continue;
      replay.push_back(reference.names[i]);
      truth.push_back(reference.operators[i]);
    }
    // What is a part of the reference is taken to be that part.
    if (replay.empty() || !SlowOccurrences(replay, reference.names).empty()) continue;
    ReferenceSet references(kPlenty);
    references.Add(Sequence(reference.names, reference.operators));
    const Explanation found = references.Explain(replay);
    if (found.reference == nullptr) continue;
    for (std::size_t i = 0; i < replay.size(); ++i) {
      const std::int32_t at = found.claims[i].at;
      ++(at < 0 ? open : claimed);
      if (at < 0) continue;
      EXPECT_EQ(reference.operators[static_cast<std::size_t>(at)], truth[i]) << "round " << round;
    }
  }
  EXPECT_GT(claimed, 50'000);
  EXPECT_GT(open, 1000);
}

TEST(ReplayReference, OfAPartIsClaimedWhatAllItsPlacesAgreeOn) {
  std::mt19937 random(4);
  int claimed = 0, open = 0;
  for (int round = 0; round < 5000; ++round) {
    const unsigned kinds = 1 + random() % 4, operators = 1 + random() % 3;
    const Drawn one = Draw(random, 30, kinds, operators), two = Draw(random, 30, kinds, operators);
    const std::size_t start = random() % one.names.size();
    const std::size_t length = 1 + random() % (one.names.size() - start);
    const auto from = one.names.begin() + static_cast<std::ptrdiff_t>(start);
    const std::vector<Token> replay(from, from + static_cast<std::ptrdiff_t>(length));
    if (replay == one.names || replay == two.names) continue;
    ReferenceSet references(kPlenty);
    references.Add(Sequence(one.names, one.operators));
    references.Add(Sequence(two.names, two.operators));
    const Explanation found = references.Explain(replay);
    ASSERT_EQ(found.claims.size(), length);
    for (std::size_t i = 0; i < length; ++i) {
      std::set<trace::StringId> said;
      for (const Drawn* drawn : {&one, &two})
        for (const std::size_t place : SlowOccurrences(replay, drawn->names))
          said.insert(drawn->operators[place + i]);
      const std::int32_t at = found.claims[i].at;
      EXPECT_EQ(at >= 0, said.size() == 1);
      if (at >= 0) {
        EXPECT_TRUE(said.contains(one.operators[static_cast<std::size_t>(at)]));
      }
      ++(at >= 0 ? claimed : open);
    }
  }
  EXPECT_GT(claimed, 5000);
  EXPECT_GT(open, 5000);
}

/// Some kernels lost, others come in, many names: now and then a claim is wrong.
TEST(ReplayReference, ClaimsAreRarelyWrongWhereKernelsAreMissingAndOthersCameIn) {
  std::mt19937 random(5);
  std::int64_t known = 0, claimed = 0, wrong = 0;
  for (int round = 0; round < 100; ++round) {
    std::vector<Token> names, replay;
    std::vector<trace::StringId> operators, truth;
    for (trace::StringId i = 1; i <= 600; ++i) {
      names.push_back(random() % 30);
      operators.push_back(i);
      if (random() % 20 == 0) replay.push_back(random() % 30), truth.push_back(0);
      if (random() % 20 == 0) continue;
      replay.push_back(names.back());
      truth.push_back(i);
      ++known;
    }
    ReferenceSet references(kPlenty);
    references.Add(Sequence(names, operators));
    const Explanation found = references.Explain(replay);
    ASSERT_NE(found.reference, nullptr);
    for (std::size_t i = 0; i < replay.size(); ++i) {
      const std::int32_t at = found.claims[i].at;
      if (at < 0) continue;
      ++claimed;
      wrong += operators[static_cast<std::size_t>(at)] != truth[i];
    }
  }
  EXPECT_GT(claimed, known * 98 / 100);
  EXPECT_LT(wrong, claimed / 1000);
}

TEST(ReplayReference, LongSequencesThatShareNothingCostLittle) {
  std::vector<Token> a(200'000), b(200'000);
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = i, b[i] = a.size() - i;
  ReferenceSet references(kPlenty);
  references.Add(Sequence(b, std::vector<trace::StringId>(b.size(), 1)));
  const Explanation found = references.Explain(a);
  EXPECT_EQ(found.reference, nullptr);
}

TEST(ReplayReference, AnAlignmentThatWasCutShortSaysSo) {
  // 1500 kernels differ, one by one between others: more than is searched for.
  std::vector<Token> reference, replay;
  for (Token i = 0; i < 6000; ++i) {
    reference.push_back(i);
    replay.push_back(i % 4 == 0 ? 10'000 + i : i);
  }
  ReferenceSet references(kPlenty);
  references.Add(Sequence(reference, std::vector<trace::StringId>(reference.size(), 1)));
  const Explanation found = references.Explain(replay);
  ASSERT_NE(found.reference, nullptr);
  EXPECT_TRUE(found.is_cut);
  replay = reference;
  replay[3000] = 10'000;
  EXPECT_FALSE(references.Explain(replay).is_cut);
}

TEST(ReplayReference, WhatAMoreTrustedReferenceSaysStands) {
  ReferenceSet references(kPlenty);
  references.Add(Sequence({1, 2}, {7, 8}));
  KernelSequence eager = Sequence({1, 2}, {7, 9});
  eager.source = SequenceSource::kEager;
  references.Add(eager);
  EXPECT_EQ(references.Explain({1, 2}).claims[1].at, 1);
  references.Add(Sequence({1, 2}, {7, 9}));
  EXPECT_EQ(references.Explain({1, 2}).claims[0].at, 0);
  EXPECT_EQ(references.Explain({1, 2}).claims[1].at, -1);
}

}  // namespace
}  // namespace xsp::correlate
