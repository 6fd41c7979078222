#include "answer/suite/similarity/components.h"

#include <gmock/gmock.h>

#include <cmath>
#include <cstdint>
#include <random>

namespace xsp::suite::similarity {
namespace {

Matrix RandomMatrix(std::uint32_t seed, std::size_t rows, std::size_t columns) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  Matrix matrix(rows, std::vector<double>(columns));
  for (auto& row : matrix)
    for (double& value : row) value = normal(random);
  return matrix;
}

double Dot(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

TEST(ComponentsTest, TwoMetricsThatAreOneHaveOneComponent) {
  const auto result = PrincipalComponents(Standardised({{1, 10}, {2, 20}, {3, 30}, {7, 70}}));
  ASSERT_EQ(result.share.size(), 1U);
  EXPECT_NEAR(result.share[0], 1, 1e-12);
  EXPECT_NEAR(result.weights[0][0], std::sqrt(0.5), 1e-12);
  EXPECT_NEAR(result.weights[0][1], std::sqrt(0.5), 1e-12);
  EXPECT_NEAR(result.correlations[0][1], 1, 1e-12);
  EXPECT_EQ(result.dominant[0], 0U);  // Of equal weights the first metric's.
}

TEST(ComponentsTest, OppositeMetricsKeepTheSignOfTheFirst) {
  const auto result = PrincipalComponents(Standardised({{1, -1}, {2, -2}, {5, -5}}));
  EXPECT_GT(result.weights[0][0], 0);
  EXPECT_LT(result.weights[0][1], 0);
  EXPECT_GT(result.scores[2][0], result.scores[0][0]);
}

TEST(ComponentsTest, ComponentsAreOrthogonalAndGiveTheDataBack) {
  for (const auto& [rows, columns] : {std::pair{20UL, 6UL}, {5UL, 9UL}, {2UL, 3UL}}) {
    const Matrix data = Standardised(RandomMatrix(7, rows, columns));
    const auto result = PrincipalComponents(data);
    ASSERT_LE(result.share.size(), std::min(rows - 1, columns));
    double shares = 0;
    for (std::size_t k = 0; k < result.share.size(); ++k) {
      shares += result.share[k];
      for (std::size_t j = 0; j <= k; ++j)
        EXPECT_NEAR(Dot(result.weights[k], result.weights[j]), j == k ? 1 : 0, 1e-10);
      double most = 0;
      for (const double weight : result.weights[k])
        if (std::abs(weight) > std::abs(most)) most = weight;
      EXPECT_GT(most, 0);
    }
    EXPECT_NEAR(shares, 1, 1e-12);
    for (std::size_t r = 0; r < rows; ++r) {
      for (std::size_t m = 0; m < columns; ++m) {
        double value = 0;
        for (std::size_t k = 0; k < result.share.size(); ++k)
          value += result.scores[r][k] * result.weights[k][m];
        EXPECT_NEAR(value, data[r][m], 1e-10);
      }
    }
  }
}

TEST(ComponentsTest, CorrelationIsThatOfMetricAndScore) {
  const Matrix data = Standardised(RandomMatrix(3, 15, 4));
  const auto result = PrincipalComponents(data);
  for (std::size_t k = 0; k < result.share.size(); ++k) {
    for (std::size_t m = 0; m < 4; ++m) {
      double product = 0;
      double squares = 0;
      for (std::size_t r = 0; r < data.size(); ++r) {
        product += data[r][m] * result.scores[r][k];
        squares += result.scores[r][k] * result.scores[r][k];
      }
      // The metric has the sum of squares n.
      EXPECT_NEAR(result.correlations[k][m],
                  product / std::sqrt(squares * static_cast<double>(data.size())), 1e-10);
    }
  }
}

TEST(ComponentsTest, HugeAndTinyValuesStandardiseAlike) {
  const Matrix plain = Standardised({{1, 1}, {2, 3}, {4, 2}});
  const Matrix scaled = Standardised({{1e200, 1e-200}, {2e200, 3e-200}, {4e200, 2e-200}});
  for (std::size_t r = 0; r < 3; ++r)
    for (std::size_t m = 0; m < 2; ++m) EXPECT_NEAR(plain[r][m], scaled[r][m], 1e-12);
}

TEST(ComponentsTest, ConstantColumnsAreFoundThoughRoundingVariesThem) {
  EXPECT_THAT(ConstantColumns({{0, 0.1 + 0.2, 1}, {0, 0.3, 2}}),
              ::testing::ElementsAre(true, true, false));
}

TEST(ComponentsTest, ShareAsksForTheFewestComponents) {
  Components components;
  components.share = {0.5, 0.4, 0.1};
  EXPECT_EQ(ComponentsFor(components, 0.4), 1U);
  EXPECT_EQ(ComponentsFor(components, 0.9), 2U);
  EXPECT_EQ(ComponentsFor(components, 1), 3U);
}

}  // namespace
}  // namespace xsp::suite::similarity
