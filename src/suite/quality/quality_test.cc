#include <gmock/gmock.h>

#include "suite/quality/curve.h"
#include "suite/suite_command_testing.h"

namespace xsp::suite::quality {

extern const SuiteSpec kSpec;

namespace {

using ::testing::Contains;
using ::testing::HasSubstr;

TEST(QualityLineTest, NumberFollowsItsWholeName) {
  EXPECT_EQ(NumberAfter("epoch=3 accuracy=0.71", "accuracy"), 0.71);
  EXPECT_EQ(NumberAfter("epoch 3 step 40 quality accuracy 0.7100 seconds 12.5", "seconds"), 12.5);
  EXPECT_EQ(NumberAfter("val_accuracy: 0.3 accuracy: -1e-2", "accuracy"), -0.01);
  EXPECT_EQ(NumberAfter("accuracy", "accuracy"), std::nullopt);
  EXPECT_EQ(NumberAfter("accuracy is 3", "accuracy"), std::nullopt);
  EXPECT_EQ(NumberAfter("accuracy nan", "accuracy"), std::nullopt);
  EXPECT_EQ(NumberAfter("epoch 3rd", "epoch"), std::nullopt);
}

TEST(QualityLineTest, PatternTakesItsFirstGroup) {
  const Target target{"accuracy", 0.5, false};
  const auto reader = LineReader::Make(target, "top1 = ([0-9.]+)%");
  ASSERT_TRUE(reader.ok()) << reader.error().what;
  const auto point = reader.value().Read("epoch 7: top1 = 71.5%");
  ASSERT_TRUE(point.has_value());
  EXPECT_EQ(point->quality, 71.5);
  EXPECT_EQ(point->epoch, 7);
  EXPECT_FALSE(reader.value().Read("accuracy=0.3").has_value());
  EXPECT_THAT(LineReader::Make(target, "top1").error().what, HasSubstr("no group"));
  EXPECT_EQ(LineReader::Make(target, "(").error().kind, ErrorKind::kUsage);
}

TEST(QualityTest, FirstMeasurementThatMeetsTheTargetCounts) {
  const Curve curve{"a", {{10, 1, 0.5}, {20, 2, 0.8}, {30, 3, 0.7}}};
  EXPECT_EQ(Reached(curve, {"accuracy", 0.7, false})->seconds, 20);
  EXPECT_EQ(Reached(curve, {"loss", 0.5, true})->seconds, 10);
  EXPECT_EQ(Reached(curve, {"accuracy", 0.81, false}), nullptr);
}

TEST(QualityTest, LogOfATrainingProgramGivesTimeAndCost) {
  const auto log = TextFile("train.log",
                            "loading\nepoch 1 step 20 loss 1.2 quality accuracy 0.4 seconds 900\n"
                            "epoch 2 step 40 loss 0.9 quality accuracy 0.76 seconds 1800\n");
  const auto answer =
      RunCommand(kSpec, {log, "--target", "accuracy=0.75", "--price-per-hour", "3"});
  ASSERT_TRUE(answer.ok()) << answer.error().what;
  const auto& row = answer.value().tables.at(0).rows.rows.at(0);
  EXPECT_EQ(row.at(1), store::Cell(true));
  EXPECT_EQ(row.at(2), store::Cell(1800.0));
  EXPECT_EQ(row.at(3), store::Cell(2.0));
  EXPECT_EQ(row.at(4), store::Cell(1.5));
  EXPECT_EQ(answer.value().tables.at(1).rows.rows.size(), 2U);
  EXPECT_THAT(answer.value().sentences,
              Contains(HasSubstr("after 30 min (epoch 2), which costs 1.5")));
}

TEST(QualityTest, TargetThatIsNotReachedSaysHowFarItCame) {
  const auto table = TextFile("curve.csv", "minutes,accuracy\n1,0.2\n2,0.6\n3,0.5\n");
  const auto answer = RunCommand(kSpec, {table, "--target", "accuracy=0.75"});
  ASSERT_TRUE(answer.ok()) << answer.error().what;
  EXPECT_THAT(answer.value().sentences,
              Contains(HasSubstr("the best is 0.6, after 120 s")).Times(0));
  EXPECT_THAT(answer.value().sentences, Contains(HasSubstr("the best is 0.6, after 2 min")));
  EXPECT_EQ(answer.value().tables.at(0).rows.rows.at(0).at(2), store::Cell());
}

TEST(QualityTest, MeasurementsThatAreNoFiniteNumberAreLeftOutAndCounted) {
  const auto table =
      TextFile("curve.csv", "seconds,accuracy\n1,nan\n2,0.6\n3,inf\nnan,0.9\n5,0.5\n");
  const auto answer = RunCommand(kSpec, {table, "--target", "accuracy=0.75"});
  ASSERT_TRUE(answer.ok()) << answer.error().what;
  EXPECT_THAT(answer.value().sentences,
              Contains(HasSubstr("accuracy at least 0.75 in 2 measurements: the best is 0.6")));
  EXPECT_THAT(answer.value().method,
              Contains(HasSubstr("3 of 5 rows without a time or a quality")));
}

TEST(QualityTest, OneMeasurementIsOne) {
  const auto table = TextFile("curve.csv", "seconds,accuracy\n1,0.5\n");
  const auto answer = RunCommand(kSpec, {table, "--target", "accuracy=0.75"});
  ASSERT_TRUE(answer.ok()) << answer.error().what;
  EXPECT_THAT(answer.value().sentences, Contains(HasSubstr("in 1 measurement: ")));
  const auto lacks = RunCommand(kSpec, {table, "--target", "loss=0.75"});
  EXPECT_THAT(lacks.error().hint, HasSubstr("its columns: seconds, accuracy"));
}

TEST(QualityTest, PublishedMinutesHaveACost) {
  const auto answer = RunCommand(kSpec, {"mlperf-v0.5", "--price-per-hour", "2"});
  ASSERT_TRUE(answer.ok()) << answer.error().what;
  const auto& rows = answer.value().tables.at(0).rows;
  EXPECT_EQ(rows.columns.back(), "cost");
  // Image classification: 8831.3 minutes at 2 an hour.
  EXPECT_NEAR(std::get<double>(rows.rows.at(0).back()), 8831.3 / 30, 1e-9);
  EXPECT_THAT(answer.value().sentences.front(), HasSubstr("takes longest"));
}

TEST(QualityTest, DataSetTakesNoTarget) {
  const auto answer = RunCommand(kSpec, {"mlperf-v0.5", "--target", "accuracy=0.7"});
  ASSERT_FALSE(answer.ok());
  EXPECT_EQ(answer.error().kind, ErrorKind::kUsage);
  EXPECT_THAT(answer.error().hint, HasSubstr("without --target: xsp suite quality mlperf-v0.5"));
}

TEST(QualityTest, SourcesThatTellNothingAreRefused) {
  const auto log = TextFile("other.log", "nothing here\n");
  EXPECT_THAT(RunCommand(kSpec, {log, "--target", "accuracy=1"}).error().what,
              HasSubstr("tells no accuracy"));
  const auto timeless = TextFile("timeless.log", "accuracy 0.5\n");
  EXPECT_THAT(RunCommand(kSpec, {timeless, "--target", "accuracy=1"}).error().hint,
              HasSubstr("seconds"));
  EXPECT_EQ(RunCommand(kSpec, {log}).error().kind, ErrorKind::kUsage);
  EXPECT_EQ(RunCommand(kSpec, {log, "--target", "accuracy"}).error().kind, ErrorKind::kUsage);
  const auto past = TextFile("past.csv", "seconds,accuracy\n-1,0.2\n");
  EXPECT_THAT(RunCommand(kSpec, {past, "--target", "accuracy=1"}).error().what,
              HasSubstr("negative"));
}

}  // namespace
}  // namespace xsp::suite::quality
