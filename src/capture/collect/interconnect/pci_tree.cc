#include "capture/collect/interconnect/pci_tree.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

namespace xsp::collect::interconnect {

namespace {

constexpr const char* kFolder = "sys/bus/pci/devices";
constexpr const char* kNodes = "sys/devices/system/node";

bool IsHex(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789abcdefABCDEF") == text.npos;
}

/// A VGA controller of another vendor is a board's console (ASPEED, Matrox, a hypervisor's), no GPU
/// that computes. 3D, other display and processing controllers are taken from anyone.
bool IsGpu(std::string_view kind, std::string_view vendor) {
  const bool vga = kind.starts_with("0x0300");
  const bool display = kind.starts_with("0x0302") || kind.starts_with("0x0380");
  const bool of_gpu_maker = vendor == "0x10de" || vendor == "0x1002" || vendor == "0x8086";
  return kind.starts_with("0x1200") || (vga && of_gpu_maker) ||
         (display && vendor != "0x1af4");  // virtio's display is a console too.
}

/// "Unknown" and widths of 0 or 255 are what the kernel prints for a link that is none.
std::string LinkText(std::optional<std::string> text) {
  const bool none = !text || text->starts_with("Unknown") || *text == "0" || *text == "255";
  return none ? "" : *std::move(text);
}

/// Fills in host bridge and bridges from the link that stands for the device:
/// "../../../devices/pci0000:16/0000:16:01.0/0000:17:00.0".
void Place(const std::string& target, PciDevice& device) {
  std::istringstream parts(target);
  for (std::string part; std::getline(parts, part, '/');) {
    if (device.host_bridge.empty()) {
      if (part.starts_with("pci") && part.find(':') != part.npos) device.host_bridge = part;
    } else if (IsPciAddress(part)) {
      device.bridges.push_back(part);
    }
  }
  if (!device.bridges.empty()) device.bridges.pop_back();  // The last is the device itself.
}

PciDevice Describe(const MachineFiles& files, const std::string& address) {
  const std::string folder = fmt::format("{}/{}/", kFolder, address);
  const auto text = [&](const char* file) { return files.Text(folder + file); };
  PciDevice device;
  device.address = address;
  const std::string vendor = text("vendor").value_or(""), id = text("device").value_or("");
  if (vendor.size() > 2 && id.size() > 2) {
    device.id = fmt::format("{}:{}", vendor.substr(2), id.substr(2));
  }
  const std::string driver = files.LinkTarget(folder + "driver").value_or("");
  device.driver = std::filesystem::path(driver).filename().string();
  Place(files.LinkTarget(fmt::format("{}/{}", kFolder, address)).value_or(""), device);
  const auto node = files.Number(folder + "numa_node");
  if (node && *node >= 0) device.node = node;
  device.speed = LinkText(text("current_link_speed"));
  device.speed_maximum = LinkText(text("max_link_speed"));
  device.lanes = LinkText(text("current_link_width"));
  device.lanes_maximum = LinkText(text("max_link_width"));
  return device;
}

void Number(std::vector<PciDevice>& devices, const char* prefix) {
  for (std::size_t i = 0; i < devices.size(); ++i) {
    devices[i].name = fmt::format("{}{}", prefix, i);
  }
}

std::optional<std::int64_t> NodeOf(const PciDevice& device, std::int64_t numa_nodes) {
  return numa_nodes == 1 ? std::optional<std::int64_t>(0) : device.node;
}

}  // namespace

bool IsPciAddress(std::string_view text) {
  const auto first = text.find(':');
  const auto second = first == text.npos ? first : text.find(':', first + 1);
  const auto dot = second == text.npos ? second : text.find('.', second + 1);
  if (dot == text.npos) return false;
  return IsHex(text.substr(0, first)) && IsHex(text.substr(first + 1, second - first - 1)) &&
         IsHex(text.substr(second + 1, dot - second - 1)) && IsHex(text.substr(dot + 1));
}

PciTree ReadPciTree(const MachineFiles& files) {
  PciTree tree;
  for (const std::string& name : files.Names(kNodes)) {
    tree.numa_nodes += name.starts_with("node") && LeadingNumber(name.substr(4)) ? 1 : 0;
  }
  for (const std::string& address : files.Names(kFolder)) {  // Sorted.
    const std::string folder = fmt::format("{}/{}", kFolder, address);
    const std::string kind = files.Text(folder + "/class").value_or("");
    const std::string vendor = files.Text(folder + "/vendor").value_or("");
    // The virtual functions of a device reach what it reaches.
    if (files.LinkTarget(folder + "/physfn")) continue;
    if (IsGpu(kind, vendor)) tree.gpus.push_back(Describe(files, address));
    if (kind.starts_with("0x02")) tree.networks.push_back(Describe(files, address));
    // An NVSwitch is a bridge of no other kind, by NVIDIA.
    if (kind.starts_with("0x0680") && vendor == "0x10de") ++tree.nvswitches;
  }
  Number(tree.gpus, "gpu");
  Number(tree.networks, "nic");
  return tree;
}

std::string Reach(const PciDevice& a, const PciDevice& b, std::int64_t numa_nodes) {
  if (a.host_bridge.empty() || b.host_bridge.empty()) return "";
  if (a.host_bridge != b.host_bridge) {
    const auto node_a = NodeOf(a, numa_nodes), node_b = NodeOf(b, numa_nodes);
    if (!node_a || !node_b) return "NODE or SYS";
    return *node_a == *node_b ? "NODE" : "SYS";
  }
  const auto parted =
      std::mismatch(a.bridges.begin(), a.bridges.end(), b.bridges.begin(), b.bridges.end());
  if (parted.first == a.bridges.begin()) return "PHB";
  // Below one switch each has at most a port of its own; more is more bridges.
  const bool one_switch =
      a.bridges.end() - parted.first <= 1 && b.bridges.end() - parted.second <= 1;
  return one_switch ? "PIX" : "PXB";
}

}  // namespace xsp::collect::interconnect
