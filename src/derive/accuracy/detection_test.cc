#include "derive/accuracy/detection.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

namespace xsp::accuracy {
namespace {

constexpr std::uint32_t kSide = 100;

// The same fixture was given to pycocotools 2.0.11; its table is below.
class Fixture {
 public:
  Fixture() {
    for (int image = 0; image < 4; ++image)
      for (int category = 0; category < 3; ++category) AddImage(image, category);
  }

  std::vector<GroundTruth> truths;
  std::vector<Detection> detections;

 private:
  int Next(std::uint32_t below) {
    state_ = (state_ * 1103515245u + 12345u) & 0x7fffffffu;
    return static_cast<int>((state_ >> 8) % below);
  }

  // Integer boxes with holes at every third row and second column.
  static core::Mask MaskOf(const core::CocoBox& box) {
    std::vector<std::uint8_t> pixels(kSide * kSide);
    for (std::uint32_t y = 0; y < kSide; ++y)
      for (std::uint32_t x = 0; x < kSide; ++x)
        pixels[y * kSide + x] = x >= box.x && x < box.x + box.width && y >= box.y &&
                                y < box.y + box.height && (y % 3 != 0 || x % 2 != 0);
    return core::MaskFromBitmap(kSide, kSide, pixels).value();
  }

  void Detect(int image, int category, core::CocoBox box, int score) {
    detections.push_back({image, category, score / 20.0, box, MaskOf(box)});
  }

  void AddImage(int image, int category) {
    const int objects = image > 0 && category < 2 ? Next(4) : 0;
    for (int i = 0; i < objects; ++i) {
      core::CocoBox box;
      box.x = Next(60);
      box.y = Next(60);
      box.width = 4 + Next(60);
      box.height = 4 + Next(60);
      box.width = std::min(box.width, kSide - box.x);
      box.height = std::min(box.height, kSide - box.y);
      const bool crowd = Next(6) == 0;
      truths.push_back({image, category, box, MaskOf(box), box.Area(), crowd});
      for (int near = 1 + Next(2); near > 0; --near) {
        const int narrower = Next(5), lower = Next(5), score = Next(20);
        Detect(
            image, category,
            {box.x, box.y, std::max(box.width - narrower, 1.0), std::max(box.height - lower, 1.0)},
            score);
      }
    }
    core::CocoBox box;
    box.x = Next(50);
    box.y = Next(50);
    box.width = 10 + Next(30);
    box.height = 10 + Next(30);
    Detect(image, category, box, Next(20));
  }

  std::uint32_t state_ = 20;
};

TEST(Detection, BoxesScoreAsInPycocotools) {
  const Fixture fixture;
  ASSERT_EQ(fixture.truths.size(), 11u);
  ASSERT_EQ(fixture.detections.size(), 26u);
  const DetectionScores s = ScoreDetections(fixture.truths, fixture.detections).value();
  EXPECT_NEAR(s.ap.value(), 0.447435654279714, 1e-14);
  EXPECT_NEAR(s.ap_50.value(), 0.626897689768977, 1e-14);
  EXPECT_NEAR(s.ap_75.value(), 0.493830633063306, 1e-14);
  EXPECT_NEAR(s.ap_small.value(), 0.191295379537954, 1e-14);
  EXPECT_NEAR(s.ap_medium.value(), 0.830693069306931, 1e-14);
  EXPECT_FALSE(s.ap_large.has_value());
  EXPECT_NEAR(s.ar_1.value(), 0.241666666666667, 1e-14);
  EXPECT_NEAR(s.ar_10.value(), 0.783333333333333, 1e-14);
  EXPECT_NEAR(s.ar_100.value(), 0.783333333333333, 1e-14);
  EXPECT_NEAR(s.ar_small.value(), 0.7, 1e-14);
  EXPECT_NEAR(s.ar_medium.value(), 0.87, 1e-14);
  EXPECT_FALSE(s.ar_large.has_value());
  // Category 2 has detections but no objects: it is not scored.
  ASSERT_EQ(s.categories.size(), 2u);
  EXPECT_NEAR(s.categories[0].ap.value(), 0.30353960396039603, 1e-14);
  EXPECT_NEAR(s.categories[1].ap.value(), 0.5913317045990313, 1e-14);
}

TEST(Detection, MasksScoreAsInPycocotools) {
  const Fixture fixture;
  const DetectionScores s =
      ScoreDetections(fixture.truths, fixture.detections, DetectionShape::kMask).value();
  EXPECT_NEAR(s.ap.value(), 0.448121972911577, 1e-14);
  EXPECT_NEAR(s.ap_small.value(), 0.173057520037718, 1e-14);
  EXPECT_NEAR(s.ap_medium.value(), 0.877722772277228, 1e-14);
  EXPECT_NEAR(s.ar_10.value(), 0.779166666666667, 1e-14);
  EXPECT_NEAR(s.ar_medium.value(), 0.88, 1e-14);
}

GroundTruth Object(core::CocoBox box, bool crowd = false) {
  return {.image = 1, .category = 1, .box = box, .mask = {}, .area = box.Area(), .crowd = crowd};
}
Detection Found(core::CocoBox box, double score, std::int64_t category = 1) {
  return {.image = 1, .category = category, .score = score, .box = box, .mask = {}};
}

TEST(Detection, APerfectDetectorScoresOne) {
  const std::vector<GroundTruth> truths = {Object({0, 0, 10, 10}), Object({20, 20, 50, 50})};
  const std::vector<Detection> detections = {Found({0, 0, 10, 10}, 0.9),
                                             Found({20, 20, 50, 50}, 0.8)};
  const DetectionScores scores = ScoreDetections(truths, detections).value();
  EXPECT_DOUBLE_EQ(scores.ap.value(), 1);
  EXPECT_DOUBLE_EQ(scores.ar_1.value(), 0.5);
  EXPECT_DOUBLE_EQ(scores.ap_small.value(), 1);
}

TEST(Detection, ASecondDetectionOfAnObjectIsWrong) {
  const std::vector<GroundTruth> truths = {Object({0, 0, 10, 10}), Object({20, 20, 10, 10})};
  const std::vector<Detection> detections = {Found({0, 0, 10, 10}, 0.9), Found({0, 0, 10, 10}, 0.8),
                                             Found({20, 20, 10, 10}, 0.7)};
  // Precision 1 up to recall 0.5 (51 of 101 points), then 2/3.
  EXPECT_NEAR(ScoreDetections(truths, detections).value().ap.value(), (51 + 50 * 2.0 / 3) / 101,
              1e-12);
}

TEST(Detection, WhatLiesInACrowdIsNeitherRightNorWrong) {
  const std::vector<GroundTruth> truths = {Object({0, 0, 10, 10}), Object({20, 20, 50, 50}, true)};
  const std::vector<Detection> detections = {Found({22, 22, 5, 5}, 0.9), Found({30, 30, 5, 5}, 0.8),
                                             Found({0, 0, 10, 10}, 0.7)};
  EXPECT_NEAR(ScoreDetections(truths, detections).value().ap.value(), 1, 1e-12);
}

TEST(Detection, NothingToFindHasNoScore) {
  EXPECT_FALSE(ScoreDetections({}, {}).value().ap.has_value());
  const std::vector<Detection> detections = {Found({0, 0, 1, 1}, 0.5)};
  const DetectionScores none = ScoreDetections({}, detections).value();
  EXPECT_FALSE(none.ap.has_value());
  EXPECT_TRUE(none.categories.empty());
  const std::vector<GroundTruth> crowd = {Object({0, 0, 9, 9}, true)};
  EXPECT_FALSE(ScoreDetections(crowd, detections).value().ar_100.has_value());
}

TEST(Detection, NothingFoundScoresZero) {
  const std::vector<GroundTruth> truths = {Object({0, 0, 10, 10})};
  EXPECT_EQ(ScoreDetections(truths, {}).value().ap.value(), 0);
  const std::vector<Detection> other = {Found({0, 0, 10, 10}, 0.5, 2)};
  EXPECT_EQ(ScoreDetections(truths, other).value().ar_100.value(), 0);
}

TEST(Detection, OnlyTheFirstHundredCount) {
  const std::vector<GroundTruth> truths = {Object({0, 0, 10, 10})};
  std::vector<Detection> detections(100, Found({50, 50, 5, 5}, 0.9));
  detections.push_back(Found({0, 0, 10, 10}, 0.1));
  EXPECT_EQ(ScoreDetections(truths, detections).value().ar_100.value(), 0);
  detections.erase(detections.begin());
  EXPECT_EQ(ScoreDetections(truths, detections).value().ar_100.value(), 1);
}

TEST(Detection, SaysWhatIsNoBoxScoreOrMask) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const std::vector<GroundTruth> truths = {Object({0, 0, 10, 10})};
  const auto what = [&](const Detection& detection, DetectionShape shape = DetectionShape::kBox) {
    return ScoreDetections(truths, std::vector{detection}, shape).error().what;
  };
  EXPECT_EQ(what(Found({0, 0, 1, 1}, nan)), "a detection's score is not finite: nan in image 1");
  EXPECT_EQ(what(Found({0, nan, 1, 1}, 1)), "the box of a detection is not finite: image 1");
  EXPECT_EQ(what(Found({0, 0, -1, 1}, 1)),
            "the box of a detection has a negative size: -1 x 1 in image 1");
  EXPECT_EQ(what(Found({0, 0, 1, 1}, 1), DetectionShape::kMask), "an object has no mask: image 1");
  Fixture fixture;
  fixture.detections[0].mask = core::MaskFromRuns(2, 3, {6}).value();
  fixture.detections[0].image = fixture.truths[0].image;
  EXPECT_EQ(ScoreDetections(fixture.truths, fixture.detections, DetectionShape::kMask).error().what,
            "masks of one image differ in size: 2 x 3 and 100 x 100 in image 1");
  GroundTruth bad = truths[0];
  bad.area = -1;
  EXPECT_FALSE(ScoreDetections(std::vector{bad}, {}).ok());
}

}  // namespace
}  // namespace xsp::accuracy
