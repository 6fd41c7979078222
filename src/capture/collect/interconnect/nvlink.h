#ifndef XSP_CAPTURE_COLLECT_INTERCONNECT_NVLINK_H_
#define XSP_CAPTURE_COLLECT_INTERCONNECT_NVLINK_H_

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "capture/collect/interconnect/pci_tree.h"
#include "capture/collect/machine_files.h"
#include "core/result.h"

namespace xsp::collect::interconnect {

// The driver shows NVLink in no file; its program nvidia-smi tells. These read what it prints
// (its published formats) and pass by what they do not know. GPUs have its numbers.

/// The links of one GPU.
struct GpuLinks {
  std::map<std::string, int> active;  ///< Count by rate: "26.562 GB/s".
  int inactive = 0;
};

/// `nvidia-smi nvlink -s`, by GPU. A link counts as active only with a rate; a GPU without NVLink
/// has none.
std::map<int, GpuLinks> ParseNvlinkStatus(std::string_view text);

/// `nvidia-smi topo -m`: how many links two GPUs share ("NV18"), by pair, both ways. Pairs that
/// share none are left out.
std::map<std::pair<int, int>, int> ParseNvlinkPairs(std::string_view text);

/// `nvidia-smi --query-gpu=index,pci.bus_id --format=csv,noheader`: the address as /sys writes it
/// ("0000:17:00.0"), by GPU.
std::map<int, std::string> ParseGpuAddresses(std::string_view text);

/// Runs nvidia-smi with these arguments and returns what it prints. An error says why not.
using NvidiaSmi = std::function<Result<std::string>(const std::vector<std::string>&)>;

/// Adds the facts "nvlink.*" of the GPUs of `tree` to `sheet`, under the tree's names. Asks
/// `nvidia_smi` only where there is a GPU of NVIDIA; empty: there is no such program.
void AddNvlink(const PciTree& tree, const NvidiaSmi& nvidia_smi, FactSheet& sheet);

}  // namespace xsp::collect::interconnect

#endif  // XSP_CAPTURE_COLLECT_INTERCONNECT_NVLINK_H_
