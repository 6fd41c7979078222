#ifndef XSP_ANSWER_SUITE_TOPOLOGY_MACHINES_H_
#define XSP_ANSWER_SUITE_TOPOLOGY_MACHINES_H_

#include <cstdint>
#include <filesystem>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "answer/suite/answer.h"
#include "core/result.h"

namespace xsp::suite::topology {

/// What a captured stack says of one machine: the facts of `interconnect` (docs/collectors.md) and
/// what names the machine.
struct Machine {
  std::string name;                           ///< "2 x Intel(R) Xeon(R), 4 GPUs"
  std::map<std::string, std::string> facts;   ///< "reach.gpu0": "gpu1 PXB, nic0 PIX"
  std::map<std::string, std::string> hidden;  ///< Fact to why it is not known.
};

/// One way from device to device.
struct Link {
  std::string from, to;  ///< "gpu0", "gpu1"
  std::string how;       ///< "NV18", "PIX", "PXB", "PHB", "NODE", "SYS"
};

/// Model calls of one workload on one machine.
struct Workload {
  std::string name;  ///< Model, backend, batch, precision: the same on every machine.
  double latency_ns = 0;
};

struct Experiment {
  std::string name;
  Machine machine;
  std::vector<Workload> workloads;
};

/// Of a run's `stack` (run.json).
Machine MachineOf(const nlohmann::json& stack);

/// The links of every GPU, from its row of the matrix.
std::vector<Link> LinksOf(const Machine& machine);

/// Words for how: nearest first, with what they mean. The order is that of a GPU's ways to another.
const std::vector<std::pair<std::string, std::string>>& Ways();

/// Reads an experiment: the stack of its first run that has a captured interconnect, latencies of
/// its points; nothing where no run has one (imported files, older experiments). Errors: as
/// Database::Open().
Result<std::optional<Experiment>> ReadExperiment(const std::filesystem::path& folder);

/// Tables `machines` (facts side by side), `links` (how many pairs by way), `latencies` (workloads
/// that at least two machines measured, over the first machine's), charts, sentences. At least one
/// experiment; those of one machine (the same CPU, the same in all that is compared) are put
/// together.
Answer Summarise(const std::vector<Experiment>& experiments);

}  // namespace xsp::suite::topology

#endif  // XSP_ANSWER_SUITE_TOPOLOGY_MACHINES_H_
