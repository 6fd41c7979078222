#include "capture/collect/memory/memory.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "capture/collect/fixture_tree.h"

namespace xsp::collect::memory {
namespace {

TEST(MemoryCollectorTest, ReadsSizesInBytes) {
  const FixtureTree tree(
      {{"proc/meminfo",
        "MemTotal: 1000 kB\nMemAvailable: 600 kB\nSwapTotal: 0 kB\nSwapFree: 0 kB\n"
        "HugePages_Total:      16\nHugepagesize: 2048 kB\n"},
       {"sys/kernel/mm/transparent_hugepage/enabled", "always [madvise] never\n"},
       {"sys/devices/system/node/node0/meminfo", "Node 0 MemTotal: 500 kB\n"},
       {"sys/devices/system/node/node1/meminfo", "Node 1 MemTotal: 500 kB\n"},
       {"sys/devices/system/node/possible", "0-1\n"}});
  const auto facts = Collect(MachineFiles(tree.root()));
  EXPECT_EQ(ValueOf(facts, "memory.total_bytes"), "1024000");
  EXPECT_EQ(ValueOf(facts, "memory.available_bytes"), "614400");
  EXPECT_EQ(ValueOf(facts, "memory.swap_total_bytes"), "0");
  EXPECT_EQ(ValueOf(facts, "memory.huge_pages"), "16");
  EXPECT_EQ(ValueOf(facts, "memory.transparent_huge_pages"), "madvise");
  EXPECT_EQ(ValueOf(facts, "memory.numa.node1_bytes"), "512000");
  EXPECT_THAT(BadFacts(facts, "memory"), testing::IsEmpty());
}

TEST(MemoryCollectorTest, SaysWhyWhereNothingIsVisible) {
  const FixtureTree tree({});
  const auto facts = Collect(MachineFiles(tree.root()));
  EXPECT_THAT(FactOf(facts, "memory.total_bytes").why, testing::HasSubstr("/proc/meminfo"));
  EXPECT_THAT(BadFacts(facts, "memory"), testing::IsEmpty());
}

TEST(MemoryCollectorTest, WorksOnThisMachine) {
  EXPECT_THAT(BadFacts(kSpec.collect(), "memory"), testing::IsEmpty());
}

}  // namespace
}  // namespace xsp::collect::memory
