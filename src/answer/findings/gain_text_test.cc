#include "answer/findings/gain_text.h"

#include <gtest/gtest.h>

namespace xsp::findings {
namespace {

FoundGain Made(const Gain& gain) {
  return {.gain = gain,
          .alone = gain,
          .whole_ns = 40e6,
          .whole = "call",
          .adds_up = true,
          .overlaps = {}};
}

TEST(GainTextTest, AnExpectedGainHasItsRangeAndShare) {
  EXPECT_EQ(GainText(Made({1.6e6, 3.1e6, 4e6})),
            "3.10 ms (1.60 ms to 4.00 ms), 7.75 % of the call");
  EXPECT_EQ(ShortGainText(Made({1.6e6, 3.1e6, 4e6})), "Saves about 3.10 ms, 7.75 % of the call.");
}

TEST(GainTextTest, AnUpperBoundIsNoExpectation) {
  EXPECT_EQ(GainText(Made({0, 0, 4e6})), "at most 4.00 ms, 10.0 % of the call");
  EXPECT_EQ(ShortGainText(Made({0, 0, 4e6})), "");
}

TEST(GainTextTest, TimeOffThePathGainsNothing) {
  EXPECT_EQ(GainText(Made({0, 0, 0})), "none (its time is not on the critical path)");
  EXPECT_EQ(ShortGainText(Made({0, 0, 0})), "");
}

TEST(GainTextTest, LessThanAThousandthIsNoGain) {
  EXPECT_EQ(GainText(Made({0, 193, 193})), "none (below a thousandth of the call)");
  EXPECT_EQ(ShortGainText(Made({0, 193, 193})), "");
  EXPECT_EQ(GainText(Made({0, 193, 4e6})), "at most 4.00 ms, 10.0 % of the call");
  EXPECT_EQ(ShortGainText(Made({0, 193, 4e6})), "");
  FoundGain gain = Made({0, 193, 193});
  gain.overlaps = {{"idle_device", 2e6}};
  EXPECT_EQ(GainText(gain), "counted in that of idle_device");
  gain = Made({1e6, 1e6, 1e6});
  gain.overlaps = {{"idle_device", 193}};
  EXPECT_EQ(GainText(gain), "1.00 ms (1.00 ms to 1.00 ms), 2.50 % of the call");
}

TEST(GainTextTest, TimeOfOtherFindingsIsCountedThere) {
  FoundGain gain = Made({0, 0, 0});
  gain.overlaps = {{"idle_device", 2e6}, {"late_rank", 1e6}};
  EXPECT_EQ(GainText(gain), "counted in that of idle_device, late_rank");
  gain.gain = {1e6, 1e6, 1e6};
  EXPECT_EQ(GainText(gain),
            "1.00 ms (1.00 ms to 1.00 ms), 2.50 % of the call; another 3.00 ms is counted in that "
            "of idle_device, late_rank");
}

TEST(GainTextTest, AGainThatDoesNotAddUpSaysOfWhat) {
  FoundGain gain = Made({1e6, 2e6, 2e6});
  gain.adds_up = false;
  EXPECT_EQ(GainText(gain),
            "2.00 ms (1.00 ms to 2.00 ms), 5.00 % of the call, in place of other gains");
  gain.whole = "program";
  EXPECT_EQ(GainText(gain), "2.00 ms (1.00 ms to 2.00 ms), 5.00 % of the program");
  gain.gain = {};
  EXPECT_EQ(GainText(gain), "none");
}

}  // namespace
}  // namespace xsp::findings
