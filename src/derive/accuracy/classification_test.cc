#include "derive/accuracy/classification.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <limits>

namespace xsp::accuracy {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr float kNoScore = std::numeric_limits<float>::quiet_NaN();
constexpr float kTopScore = std::numeric_limits<float>::infinity();

TEST(TopK, OrdersByScoreThenByIndex) {
  EXPECT_THAT(TopK(std::vector<float>{1, 3, 3, 2, 3}, 4), ElementsAre(1, 2, 4, 3));
  EXPECT_THAT(TopK(std::vector<float>{1, 2}, 5), ElementsAre(1, 0));
  EXPECT_THAT(TopK(std::vector<float>{}, 5), IsEmpty());
  EXPECT_THAT(TopK(std::vector<float>{1, 2}, 0), IsEmpty());
}

TEST(TopK, LeavesNaNOut) {
  EXPECT_THAT(TopK(std::vector<float>{kNoScore, -kTopScore, 0, kNoScore, kTopScore}, 5),
              ElementsAre(4, 2, 1));
  EXPECT_THAT(TopK(std::vector<float>{kNoScore, kNoScore}, 1), IsEmpty());
}

TEST(TopKAccuracy, IsTheShareOfRowsWithTheLabelAmongTheFirst) {
  const std::vector<float> scores = {0.1f, 0.7f, 0.2f,  //
                                     5,    4,    3,     //
                                     1,    1,    1};
  const std::vector<std::int64_t> labels = {1, 2, 1};
  EXPECT_DOUBLE_EQ(TopKAccuracy(scores, 3, labels, 1).value(), 1.0 / 3);
  EXPECT_DOUBLE_EQ(TopKAccuracy(scores, 3, labels, 2).value(), 2.0 / 3);
  EXPECT_DOUBLE_EQ(TopKAccuracy(scores, 3, labels, 3).value(), 1);
  EXPECT_DOUBLE_EQ(TopKAccuracy(scores, 3, labels, 9).value(), 1);
}

TEST(TopKAccuracy, AgreesWithTopKOnEveryTie) {
  std::vector<float> row(5);
  for (int code = 0; code < 3 * 3 * 3 * 3 * 3; ++code) {
    for (int i = 0, rest = code; i < 5; ++i, rest /= 3)
      row[static_cast<std::size_t>(i)] = rest % 3 == 2 ? kNoScore : static_cast<float>(rest % 3);
    for (std::size_t k = 1; k < 6; ++k) {
      const auto top = TopK(row, k);
      for (std::int64_t label = 0; label < 5; ++label)
        ASSERT_EQ(TopKAccuracy(row, 5, std::vector{label}, k).value(),
                  std::count(top.begin(), top.end(), static_cast<std::size_t>(label)));
    }
  }
}

TEST(TopKAccuracy, TakesRankedClassesToo) {
  const std::vector<std::vector<std::int64_t>> ranked = {{4, 2, 7}, {2, 4}, {}};
  const std::vector<std::int64_t> labels = {2, 2, 2};
  EXPECT_DOUBLE_EQ(TopKAccuracy(ranked, labels, 1).value(), 1.0 / 3);
  EXPECT_DOUBLE_EQ(TopKAccuracy(ranked, labels, 2).value(), 2.0 / 3);
  EXPECT_EQ(TopKAccuracy(ranked, std::vector<std::int64_t>{2}, 1).error().what,
            "predictions do not fit the labels: 3 and 1");
  EXPECT_FALSE(TopKAccuracy(ranked, labels, 0).ok());
}

TEST(TopKAccuracy, SaysWhatDoesNotFit) {
  const std::vector<float> scores = {1, 2, 3, 4};
  EXPECT_EQ(TopKAccuracy(scores, 3, std::vector<std::int64_t>{0}, 1).error().what,
            "scores do not fit the labels: 4 scores, 3 classes, 1 labels");
  EXPECT_EQ(TopKAccuracy(scores, 2, std::vector<std::int64_t>{0, 2}, 1).error().what,
            "a label is no class of the model: 2 in row 1, classes 0 to 1");
  EXPECT_FALSE(TopKAccuracy(scores, 2, std::vector<std::int64_t>{0, -1}, 1).ok());
  EXPECT_FALSE(TopKAccuracy(scores, 0, std::vector<std::int64_t>{0}, 1).ok());
  EXPECT_FALSE(TopKAccuracy(scores, 2, std::vector<std::int64_t>{0, 1}, 0).ok());
  EXPECT_FALSE(TopKAccuracy({}, 2, {}, 1).ok());
}

// Expected figures: scikit-learn 1.9.1, f1_score and precision_recall_fscore_support.
TEST(F1, AveragesAsScikitLearn) {
  const std::vector<std::int64_t> labels = {0, 1, 2, 2, 1, 0, 3, 1, 1, 5};
  const std::vector<std::int64_t> predictions = {0, 1, 1, 2, 0, 0, 3, 1, 4, 4};
  const F1Scores scores = ScoreClasses(labels, predictions).value();
  EXPECT_NEAR(scores.macro_f1, 0.506349206349206, 1e-14);
  EXPECT_NEAR(scores.micro_f1, 0.6, 1e-14);
  EXPECT_NEAR(scores.weighted_f1, 0.621904761904762, 1e-14);
  ASSERT_EQ(scores.classes.size(), 6u);
  EXPECT_NEAR(scores.classes[1].precision, 2.0 / 3, 1e-14);
  EXPECT_NEAR(scores.classes[1].recall, 0.5, 1e-14);
  EXPECT_NEAR(scores.classes[1].f1, 4.0 / 7, 1e-14);
  EXPECT_EQ(scores.classes[1].support, 4u);
  EXPECT_EQ(scores.classes[4].label, 4);  // Predicted, but nobody's label.
  EXPECT_EQ(scores.classes[4].f1, 0);
  EXPECT_EQ(scores.classes[5].f1, 0);  // A label that nobody predicted.
}

TEST(F1, BinaryScoresOneClassAgainstTheRest) {
  const std::vector<std::int64_t> labels = {1, 0, 1, 1, 0, 1}, predictions = {1, 1, 0, 1, 0, 1};
  EXPECT_DOUBLE_EQ(ScoreBinary(labels, predictions).value().f1, 0.75);
  EXPECT_DOUBLE_EQ(ScoreBinary(labels, predictions, 0).value().f1, 0.5);
  EXPECT_DOUBLE_EQ(ScoreBinary(labels, predictions, 7).value().f1, 0);
}

TEST(F1, SaysWhatDoesNotFit) {
  const std::vector<std::int64_t> one = {1}, two = {1, 2};
  EXPECT_EQ(ScoreClasses(one, two).error().what,
            "labels and predictions differ in number: 1 labels, 2 predictions");
  EXPECT_FALSE(ScoreClasses({}, {}).ok());
  EXPECT_FALSE(ScoreBinary(two, one).ok());
}

}  // namespace
}  // namespace xsp::accuracy
