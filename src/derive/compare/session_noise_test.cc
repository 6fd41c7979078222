#include "derive/compare/session_noise.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "derive/compare/latency.h"

namespace xsp::compare {
namespace {

using testing::HasSubstr;

/// Levels of the processes of one session, ns: each a block of one call.
using Session = std::vector<std::vector<std::vector<double>>>;

/// Draws sessions of one program on one machine.
class Machine {
 public:
  Machine(unsigned seed, double between_sessions, double between_processes)
      : random_(seed), sessions_(0, between_sessions), processes_(0, between_processes) {}

  Session Measure(int processes = 5) {
    Session session;
    const double drift = sessions_(random_);
    for (int i = 0; i < processes; ++i)
      session.push_back({{1e6 * std::exp(drift + processes_(random_))}});
    return session;
  }

  SessionNoise NoiseOf(int sessions) {
    std::vector<double> latencies;
    for (int i = 0; i < sessions; ++i) latencies.push_back(Latency(Measure()));
    return SessionNoiseOf(std::vector<std::vector<double>>{latencies});
  }

 private:
  std::mt19937 random_;
  std::normal_distribution<double> sessions_, processes_;
};

/// Of 1,000 comparisons of a program with itself, those whose interval does not contain 1.
int FalseClaims(Machine& machine, int others) {
  int claims = 0;
  for (int i = 0; i < 1000; ++i) {
    const Session a = machine.Measure(), b = machine.Measure();
    const core::ProcessRatio found = WidenedBySessions(LatencyRatio(b, a), machine.NoiseOf(others));
    const bool is_claimed = found.ratio.interval.low > 1 || found.ratio.interval.high < 1;
    EXPECT_EQ(found.p < 0.05, is_claimed);
    claims += is_claimed;
  }
  return claims;
}

// 5 % are 50 of 1,000, with a standard deviation of 7.

TEST(SessionNoise, WithoutOtherSessionsDriftIsCalledADifference) {
  Machine machine(1, 0.05, 0.01);
  EXPECT_GT(FalseClaims(machine, 0), 700);
}

TEST(SessionNoise, OfThreeOrMoreOtherSessionsKeepsTheLevel) {
  for (const int others : {3, 5, 10}) {
    Machine machine(static_cast<unsigned>(others), 0.05, 0.01);
    const int claims = FalseClaims(machine, others);
    EXPECT_LE(claims, 70) << others;
    EXPECT_GE(claims, 25) << others;
  }
}

TEST(SessionNoise, OnAMachineWithoutDriftKeepsTheLevel) {
  Machine machine(4, 0, 0.02);
  EXPECT_LE(FalseClaims(machine, 5), 70);
}

TEST(SessionNoise, FindsADifferenceThatIsLargerThanTheDrift) {
  Machine machine(5, 0.03, 0.01);
  int found = 0;
  for (int i = 0; i < 200; ++i) {
    Session slower = machine.Measure();
    for (auto& process : slower) process[0][0] *= 1.3;
    const Session base = machine.Measure();
    found += WidenedBySessions(LatencyRatio(slower, base), machine.NoiseOf(8)).p < 0.05;
  }
  EXPECT_GE(found, 190);
}

TEST(SessionNoise, IsPooledOverPrograms) {
  const SessionNoise noise =
      SessionNoiseOf(std::vector<std::vector<double>>{{100, 110}, {5000}, {20, 20, 20}});
  EXPECT_EQ(noise.sessions, 5U);
  EXPECT_EQ(noise.degrees, 3U);
  EXPECT_NEAR(noise.spread, std::log(1.1) / std::sqrt(2.0 * 3), 1e-12);
  EXPECT_NEAR(noise.largest_ratio, 1.1, 1e-12);
  EXPECT_TRUE(noise.IsKnown());
  EXPECT_THAT(DescribeSessionNoise(noise), HasSubstr("includes what 5 other sessions"));
}

TEST(SessionNoise, OfTwoSessionsIsStatedAndNotUsed) {
  const SessionNoise two = SessionNoiseOf(std::vector<std::vector<double>>{{100, 137}});
  EXPECT_FALSE(two.IsKnown());
  EXPECT_THAT(DescribeSessionNoise(two), HasSubstr("differed by 37 %"));
  EXPECT_THAT(DescribeSessionNoise({}), HasSubstr("is not known"));
  Machine machine(6, 0, 0.01);
  const Session a = machine.Measure(), b = machine.Measure();
  const core::ProcessRatio found = LatencyRatio(b, a);
  EXPECT_EQ(WidenedBySessions(found, two).ratio.interval.low, found.ratio.interval.low);
  EXPECT_EQ(WidenedBySessions(found, {}).p, found.p);
}

TEST(SessionNoise, LeavesAnIntervalThatIsNotKnownAlone) {
  Machine machine(7, 0.05, 0.01);
  const SessionNoise noise = machine.NoiseOf(5);
  const Session one = machine.Measure(1), five = machine.Measure();
  const core::ProcessRatio found = LatencyRatio(one, five);
  EXPECT_TRUE(std::isnan(WidenedBySessions(found, noise).ratio.interval.low));
  EXPECT_TRUE(std::isnan(WidenedBySessions(found, noise).p));
}

}  // namespace
}  // namespace xsp::compare
