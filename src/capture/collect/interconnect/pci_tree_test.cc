#include "capture/collect/interconnect/pci_tree.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "capture/collect/interconnect/server_testing.h"

namespace xsp::collect::interconnect {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

/// How `from` reaches `to` in the server of server_testing.h.
std::string Between(const PciTree& tree, std::string_view from, std::string_view to) {
  const auto find = [&](std::string_view name) -> PciDevice {
    for (const auto* devices : {&tree.gpus, &tree.networks}) {
      for (const PciDevice& device : *devices) {
        if (device.name == name) return device;
      }
    }
    ADD_FAILURE() << "no such device: " << name;
    return {};
  };
  return Reach(find(from), find(to), tree.numa_nodes);
}

TEST(PciTreeTest, FindsDevicesWithTheirPlaceAndLink) {
  const FixtureTree server({});
  WriteServer(server);
  const PciTree tree = ReadPciTree(MachineFiles(server.root()));
  ASSERT_EQ(tree.gpus.size(), 4U);
  ASSERT_EQ(tree.networks.size(), 2U);
  EXPECT_EQ(tree.numa_nodes, 2);
  EXPECT_EQ(tree.nvswitches, 1);
  const PciDevice& gpu = tree.gpus[0];
  EXPECT_EQ(gpu.name, "gpu0");
  EXPECT_EQ(gpu.address, "0000:19:00.0");
  EXPECT_EQ(gpu.id, "10de:2330");
  EXPECT_EQ(gpu.driver, "nvidia");
  EXPECT_EQ(gpu.host_bridge, "pci0000:16");
  EXPECT_THAT(gpu.bridges, ElementsAre("0000:16:01.0", "0000:17:00.0", "0000:18:00.0"));
  EXPECT_EQ(gpu.node, 0);
  EXPECT_EQ(gpu.speed, "2.5 GT/s PCIe");
  EXPECT_EQ(gpu.speed_maximum, "32.0 GT/s PCIe");
  EXPECT_EQ(gpu.lanes, "16");
  EXPECT_EQ(tree.networks[1].lanes, "") << "a width of 0 is no link";
}

TEST(PciTreeTest, LeavesOutConsolesAndVirtualFunctions) {
  const FixtureTree machine({});
  WritePciDevice(machine, "0000:00:02.0", "pci0000:00/", "0x030000", "0x1a03", "0x2000", "0");
  WritePciDevice(machine, "0000:00:03.0", "pci0000:00/", "0x038000", "0x1af4", "0x1050", "0");
  WritePciDevice(machine, "0000:01:00.1", "pci0000:00/0000:00:01.0/", "0x020000", "0x15b3",
                 "0x101e", "0");
  machine.Link("sys/devices/pci0000:00/0000:00:01.0/0000:01:00.1/physfn", "../0000:01:00.0");
  const PciTree tree = ReadPciTree(MachineFiles(machine.root()));
  EXPECT_THAT(tree.gpus, IsEmpty());
  EXPECT_THAT(tree.networks, IsEmpty());
}

TEST(PciTreeTest, IsEmptyWithoutABus) {
  const FixtureTree machine({});
  const PciTree tree = ReadPciTree(MachineFiles(machine.root()));
  EXPECT_THAT(tree.gpus, IsEmpty());
  EXPECT_EQ(tree.numa_nodes, 0);
}

TEST(PciReachTest, TellsEveryKindOfWay) {
  const FixtureTree server({});
  WriteServer(server);
  const PciTree tree = ReadPciTree(MachineFiles(server.root()));
  EXPECT_EQ(Between(tree, "gpu0", "nic0"), "PIX") << "two ports of one switch";
  EXPECT_EQ(Between(tree, "gpu0", "gpu1"), "PXB") << "a second switch below the first";
  EXPECT_EQ(Between(tree, "gpu0", "gpu2"), "PHB") << "two root ports of one host bridge";
  EXPECT_EQ(Between(tree, "gpu0", "nic1"), "NODE") << "two host bridges of one node";
  EXPECT_EQ(Between(tree, "gpu0", "gpu3"), "SYS") << "two nodes";
}

TEST(PciReachTest, IsTheSameBothWays) {
  std::mt19937 random(7);
  const auto device = [&] {
    PciDevice made;
    made.host_bridge = random() % 2 == 0 ? "pci0000:00" : "pci0000:80";
    for (unsigned depth = random() % 5; depth > 0; --depth) {
      made.bridges.push_back(random() % 2 == 0 ? "0000:01:00.0" : "0000:01:01.0");
    }
    if (random() % 4 != 0) made.node = static_cast<std::int64_t>(random() % 2);
    return made;
  };
  for (int round = 0; round < 2000; ++round) {
    const PciDevice a = device(), b = device();
    EXPECT_EQ(Reach(a, b, 2), Reach(b, a, 2));
  }
}

TEST(PciReachTest, DoesNotGuessNodesThatTheKernelHides) {
  PciDevice a, b;
  a.host_bridge = "pci0000:00";
  b.host_bridge = "pci0000:80";
  EXPECT_EQ(Reach(a, b, 2), "NODE or SYS");
  EXPECT_EQ(Reach(a, b, 0), "NODE or SYS");
  EXPECT_EQ(Reach(a, b, 1), "NODE") << "there is only one node";
  b.host_bridge = "";
  EXPECT_EQ(Reach(a, b, 1), "") << "nothing is known of b";
}

TEST(PciAddressTest, IsToldFromOtherNames) {
  EXPECT_TRUE(IsPciAddress("0000:17:00.0"));
  EXPECT_TRUE(IsPciAddress("10000:e1:1f.7"));
  for (const char* text : {"", "pci0000:16", "0000:17:00", "virtio2", "0000:1x:00.0", "::."}) {
    EXPECT_FALSE(IsPciAddress(text)) << text;
  }
}

}  // namespace
}  // namespace xsp::collect::interconnect
