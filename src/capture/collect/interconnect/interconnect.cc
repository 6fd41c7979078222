#include "capture/collect/interconnect/interconnect.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <chrono>
#include <map>

#include "os/paths.h"
#include "os/subprocess.h"

namespace xsp::collect::interconnect {

namespace {

constexpr auto kPatience = std::chrono::seconds(10);

/// "node0: 10 21; node1: 21 10": the firmware's relative cost of reaching each node's memory.
std::string NumaDistances(const MachineFiles& files) {
  constexpr const char* kNodes = "sys/devices/system/node";
  std::map<std::int64_t, std::string> rows;  // By number: node10 comes after node9.
  for (const std::string& name : files.Names(kNodes)) {
    if (!name.starts_with("node")) continue;
    const auto number = LeadingNumber(name.substr(4));
    const auto distances = files.Text(fmt::format("{}/{}/distance", kNodes, name));
    if (number && distances) rows[*number] = fmt::format("{}: {}", name, *distances);
  }
  std::vector<std::string> texts;
  for (const auto& [number, text] : rows) texts.push_back(text);
  return fmt::format("{}", fmt::join(texts, "; "));
}

void AddDevice(const PciDevice& device, FactSheet& sheet) {
  constexpr const char* kNoLink = "the device states no PCIe link: a virtual or an integrated one";
  const auto add = [&](const char* name, std::string value, std::string_view why) {
    sheet.Add(fmt::format("{}.{}", device.name, name), std::move(value), why);
  };
  add("id", device.id, "the kernel does not say");
  add("address", device.address, "");
  add("driver", device.driver, "no driver has the device");
  add("numa_node", device.node ? fmt::format("{}", *device.node) : "",
      "the kernel places the device on no node");
  add("link_speed", device.speed, kNoLink);
  // Where there is no link, once is enough.
  if (!device.speed.empty() || !device.lanes.empty()) {
    add("link_speed_maximum", device.speed_maximum, kNoLink);
    add("link_lanes", device.lanes, kNoLink);
    add("link_lanes_maximum", device.lanes_maximum, kNoLink);
  }
  std::vector<std::string> path = {device.host_bridge};
  path.insert(path.end(), device.bridges.begin(), device.bridges.end());
  add("path", device.host_bridge.empty() ? "" : fmt::format("{}", fmt::join(path, " > ")),
      "the kernel does not show where the device hangs");
}

/// A row of the matrix: "gpu1 PIX, nic0 NODE".
std::string ReachOf(const PciDevice& gpu, const PciTree& tree) {
  std::vector<std::string> row;
  for (const auto* others : {&tree.gpus, &tree.networks}) {
    for (const PciDevice& other : *others) {
      const std::string how = Reach(gpu, other, tree.numa_nodes);
      if (other.address != gpu.address && !how.empty()) {
        row.push_back(fmt::format("{} {}", other.name, how));
      }
    }
  }
  return fmt::format("{}", fmt::join(row, ", "));
}

std::vector<Fact> CollectHere() {
  const auto program = os::FindExecutable("nvidia-smi", os::WorkerFolders());
  if (!program) return Collect(MachineFiles(), {});
  return Collect(MachineFiles(),
                 [&](const std::vector<std::string>& arguments) -> Result<std::string> {
                   os::SpawnOptions options;
                   options.argv = {program->string()};
                   options.argv.insert(options.argv.end(), arguments.begin(), arguments.end());
                   XSP_TRY(const os::Completed done, os::RunToEnd(options, kPatience));
                   return done.out;
                 });
}

}  // namespace

std::vector<Fact> Collect(const MachineFiles& files, const NvidiaSmi& nvidia_smi) {
  constexpr const char* kNoBus = "there is no PCI bus to look on";
  using Count = std::optional<std::int64_t>;
  const PciTree tree = ReadPciTree(files);
  const bool bus = files.Exists("sys/bus/pci/devices");
  const auto count = [&](std::size_t n) {
    return bus ? Count(static_cast<std::int64_t>(n)) : Count();
  };
  const std::string flags = files.Value("proc/cpuinfo", "flags").value_or("");
  const bool guest = (flags + " ").find(" hypervisor ") != std::string::npos;
  FactSheet sheet("interconnect");
  sheet.Add("numa_distances", NumaDistances(files), "the kernel is built without NUMA");
  sheet.Add("pci_tree",
            std::string(!bus    ? ""
                        : guest ? "a virtual machine's: its host chose it"
                                : "the machine's"),
            kNoBus);
  sheet.Add("gpus", count(tree.gpus.size()), kNoBus);
  sheet.Add("networks", count(tree.networks.size()), kNoBus);
  sheet.Add("nvswitches", count(static_cast<std::size_t>(tree.nvswitches)), kNoBus);
  for (const PciDevice& gpu : tree.gpus) AddDevice(gpu, sheet);
  for (const PciDevice& network : tree.networks) AddDevice(network, sheet);
  for (const PciDevice& gpu : tree.gpus) {
    sheet.Add(fmt::format("reach.{}", gpu.name), ReachOf(gpu, tree),
              gpu.host_bridge.empty() ? "the kernel does not show where the device hangs"
                                      : "no other GPU and no network controller is on the bus");
  }
  AddNvlink(tree, nvidia_smi, sheet);
  return sheet.Take();
}

constinit const CollectorSpec kSpec{
    .name = "interconnect",
    .summary = "Who reaches whom how: NUMA distances, PCIe links and bridges, NVLink",
    .collect = CollectHere,
    // A GPU without work slows its link down.
    .momentary = "gpu*.link_speed"};

}  // namespace xsp::collect::interconnect
