#include "api/operations/machine_roofs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/json_text.h"
#include "store/store_testing.h"

namespace xsp::api {
namespace {

using nlohmann::json;
using testing::ElementsAre;

/// A processor with one measured roof and the same of its data sheet.
ProcessorRoofs Sample(const std::string& title) {
  const roofs::Roof measured{.kind = "flops",
                             .name = "float32 vector",
                             .dtype = "float32",
                             .unit = "vector",
                             .cores = 2,
                             .value = 5e10,
                             .provenance = "measured:xsp",
                             .how = "AVX2",
                             .used = true};
  roofs::Roof sheet = measured;
  sheet.value = 1e11;
  sheet.provenance = "data_sheet";
  sheet.used = false;
  return {.title = title,
          .report = {.measured_at = "2026-01-01T00:00:00Z",
                     .machine = "",
                     .conditions = "quiet",
                     .disturbed = false,
                     .roofs = {measured}},
          .sheet = {sheet},
          .no_sheet = "",
          .shares = {{.roof = 0, .sheet = 0, .share = 0.5, .explanation = "the machine was busy"}}};
}

TEST(ToJson, StatesSharesBesideMeasuredRoofsAlone) {
  const json document = ToJson(Sample("A CPU"));
  EXPECT_EQ(document["processor"], "A CPU");
  EXPECT_EQ(document["measured_at"], "2026-01-01T00:00:00Z");
  EXPECT_EQ(document["roofs"], core::ParseJson(R"([{
      "kind": "flops", "name": "float32 vector", "dtype": "float32", "unit": "vector", "cores": 2,
      "value": 5e10, "provenance": "measured:xsp", "how": "AVX2", "used": true,
      "share_of_data_sheet": 0.5, "explanation": "the machine was busy"}])"));
  ASSERT_EQ(document["data_sheet"].size(), 1U);
  EXPECT_FALSE(document["data_sheet"][0].contains("share_of_data_sheet"));
}

TEST(WriteRooflines, DrawsEachGpuToAFileOfItsOwn) {
  const store::TestFolder folder;
  const auto written =
      WriteRooflines({Sample("A CPU"), Sample("A GPU"), Sample("B GPU")}, folder.path() / "r.svg");
  ASSERT_TRUE(written.ok()) << written.error().what;
  EXPECT_THAT(written.value(), ElementsAre(folder.path() / "r.svg", folder.path() / "r-gpu0.svg",
                                           folder.path() / "r-gpu1.svg"));
  for (const std::filesystem::path& file : written.value())
    EXPECT_TRUE(std::filesystem::exists(file)) << file.string();
}

TEST(WriteRooflines, FailsWhereTheFolderIsNotThere) {
  EXPECT_FALSE(WriteRooflines({Sample("A CPU")}, "/no/such/folder/r.svg").ok());
}

TEST(RoofsOfDataSheet, KnowsGpusByName) {
  const auto known = RoofsOfDataSheet("NVIDIA H100 PCIe");
  ASSERT_TRUE(known.ok()) << known.error().what;
  EXPECT_TRUE(known.value().report.measured_at.empty());
  EXPECT_FALSE(known.value().sheet.empty());
  const auto unknown = RoofsOfDataSheet("no such device");
  ASSERT_FALSE(unknown.ok());
  EXPECT_EQ(unknown.error().kind, ErrorKind::kNotPossible);
}

}  // namespace
}  // namespace xsp::api
