#include "harness/device_waits.h"

#include <gtest/gtest.h>

#include <string>

namespace xsp::worker {
namespace {

/// Runs a thread of operators: "(" one begins, ")" one ends, "{" and "}" a capture does. Returns a
/// letter for each end: W where it waited, "-" where not.
std::string Waits(DeviceWaits& waits, const std::string& what) {
  std::string seen;
  for (const char step : what) {
    if (step == '(') waits.BeginOperator();
    if (step == ')') seen += waits.EndOperator() ? 'W' : '-';
    if (step == '{') waits.Forbid();
    if (step == '}') waits.Allow();
  }
  return seen;
}

std::string Waits(const std::string& what) {
  DeviceWaits waits = {};
  return Waits(waits, what);
}

TEST(DeviceWaitsTest, TheOutermostOperatorWaitsAndNoneInsideIt) {
  EXPECT_EQ(Waits("()()"), "WW");
  EXPECT_EQ(Waits("(()(()))"), "---W");
}

TEST(DeviceWaitsTest, NothingWaitsWhileAGraphIsCaptured) {
  EXPECT_EQ(Waits("{()(())}"), "---");
  EXPECT_EQ(Waits("(){()}()"), "W-W");
  EXPECT_EQ(Waits("{{()}()}()"), "--W") << "until all that forbid it are over";
}

TEST(DeviceWaitsTest, AnOperatorAroundTheCaptureWaitsAfterIt) {
  EXPECT_EQ(Waits("({()})"), "-W");
  EXPECT_EQ(Waits("{(})()"), "WW") << "the stream is free again when this one ends";
}

TEST(DeviceWaitsTest, AnEndWithoutABeginningDoesNotWait) {
  EXPECT_EQ(Waits(")()"), "-W");
  DeviceWaits waits = {};
  EXPECT_EQ(Waits(waits, "(("), "");
  waits.Forget();
  EXPECT_EQ(Waits(waits, ")()"), "-W");
  EXPECT_EQ(Waits(waits, "{(("), "");
  waits.Forget();
  EXPECT_EQ(Waits(waits, "()"), "-") << "what forbids waiting outlives an observer";
}

}  // namespace
}  // namespace xsp::worker
