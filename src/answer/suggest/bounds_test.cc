#include "answer/suggest/bounds.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace xsp::suggest {
namespace {

using testing::HasSubstr;

Bound One(const std::string& text) {
  const auto bounds = ParseBounds({text});
  EXPECT_TRUE(bounds.ok()) << text << ": " << (bounds.ok() ? "" : bounds.error().what);
  return bounds.ok() ? bounds.value().front() : Bound{};
}

std::string Refusal(const std::vector<std::string>& texts) {
  const auto bounds = ParseBounds(texts);
  EXPECT_FALSE(bounds.ok()) << texts.front();
  if (bounds.ok()) return {};
  EXPECT_EQ(bounds.error().kind, ErrorKind::kUsage);
  return bounds.error().what + " | " + bounds.error().hint;
}

TEST(BoundsTest, ReadsUnits) {
  EXPECT_EQ(One("latency=50ms").limit, 50e6);
  EXPECT_EQ(One("latency=1.5 s").limit, 1.5e9);
  EXPECT_EQ(One("latency.p99=20us").metric, Metric::kLatencyP99);
  EXPECT_EQ(One("throughput=100/s").limit, 100);
  EXPECT_EQ(One("throughput=120/min").limit, 2);
  EXPECT_EQ(One("memory=2GB").limit, 2e9);
  EXPECT_EQ(One("memory=2GiB").limit, 2147483648.0);
  EXPECT_EQ(One("energy=250mJ").limit, 0.25);
  EXPECT_EQ(One("accuracy=75%").limit, 0.75);
  EXPECT_EQ(One("accuracy.bleu=30").limit, 30);
  EXPECT_EQ(One("accuracy.bleu=30").accuracy_metric, "bleu");
  EXPECT_EQ(One("cost=2.5").limit, 2.5);
}

TEST(BoundsTest, RefusesWhatIsNoBoundAndSaysWhy) {
  EXPECT_THAT(Refusal({"latency"}), HasSubstr("not a bound: latency"));
  EXPECT_THAT(Refusal({"=5"}), HasSubstr("not a bound"));
  EXPECT_THAT(Refusal({"latency="}), HasSubstr("no number: latency="));
  EXPECT_THAT(Refusal({"latency=fast"}), HasSubstr("no number"));
  EXPECT_THAT(Refusal({"latency=infms"}), HasSubstr("no number"));
  EXPECT_THAT(Refusal({"latency=50"}), HasSubstr("no unit: latency=50 | Units: ns, us"));
  EXPECT_THAT(Refusal({"latency=50MB"}), HasSubstr("unknown unit"));
  EXPECT_THAT(Refusal({"cost=5EUR"}), HasSubstr("plain number"));
  EXPECT_THAT(Refusal({"latency=-5ms"}), HasSubstr("not positive"));
  EXPECT_THAT(Refusal({"memory=0GB"}), HasSubstr("not positive"));
  EXPECT_THAT(Refusal({"accuracy=75"}), HasSubstr("no accuracy is above 1"));
  EXPECT_THAT(Refusal({"latancy=5ms"}), HasSubstr("Did you mean latency?"));
  EXPECT_THAT(Refusal({"weight=5kg"}), HasSubstr("There are: latency"));
}

TEST(BoundsTest, RefusesTwoBoundsOfOneMetric) {
  EXPECT_THAT(Refusal({"latency=5ms", "latency=50ms"}),
              HasSubstr("latency has two bounds: latency=5ms, latency=50ms"));
  EXPECT_TRUE(ParseBounds({"latency=5ms", "latency.p99=50ms"}).ok());
}

TEST(BoundsTest, FitsOnlyIfTheWorseEndDoes) {
  const Bound latency = One("latency=10ns"), rate = One("throughput=10/s");
  EXPECT_EQ(FitOf({8, 7, 9}, latency), Fit::kYes);
  EXPECT_EQ(FitOf({9, 7, 11}, latency), Fit::kMaybe);
  EXPECT_EQ(FitOf({11, 9, 12}, latency), Fit::kMaybe);
  EXPECT_EQ(FitOf({12, 11, 13}, latency), Fit::kBroken);
  EXPECT_EQ(FitOf({12, 11, 13}, rate), Fit::kYes);
  EXPECT_EQ(FitOf({12, 9, 13}, rate), Fit::kMaybe);
  EXPECT_EQ(FitOf({8, 7, 9}, rate), Fit::kBroken);
  EXPECT_EQ(FitOf(Exact(10), latency), Fit::kYes) << "the bound itself";
}

TEST(BoundsTest, IsNeverSureOfAValueWhoseNoiseIsNotKnown) {
  const Bound latency = One("latency=10ns");
  EXPECT_EQ(FitOf({.centre = 1}, latency), Fit::kMaybe);
  EXPECT_EQ(FitOf({.centre = 11}, latency), Fit::kBroken);
  EXPECT_EQ(FitOf({}, latency), Fit::kUnknown);
  EXPECT_EQ(WorstFit({Fit::kYes, Fit::kMaybe}), Fit::kMaybe);
  EXPECT_EQ(WorstFit({Fit::kMaybe, Fit::kBroken, Fit::kYes}), Fit::kBroken);
  EXPECT_EQ(WorstFit({}), Fit::kYes);
}

TEST(BoundsTest, DescribesABoundWithItsDirection) {
  EXPECT_EQ(Describe(One("latency=50ms")), "latency at most 50ms");
  EXPECT_EQ(Describe(One("accuracy.top_5=90%")), "accuracy.top_5 at least 90%");
}

}  // namespace
}  // namespace xsp::suggest
