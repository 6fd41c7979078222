#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "capture/collect/fixture_tree.h"

namespace xsp::collect::toolchain {

extern const CollectorSpec kSpec;

namespace {

TEST(ToolchainCollectorTest, NamesCompilerAndLibraries) {
  const auto facts = kSpec.collect();
  EXPECT_THAT(ValueOf(facts, "toolchain.compiler"), testing::ContainsRegex("[0-9]+\\.[0-9]+"));
  EXPECT_THAT(ValueOf(facts, "toolchain.c_library"), testing::StartsWith("glibc 2."));
  EXPECT_THAT(BadFacts(facts, "toolchain"), testing::IsEmpty());
}

}  // namespace
}  // namespace xsp::collect::toolchain
