#include "measure/sweeps/machine_fit.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace xsp::sweeps {
namespace {

using ::testing::HasSubstr;

const std::vector<collect::Fact> kStack = {{"system.architecture", "x86_64", ""},
                                           {"cpu.model", "AMD EPYC 9654", ""},
                                           {"gpu.models", "NVIDIA H100 80GB", ""},
                                           {"memory.total_bytes", "25276502016", ""},
                                           {"cpu.instruction_sets", "avx avx2 avx512f", ""}};

std::string WhyNot(const MachineConstraint& constraint) {
  return WhyNotThisMachine(constraint, kStack);
}

TEST(MachineFitTest, WhatIsAskedForMustBeThere) {
  EXPECT_EQ(WhyNot({"any", "", "", 0, {}}), "");
  EXPECT_EQ(WhyNot({"m", "x86_64", "h100", 25, {"avx2", "avx512f"}}), "");
  EXPECT_EQ(WhyNot({"m", "", "epyc", 0, {}}), "");
  EXPECT_EQ(WhyNot({"m", "aarch64", "", 0, {}}), "its architecture is x86_64, not aarch64");
  EXPECT_THAT(WhyNot({"m", "", "A100", 0, {}}), HasSubstr("are called A100"));
  EXPECT_EQ(WhyNot({"m", "", "", 26, {}}), "its memory is 25.3 GB, less than 26 GB");
  // A part of a word is another instruction set.
  EXPECT_THAT(WhyNot({"m", "", "", 0, {"avx512"}}), HasSubstr("has no avx512"));
}

TEST(MachineFitTest, WhatTheMachineHidesDoesNotFit) {
  EXPECT_EQ(WhyNotThisMachine({"any", "", "", 0, {}}, {}), "");
  EXPECT_THAT(WhyNotThisMachine({"m", "x86_64", "", 0, {}}, {}), HasSubstr("not known"));
  EXPECT_THAT(WhyNotThisMachine({"m", "", "", 1, {}}, {}), HasSubstr("not known"));
}

}  // namespace
}  // namespace xsp::sweeps
