#include "capture/collect/interconnect/interconnect.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "capture/collect/interconnect/server_testing.h"

namespace xsp::collect::interconnect {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

TEST(InterconnectCollectorTest, DescribesAServer) {
  const FixtureTree server({{"proc/cpuinfo", "flags : fpu avx2\n"}});
  WriteServer(server);
  const auto facts = Collect(MachineFiles(server.root()), {});
  EXPECT_EQ(ValueOf(facts, "interconnect.numa_distances"), "node0: 10 21; node1: 21 10");
  EXPECT_EQ(ValueOf(facts, "interconnect.pci_tree"), "the machine's");
  EXPECT_EQ(ValueOf(facts, "interconnect.gpus"), "4");
  EXPECT_EQ(ValueOf(facts, "interconnect.networks"), "2");
  EXPECT_EQ(ValueOf(facts, "interconnect.nvswitches"), "1");
  EXPECT_EQ(ValueOf(facts, "interconnect.gpu0.path"),
            "pci0000:16 > 0000:16:01.0 > 0000:17:00.0 > 0000:18:00.0");
  EXPECT_EQ(ValueOf(facts, "interconnect.gpu0.link_lanes"), "16");
  EXPECT_EQ(ValueOf(facts, "interconnect.reach.gpu0"),
            "gpu1 PXB, gpu2 PHB, gpu3 SYS, nic0 PIX, nic1 NODE");
  EXPECT_EQ(ValueOf(facts, "interconnect.reach.gpu3"),
            "gpu0 SYS, gpu1 SYS, gpu2 SYS, nic0 SYS, nic1 SYS");
  EXPECT_THAT(FactOf(facts, "interconnect.gpu1.link_speed").why, HasSubstr("no PCIe link"));
  EXPECT_THAT(FactOf(facts, "interconnect.gpu1.driver").why, HasSubstr("no driver"));
  EXPECT_THAT(BadFacts(facts, "interconnect"), IsEmpty());
}

TEST(InterconnectCollectorTest, SaysThatAHostShapedTheTree) {
  const FixtureTree machine({{"proc/cpuinfo", "flags : fpu hypervisor\n"}});
  WritePciDevice(machine, "0000:00:05.0", "pci0000:00/", "0x030200", "0x10de", "0x2335", "-1");
  const auto facts = Collect(MachineFiles(machine.root()), {});
  EXPECT_THAT(ValueOf(facts, "interconnect.pci_tree"), HasSubstr("virtual machine"));
  EXPECT_THAT(FactOf(facts, "interconnect.gpu0.numa_node").why, HasSubstr("no node"));
  EXPECT_THAT(FactOf(facts, "interconnect.reach.gpu0").why, HasSubstr("no other GPU"));
  EXPECT_EQ(ValueOf(facts, "interconnect.gpu0.path"), "pci0000:00");
  EXPECT_THAT(BadFacts(facts, "interconnect"), IsEmpty());
}

TEST(InterconnectCollectorTest, SortsNodesByNumber) {
  const FixtureTree machine({{"sys/devices/system/node/node10/distance", "20 10\n"},
                             {"sys/devices/system/node/node9/distance", "10 20\n"},
                             {"sys/devices/system/node/possible", "0-10\n"}});
  EXPECT_EQ(ValueOf(Collect(MachineFiles(machine.root()), {}), "interconnect.numa_distances"),
            "node9: 10 20; node10: 20 10");
}

TEST(InterconnectCollectorTest, SaysThatThereIsNoBus) {
  const FixtureTree machine({});
  const auto facts = Collect(MachineFiles(machine.root()), {});
  EXPECT_THAT(FactOf(facts, "interconnect.gpus").why, HasSubstr("no PCI bus"));
  EXPECT_THAT(FactOf(facts, "interconnect.numa_distances").why, HasSubstr("without NUMA"));
  EXPECT_THAT(BadFacts(facts, "interconnect"), IsEmpty());
}

TEST(InterconnectCollectorTest, WorksOnThisMachine) {
  EXPECT_THAT(BadFacts(kSpec.collect(), "interconnect"), IsEmpty());
}

}  // namespace
}  // namespace xsp::collect::interconnect
