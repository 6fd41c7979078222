#include "derive/compare/machine.h"

#include <gtest/gtest.h>

namespace xsp::compare {
namespace {

using nlohmann::json;

TEST(MachineOf, ReadsTheStackOfAMeasuredRun) {
  const Machine machine = MachineOf(
      json::parse(R"({"stack": {"cpu": {"model": "AMD EPYC"}, "gpu": {"models": null}}})"));
  EXPECT_EQ(machine.cpu, "AMD EPYC");
  EXPECT_EQ(machine.gpu, "");
}

TEST(MachineOf, PrefersWhatTheFileStatesOfItsDevice) {
  const Machine machine = MachineOf(json::parse(
      R"({"facts": {"deviceProperties.0.name": "H100"}, "stack": {"gpu": {"models": "T4"}}})"));
  EXPECT_EQ(machine.gpu, "H100");
}

TEST(MachineOf, KnowsNothingOfOtherJson) {
  for (const char* text : {"null", "[]", "{}", R"({"stack": 1})", R"({"facts": [], "stack": null})",
                           R"({"stack": {"cpu": "x", "gpu": {"models": 3}}})"}) {
    EXPECT_EQ(MachineOf(json::parse(text)).cpu, "") << text;
    EXPECT_EQ(MachineOf(json::parse(text)).gpu, "") << text;
  }
}

}  // namespace
}  // namespace xsp::compare
