#include "capture/record/cuda/metrics/metric_sets.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <cstdlib>
#include <limits>
#include <map>
#include <set>
#include <string>

#include "capture/record/cuda/metrics/metric_table.h"

namespace xsp::record::cuda {
namespace {

constexpr const char* kHeader = "sets,metric,unit,need,choice,from,to,raw,factor,source\n";

bool HasAll(const std::string&) { return true; }

const DerivedMetric* Find(const MetricPlan& plan, std::string_view name) {
  for (const DerivedMetric& derived : plan.derived)
    if (derived.name == name) return &derived;
  return nullptr;
}

std::map<std::string, double> TermsOf(const MetricPlan& plan, std::string_view name) {
  std::map<std::string, double> terms;
  if (const DerivedMetric* derived = Find(plan, name))
    for (const auto& term : derived->terms) terms[plan.raw[term.raw]] = term.factor;
  return terms;
}

TEST(MetricTable, TheBuiltInTableIsWholeAndHasTheSetsThatAreDocumented) {
  const MetricTable table(BuiltInMetricTable());
  EXPECT_EQ(table.damaged_lines(), 0u);
  EXPECT_EQ(table.sets(),
            (std::vector<std::string>{"flops", "roofline", "dram", "l2", "occupancy"}));
}

TEST(MetricTable, AnFmaCountsTwiceAndHalfPrecisionInPairs) {
  const MetricPlan plan = MetricTable(BuiltInMetricTable()).Resolve("flops", 90, HasAll);
  const std::string prefix = "smsp__sass_thread_inst_executed_op_";
  EXPECT_EQ(TermsOf(plan, "flops.float32.vector"),
            (std::map<std::string, double>{{prefix + "fadd_pred_on.sum", 1},
                                           {prefix + "fmul_pred_on.sum", 1},
                                           {prefix + "ffma_pred_on.sum", 2}}));
  EXPECT_EQ(TermsOf(plan, "flops.float16.vector").at(prefix + "hfma_pred_on.sum"), 4);
  EXPECT_TRUE(plan.missing.empty());
  EXPECT_EQ(Find(plan, "dram_read_bytes"), nullptr) << "of another set";
}

TEST(MetricTable, RowsFollowTheComputeCapability) {
  const MetricTable table(BuiltInMetricTable());
  EXPECT_EQ(Find(table.Resolve("flops", 75, HasAll), "flops.bfloat16.tensor"), nullptr);
  EXPECT_TRUE(table.Resolve("flops", 75, HasAll).missing.empty()) << "Turing has none";
  EXPECT_NE(Find(table.Resolve("flops", 80, HasAll), "flops.bfloat16.tensor"), nullptr);
  EXPECT_EQ(Find(table.Resolve("flops", 80, HasAll), "flops.float8.tensor"), nullptr);
  const auto has = [](const std::string& raw) {
    return raw.find("src_fp8") == std::string::npos;  // As data-centre Blackwell counts.
  };
  EXPECT_TRUE(TermsOf(table.Resolve("flops", 100, has), "flops.float8.tensor")
                  .contains("sm__ops_path_tensor_src_fp4_fp6_fp8_dst_fp32.sum"));
  const MetricPlan hopper = table.Resolve("flops", 90, has);
  EXPECT_EQ(Find(hopper, "flops.float8.tensor"), nullptr);
  EXPECT_EQ(hopper.missing, std::vector<std::string>{"flops.float8.tensor"});
}

TEST(MetricTable, TheFirstChoiceThatTheChipHasWholeIsTaken) {
  const MetricTable table(std::string(kHeader) +
                          "s,m,byte,yes,1,,,a__x.sum,1,t\ns,m,byte,yes,1,,,a__y.sum,1,t\n"
                          "s,m,byte,yes,2,,,b__z.sum,32,t\n");
  const auto without_y = [](const std::string& raw) { return raw != "a__y.sum"; };
  EXPECT_EQ(TermsOf(table.Resolve("s", 0, HasAll), "m").size(), 2u);
  EXPECT_EQ(TermsOf(table.Resolve("s", 0, without_y), "m"),
            (std::map<std::string, double>{{"b__z.sum", 32}}))
      << "half of a sum is no sum";
}

TEST(MetricTable, RawNamesStandForThemselvesAndUnknownOnesAreNamed) {
  const MetricTable table(BuiltInMetricTable());
  const auto has = [](const std::string& raw) { return raw != "sm__nonsense.sum"; };
  const MetricPlan plan = table.Resolve(
      "dram, sm__cycles_active.avg,sm__nonsense.sum,speed,dram__bytes_read.sum", 90, has);
  EXPECT_EQ(TermsOf(plan, "sm__cycles_active.avg"),
            (std::map<std::string, double>{{"sm__cycles_active.avg", 1}}));
  EXPECT_EQ(plan.missing, std::vector<std::string>{"sm__nonsense.sum"});
  EXPECT_EQ(plan.unknown_sets, std::vector<std::string>{"speed"});
  EXPECT_EQ(plan.raw.size(), std::set<std::string>(plan.raw.begin(), plan.raw.end()).size())
      << "each is measured once";
}

TEST(MetricTable, OverlappingSetsAskForEachMetricOnce) {
  const MetricTable table(BuiltInMetricTable());
  const MetricPlan roofline = table.Resolve("roofline", 90, HasAll);
  const MetricPlan all = table.Resolve("roofline,flops,dram", 90, HasAll);
  EXPECT_EQ(roofline.raw, all.raw);
  EXPECT_EQ(roofline.derived.size(), all.derived.size());
}

TEST(MetricTable, DamagedLinesAreCounted) {
  const MetricTable table(std::string(kHeader) + "s,m,byte,yes,1,,,a__x.sum,two,t\ns,m,byte\n" +
                          "s,m,byte,yes,0,,,a__x.sum,1,t\ns,m,byte,yes,1,x,,a__x.sum,1,t\n");
  EXPECT_EQ(table.damaged_lines(), 4u);
  EXPECT_TRUE(table.sets().empty());
}

TEST(MetricTable, AUsersOwnTableIsRead) {
  const std::string path = testing::TempDir() + "/metrics" + std::to_string(getpid()) + ".csv";
  std::FILE* file = std::fopen(path.c_str(), "w");
  ASSERT_NE(file, nullptr);
  std::fputs(kHeader, file);
  std::fputs("mine,m,1,yes,1,,,a__x.sum,1,t\n", file);
  std::fclose(file);
  setenv("XSP_RECORD_CUDA_METRICS_TABLE", path.c_str(), 1);
  EXPECT_EQ(MetricTable(MetricTableInForce()).sets(), std::vector<std::string>{"mine"});
  setenv("XSP_RECORD_CUDA_METRICS_TABLE", "/nonexistent", 1);
  EXPECT_EQ(MetricTableInForce(), "");
  unsetenv("XSP_RECORD_CUDA_METRICS_TABLE");
  EXPECT_EQ(MetricTableInForce(), BuiltInMetricTable());
  std::remove(path.c_str());
}

TEST(MakeValues, ZeroFlopsStandOnlyWhereThereAreNoOthers) {
  MetricPlan plan;
  plan.raw = {"a", "b", "c"};
  plan.derived = {{"flops.float32.vector", "flop", {{0, 1}}},
                  {"flops.float64.vector", "flop", {{1, 2}}},
                  {"dram_read_bytes", "byte", {{2, 1}}}};
  const double some[] = {0, 3, 0};
  const auto values = MakeValues(plan, some);
  ASSERT_EQ(values.size(), 2u);
  EXPECT_EQ(values[0].metric->name, "flops.float64.vector");
  EXPECT_EQ(values[0].value, 6);
  EXPECT_EQ(values[1].value, 0) << "no bytes is a measurement";
  const double none[] = {0, 0, 8};
  ASSERT_EQ(MakeValues(plan, none).size(), 2u);
  EXPECT_EQ(MakeValues(plan, none)[0].metric->name, "flops.float32.vector");
  const double unknown[] = {std::numeric_limits<double>::quiet_NaN(), 1, std::nan("")};
  ASSERT_EQ(MakeValues(plan, unknown).size(), 1u);
}

}  // namespace
}  // namespace xsp::record::cuda
