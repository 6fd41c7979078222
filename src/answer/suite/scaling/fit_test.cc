#include "answer/suite/scaling/fit.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

namespace xsp::suite::scaling {
namespace {

TEST(FitTest, LawsFindTheShareTheyWereMadeWith) {
  std::vector<Scaled> amdahl, gustafson;
  for (const int width : {1, 2, 3, 8, 64}) {
    amdahl.push_back({width, 1 / (0.1 + 0.9 / width)});
    gustafson.push_back({width, 0.3 + 0.7 * width});
  }
  const auto a = FitAmdahl(amdahl);
  const auto g = FitGustafson(gustafson);
  ASSERT_TRUE(a && g);
  EXPECT_NEAR(a->serial, 0.1, 1e-12);
  EXPECT_NEAR(a->high - a->low, 0, 1e-9);
  EXPECT_NEAR(a->residual, 0, 1e-12);
  EXPECT_NEAR(g->serial, 0.3, 1e-12);
  EXPECT_GT(FitGustafson(amdahl)->residual, 0.05);
}

TEST(FitTest, StudentsPointsAreThoseOfTheTables) {
  // Abramowitz and Stegun 1964, table 26.10.
  EXPECT_NEAR(StudentT975(1), 12.706, 1e-3);
  EXPECT_NEAR(StudentT975(2), 4.303, 1e-3);
  EXPECT_NEAR(StudentT975(3), 3.182, 1e-3);
  EXPECT_NEAR(StudentT975(10), 2.228, 1e-3);
  EXPECT_NEAR(StudentT975(30), 2.042, 1e-3);
}

TEST(FitTest, IntervalHoldsTheTrueShareNineteenTimesInTwenty) {
  std::mt19937_64 random(3);
  std::normal_distribution<double> noise(0, 0.01);
  int held = 0;
  for (int i = 0; i < 2000; ++i) {
    std::vector<Scaled> points;
    for (const int width : {2, 4, 8, 16}) {
      const double x = 1 - 1.0 / width;
      points.push_back({width, 1 / (1.0 / width + 0.2 * x + noise(random))});
    }
    const auto fit = FitAmdahl(points);
    held += fit->low <= 0.2 && 0.2 <= fit->high ? 1 : 0;
  }
  EXPECT_NEAR(held, 1900, 40);
}

TEST(FitTest, OneWidthHasNoFitAndTwoHaveNoInterval) {
  EXPECT_FALSE(FitAmdahl(std::vector<Scaled>{{1, 1}}).has_value());
  const auto fit = FitAmdahl(std::vector<Scaled>{{1, 1}, {4, 2}});
  ASSERT_TRUE(fit.has_value());
  EXPECT_NEAR(fit->serial, 1.0 / 3, 1e-12);
  EXPECT_TRUE(std::isnan(fit->low));
}

TEST(FitTest, LawsFindTheirShareWithoutWidthOneToo) {
  std::vector<Scaled> amdahl, gustafson;
  for (const int width : {2, 4, 8, 16, 32}) {
    // Over any time: the laws' own speed-ups, tripled.
    amdahl.push_back({width, 3 / (0.1 + 0.9 / width)});
    gustafson.push_back({width, 3 * (0.3 + 0.7 * width)});
  }
  const auto a = FitAmdahlWithoutOne(amdahl);
  const auto g = FitGustafsonWithoutOne(gustafson);
  ASSERT_TRUE(a && g);
  EXPECT_NEAR(a->serial, 0.1, 1e-12);
  EXPECT_NEAR(a->high - a->low, 0, 1e-9);
  EXPECT_NEAR(a->residual, 0, 1e-12);
  EXPECT_NEAR(g->serial, 0.3, 1e-12);
  EXPECT_NEAR(g->residual, 0, 1e-12);
}

TEST(FitTest, IntervalWithoutWidthOneIsThatOfTheDeltaMethod) {
  // y = 5/6 + 3/2 x, residuals 1/6, -1/3, 1/6: v = 1/6, X = 2, var b = 1/12, var a = 29/36,
  // cov = -1/4. s = (5/6) / (7/3) = 5/14; its variance 2.49537 / (7/3)^4; t of one degree 12.7062.
  const auto fit = FitGustafsonWithoutOne(std::vector<Scaled>{{2, 4}, {3, 5}, {4, 7}});
  ASSERT_TRUE(fit.has_value());
  EXPECT_NEAR(fit->serial, 5.0 / 14, 1e-12);
  EXPECT_NEAR((fit->high - fit->low) / 2, 3.6866, 1e-3);
  EXPECT_NEAR((fit->high + fit->low) / 2, 5.0 / 14, 1e-12);
  // 23/6 over 4, 16/3 over 5, 41/6 over 7: 4.17, 6.67 and 2.38 % off.
  EXPECT_NEAR(fit->residual, 0.047425, 1e-6);
}

TEST(FitTest, IntervalWithoutWidthOneHoldsTheTrueShareNineteenTimesInTwenty) {
  std::mt19937_64 random(3);
  std::normal_distribution<double> noise(0, 0.005);
  int held = 0;
  for (int i = 0; i < 2000; ++i) {
    std::vector<Scaled> points;
    for (const int width : {2, 4, 8, 16})
      points.push_back({width, 1 / (0.2 + 0.8 / width + noise(random))});
    const auto fit = FitAmdahlWithoutOne(points);
    held += fit->low <= 0.2 && 0.2 <= fit->high ? 1 : 0;
  }
  EXPECT_NEAR(held, 1900, 60);
}

TEST(FitTest, WithoutWidthOneTwoWidthsHaveNoIntervalAndOneNoFit) {
  EXPECT_FALSE(FitAmdahlWithoutOne(std::vector<Scaled>{{2, 1}}).has_value());
  // Times 1 and 2/3: 1/3 + 4/3 / n.
  const auto fit = FitAmdahlWithoutOne(std::vector<Scaled>{{2, 1}, {4, 1.5}});
  ASSERT_TRUE(fit.has_value());
  EXPECT_NEAR(fit->serial, 0.2, 1e-12);
  EXPECT_TRUE(std::isnan(fit->low));
  // Times 1 and 3: 5 - 8 / n, which is -3 on width 1.
  EXPECT_FALSE(FitAmdahlWithoutOne(std::vector<Scaled>{{2, 1}, {4, 1.0 / 3}}).has_value());
}

TEST(FitTest, NegativeShareThatEndsAllWorkGivesNoSpeedUp) {
  // 1/S - 1/n is -1/4 and -1/80, 1 - 1/n is 1/2 and 15/16.
  const auto fit = FitAmdahl(std::vector<Scaled>{{1, 1}, {2, 4}, {16, 20}});
  ASSERT_TRUE(fit.has_value());
  EXPECT_NEAR(fit->serial, -0.1211073, 1e-6);
  EXPECT_TRUE(std::isnan(AmdahlSpeedup(fit->serial, 16)));
  EXPECT_NEAR(AmdahlSpeedup(fit->serial, 2), 1 / (fit->serial / 2 + 0.5), 1e-12);
  EXPECT_TRUE(std::isnan(fit->residual));
  EXPECT_TRUE(std::isnan(GustafsonSpeedup(1.5, 8)));  // 8 - 10.5
}

TEST(FitTest, FasterThanLinearIsANegativeShare) {
  EXPECT_LT(FitAmdahl(std::vector<Scaled>{{2, 2.2}, {4, 5}})->serial, 0);
  EXPECT_FALSE(EnoughWidthByAmdahl(-0.1, 0.05).has_value());
}

TEST(FitTest, StepsThatAreNoDoublingAreScaledToOne) {
  EXPECT_NEAR(GainPerDoubling({1, 1}, {4, 4}), 1, 1e-12);
  EXPECT_NEAR(GainPerDoubling({2, 1.88}, {8, 2.32}), std::sqrt(2.32 / 1.88) - 1, 1e-12);
  const std::vector<Scaled> ncf = {{1, 1}, {2, 1.88}, {4, 2.16}, {8, 2.32}};
  EXPECT_EQ(EnoughWidth(ncf, 0.10), 4);
  EXPECT_EQ(EnoughWidth(ncf, 0.20), 2);
  EXPECT_FALSE(EnoughWidth(ncf, 0.05).has_value());
}

TEST(FitTest, AmdahlsLawSaysWhereDoublingEnds) {
  // s = 0.5: speed-ups 1, 4/3, 1.6, 16/9: gains 33, 20, 11 %.
  EXPECT_EQ(EnoughWidthByAmdahl(0.5, 0.25), 2);
  EXPECT_EQ(EnoughWidthByAmdahl(0.5, 0.34), 1);
}

}  // namespace
}  // namespace xsp::suite::scaling
