#include "answer/suggest/prediction.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace xsp::suggest {
namespace {

using testing::HasSubstr;

PeakRates Rates(double flops, double bytes, const std::string& machine = "here") {
  return {machine, "measured", {{{"float32", "vector"}, flops}}, bytes};
}

KernelWork Kernel(double time_ns, double flops, double bytes) {
  return {time_ns, flops, bytes, "float32", "vector"};
}

TEST(PredictionTest, TakesTheGreaterOfComputeAndMemoryTime) {
  EXPECT_DOUBLE_EQ(*RoofTime(Kernel(1, 100, 10), Rates(1e9, 1e9)), 100);
  EXPECT_DOUBLE_EQ(*RoofTime(Kernel(1, 100, 500), Rates(1e9, 1e9)), 500);
  EXPECT_DOUBLE_EQ(*RoofTime(Kernel(1, NAN, 500), Rates(1e9, 1e9)), 500);
  EXPECT_DOUBLE_EQ(*RoofTime(Kernel(1, 0, 500), Rates(1e9, 1e9)), 500);
  EXPECT_FALSE(RoofTime(Kernel(1, NAN, NAN), Rates(1e9, 1e9)));
  EXPECT_FALSE(RoofTime({1, 100, 10, "bfloat16", "vector"}, Rates(1e9, 1e9)));
  EXPECT_TRUE(RoofTime({1, 100, 10, "float32", "tensor"}, Rates(1e9, 1e9))) << "its other unit";
}

TEST(PredictionTest, ScalesAComputeBoundKernelByPeakAndAMemoryBoundOneByBandwidth) {
  const PeakRates here = Rates(1e9, 1e9), there = Rates(4e9, 2e9);
  // Both at half of their roofs, in a call with 100 ns outside of kernels.
  const PointWork work{{Kernel(200, 100, 1), Kernel(200, 1, 100)}, 500};
  const auto scaled = ScaleToMachine(work, 500, here, there);
  ASSERT_TRUE(scaled);
  EXPECT_DOUBLE_EQ(scaled->latency_ns, 100 + 200.0 / 4 + 200.0 / 2);
  EXPECT_DOUBLE_EQ(scaled->covered_share, 1);
  EXPECT_DOUBLE_EQ(scaled->kernel_share, 0.8);
}

TEST(PredictionTest, ChangesTheLimitWhereTheOtherMachineHasAnotherBalance) {
  // Compute-bound here (100 ns over 50); there memory-bound: 50 ns over 10.
  const PointWork work{{Kernel(100, 100, 50)}, 100};
  const auto scaled = ScaleToMachine(work, 100, Rates(1e9, 1e9), Rates(10e9, 1e9));
  EXPECT_DOUBLE_EQ(scaled->latency_ns, 50);
}

TEST(PredictionTest, IsTheMeasurementItselfOnTheSameMachine) {
  const PointWork work{{Kernel(70, 100, 50), Kernel(20, NAN, NAN)}, 120};
  EXPECT_NEAR(ScaleToMachine(work, 240, Rates(1e9, 1e9), Rates(1e9, 1e9))->latency_ns, 240, 1e-9);
}

TEST(PredictionTest, ScalesKernelsOfUnknownWorkByTheMeanOfTheOthers) {
  const PointWork work{{Kernel(100, 100, 1), Kernel(60, NAN, NAN)}, 160};
  const auto scaled = ScaleToMachine(work, 160, Rates(1e9, 1e9), Rates(2e9, 1e9));
  EXPECT_DOUBLE_EQ(scaled->latency_ns, 80);
  EXPECT_DOUBLE_EQ(scaled->covered_share, 0.625);
}

TEST(PredictionTest, CountsOverlappingKernelsAsAllOfTheCall) {
  const PointWork work{{Kernel(100, 100, 1), Kernel(100, 100, 1)}, 120};
  const auto scaled = ScaleToMachine(work, 100, Rates(1e9, 1e9), Rates(2e9, 1e9));
  EXPECT_DOUBLE_EQ(scaled->latency_ns, 50);
  EXPECT_DOUBLE_EQ(scaled->kernel_share, 1);
}

TEST(PredictionTest, PredictsNothingWithoutKnownWork) {
  EXPECT_FALSE(ScaleToMachine({{}, 100}, 100, Rates(1, 1), Rates(1, 1)));
  EXPECT_FALSE(ScaleToMachine({{Kernel(50, NAN, NAN)}, 100}, 100, Rates(1, 1), Rates(1, 1)));
}

PredictablePoint Point(const PeakRates& rates, std::int64_t batch, double latency_ns,
                       double kernel_ns, double flops) {
  PredictablePoint point{.identity = {},
                         .latency_ns = latency_ns,
                         .work = {{Kernel(kernel_ns, flops, 1)}, latency_ns},
                         .rates = rates};
  point.identity.model = "net";
  point.identity.batch = batch;
  point.identity.machine = rates.machine;
  return point;
}

TEST(PredictionTest, MeasuresTheErrorBetweenMachines) {
  // Twice the peak, but only 1.6 times as fast: predictions are 50 and 160 ns.
  const PredictionError error = MeasureError(std::vector<PredictablePoint>{
      Point(Rates(1e9, 1e9, "a"), 1, 100, 100, 50), Point(Rates(2e9, 1e9, "b"), 1, 80, 80, 50)});
  EXPECT_EQ(error.basis, PredictionError::Basis::kMachines);
  EXPECT_EQ(error.cases, 2U);
  EXPECT_NEAR(error.largest_factor, 1.6, 1e-9);
  EXPECT_NEAR(error.median_factor, 1.6, 1e-9);
  EXPECT_THAT(Describe(error), HasSubstr("error between machines: median x1.6"));
}

TEST(PredictionTest, MeasuresTheErrorBetweenBatchSizesWhereThereIsOneMachine) {
  const PeakRates rates = Rates(1e9, 1e9, "a");
  // 20 ns outside of kernels; from 1 to 2: 20 + 2 x 80 = 180 for a measured 200.
  const PredictionError error = MeasureError(
      std::vector<PredictablePoint>{Point(rates, 1, 100, 80, 50), Point(rates, 2, 200, 180, 100)});
  EXPECT_EQ(error.basis, PredictionError::Basis::kBatches);
  EXPECT_EQ(error.cases, 2U);
  EXPECT_NEAR(error.largest_factor, std::max(200.0 / 180, 110.0 / 100), 1e-9);
  EXPECT_THAT(Describe(error), HasSubstr("between machines it is not known"));
}

TEST(PredictionTest, DoesNotKnowTheErrorOfASinglePoint) {
  const std::vector<PredictablePoint> one = {Point(Rates(1e9, 1e9), 1, 100, 80, 50)};
  const PredictionError error = MeasureError(one);
  EXPECT_EQ(error.basis, PredictionError::Basis::kNone);
  EXPECT_THAT(Describe(error), HasSubstr("error not known"));
  Candidate measured;
  measured.Of(Metric::kMemory) = Exact(5);
  const auto predicted = Predict(measured, one[0], Rates(2e9, 1e9, "there"), error);
  ASSERT_TRUE(predicted);
  EXPECT_TRUE(predicted->is_predicted);
  EXPECT_FALSE(predicted->Of(Metric::kLatency).has_interval());
  EXPECT_FALSE(predicted->Of(Metric::kMemory).is_known()) << "that of the other machine";
  EXPECT_EQ(predicted->identity.machine, "there");
}

TEST(PredictionTest, GivesThePredictionTheLargestErrorAsItsInterval) {
  const PredictablePoint point = Point(Rates(1e9, 1e9), 1, 100, 100, 50);
  const auto predicted = Predict({}, point, Rates(2e9, 1e9, "there"),
                                 {PredictionError::Basis::kMachines, 2, 1.1, 1.25});
  EXPECT_DOUBLE_EQ(predicted->Of(Metric::kLatency).centre, 50);
  EXPECT_DOUBLE_EQ(predicted->Of(Metric::kLatency).low, 40);
  EXPECT_DOUBLE_EQ(predicted->Of(Metric::kLatency).high, 62.5);
}

TEST(PredictionTest, TakesTheRoofsThatAreUsed) {
  const std::vector<roofs::Roof> roofs = {
      {"flops", "float32 vector", "float32", "vector", 1, 1e9, "", "", false},
      {"flops", "float32 vector", "float32", "vector", 2, 2e9, "", "", true},
      {"bandwidth", "L2 read", "", "", 2, 9e9, "", "", true},
      {"bandwidth", "DRAM triad", "", "", 2, 3e9, "", "", true}};
  const PeakRates rates = PeakRatesOf("x", "measured", roofs);
  EXPECT_DOUBLE_EQ(rates.flops_per_s.at({"float32", "vector"}), 2e9);
  EXPECT_DOUBLE_EQ(rates.bytes_per_s, 3e9);
}

}  // namespace
}  // namespace xsp::suggest
