#ifndef XSP_CAPTURE_COLLECT_INTERCONNECT_PCI_TREE_H_
#define XSP_CAPTURE_COLLECT_INTERCONNECT_PCI_TREE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "capture/collect/machine_files.h"

namespace xsp::collect::interconnect {

/// A GPU or a network controller, and where it hangs.
struct PciDevice {
  std::string name;                  ///< "gpu0", "nic2": numbered by address, as nvidia-smi does.
  std::string address;               ///< Domain, bus, device, function: "0000:17:00.0".
  std::string id;                    ///< Vendor and device: "10de:2335".
  std::string driver;                ///< Of the kernel; empty: none has it.
  std::string host_bridge;           ///< "pci0000:16"; empty: the tree does not say.
  std::vector<std::string> bridges;  ///< Addresses from the root port down, without its own.
  std::optional<std::int64_t> node;  ///< NUMA; nothing: the kernel does not say.
  std::string speed, speed_maximum;  ///< Of its link, a lane: "32.0 GT/s PCIe". Empty: no link.
  std::string lanes, lanes_maximum;  ///< "16".
};

/// What hangs on the PCI bus of the machine of `files`.
struct PciTree {
  std::vector<PciDevice> gpus;      ///< Display and compute controllers, but for boards' consoles.
  std::vector<PciDevice> networks;  ///< Network controllers, but for virtual functions.
  std::int64_t nvswitches = 0;
  std::int64_t numa_nodes = 0;  ///< 0: the kernel is built without NUMA.
};

/// Never fails: what is not there is not in the tree.
PciTree ReadPciTree(const MachineFiles& files);

/// How data gets from `a` to `b`, in the terms of `nvidia-smi topo -m`:
///
///   PIX   over at most one PCIe bridge or switch
///   PXB   over several, not over the host bridge
///   PHB   over the PCIe host bridge that both hang on
///   NODE  over two host bridges of one NUMA node
///   SYS   over the interconnect between NUMA nodes
///
/// "NODE or SYS" where the kernel does not say the nodes, "" where it does not show the tree.
/// Source: the legend that `nvidia-smi topo -m` prints; nvmlGpuTopologyLevel_t of NVML's nvml.h
/// (SINGLE: one switch, MULTIPLE: no host bridge, HOSTBRIDGE, NODE, SYSTEM). `numa_nodes`: of the
/// machine; with one, every device is on it.
std::string Reach(const PciDevice& a, const PciDevice& b, std::int64_t numa_nodes);

/// Whether `text` is a PCI address: "0000:17:00.0".
bool IsPciAddress(std::string_view text);

}  // namespace xsp::collect::interconnect

#endif  // XSP_CAPTURE_COLLECT_INTERCONNECT_PCI_TREE_H_
