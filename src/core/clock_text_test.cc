#include "core/clock_text.h"

#include <gtest/gtest.h>

#include <regex>

namespace xsp::core {
namespace {

bool Matches(const std::string& text, const char* pattern) {
  return std::regex_match(text, std::regex(pattern));
}

TEST(ClockText, SecondsBecomeUtc) {
  EXPECT_EQ(Rfc3339(0), "1970-01-01T00:00:00Z");
  EXPECT_EQ(Rfc3339(1'769'861'159), "2026-01-31T12:05:59Z");
  EXPECT_EQ(Rfc3339(951'782'400), "2000-02-29T00:00:00Z");
}

TEST(ClockText, NowHasTheStatedForms) {
  EXPECT_TRUE(Matches(NowRfc3339(), "[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z"));
  EXPECT_TRUE(Matches(NowRfc3339Milliseconds(), "[0-9-]{10}T[0-9:]{8}\\.[0-9]{3}Z"));
  EXPECT_TRUE(Matches(NowForNames(), "[0-9]{8}-[0-9]{6}"));
}

}  // namespace
}  // namespace xsp::core
