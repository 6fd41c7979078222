#include "derive/roofs/device_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <string>

#include "os/files.h"
#include "source_dir.h"

namespace xsp::roofs {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

const fs::path kDevicesTable = fs::path(XSP_SOURCE_DIR) / "machine/devices.csv";

double Value(std::string_view device, std::string_view name) {
  const auto roofs = DataSheetRoofsFrom(kDevicesTable, device);
  if (!roofs.ok()) return -1;
  for (const Roof& roof : roofs.value()) {
    if (roof.name == name) return roof.value;
  }
  return 0;
}

TEST(DeviceTableTest, FindsDevicesByTheNamesThatDriversPrint) {
  EXPECT_DOUBLE_EQ(Value("Tesla V100-SXM2-16GB", "float32 vector"), 15.7e12);
  EXPECT_DOUBLE_EQ(Value("Tesla V100-PCIE-32GB", "float32 vector"), 14e12);
  EXPECT_DOUBLE_EQ(Value("NVIDIA A100-SXM4-80GB", "DRAM"), 2039e9);
  EXPECT_DOUBLE_EQ(Value("NVIDIA A100-SXM4-40GB", "DRAM"), 1555e9);
  EXPECT_DOUBLE_EQ(Value("NVIDIA A100-PCIE-40GB", "DRAM"), 1555e9);
  EXPECT_DOUBLE_EQ(Value("NVIDIA A100 80GB PCIe", "DRAM"), 1935e9);
  EXPECT_DOUBLE_EQ(Value("NVIDIA H100 80GB HBM3", "bfloat16 tensor"), 989.4e12);
  EXPECT_DOUBLE_EQ(Value("NVIDIA H100 PCIe", "bfloat16 tensor"), 756e12);
  EXPECT_DOUBLE_EQ(Value("NVIDIA GeForce RTX 4090", "DRAM"), 1008e9);
  EXPECT_DOUBLE_EQ(Value("AMD Instinct MI300X", "float64 vector"), 81.7e12);
  EXPECT_DOUBLE_EQ(Value("NVIDIA B200", "float8 tensor"), 4500e12);
  EXPECT_DOUBLE_EQ(Value("NVIDIA GB200", "float8 tensor"), 5000e12);
  EXPECT_DOUBLE_EQ(Value("NVIDIA GH200 480GB", "DRAM"), 4000e9);
  EXPECT_DOUBLE_EQ(Value("NVIDIA GeForce RTX 5090", "DRAM"), 1792e9);
  EXPECT_DOUBLE_EQ(Value("NVIDIA GH200 144G HBM3e", "DRAM"), 4900e9);
  EXPECT_DOUBLE_EQ(Value("Tesla V100-DGXS-32GB", "float16 tensor"), 125e12);
  EXPECT_DOUBLE_EQ(Value("Tesla V100-SXM3-32GB", "float32 vector"), 15.7e12);
  EXPECT_DOUBLE_EQ(Value("Tesla P100-PCIE-12GB", "DRAM"), 549e9);
  EXPECT_DOUBLE_EQ(Value("Tesla P100-PCIE-16GB", "DRAM"), 732e9);
  EXPECT_DOUBLE_EQ(Value("Tesla K80", "DRAM"), 240e9);
  EXPECT_DOUBLE_EQ(Value("NVIDIA TITAN V", "DRAM"), 652.8e9);
  EXPECT_DOUBLE_EQ(Value("Quadro RTX 8000", "float16 tensor"), 130.5e12);
  EXPECT_DOUBLE_EQ(Value("NVIDIA A800-SXM4-80GB", "DRAM"), 2039e9);
  EXPECT_DOUBLE_EQ(Value("NVIDIA A800 80GB PCIe", "DRAM"), 1935e9);
  EXPECT_DOUBLE_EQ(Value("NVIDIA H20", "DRAM"), 4000e9);
  EXPECT_DOUBLE_EQ(Value("NVIDIA H20-3e", "DRAM"), 4800e9);
  EXPECT_DOUBLE_EQ(Value("NVIDIA B300 SXM6 AC", "float64 vector"), 1.25e12);
  EXPECT_DOUBLE_EQ(Value("AMD Radeon RX 7900 XTX", "DRAM"), 960e9);
  EXPECT_DOUBLE_EQ(Value("AMD Instinct MI60 / MI50", "float32 vector"), 14.7e12);
  EXPECT_DOUBLE_EQ(Value("AMD Instinct MI250X / MI250", "float64 vector"), 23.95e12);
  // 256 compute units x 8192 FLOP a clock x 2.4 GHz.
  EXPECT_NEAR(Value("AMD Instinct MI355X", "float8 tensor"), 256 * 8192 * 2.4e9, 1e11);
}

TEST(DeviceTableTest, TellsVariantsOfOneNumberApart) {
  const auto float32 = [](std::string_view device) { return Value(device, "float32 vector"); };
  EXPECT_DOUBLE_EQ(float32("NVIDIA GeForce GTX 1080"), 8.9e12);
  EXPECT_DOUBLE_EQ(float32("NVIDIA GeForce GTX 1080 Ti"), 11.3e12);
  EXPECT_DOUBLE_EQ(float32("NVIDIA GeForce RTX 2080 SUPER"), 11.2e12);
  EXPECT_DOUBLE_EQ(float32("NVIDIA GeForce RTX 3060"), 12.7e12);
  EXPECT_DOUBLE_EQ(float32("NVIDIA GeForce RTX 3060 Ti"), 16.2e12);
  EXPECT_DOUBLE_EQ(float32("NVIDIA GeForce RTX 3090 Ti"), 40e12);
  EXPECT_DOUBLE_EQ(float32("NVIDIA GeForce RTX 4070"), 29.1e12);
  EXPECT_DOUBLE_EQ(float32("NVIDIA GeForce RTX 4070 Ti"), 40.1e12);
  EXPECT_DOUBLE_EQ(float32("NVIDIA GeForce RTX 4070 SUPER"), 35.5e12);
  EXPECT_DOUBLE_EQ(float32("NVIDIA GeForce RTX 4070 Ti SUPER"), 44.1e12);
  EXPECT_DOUBLE_EQ(float32("NVIDIA GeForce RTX 4090 D"), 73.5e12);
  EXPECT_DOUBLE_EQ(Value("NVIDIA GeForce RTX 5090 D", "float16 tensor"), 0);
  EXPECT_DOUBLE_EQ(float32("NVIDIA RTX 4000 Ada Generation"), 26.7e12);
  EXPECT_DOUBLE_EQ(float32("NVIDIA RTX 4000 SFF Ada Generation"), 19.2e12);
  EXPECT_DOUBLE_EQ(float32("NVIDIA RTX PRO 6000 Blackwell Workstation Edition"), 125e12);
  EXPECT_DOUBLE_EQ(float32("NVIDIA RTX PRO 6000 Blackwell Max-Q Workstation Edition"), 110.1e12);
}

TEST(DeviceTableTest, SaysWhereFiguresComeFrom) {
  const auto roofs = DataSheetRoofsFrom(kDevicesTable, "Tesla T4").value();
  ASSERT_FALSE(roofs.empty());
  for (const Roof& roof : roofs) {
    EXPECT_EQ(roof.provenance, "data_sheet");
    EXPECT_THAT(roof.how, HasSubstr("Tesla T4: NVIDIA"));
    EXPECT_EQ(roof.cores, 0);
    EXPECT_TRUE(roof.used);
  }
}

TEST(DeviceTableTest, BandwidthNamesTheCacheThatKeepsOperandsFromDram) {
  const auto roofs = DataSheetRoofsFrom(kDevicesTable, "NVIDIA A100-SXM4-80GB");
  ASSERT_TRUE(roofs.ok()) << roofs.error().what;
  EXPECT_THAT(roofs.value().back().how, testing::EndsWith("; last cache 40 MiB"));
}

TEST(DeviceTableTest, LeavesOutWhatTheSheetDoesNotState) {
  EXPECT_EQ(Value("Tesla P4", "float16 tensor"), 0);
  EXPECT_EQ(Value("Tesla V100-SXM2-16GB", "bfloat16 tensor"), 0);
}

TEST(DeviceTableTest, TakesNoOtherDeviceForOne) {
  for (const char* name :
       {"", "NVIDIA A1000", "NVIDIA A10G", "GeForce GTX 1060", "GeForce GTX TITAN X", "Radeon VII",
        "RTX 6000", "NVIDIA RTX PRO 6000 Blackwell Server Edition", "AMD Radeon RX 9070",
        "AMD Radeon RX 7900 GRE", "AMD Instinct MI308X", "NVIDIA GeForce RTX 3060 Laptop GPU",
        "NVIDIA GeForce RTX 4090 Laptop GPU", "NVIDIA GeForce RTX 3050 Ti Laptop GPU",
        "GeForce RTX 2080 Super with Max-Q Design", "NVIDIA RTX A5000 Laptop GPU",
        "NVIDIA TITAN V CEO Edition"}) {
    const auto roofs = DataSheetRoofsFrom(kDevicesTable, name);
    ASSERT_FALSE(roofs.ok()) << name;
    EXPECT_EQ(roofs.error().kind, ErrorKind::kNotPossible);
    EXPECT_THAT(roofs.error().hint, HasSubstr("devices.csv"));
  }
}

TEST(DeviceTableTest, EveryRowHasFloat32AndBandwidthAndTensorsAreNoSlower) {
  std::ifstream table(kDevicesTable);
  int rows = 0;
  for (std::string line; std::getline(table, line);) {
    if (line.empty() || line[0] == '#' || line.starts_with("device,")) continue;
    ++rows;
    const auto match = line.substr(line.find(',') + 1);
    const std::string words = match.substr(0, match.find(','));
    const double vector = Value(words, "float32 vector");
    EXPECT_GT(vector, 1e12) << line;
    EXPECT_GT(Value(words, "DRAM"), 100e9) << line;
    const double tensor = Value(words, "float16 tensor");
    EXPECT_TRUE(tensor == 0 || tensor > vector) << line;
  }
  EXPECT_GE(rows, 20);
}

TEST(DeviceTableTest, RefusesADamagedTable) {
  const fs::path file = fs::path(testing::TempDir()) / "damaged_devices.csv";
  std::ofstream(file) << "device,match,dram_gb_per_s,source\nX,x,1\n";
  const auto roofs = DataSheetRoofsFrom(file, "x");
  ASSERT_FALSE(roofs.ok());
  EXPECT_EQ(roofs.error().kind, ErrorKind::kEnvironment);
  EXPECT_THAT(roofs.error().what, HasSubstr("X has 3 of 4 fields"));
  fs::remove(file);
  EXPECT_EQ(DataSheetRoofsFrom(file, "x").error().kind, ErrorKind::kEnvironment);
}

}  // namespace
}  // namespace xsp::roofs
