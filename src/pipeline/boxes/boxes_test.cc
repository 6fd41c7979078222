#include "pipeline/boxes/boxes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "pipeline/base/random.h"

namespace xsp::pipeline {
namespace {

using testing::ElementsAre;

TEST(NonMaximumSuppression, DropsTheWorseOfTwoOfOneClass) {
  const std::vector<core::Box> boxes = {
      {0, 0, 10, 10}, {0, 0, 10, 9}, {0, 0, 10, 9}, {20, 0, 30, 10}};
  const std::vector<double> scores = {0.6, 0.9, 0.8, 0.7};
  EXPECT_THAT(NonMaximumSuppression(boxes, scores, std::vector<std::int64_t>{1, 1, 2, 1}, 0.5),
              ElementsAre(1, 2, 3));
  EXPECT_THAT(NonMaximumSuppression(boxes, scores, std::vector<std::int64_t>{1, 1, 1, 1}, 1),
              ElementsAre(1, 2, 3, 0));
}

TEST(NonMaximumSuppression, AgreesWithMarkingAllPairs) {
  Random random(3, 0);
  for (int round = 0; round < 50; ++round) {
    std::vector<core::Box> boxes;
    std::vector<double> scores;
    std::vector<std::int64_t> classes;
    for (int i = 0; i < 40; ++i) {
      const double x = random.Below(30), y = random.Below(30);
      boxes.push_back({x, y, x + random.Below(20), y + random.Below(20)});
      scores.push_back(random.Below(20) / 20.0);
      classes.push_back(random.Below(3));
    }
    // Slow: look for the best that is left, mark what it hides, again.
    std::vector<bool> gone(boxes.size());
    std::vector<std::size_t> expected;
    while (true) {
      std::size_t best = boxes.size();
      for (std::size_t i = 0; i < boxes.size(); ++i) {
        if (!gone[i] && (best == boxes.size() || scores[i] > scores[best])) best = i;
      }
      if (best == boxes.size()) break;
      expected.push_back(best);
      for (std::size_t i = 0; i < boxes.size(); ++i) {
        const bool hidden =
            classes[i] == classes[best] && core::IntersectionOverUnion(boxes[i], boxes[best]) > 0.4;
        if (i == best || hidden) gone[i] = true;
      }
    }
    EXPECT_EQ(NonMaximumSuppression(boxes, scores, classes, 0.4), expected);
  }
}

TEST(DecodeOffsets, MovesAndScalesThePrior) {
  const core::Box box =
      DecodeOffsets({0.5, 0.5, 0.2, 0.4}, {1, -1, std::log(2.0) / 0.2, 0}, {0.1, 0.1, 0.2, 0.2});
  EXPECT_NEAR(box.x1, 0.52 - 0.2, 1e-12);
  EXPECT_NEAR(box.x2, 0.52 + 0.2, 1e-12);
  EXPECT_NEAR(box.y1, 0.46 - 0.2, 1e-12);
  EXPECT_NEAR(box.y2, 0.46 + 0.2, 1e-12);
}

}  // namespace
}  // namespace xsp::pipeline
