#include "derive/compare/gate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

namespace xsp::compare {
namespace {

using testing::HasSubstr;

Result<std::vector<Gate>> Parse(const std::vector<std::string>& texts) { return ParseGates(texts); }

Error Refusal(const std::string& text) {
  const auto gates = Parse({text});
  EXPECT_FALSE(gates.ok()) << text;
  return gates.ok() ? Error{ErrorKind::kInternal, "", ""} : gates.error();
}

TEST(ParseGates, ReadsMetricsPatternsAndShares) {
  const auto gates = Parse({"latency=3%,memory=0.05", " layer:conv*=10% , kernel:a=b?=150%"});
  ASSERT_TRUE(gates.ok()) << gates.error().what;
  ASSERT_EQ(gates.value().size(), 4U);
  EXPECT_EQ(gates.value()[0].metric, GateMetric::kLatency);
  EXPECT_DOUBLE_EQ(gates.value()[0].limit, 0.03);
  EXPECT_DOUBLE_EQ(gates.value()[1].limit, 0.05);
  EXPECT_EQ(gates.value()[2].text, "layer:conv*=10%");
  EXPECT_EQ(gates.value()[2].pattern, "conv*");
  EXPECT_EQ(gates.value()[3].pattern, "a=b?");
  EXPECT_DOUBLE_EQ(gates.value()[3].limit, 1.5);
}

TEST(ParseGates, KeepAColonOfThePattern) {
  EXPECT_EQ(Parse({"layer:aten::conv2d=1%"}).value().front().pattern, "aten::conv2d");
}

TEST(ParseGates, TakeAGateThatComesTwiceOnce) {
  EXPECT_EQ(Parse({"latency=3%", "latency=0.03,memory=3%"}).value().size(), 2U);
}

TEST(ParseGates, AllowNoChangeForTheWorse) { EXPECT_EQ(Parse({"memory=0%"}).value()[0].limit, 0); }

TEST(ParseGates, RefuseTwoLimitsOfOneMetric) {
  const auto gates = Parse({"latency=3%,latency=5%"});
  ASSERT_FALSE(gates.ok());
  EXPECT_EQ(gates.error().kind, ErrorKind::kUsage);
  EXPECT_THAT(gates.error().what, HasSubstr("latency=3% and latency=5%"));
  EXPECT_TRUE(Parse({"layer:a=3%,layer:b=5%"}).ok());
}

TEST(ParseGates, SuggestTheNearestMetric) {
  EXPECT_THAT(Refusal("latncy=3%").hint, HasSubstr("Did you mean latency?"));
  EXPECT_THAT(Refusal("colour=3%").hint, HasSubstr("latency, throughput, memory"));
}

TEST(ParseGates, RefuseWhatIsNoGate) {
  for (const char* text :
       {"", "latency", "latency=", "=3%", "latency=x", "latency=-3%", "latency=3 %", "latency=3%%",
        "latency=nan", "latency=inf%", "latency=0x1", "latency=3%,", ",latency=3%", "latency:a=3%",
        "layer=3%", "layer:=3%", "throughput=100%"})
    EXPECT_EQ(Refusal(text).kind, ErrorKind::kUsage) << text;
}

TEST(ParseGates, RefuseThreeWhereThreePercentMayBeMeant) {
  EXPECT_THAT(Refusal("latency=3").hint, HasSubstr("3% or 300%"));
}

TEST(MatchesGlob, TakesStarsAndQuestionMarks) {
  EXPECT_TRUE(MatchesGlob("conv*", "conv2d"));
  EXPECT_TRUE(MatchesGlob("*", ""));
  EXPECT_TRUE(MatchesGlob("a?c", "abc"));
  EXPECT_TRUE(MatchesGlob("gr??er", "größer"));
  EXPECT_TRUE(MatchesGlob("[a]", "[a]"));
  EXPECT_FALSE(MatchesGlob("conv*", "Conv2d"));
  EXPECT_FALSE(MatchesGlob("conv", "conv2d"));
  EXPECT_FALSE(MatchesGlob("a?", "a"));
  EXPECT_FALSE(MatchesGlob("", "a"));
}

bool MatchesSlowly(std::string_view pattern, std::string_view text) {
  if (pattern.empty()) return text.empty();
  if (pattern[0] == '*')
    return MatchesSlowly(pattern.substr(1), text) ||
           (!text.empty() && MatchesSlowly(pattern, text.substr(1)));
  return !text.empty() && (pattern[0] == '?' || pattern[0] == text[0]) &&
         MatchesSlowly(pattern.substr(1), text.substr(1));
}

TEST(MatchesGlob, AgreesWithARecursiveMatcher) {
  std::mt19937 random(1);
  const auto text = [&](std::string_view letters) {
    std::string made;
    for (std::size_t n = random() % 8; n > 0; --n) made += letters[random() % letters.size()];
    return made;
  };
  for (int i = 0; i < 5000; ++i) {
    const std::string pattern = text("ab*?"), subject = text("ab");
    EXPECT_EQ(MatchesGlob(pattern, subject), MatchesSlowly(pattern, subject))
        << pattern << " " << subject;
  }
}

}  // namespace
}  // namespace xsp::compare
