#include "derive/compare/latency.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace xsp::compare {
namespace {

std::vector<double> Calls(double mean_ns, std::uint64_t seed, std::size_t count = 40) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> spread(mean_ns, mean_ns * 0.01);
  std::vector<double> calls(count);
  for (double& call : calls) call = spread(random);
  return calls;
}

using Blocks = std::vector<std::vector<double>>;

/// One process: `calls` in blocks of 8.
Blocks Process(const std::vector<double>& calls) {
  Blocks blocks;
  for (std::size_t at = 0; at < calls.size(); at += 8)
    blocks.emplace_back(calls.begin() + static_cast<std::ptrdiff_t>(at),
                        calls.begin() + static_cast<std::ptrdiff_t>(at + 8));
  return blocks;
}

MeasuredPoint Point(std::int64_t id, const std::vector<std::vector<double>>& processes) {
  MeasuredPoint point;
  point.point_id = id;
  for (const auto& calls : processes) point.processes.push_back(Process(calls));
  return point;
}

TEST(HolmAdjustment, GivesThePublishedExample) {
  // p = 0.01, 0.04, 0.03, 0.005 of four tests: R's p.adjust(p, "holm").
  const auto adjusted = AdjustedByHolm(std::vector<double>{0.01, 0.04, 0.03, 0.005});
  EXPECT_NEAR(adjusted[0], 0.03, 1e-12);
  EXPECT_NEAR(adjusted[1], 0.06, 1e-12);
  EXPECT_NEAR(adjusted[2], 0.06, 1e-12);
  EXPECT_NEAR(adjusted[3], 0.02, 1e-12);
  EXPECT_EQ(AdjustedByHolm(std::vector<double>{0.9, 0.8}), (std::vector<double>{1, 1}));
}

TEST(CompareLatencies, FindsADifferenceThatIsThere) {
  const auto rows = CompareLatencies({{Point(1, {Calls(100, 1), Calls(101, 2), Calls(100, 5)}),
                                       Point(2, {Calls(150, 3), Calls(149, 4), Calls(150, 6)})}});
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows.at(0).verdict, "faster");
  EXPECT_EQ(rows.at(1).verdict, "slower");
  EXPECT_NEAR(rows[0].ratio.value(), 100.33 / 149.67, 0.01);
  EXPECT_LT(rows[0].ratio_low.value(), rows[0].ratio.value());
  EXPECT_GT(rows[0].ratio_high.value(), rows[0].ratio.value());
  EXPECT_EQ(rows[0].cliffs_delta, -1);
}

TEST(CompareLatencies, FindsNoneBetweenAlikes) {
  int differences = 0;
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const auto rows =
        CompareLatencies({{Point(1, {Calls(100, 4 * seed), Calls(100, 4 * seed + 1)}),
                           Point(2, {Calls(100, 4 * seed + 2), Calls(100, 4 * seed + 3)})}});
    differences += rows.at(0).verdict != "no difference found";
  }
  EXPECT_LE(differences, 6);  // 5 % of 50 are 2.5.
}

TEST(CompareLatencies, IsNotFooledByWhatTwoProcessesDifferIn) {
  // Each process is sharp, but processes of one program differ by as much as the two programs.
  const auto rows = CompareLatencies(
      {{Point(1, {Calls(100, 1), Calls(110, 2)}), Point(2, {Calls(104, 3), Calls(114, 4)})}});
  EXPECT_EQ(rows.at(0).verdict, "no difference found");
}

TEST(CompareLatencies, TellsNothingFromOneProcess) {
  const auto rows =
      CompareLatencies({{Point(1, {Calls(100, 1), Calls(100, 2)}), Point(2, {Calls(150, 3)})}});
  EXPECT_EQ(rows.at(0).verdict, "not told (one process)");
}

TEST(LatencyRatio, CoversTheTruth) {
  int covered = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const std::vector<Blocks> a = {Process(Calls(120, 10 * seed)),
                                   Process(Calls(120, 10 * seed + 1))};
    const std::vector<Blocks> b = {Process(Calls(100, 10 * seed + 2)),
                                   Process(Calls(100, 10 * seed + 3))};
    const core::Interval ratio = LatencyRatio(a, b).ratio.interval;
    covered += ratio.low <= 1.2 && 1.2 <= ratio.high;
  }
  EXPECT_GE(covered, 180);
  EXPECT_TRUE(std::isnan(LatencyRatio({}, {}).ratio.interval.low));
}

TEST(Latency, IsTheMeanOverProcesses) {
  EXPECT_DOUBLE_EQ(Latency(std::vector<Blocks>{{{1, 1}, {3, 3}}, {{4}}}), 3);
  EXPECT_TRUE(std::isnan(Latency({})));
}

}  // namespace
}  // namespace xsp::compare
