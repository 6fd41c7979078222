#ifndef XSP_MEASURE_PROTOCOLS_CONDITIONS_H_
#define XSP_MEASURE_PROTOCOLS_CONDITIONS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "capture/collect/machine_load.h"

namespace xsp::protocols {

/// Counters of the machine at one moment; two of them say what happened between.
struct MachineCounters {
  collect::MachineLoad load;
  std::int64_t own_cpu_ns = 0;                    ///< This process and its ended children.
  std::optional<std::int64_t> cgroup_throttled;   ///< Periods in which our CPU quota ran out.
  std::optional<std::int64_t> thermal_throttled;  ///< Events on the CPUs that we may use.
};
MachineCounters ReadMachineCounters();

/// What a job may use of the CPU. (Governor, SMT, limits and the rest are facts of the stack.)
struct CpuAllowance {
  std::vector<int> cpus;   ///< That the affinity mask allows.
  double quota_cores = 0;  ///< CPU quota of the cgroup; 0: none.

  /// CPU cores that a job can keep busy: the mask, less where a quota cuts it.
  int cores() const;
};
CpuAllowance ReadCpuAllowance();

/// What else went on between two moments. The whole machine counts, not only the CPUs of the job:
/// others also take memory bandwidth, caches and clock.
struct Interference {
  double seconds = 0;
  std::optional<double> other_share;   ///< Of the machine's CPU time, taken by others: 0 ... 1.
  std::optional<double> stolen_share;  ///< Of it, taken by the hypervisor: 0 ... 1.
  std::int64_t cgroup_throttled = 0;
  std::int64_t thermal_throttled = 0;
  std::string busy_sentence;  ///< Of collect::BusyMachineSentence.

  /// Times cannot be trusted.
  bool busy() const;
  /// For people, whole sentences.
  std::string Sentence() const;
};

/// Everything that ended between the two moments as this process's child counts as ours. Shares
/// stay unknown over less than 0.5 s: the kernel counts in ticks.
Interference Between(const MachineCounters& before, const MachineCounters& after);

/// Both in figures, as stored in run.json and experiment.json under "disturbance".
nlohmann::json ToJson(const CpuAllowance& allowance, const Interference& interference);

}  // namespace xsp::protocols

#endif  // XSP_MEASURE_PROTOCOLS_CONDITIONS_H_
