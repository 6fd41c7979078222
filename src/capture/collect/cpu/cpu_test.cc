#include "capture/collect/cpu/cpu.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "capture/collect/fixture_tree.h"

namespace xsp::collect::cpu {
namespace {

TEST(CpuCollectorTest, DescribesAVirtualMachine) {
  const FixtureTree tree({{"proc/cpuinfo",
                           "vendor_id : GenuineIntel\nmodel name : Some Xeon\nmicrocode : 0x1\n"
                           "flags : fpu avx2 amx_tile hypervisor fma\n"},
                          {"sys/devices/system/cpu/online", "0-1"},
                          {"sys/devices/system/cpu/smt/control", "notsupported"},
                          {"sys/devices/system/cpu/cpu0/topology/physical_package_id", "0"},
                          {"sys/devices/system/cpu/cpu0/topology/core_id", "0"},
                          {"sys/devices/system/cpu/cpu1/topology/physical_package_id", "0"},
                          {"sys/devices/system/cpu/cpu1/topology/core_id", "1"},
                          {"sys/devices/system/cpu/cpu0/cache/index0/level", "1"},
                          {"sys/devices/system/cpu/cpu0/cache/index0/type", "Data"},
                          {"sys/devices/system/cpu/cpu0/cache/index0/size", "48K"},
                          {"sys/devices/system/cpu/cpu0/cache/index0/shared_cpu_list", "0"},
                          {"sys/devices/system/node/node0/cpulist", "0-1"},
                          {"sys/devices/system/node/online", "0"}});
  const auto facts = Collect(MachineFiles(tree.root()));
  EXPECT_EQ(ValueOf(facts, "cpu.model"), "Some Xeon");
  EXPECT_EQ(ValueOf(facts, "cpu.cores"), "2");
  EXPECT_EQ(ValueOf(facts, "cpu.threads"), "2");
  EXPECT_EQ(ValueOf(facts, "cpu.instruction_sets"), "fma avx2 amx_tile");
  EXPECT_EQ(ValueOf(facts, "cpu.caches.l1d_bytes"), "49152");
  EXPECT_EQ(ValueOf(facts, "cpu.caches.l1d_shared_by"), "1");
  EXPECT_EQ(ValueOf(facts, "cpu.numa_nodes"), "1");
  EXPECT_EQ(ValueOf(facts, "cpu.hypervisor"), "present, not named");
  EXPECT_THAT(FactOf(facts, "cpu.caches.l3_bytes").why, testing::HasSubstr("caches"));
  EXPECT_THAT(BadFacts(facts, "cpu"), testing::IsEmpty());
}

TEST(CpuCollectorTest, SaysWhyWhereNothingIsVisible) {
  const FixtureTree tree({});
  const auto facts = Collect(MachineFiles(tree.root()));
  EXPECT_EQ(ValueOf(facts, "cpu.model"), "");
  EXPECT_EQ(ValueOf(facts, "cpu.hypervisor"), "none seen");
  EXPECT_THAT(BadFacts(facts, "cpu"), testing::IsEmpty());
}

TEST(CpuCollectorTest, WorksOnThisMachine) {
  EXPECT_THAT(BadFacts(kSpec.collect(), "cpu"), testing::IsEmpty());
}

}  // namespace
}  // namespace xsp::collect::cpu
