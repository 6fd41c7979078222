#include "answer/wording/shape_text.h"

#include <gtest/gtest.h>

namespace xsp::wording {
namespace {

// The same texts as in web/tests/shape_text.test.ts.
TEST(ShapeTextTest, LeavesOutWhatIsNoTensor) {
  EXPECT_EQ(ShapeText("[[4,3,224,224],[768,3,16,16],[768],[],[],[],[]]"),
            "[4, 3, 224, 224], [768, 3, 16, 16], [768]");
  EXPECT_EQ(ShapeText("[4,768]"), "[4, 768]");
  EXPECT_EQ(ShapeText("[1, 64, 112, 112]"), "[1, 64, 112, 112]");
}

TEST(ShapeTextTest, SaysNothingOfNothing) {
  for (const char* nothing : {"[]", "[[],[]]", "[[[]],[]]", ""}) EXPECT_EQ(ShapeText(nothing), "");
}

TEST(ShapeTextTest, CountsEqualShapesAndEndsSomewhere) {
  EXPECT_EQ(ShapeText("[[[32],[32],[32]],[],[8,2]]"), "[32] \u00d7 3, [8, 2]");
  EXPECT_EQ(ShapeText("[[1],[2],[3],[4],[5],[6],[7]]"), "[1], [2], [3], [4], [5], \u2026 2 more");
}

TEST(ShapeTextTest, KeepsWhatIsNoShape) {
  for (const char* other : {"mb1_ic3oc64", "[1,2", "[a]", "[[1]"})
    EXPECT_EQ(ShapeText(other), other);
}

}  // namespace
}  // namespace xsp::wording
