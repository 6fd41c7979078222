#ifndef XSP_CAPTURE_EVENTS_PMU_EVENTS_H_
#define XSP_CAPTURE_EVENTS_PMU_EVENTS_H_

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "capture/counters/event.h"
#include "core/result.h"

namespace xsp::events {

/// What tells CPUs apart for their counters, as /proc/cpuinfo has it.
struct CpuIdentity {
  std::string vendor;  ///< "GenuineIntel"; empty: not known (as on Arm).
  int family = -1;
  int model = -1;
};
CpuIdentity ReadCpuIdentity(const std::filesystem::path& root = "/");

/// What the rung `counters` asks of a CPU.
struct PmuEvents {
  std::vector<counters::Event> events;  ///< Those of the kernel itself first.
  std::string set;                      ///< Of the CPU's own events; empty: none are known.
};

/// The kernel's software events, the generic hardware events, and those that count FLOPs on this
/// CPU, from `folder`/pmu_events.csv and pmu_cpus.csv (DataRoot()/machine). Whether the machine
/// shows them is found where they are opened. Errors: kEnvironment when a table is missing or
/// damaged.
Result<PmuEvents> EventsOf(const CpuIdentity& cpu, const std::filesystem::path& folder);
Result<PmuEvents> EventsHere();

}  // namespace xsp::events

#endif  // XSP_CAPTURE_EVENTS_PMU_EVENTS_H_
