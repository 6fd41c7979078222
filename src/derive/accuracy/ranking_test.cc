#include "derive/accuracy/ranking.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace xsp::accuracy {
namespace {

TEST(Ranking, HitsAndDiscountsByRank) {
  const std::vector<float> scores = {9, 1, 2, 3,  // Rank 0.
                                     9, 8, 7, 1,  // Rank 2.
                                     9, 8, 7, 1};
  const std::vector<std::size_t> positives = {0, 2, 3};
  const RankingScores at3 = ScoreRanking(scores, 4, positives, 3).value();
  EXPECT_DOUBLE_EQ(at3.hit_rate, 2.0 / 3);
  EXPECT_DOUBLE_EQ(at3.ndcg, (1 + 0.5 + 0) / 3);
  const RankingScores at10 = ScoreRanking(scores, 4, positives, 10).value();
  EXPECT_DOUBLE_EQ(at10.hit_rate, 1);
  EXPECT_DOUBLE_EQ(at10.ndcg, (1 + 0.5 + 1 / std::log2(5.0)) / 3);
}

TEST(Ranking, AModelThatScoresAllAlikeHitsNothing) {
  const std::vector<float> scores(100, 0.5f);
  EXPECT_EQ(ScoreRanking(scores, 100, std::vector<std::size_t>{0}, 10).value().hit_rate, 0);
}

TEST(Ranking, NaNNeverHits) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const std::vector<float> scores = {nan, 1, nan, nan};
  EXPECT_EQ(ScoreRanking(scores, 4, std::vector<std::size_t>{0}, 4).value().hit_rate, 0);
  EXPECT_EQ(ScoreRanking(scores, 4, std::vector<std::size_t>{1}, 1).value().ndcg, 1);
}

TEST(Ranking, SaysWhatDoesNotFit) {
  const std::vector<float> scores = {1, 2, 3, 4};
  EXPECT_EQ(ScoreRanking(scores, 2, std::vector<std::size_t>{0, 2}, 1).error().what,
            "a positive is no candidate: column 2 of user 1, 2 candidates");
  EXPECT_FALSE(ScoreRanking(scores, 3, std::vector<std::size_t>{0}, 1).ok());
  EXPECT_FALSE(ScoreRanking(scores, 0, std::vector<std::size_t>{0}, 1).ok());
  EXPECT_FALSE(ScoreRanking(scores, 4, std::vector<std::size_t>{0}, 0).ok());
  EXPECT_FALSE(ScoreRanking({}, 4, {}, 1).ok());
}

}  // namespace
}  // namespace xsp::accuracy
