#include "derive/roofs/cpu_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <string>

#include "os/published_table.h"
#include "source_dir.h"

namespace xsp::roofs {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

const fs::path kFolder = fs::path(XSP_SOURCE_DIR) / "machine";

const Roof* Named(const std::vector<Roof>& roofs, std::string_view name) {
  for (const Roof& roof : roofs)
    if (roof.name == name) return &roof;
  return nullptr;
}

TEST(CpuTableTest, ComputesPeaksFromCoresWidthAndClockAndShowsTheProduct) {
  // 96 cores x 32 FLOP x 3.55 GHz, and 12 x 4.8 GT/s x 8 B, by hand.
  const auto roofs = CpuDataSheetFrom(kFolder, "AMD EPYC 9654 96-Core Processor", {});
  ASSERT_TRUE(roofs.ok());
  const Roof* peak = Named(roofs.value(), "float32 vector");
  ASSERT_NE(peak, nullptr);
  EXPECT_DOUBLE_EQ(peak->value, 96 * 32 * 3.55e9);
  EXPECT_EQ(peak->provenance, "data_sheet");
  EXPECT_THAT(peak->how, HasSubstr("96 cores x 32 a cycle (Zen 4) x 3.55 GHz (boost of all cores), "
                                   "computed"));
  const Roof* dram = Named(roofs.value(), "DRAM");
  ASSERT_NE(dram, nullptr);
  EXPECT_DOUBLE_EQ(dram->value, 460.8e9);
  EXPECT_THAT(dram->how, HasSubstr("12 channels x 4800 MT/s x 8 B"));
}

TEST(CpuTableTest, OneCoreRunsAtItsHighestBoostAndAnUnpublishedClockIsCalledABound) {
  const auto one = CpuDataSheetFrom(kFolder, "AMD EPYC 9654 96-Core Processor", {.cores = 1});
  EXPECT_DOUBLE_EQ(Named(one.value(), "float32 vector")->value, 32 * 3.7e9);
  const auto two =
      CpuDataSheetFrom(kFolder, "Intel(R) Xeon(R) Platinum 8480+", {.cores = 112, .sockets = 2});
  const Roof* amx = Named(two.value(), "bfloat16 tensor");
  ASSERT_NE(amx, nullptr);
  EXPECT_DOUBLE_EQ(amx->value, 112 * 1024 * 3.8e9);
  EXPECT_THAT(amx->how, HasSubstr("highest boost of one core, a bound"));
  EXPECT_DOUBLE_EQ(Named(two.value(), "DRAM")->value, 2 * 8 * 4800e6 * 8);
}

TEST(CpuTableTest, AHiddenOrUnknownNameIsNeverGuessed) {
  for (const char* name : {"", "Intel(R) Xeon(R) Processor", "AMD EPYC", "AMD EPYC Processor",
                           "Intel(R) Xeon(R) Platinum 8480C", "Intel(R) Xeon(R) CPU @ 2.20GHz"}) {
    const auto roofs = CpuDataSheetFrom(kFolder, name, {});
    ASSERT_FALSE(roofs.ok()) << name;
    EXPECT_EQ(roofs.error().kind, ErrorKind::kNotPossible);
    EXPECT_THAT(roofs.error().hint, HasSubstr("cpus.csv"));
  }
}

TEST(CpuTableTest, EveryRowHasItsOwnWordsAKnownCoreAndPlausibleFigures) {
  const auto table = os::PublishedTable::Read(kFolder / "cpus.csv", {"match"});
  ASSERT_TRUE(table.ok());
  std::set<std::string> matches;
  for (const os::PublishedTable::Row& row : table.value().rows()) {
    const std::string match(table.value().Text(row, "match"));
    EXPECT_TRUE(matches.insert(match).second) << match;
    const auto roofs = CpuDataSheetFrom(kFolder, match, {});
    ASSERT_TRUE(roofs.ok()) << match;
    const Roof* peak = Named(roofs.value(), "float32 vector");
    const Roof* dram = Named(roofs.value(), "DRAM");
    ASSERT_TRUE(peak != nullptr && dram != nullptr) << match;
    EXPECT_DOUBLE_EQ(peak->value, 2 * Named(roofs.value(), "float64 vector")->value) << match;
    EXPECT_GT(peak->value, 0.3e12) << match;
    EXPECT_LT(peak->value, 60e12) << match;
    EXPECT_GT(dram->value, 30e9) << match;
    EXPECT_LT(dram->value, 700e9) << match;
    const double most = table.value().Number(row, "max_ghz").value_or(9);
    EXPECT_LE(table.value().Number(row, "base_ghz").value_or(0), most) << match;
    EXPECT_LE(table.value().Number(row, "all_core_ghz").value_or(0), most) << match;
  }
  EXPECT_GT(matches.size(), 50U);
}

TEST(CpuTableTest, RefusesADamagedTable) {
  const fs::path folder = fs::path(testing::TempDir()) / "damaged_cpus";
  fs::create_directories(folder);
  std::ofstream(folder / "cores.csv") << "core,float32_vector,source\nA,32,S\n";
  std::ofstream(folder / "cpus.csv") << "cpu,match,cores,core,source\nX,x,4,B,S\n";
  const auto roofs = CpuDataSheetFrom(folder, "x", {});
  ASSERT_FALSE(roofs.ok());
  EXPECT_EQ(roofs.error().kind, ErrorKind::kEnvironment);
  EXPECT_THAT(roofs.error().what, HasSubstr("no core is called B"));
  fs::remove_all(folder);
  EXPECT_EQ(CpuDataSheetFrom(folder, "x", {}).error().kind, ErrorKind::kEnvironment);
}

}  // namespace
}  // namespace xsp::roofs
