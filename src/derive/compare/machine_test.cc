#include "derive/compare/machine.h"

#include <gtest/gtest.h>

#include "core/json_text.h"

namespace xsp::compare {
namespace {

using nlohmann::json;

TEST(MachineOf, ReadsTheStackOfAMeasuredRun) {
  const Machine machine = MachineOf(
      core::ParseJson(R"({"stack": {"cpu": {"model": "AMD EPYC"}, "gpu": {"models": null}}})"));
  EXPECT_EQ(machine.cpu, "AMD EPYC");
  EXPECT_EQ(machine.gpu, "");
}

TEST(MachineOf, PrefersWhatTheFileStatesOfItsDevice) {
  const Machine machine = MachineOf(core::ParseJson(
      R"({"facts": {"deviceProperties.0.name": "H100"}, "stack": {"gpu": {"models": "T4"}}})"));
  EXPECT_EQ(machine.gpu, "H100");
}

TEST(MachineOf, OfSeveralFilesNamesEachDeviceOnce) {
  const json run = core::ParseJson(R"({"facts": {
      "file.0.deviceProperties.0.name": "MI300X", "file.1.deviceProperties.0.name": "H100",
      "file.2.deviceProperties.0.name": "H100", "file.x.deviceProperties.0.name": "no number",
      "file.1.other.deviceProperties.0.name": "another fact", "file.0.driver": 550}})");
  EXPECT_EQ(MachineOf(run).gpu, "H100, MI300X");
  EXPECT_EQ(FactOf(run, "driver"), "550");
  EXPECT_EQ(FactOf(run, "absent"), "");
}

TEST(MachineOf, KnowsNothingOfOtherJson) {
  for (const char* text : {"null", "[]", "{}", R"({"stack": 1})", R"({"facts": [], "stack": null})",
                           R"({"stack": {"cpu": "x", "gpu": {"models": 3}}})"}) {
    EXPECT_EQ(MachineOf(core::ParseJson(text)).cpu, "") << text;
    EXPECT_EQ(MachineOf(core::ParseJson(text)).gpu, "") << text;
  }
}

}  // namespace
}  // namespace xsp::compare
