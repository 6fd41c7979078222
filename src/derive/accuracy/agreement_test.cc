#include "derive/accuracy/agreement.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace xsp::accuracy {
namespace {

constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

Agreement Compare(const std::vector<float>& reference, const std::vector<float>& candidate,
                  std::size_t row, const AgreementOptions& options = {}) {
  return CompareOutputs(reference, candidate, row, options).value();
}

TEST(Agreement, EqualOutputsAgreeInEverything) {
  const std::vector<float> output = {1, -2, 3, 0.5f, 0, 7};
  const Agreement result = Compare(output, output, 3);
  EXPECT_EQ(result.rows, 2u);
  EXPECT_EQ(result.label_agreement, 1);
  EXPECT_EQ(result.top_k_overlap, 1);
  EXPECT_EQ(result.max_relative_error, 0);
  EXPECT_DOUBLE_EQ(result.cosine_similarity, 1);
  EXPECT_EQ(result.divergence_rows, 2u);
  EXPECT_EQ(result.max_divergence_nats, 0);
  EXPECT_TRUE(result.SameEverywhere());
}

// Divergences: scipy.stats.entropy of the softmaxes; cosine: numpy.
TEST(Agreement, MeasuresErrorsAndDivergence) {
  const Agreement result =
      Compare({1, 2, 3, 0, -1, 4}, {1.5, 2, 2.75, 0, -1, 4.5}, 3, {.k = 2, .relative_floor = 0});
  EXPECT_EQ(result.max_absolute_error, 0.5);
  EXPECT_DOUBLE_EQ(result.mean_absolute_error, 1.25 / 6);
  EXPECT_EQ(result.max_relative_error, 0.5);
  EXPECT_DOUBLE_EQ(result.mean_relative_error, (0.5 + 0.25 / 3 + 0.125) / 6);
  EXPECT_NEAR(result.cosine_similarity, 0.9933654, 1e-7);
  EXPECT_NEAR(result.max_divergence_nats, 0.02836131, 1e-8);
  EXPECT_NEAR(result.mean_divergence_nats, (0.02836131 + 0.0025572) / 2, 1e-8);
  EXPECT_FALSE(result.SameEverywhere());
}

TEST(Agreement, DivergenceGoesFromTheReference) {
  const AgreementOptions options = {.kind = OutputKind::kProbabilities};
  const Agreement half = Compare({1, 0}, {0.5, 0.5}, 2, options);
  EXPECT_DOUBLE_EQ(half.max_divergence_nats, std::log(2.0));
  EXPECT_EQ(Compare({0.5, 0.5}, {1, 0}, 2, options).max_divergence_nats, INFINITY);
  EXPECT_EQ(Compare({2, 2}, {0.5, 0.5}, 2, options).max_divergence_nats, 0);  // Up to a factor.
  EXPECT_EQ(Compare({0, 0}, {0.5, 0.5}, 2, options).divergence_rows, 0u);
  EXPECT_EQ(Compare({1, 0}, {1.5, -0.5}, 2, options).divergence_rows, 0u);
}

TEST(Agreement, TopKOverlapCountsSharedLabels) {
  const Agreement result = Compare({5, 4, 3, 2, 1}, {1, 5, 4, 3, 2}, 5, {.k = 3});
  EXPECT_EQ(result.label_agreement, 0);
  EXPECT_DOUBLE_EQ(result.top_k_overlap, 2.0 / 3);
  EXPECT_EQ(Compare({1, 2}, {2, 1}, 2, {.k = 5}).top_k_overlap, 1);
}

TEST(Agreement, TheFloorKeepsValuesNearZeroFromRuling) {
  EXPECT_DOUBLE_EQ(Compare({1000, 0}, {1000, 1}, 2).max_relative_error, 1);
  EXPECT_EQ(Compare({1000, 0}, {1000, 1}, 2, {.relative_floor = 0}).max_relative_error, INFINITY);
  EXPECT_EQ(Compare({0, 0}, {0, 0}, 2).max_relative_error, 0);
}

TEST(Agreement, WhatIsNotFiniteIsCountedAndLeftOut) {
  const Agreement result = Compare({kNaN, kInfinity, 1, 2}, {kNaN, kInfinity, 1, 2}, 2);
  EXPECT_EQ(result.non_finite_same, 2u);
  EXPECT_EQ(result.non_finite_different, 0u);
  EXPECT_EQ(result.divergence_rows, 1u);
  EXPECT_EQ(result.max_absolute_error, 0);
  EXPECT_EQ(result.label_agreement, 1);
  EXPECT_TRUE(result.SameEverywhere());
  const Agreement other = Compare({kInfinity, kNaN, 1, 2}, {-kInfinity, 3, 1, 2}, 2);
  EXPECT_EQ(other.non_finite_different, 2u);
  EXPECT_EQ(other.max_absolute_error, 0);
  EXPECT_FALSE(other.SameEverywhere());
}

TEST(Agreement, ARowOfNaNHasNoLabel) {
  const Agreement result = Compare({kNaN, kNaN}, {kNaN, kNaN}, 2);
  EXPECT_EQ(result.label_agreement, 0);
  EXPECT_EQ(result.top_k_overlap, 0);
  EXPECT_EQ(result.divergence_rows, 0u);
  EXPECT_EQ(result.cosine_similarity, 1);  // Nothing left to differ.
}

TEST(Agreement, LargeLogitsDoNotOverflow) {
  const Agreement result = Compare({3e38f, -3e38f}, {3e38f, -3e38f}, 2);
  EXPECT_EQ(result.max_divergence_nats, 0);
  EXPECT_DOUBLE_EQ(result.cosine_similarity, 1);
}

TEST(Agreement, SaysWhatDoesNotFit) {
  const std::vector<float> two = {1, 2}, three = {1, 2, 3};
  EXPECT_EQ(CompareOutputs(two, three, 1).error().what, "outputs differ in size: 2 and 3 values");
  EXPECT_EQ(CompareOutputs(three, three, 2).error().what,
            "an output is no table of rows: 3 values, 2 a row");
  EXPECT_FALSE(CompareOutputs({}, {}, 1).ok());
  EXPECT_FALSE(CompareOutputs(two, two, 0).ok());
  EXPECT_FALSE(CompareOutputs(two, two, 2, {.k = 0}).ok());
  EXPECT_FALSE(CompareOutputs(two, two, 2, {.relative_floor = -1}).ok());
}

}  // namespace
}  // namespace xsp::accuracy
