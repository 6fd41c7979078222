#include "derive/match/metrics.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <vector>

#include "derive/match/match_testing.h"

namespace xsp::match {
namespace {

TEST(SpanValues, FindsMetricsAndAttributesOfTheirSpan) {
  Recording r;
  const auto a = r.Layer(0, "a", 0, 1), b = r.Layer(0, "b", 1, 1), c = r.Layer(0, "c", 2, 1);
  r.Metric(c, "x", 3);
  r.Metric(a, "x", 1);
  r.Metric(a, "y", 2);
  r.Attribute(b, "k", "v");
  const SpanValues values(r.trace());
  EXPECT_EQ(values.Metric(a, values.Find("x")), 1);
  EXPECT_EQ(values.Metric(a, values.Find("y")), 2);
  EXPECT_EQ(values.Metric(b, values.Find("x")), std::nullopt);
  EXPECT_EQ(values.Metric(c, values.Find("x")), 3);
  EXPECT_EQ(values.Metric(a, values.Find("none")), std::nullopt);
  EXPECT_EQ(values.Attribute(b, values.Find("k")), "v");
  EXPECT_EQ(values.Attribute(a, values.Find("k")), "");
}

// In the order of their spans and in another one, many and none.
TEST(RowsBySpan, HasTheRowsOfEverySpan) {
  std::mt19937 random(3);
  for (const bool in_order : {true, false}) {
    for (int round = 0; round < 50; ++round) {
      const std::size_t spans = random() % 300;
      trace::Column<trace::SpanId> of;
      std::map<trace::SpanId, std::vector<std::uint32_t>> expected;
      trace::SpanId last = 1;
      for (std::uint32_t row = 0; spans > 0 && row < random() % 500; ++row) {
        last = in_order ? last + static_cast<trace::SpanId>(random() % 3 == 0)
                        : static_cast<trace::SpanId>(1 + random() % spans);
        if (last > spans) break;
        of.push_back(last);
        expected[last].push_back(row);
      }
      const RowsBySpan rows(of, spans);
      for (trace::SpanId span = 0; span <= spans; ++span) {
        std::vector<std::uint32_t> found;
        for (const std::uint32_t row : rows.Of(span)) found.push_back(row);
        ASSERT_EQ(found, expected[span]) << span;
      }
    }
  }
}

TEST(ReadKernelWork, AddsDataTypesOfOneProvenance) {
  Recording r;
  const auto kernel = r.Kernel(0, "k", 0, 1);
  r.Metric(kernel, "flops.float32.vector", 10);
  r.Metric(kernel, "flops.bfloat16.tensor", 30);
  r.Metric(kernel, "algorithmic_read_bytes", 5);
  r.Metric(kernel, "algorithmic_write_bytes", 6);
  const SpanValues values(r.trace());
  const KernelWork work = ReadKernelWork(values, kernel);
  EXPECT_EQ(work.flops, 40);
  EXPECT_EQ(work.dtype, "bfloat16");
  EXPECT_EQ(work.unit, "tensor");
  EXPECT_EQ(work.flops_provenance, "analytic");
  EXPECT_EQ(work.read_bytes, 5);
  EXPECT_EQ(work.write_bytes, 6);
  EXPECT_EQ(work.traffic_provenance, "analytic");
  EXPECT_EQ(work.occupancy, std::nullopt);
}

TEST(ReadKernelWork, NeverMixesProvenances) {
  Recording r;
  const auto kernel = r.Kernel(0, "k", 0, 1);
  r.Metric(kernel, "flops.float32.vector", 10, "analytic");
  r.Metric(kernel, "flops.float32.vector", 11, "measured:cupti");
  r.Metric(kernel, "flops.float16.tensor", 99, "reported:ncu");
  r.Metric(kernel, "algorithmic_read_bytes", 5, "analytic");
  r.Metric(kernel, "algorithmic_write_bytes", 6, "analytic");
  r.Metric(kernel, "dram_read_bytes", 50, "measured:cupti");
  const SpanValues values(r.trace());
  const KernelWork work = ReadKernelWork(values, kernel);
  EXPECT_EQ(work.flops, 11);
  EXPECT_EQ(work.dtype, "float32");
  EXPECT_EQ(work.flops_provenance, "measured:cupti");
  EXPECT_EQ(work.read_bytes, 50);
  EXPECT_EQ(work.write_bytes, std::nullopt);
  EXPECT_EQ(work.traffic_provenance, "measured:cupti");
}

TEST(TakeBetter, PrefersMeasuredToReportedToAnalytic) {
  KernelWork analytic, measured;
  analytic.flops = 1;
  analytic.flops_provenance = "analytic";
  analytic.dtype = "float32";
  measured.flops = 2;
  measured.flops_provenance = "measured:x";
  measured.occupancy = 0.5;
  KernelWork work = analytic;
  TakeBetter(work, measured);
  EXPECT_EQ(work.flops, 2);
  EXPECT_EQ(work.occupancy, 0.5);
  TakeBetter(work, analytic);
  EXPECT_EQ(work.flops, 2);
}

}  // namespace
}  // namespace xsp::match
