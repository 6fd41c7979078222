#ifndef XSP_CAPTURE_COLLECT_INTERCONNECT_SERVER_TESTING_H_
#define XSP_CAPTURE_COLLECT_INTERCONNECT_SERVER_TESTING_H_

// For tests: a server of two sockets with four GPUs and two network controllers, as /sys shows it.

#include <string>

#include "capture/collect/fixture_tree.h"

namespace xsp::collect::interconnect {

/// A device at `address`, below `above` ("pci0000:16/0000:16:01.0/").
inline void WritePciDevice(const FixtureTree& tree, const std::string& address,
                           const std::string& above, const char* kind, const char* vendor,
                           const char* device, const char* node) {
  const std::string place = "sys/devices/" + above + address;
  tree.Write(place + "/class", kind);
  tree.Write(place + "/vendor", vendor);
  tree.Write(place + "/device", device);
  tree.Write(place + "/numa_node", node);
  tree.Link("sys/bus/pci/devices/" + address, "../../../devices/" + above + address);
}

/// gpu0 and nic0 below one switch, gpu1 below a second switch behind the first, gpu2 at another
/// root port of the same host bridge, nic1 at another host bridge of the same node, gpu3 at the
/// other socket; and an NVSwitch.
inline void WriteServer(const FixtureTree& tree) {
  const std::string port = "pci0000:16/0000:16:01.0/0000:17:00.0/";
  constexpr const char* kGpu = "0x030200";
  constexpr const char* kNetwork = "0x020700";
  WritePciDevice(tree, "0000:19:00.0", port + "0000:18:00.0/", kGpu, "0x10de", "0x2330", "0");
  WritePciDevice(tree, "0000:1a:00.0", port + "0000:18:01.0/", kNetwork, "0x15b3", "0x1021", "0");
  WritePciDevice(tree, "0000:1d:00.0", port + "0000:18:02.0/0000:1b:00.0/0000:1c:00.0/", kGpu,
                 "0x10de", "0x2330", "0");
  WritePciDevice(tree, "0000:1e:00.0", "pci0000:16/0000:16:02.0/", kGpu, "0x10de", "0x2330", "0");
  WritePciDevice(tree, "0000:41:00.0", "pci0000:40/0000:40:01.0/", "0x020000", "0x8086", "0x1592",
                 "0");
  WritePciDevice(tree, "0000:81:00.0", "pci0000:80/0000:80:01.0/", kGpu, "0x10de", "0x2330", "1");
  WritePciDevice(tree, "0000:82:00.0", "pci0000:80/0000:80:02.0/", "0x068000", "0x10de", "0x22a3",
                 "1");
  const std::string gpu0 = "sys/devices/" + port + "0000:18:00.0/0000:19:00.0/";
  tree.Link(gpu0 + "driver", "../../../../../../bus/pci/drivers/nvidia");
  // An idle GPU slows its link down.
  tree.Write(gpu0 + "current_link_speed", "2.5 GT/s PCIe\n");
  tree.Write(gpu0 + "max_link_speed", "32.0 GT/s PCIe\n");
  tree.Write(gpu0 + "current_link_width", "16\n");
  tree.Write(gpu0 + "max_link_width", "16\n");
  tree.Write("sys/devices/pci0000:40/0000:40:01.0/0000:41:00.0/current_link_width", "0\n");
  tree.Write("sys/devices/system/node/node0/distance", "10 21\n");
  tree.Write("sys/devices/system/node/node1/distance", "21 10\n");
}

}  // namespace xsp::collect::interconnect

#endif  // XSP_CAPTURE_COLLECT_INTERCONNECT_SERVER_TESTING_H_
