#include "derive/roofs/data_sheet_share.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace xsp::roofs {
namespace {

using testing::HasSubstr;

Roof Flops(const char* dtype, const char* unit, int cores, double value) {
  return {"flops", std::string(dtype) + " " + unit, dtype, unit, cores, value, "", "", true};
}
Roof Bandwidth(const char* name, int cores, double value) {
  return {"bandwidth", name, "", "", cores, value, "", "", true};
}

TEST(DataSheetShareTest, PairsEachRoofWithTheSameTypeUnitAndCores) {
  const std::vector<Roof> measured = {Flops("float32", "vector", 1, 90),
                                      Flops("float32", "vector", 8, 700),
                                      Flops("bfloat16", "tensor", 8, 950),
                                      Bandwidth("L2 read", 8, 500), Bandwidth("DRAM triad", 8, 45)};
  const std::vector<Roof> sheet = {Flops("float32", "vector", 8, 1000),
                                   Flops("bfloat16", "tensor", 0, 1000), Bandwidth("DRAM", 0, 50)};
  const auto shares = SharesOfDataSheet(measured, sheet, {});
  ASSERT_EQ(shares.size(), 3U);
  EXPECT_EQ(shares[0].roof, 1U);
  EXPECT_DOUBLE_EQ(shares[0].share, 0.7);
  EXPECT_EQ(shares[1].roof, 2U);
  EXPECT_EQ(shares[2].roof, 4U);
  EXPECT_DOUBLE_EQ(shares[2].share, 0.9);
}

TEST(DataSheetShareTest, ExplainsOnlyWhatLiesOutsideTheRange) {
  const std::vector<Roof> measured = {
      Flops("float32", "vector", 8, 849), Flops("float64", "vector", 8, 1001),
      Flops("int8", "tensor", 8, 850), Flops("float16", "vector", 8, 1000)};
  std::vector<Roof> sheet = measured;
  for (Roof& roof : sheet) roof.value = 1000;
  const auto shares = SharesOfDataSheet(
      measured, sheet, {.disturbed = true, .virtualised = true, .clock_is_bound = true});
  ASSERT_EQ(shares.size(), 4U);
  EXPECT_THAT(shares[0].explanation, HasSubstr("busy"));
  EXPECT_THAT(shares[0].explanation, HasSubstr("clock is that of one core"));
  EXPECT_THAT(shares[0].explanation, HasSubstr("virtual CPU"));
  EXPECT_THAT(shares[1].explanation, HasSubstr("clock was higher"));
  EXPECT_EQ(shares[2].explanation, "");
  EXPECT_EQ(shares[3].explanation, "");
}

TEST(DataSheetShareTest, OfTwoLoopsOfOneTypeTheSlowerPointsToTheOther) {
  const std::vector<Roof> measured = {Flops("float16", "tensor", 0, 620),
                                      Flops("float16", "tensor", 0, 900)};
  const auto shares =
      SharesOfDataSheet(measured, std::vector{Flops("float16", "tensor", 0, 1000)}, {});
  EXPECT_THAT(shares[0].explanation, HasSubstr("another line"));
  EXPECT_EQ(shares[1].explanation, "");
}

TEST(DataSheetShareTest, SaysOfMemoryWhatHoldsOfMemory) {
  const std::vector<Roof> measured = {Bandwidth("DRAM read", 1, 10), Bandwidth("DRAM read", 8, 10)};
  const std::vector<Roof> sheet = {Bandwidth("DRAM", 0, 50)};
  const auto bare = SharesOfDataSheet(measured, sheet, {});
  EXPECT_THAT(bare[0].explanation, HasSubstr("one core cannot"));
  EXPECT_THAT(bare[1].explanation, HasSubstr("memory modules"));
  const auto guest = SharesOfDataSheet(measured, sheet, {.virtualised = true});
  EXPECT_THAT(guest[1].explanation, HasSubstr("part of the host's"));
}

/// The figures of an H100 (docs/gpu-results.md): INT8 by mma.sync and cuBLAS reach 72 %.
RoofReport OfH100(bool disturbed) {
  RoofReport report;
  report.disturbed = disturbed;
  const auto add = [&](const char* kind, const char* name, const char* dtype, const char* unit,
                       double value, bool used) {
    report.roofs.push_back({kind, name, dtype, unit, 0, value, "measured:xsp", "", used});
  };
  add("flops", "float16 tensor", "float16", "tensor", 650e12, false);
  add("flops", "float16 tensor", "float16", "tensor", 907e12, true);
  add("flops", "int8 tensor", "int8", "tensor", 1422e12, true);
  add("bandwidth", "DRAM read", "", "", 3.09e12, true);
  add("bandwidth", "L2 read", "", "", 7.6e12, false);
  return report;
}

std::vector<std::pair<std::string, double>> Used(const RoofReport& report) {
  std::vector<std::pair<std::string, double>> used;
  for (const Roof& roof : report.roofs)
    if (roof.used) used.emplace_back(roof.provenance, roof.value);
  return used;
}

TEST(DataSheetShareTest, TakesWhatIsMeasuredNearTheSheetAndElseTheSheet) {
  const std::vector<Roof> sheet = {
      {"flops", "float16 tensor", "float16", "tensor", 0, 989.4e12, "data_sheet", "", true},
      {"flops", "int8 tensor", "int8", "tensor", 0, 1978.9e12, "data_sheet", "", true},
      {"flops", "float64 vector", "float64", "vector", 0, 33.5e12, "data_sheet", "", true},
      {"bandwidth", "DRAM", "", "", 0, 3.35e12, "data_sheet", "", true}};
  RoofReport report = OfH100(false);
  UseDataSheetWhereLower(report, sheet);
  EXPECT_EQ(Used(report), (std::vector<std::pair<std::string, double>>{{"measured:xsp", 907e12},
                                                                       {"measured:xsp", 3.09e12},
                                                                       {"data_sheet", 1978.9e12},
                                                                       {"data_sheet", 33.5e12}}));
  RoofReport busy = OfH100(true);
  UseDataSheetWhereLower(busy, sheet);
  for (const auto& [provenance, value] : Used(busy)) EXPECT_EQ(provenance, "data_sheet") << value;
  EXPECT_EQ(Used(busy).size(), sheet.size());
}

}  // namespace
}  // namespace xsp::roofs
