#include "derive/roofs/roof_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "core/json_text.h"
#include "derive/roofs/roof_json.h"
#include "os/scratch_folder.h"

namespace xsp::roofs {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using Processor = NamedRoofs::Processor;

const Roof kVector = {"flops", "float32 vector", "float32", "vector", 2,
                      1e12,    "measured:xsp",   "FMA",     true};

json ProcessorJson(const std::string& name, double flops) {
  Roof roof = kVector;
  roof.value = flops;
  return {{"processor", name},
          {"roofs", json::array({ToJson(roof)})},
          {"data_sheet", json::array()},
          {"measured_at", "2026-11-26T00:00:00Z"},
          {"conditions", "idle"}};
}

class RoofFile : public testing::Test {
 protected:
  std::filesystem::path Write(const std::string& text) const {
    const auto file = folder_.path() / "roofs.json";
    std::ofstream(file) << text;
    return file;
  }

  os::ScratchFolder folder_ = os::ScratchFolder::Create().value();
};

TEST_F(RoofFile, HasTheCpuAndThenTheGpusOfAMachine) {
  json document = ProcessorJson("EPYC", 1e12);
  document["gpus"] = json::array({ProcessorJson("GPU A", 2e12), ProcessorJson("GPU B", 3e12)});
  const auto read = ReadRoofFile(Write(core::JsonText(document)));
  ASSERT_TRUE(read.ok()) << read.error().what;
  ASSERT_EQ(read.value().size(), 3U);
  EXPECT_EQ(read.value()[0].name, "EPYC");
  EXPECT_EQ(read.value()[0].processor, Processor::kCpu);
  EXPECT_EQ(read.value()[0].report.measured_at, "2026-11-26T00:00:00Z");
  EXPECT_EQ(read.value()[2].name, "GPU B");
  EXPECT_EQ(read.value()[2].processor, Processor::kGpu);
  ASSERT_EQ(read.value()[2].report.roofs.size(), 1U);
  EXPECT_EQ(read.value()[2].report.roofs[0].value, 3e12);
}

TEST_F(RoofFile, WithoutMeasuredRoofsItIsADataSheetOfANamedDevice) {
  json document = ProcessorJson("H100", 1e12);
  std::swap(document["roofs"], document["data_sheet"]);
  const auto read = ReadRoofFile(Write(core::JsonText(document)));
  ASSERT_TRUE(read.ok()) << read.error().what;
  ASSERT_EQ(read.value().size(), 1U);
  EXPECT_EQ(read.value()[0].processor, Processor::kNamed);
}

TEST_F(RoofFile, WithoutRoofsItIsRefused) {
  json without_value = ProcessorJson("EPYC", 1e12);
  without_value["roofs"][0]["value"] = -1;
  for (const std::string& text : {std::string(), std::string("[]"), std::string("{\"roofs\": 3}"),
                                  std::string("{\"gpus\": [7]}"), core::JsonText(without_value)}) {
    const auto read = ReadRoofFile(Write(text));
    ASSERT_FALSE(read.ok()) << text;
    EXPECT_EQ(read.error().kind, ErrorKind::kBadInput);
    EXPECT_THAT(read.error().what, HasSubstr("roofs.json"));
  }
  EXPECT_EQ(ReadRoofFile(folder_.path() / "none.json").error().kind, ErrorKind::kBadInput);
}

TEST_F(RoofFile, ARoofSurvivesTheWayThroughJson) {
  const auto read = RoofFromJson(ToJson(kVector));
  ASSERT_TRUE(read.has_value());
  EXPECT_EQ(ToJson(*read), ToJson(kVector));
}

TEST(DataSheetOf, FindsGpusAndCpus) {
  const auto gpu = DataSheetOf("NVIDIA H100 80GB HBM3");
  ASSERT_TRUE(gpu.ok()) << gpu.error().what;
  EXPECT_FALSE(gpu.value().report.roofs.empty());
  const auto cpu = DataSheetOf("AMD EPYC 7763 64-Core Processor");
  ASSERT_TRUE(cpu.ok()) << cpu.error().what;
  EXPECT_FALSE(cpu.value().report.roofs.empty());
}

TEST(DataSheetOf, NamesSimilarDevicesOfAnUnknownOne) {
  const auto found = DataSheetOf("RTX A6001");
  ASSERT_FALSE(found.ok());
  EXPECT_EQ(found.error().kind, ErrorKind::kNotPossible);
  EXPECT_THAT(found.error().hint, HasSubstr("RTX A6000"));
}

}  // namespace
}  // namespace xsp::roofs
