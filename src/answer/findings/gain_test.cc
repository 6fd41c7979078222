#include "answer/findings/gain.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <random>

namespace xsp::findings {
namespace {

using testing::DoubleNear;
using testing::ElementsAre;
using testing::IsEmpty;

Claim ClaimOf(const std::string& piece, double ns) { return {piece, {ns, ns, ns}}; }

TEST(ShareOutTest, APieceIsGrantedOnce) {
  const auto shares =
      ShareOut({{"a", 10}}, {{"small", 1, {ClaimOf("a", 6)}}, {"large", 2, {ClaimOf("a", 8)}}});
  EXPECT_EQ(shares[1].gain, (Gain{8, 8, 8}));
  EXPECT_EQ(shares[0].gain, (Gain{2, 2, 2}));
  EXPECT_EQ(shares[0].alone, (Gain{6, 6, 6}));
  EXPECT_THAT(shares[0].overlaps, ElementsAre(Overlap{"large", 4}));
  EXPECT_THAT(shares[1].overlaps, IsEmpty());
}

TEST(ShareOutTest, EqualClaimsGoToTheSmallerRankThenToTheFirstId) {
  const auto by_rank =
      ShareOut({{"a", 10}}, {{"a", 2, {ClaimOf("a", 10)}}, {"b", 1, {ClaimOf("a", 10)}}});
  EXPECT_EQ(by_rank[0].gain.ns, 0);
  EXPECT_EQ(by_rank[1].gain.ns, 10);
  const auto by_id =
      ShareOut({{"a", 10}}, {{"b", 1, {ClaimOf("a", 10)}}, {"a", 1, {ClaimOf("a", 10)}}});
  EXPECT_EQ(by_id[0].gain.ns, 0);
  EXPECT_EQ(by_id[1].gain.ns, 10);
}

TEST(ShareOutTest, TheNextIsWhoHasMostInWhatIsLeft) {
  // "second" wants more than "third", but most of it is gone with "first".
  const auto shares =
      ShareOut({{"a", 10}, {"b", 5}}, {{"first", 1, {ClaimOf("a", 10)}},
                                       {"second", 2, {ClaimOf("a", 8), ClaimOf("b", 1)}},
                                       {"third", 3, {ClaimOf("b", 5)}}});
  EXPECT_EQ(shares[2].gain.ns, 5);
  EXPECT_EQ(shares[1].gain.ns, 0);
  EXPECT_THAT(shares[1].overlaps, ElementsAre(Overlap{"first", 8}, Overlap{"third", 1}));
}

TEST(ShareOutTest, WhatIsOnlyPossibleYieldsToWhatIsExpected) {
  const auto shares = ShareOut(
      {{"a", 10}}, {{"bound", 1, {{"a", {0, 0, 10}}}}, {"expected", 2, {{"a", {1, 4, 6}}}}});
  EXPECT_EQ(shares[1].gain, (Gain{1, 4, 6}));
  EXPECT_EQ(shares[0].gain, (Gain{0, 0, 4}));
  EXPECT_THAT(shares[0].overlaps, ElementsAre(Overlap{"expected", 6}));
}

TEST(ShareOutTest, AClaimTakesNoMoreThanItsPiece) {
  const auto shares = ShareOut(
      {{"a", 10}, {"b", 0}},
      {{"x", 1, {ClaimOf("a", 7), ClaimOf("a", 7), ClaimOf("b", 3), ClaimOf("unknown", 3)}}});
  EXPECT_EQ(shares[0].gain, (Gain{10, 10, 10}));
  EXPECT_EQ(shares[0].alone, shares[0].gain);
}

TEST(ShareOutTest, NobodyClaimingIsFine) {
  EXPECT_THAT(ShareOut({{"a", 1}}, {}), IsEmpty());
  EXPECT_EQ(ShareOut({}, {{"x", 1, {ClaimOf("a", 1)}}})[0].gain, Gain());
}

struct Case {
  std::vector<Piece> pieces;
  std::vector<Claimant> claimants;
};

Case RandomCase(std::mt19937& random) {
  const auto below = [&](int limit) {
    return static_cast<int>(random() % static_cast<unsigned>(limit));
  };
  Case made;
  for (int i = below(6); i >= 0; --i)
    made.pieces.push_back({"p" + std::to_string(i), below(20) * 1.0});
  for (int i = below(6); i >= 0; --i) {
    Claimant claimant = {"r" + std::to_string(i), below(3), {}};
    for (int j = below(6); j > 0; --j) {
      const double low = below(10), more = below(10), most = below(10);
      claimant.claims.push_back(
          {"p" + std::to_string(below(7)), {low, low + more, low + more + most}});
    }
    made.claimants.push_back(std::move(claimant));
  }
  return made;
}

double WholeOf(const Case& made) {
  double whole = 0;
  for (const Piece& piece : made.pieces) whole += piece.duration_ns;
  return whole;
}

TEST(ShareOutTest, GainsNeverAddUpToMoreThanTheWhole) {
  std::mt19937 random(1);
  for (int i = 0; i < 5000; ++i) {
    const Case made = RandomCase(random);
    Gain sum;
    for (const Share& share : ShareOut(made.pieces, made.claimants)) {
      EXPECT_GE(share.gain.low_ns, 0);
      EXPECT_LE(share.gain.low_ns, share.gain.ns + 1e-9);
      EXPECT_LE(share.gain.ns, share.gain.high_ns + 1e-9);
      EXPECT_LE(share.gain.ns, share.alone.ns + 1e-9);
      EXPECT_LE(share.gain.high_ns, share.alone.high_ns + 1e-9);
      double lost = 0;
      for (const Overlap& overlap : share.overlaps) lost += overlap.ns;
      const double missing = share.alone.ns > 0 ? share.alone.ns - share.gain.ns
                                                : share.alone.high_ns - share.gain.high_ns;
      EXPECT_THAT(lost, DoubleNear(missing, 1e-9));
      sum.low_ns += share.gain.low_ns;
      sum.ns += share.gain.ns;
      sum.high_ns += share.gain.high_ns;
    }
    ASSERT_LE(sum.low_ns, sum.ns + 1e-9);
    ASSERT_LE(sum.high_ns, WholeOf(made) + 1e-9);
  }
}

/// What any order of granting gives out of each piece together: all that is claimed of it, at most.
double ClaimedOf(const Case& made) {
  double all = 0;
  for (const Piece& piece : made.pieces) {
    double claimed = 0;
    for (const Claimant& claimant : made.claimants) {
      double own = 0;
      for (const Claim& claim : claimant.claims)
        if (claim.piece == piece.name) own += claim.gain.high_ns;
      claimed += std::min(own, piece.duration_ns);
    }
    all += std::min(claimed, piece.duration_ns);
  }
  return all;
}

TEST(ShareOutTest, NothingThatIsClaimedIsLeftOver) {
  std::mt19937 random(2);
  for (int i = 0; i < 5000; ++i) {
    const Case made = RandomCase(random);
    double high_ns = 0;
    for (const Share& share : ShareOut(made.pieces, made.claimants)) high_ns += share.gain.high_ns;
    ASSERT_NEAR(high_ns, ClaimedOf(made), 1e-9);
  }
}

TEST(ShareOutTest, TheOrderOfTheInputDoesNotMatter) {
  std::mt19937 random(3);
  for (int i = 0; i < 2000; ++i) {
    const Case made = RandomCase(random);
    Case other = made;
    std::shuffle(other.pieces.begin(), other.pieces.end(), random);
    std::shuffle(other.claimants.begin(), other.claimants.end(), random);
    for (Claimant& claimant : other.claimants)
      std::shuffle(claimant.claims.begin(), claimant.claims.end(), random);
    const auto shares = ShareOut(made.pieces, made.claimants);
    const auto others = ShareOut(other.pieces, other.claimants);
    for (std::size_t j = 0; j < shares.size(); ++j) {
      const auto same = std::ranges::find(other.claimants, made.claimants[j].id, &Claimant::id);
      const Share& twin = others[static_cast<std::size_t>(same - other.claimants.begin())];
      ASSERT_NEAR(shares[j].gain.low_ns, twin.gain.low_ns, 1e-9);
      ASSERT_NEAR(shares[j].gain.ns, twin.gain.ns, 1e-9);
      ASSERT_NEAR(shares[j].gain.high_ns, twin.gain.high_ns, 1e-9);
    }
  }
}

}  // namespace
}  // namespace xsp::findings
