#include "answer/suite/kernels/classes.h"

#include <gmock/gmock.h>

#include <cmath>

namespace xsp::suite::kernels {
namespace {

RuleBook Book() {
  return RuleBook::Parse(
             "kinds: {mm: Products, copy: Copies}\nrules:\n"
             "  - {class: \"MM_{m}\", kind: mm, match: \"gemm_{m}\", examples: {gemm_8: MM_8}}\n"
             "  - {class: Copy, kind: copy, match: copy, examples: [copy]}\n",
             "test.yaml")
      .value();
}

Observed Of(const char* workload, const char* name, double time_ms, double flops = kMissing,
            double bytes = kMissing) {
  Observed one{workload, name, "kernel", {}};
  one.sums.time_ms = time_ms;
  one.sums.calls = 2;
  one.sums.unique_kernels = 1;
  one.sums.flops = flops;
  one.sums.bytes = bytes;
  if (!std::isnan(flops)) one.sums.flops_time_ms = time_ms;
  if (!std::isnan(flops) && !std::isnan(bytes))
    one.sums.paired_flops = flops, one.sums.paired_bytes = bytes;
  return one;
}

TEST(ClassesTest, SharesCallsAndUniqueKernelsAreCountedOverWorkloads) {
  const Summary summary = Summarise(
      {Of("a", "gemm_8", 3), Of("b", "gemm_8", 1), Of("a", "copy", 4), Of("b", "strange", 2)},
      Book());
  EXPECT_DOUBLE_EQ(summary.time_ms, 10);
  ASSERT_EQ(summary.classes.size(), 3U);
  EXPECT_EQ(summary.classes[0].kernel_class, "Copy");  // As long as MM_8, and before it by name.
  EXPECT_EQ(summary.classes[1].kernel_class, "MM_8");
  EXPECT_DOUBLE_EQ(summary.classes[1].percent, 40);
  EXPECT_DOUBLE_EQ(summary.classes[1].sums.calls, 4);
  EXPECT_DOUBLE_EQ(summary.classes[1].sums.unique_kernels, 1);
  EXPECT_EQ(summary.classes[2].kernel_class, kNotClassed);
  ASSERT_EQ(summary.workloads.size(), 2U);
  EXPECT_DOUBLE_EQ(summary.workloads[0].classed_percent, 100);
  EXPECT_NEAR(summary.workloads[1].classed_percent, 100.0 / 3, 1e-9);
  ASSERT_EQ(summary.not_classed.size(), 1U);
  EXPECT_EQ(summary.not_classed[0].name, "strange");
  ASSERT_EQ(summary.only_in_one.size(), 2U);
  EXPECT_EQ(summary.only_in_one[0].name, "copy");
  EXPECT_EQ(summary.only_in_one[0].workload, "a");
}

TEST(ClassesTest, UniqueKernelsAreNamesNotRows) {
  // A table may have a row for each launch.
  const Summary summary =
      Summarise({Of("a", "gemm_8", 1), Of("a", "gemm_8", 1), Of("a", "gemm_8", 1),
                 Of("a", "xgemm_8", 1), Of("b", "gemm_8", 1), Of("b", "gemm_8", 1)},
                Book());
  ASSERT_EQ(summary.classes.size(), 1U);
  EXPECT_DOUBLE_EQ(summary.classes[0].sums.unique_kernels, 2);
  ASSERT_EQ(summary.workloads.size(), 2U);
  EXPECT_DOUBLE_EQ(summary.workloads[0].unique_kernels, 2);
  EXPECT_DOUBLE_EQ(summary.workloads[0].calls, 8);
  EXPECT_DOUBLE_EQ(summary.workloads[1].unique_kernels, 1);
  ASSERT_EQ(summary.in_workloads.size(), 2U);
  for (const ClassInWorkload& pair : summary.in_workloads)
    EXPECT_DOUBLE_EQ(pair.unique_kernels, pair.workload == "a" ? 2 : 1) << pair.workload;
}

TEST(ClassesTest, RatesRestOnKernelsThatHaveWhatTheyNeed) {
  const Summary summary = Summarise(
      {Of("a", "gemm_8", 2, 8e9, 2e9), Of("a", "xgemm_8", 2, 4e9), Of("a", "ygemm_8", 6)}, Book());
  const Sums& sums = summary.classes.at(0).sums;
  EXPECT_DOUBLE_EQ(sums.flops, 12e9);
  EXPECT_DOUBLE_EQ(sums.FlopsPerByte(), 4);
  EXPECT_DOUBLE_EQ(sums.GflopsPerSecond(), 3000);  // 12e9 FLOP in the 4 ms whose FLOPs are known.
  EXPECT_DOUBLE_EQ(sums.Transactions(), 2e9 / 32);
  const Summary none = Summarise({Of("a", "copy", 1)}, Book());
  EXPECT_TRUE(std::isnan(none.classes.at(0).sums.FlopsPerByte()));
  EXPECT_TRUE(std::isnan(none.classes.at(0).sums.GflopsPerSecond()));
}

TEST(ClassesTest, TotalIsWhatRoundedSharesImply) {
  EXPECT_NEAR(ImpliedTotal({{100, 33.3}, {50, 16.7}}), 300, 0.3);
  EXPECT_DOUBLE_EQ(ImpliedTotal({{100, kMissing}, {50, kMissing}}), 150);
}

TEST(ClassesTest, KindIsThatOfTheRuleWhoseClassCanBeCalledSo) {
  EXPECT_EQ(KindOf(Book(), "MM_128"), "mm");
  EXPECT_EQ(KindOf(Book(), "Copy"), "copy");
  EXPECT_EQ(KindOf(Book(), "xCopy"), "");
}

}  // namespace
}  // namespace xsp::suite::kernels
