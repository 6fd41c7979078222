#ifndef XSP_CAPTURE_COLLECT_MACHINE_LOAD_H_
#define XSP_CAPTURE_COLLECT_MACHINE_LOAD_H_

#include <cstdint>
#include <filesystem>
#include <string>

namespace xsp::collect {

/// Counters of the whole machine at one moment. CPU times are sums over all CPUs since boot; the
/// kernel counts them in ticks (10 ms here and there), so compare moments at least 0.1 s apart.
struct MachineLoad {
  std::int64_t time_ns = 0;   ///< Monotonic clock.
  std::int64_t busy_ns = 0;   ///< User, nice, system and interrupt time.
  std::int64_t idle_ns = 0;   ///< Idle, and waiting for a disk.
  std::int64_t steal_ns = 0;  ///< Wanted by this virtual machine, given to others.
  std::int64_t context_switches = 0;
  int runnable = 0;  ///< Threads running or waiting for a CPU, the caller among them.
  int cpus = 0;      ///< Online. 0: the counters could not be read.
};

/// Reads `root`/proc/stat: about 50 us and a few file calls. Any thread.
MachineLoad ReadMachineLoad(const std::filesystem::path& root = "/");

/// CPU time that this process and those children that it has waited for have used, in ns. Running
/// children are not in it: add their own.
std::int64_t OwnCpuNs();

/// CPU time of the running process `pid`, in ns (ticks of 10 ms); 0 when it cannot be read.
std::int64_t CpuNsOfProcess(std::int64_t pid, const std::filesystem::path& root = "/");

/// Share (0 to 1) of the machine's CPU time between two moments that other processes took: (busy -
/// own) / (wall time x CPUs). `own_cpu_ns`: what the caller's own processes used in between. 0 when
/// it is unknown; ticks can make it negative, which counts as 0.
double OtherLoad(const MachineLoad& before, const MachineLoad& after, std::int64_t own_cpu_ns);

/// Share (0 to 1) of the machine's CPU time that the hypervisor gave to other machines.
double StolenShare(const MachineLoad& before, const MachineLoad& after);

/// Above this share of OtherLoad or StolenShare a machine counts as busy.
inline constexpr double kBusyShare = 0.05;

/// "The machine was busy: other processes took 37 % of its 2 CPUs while this
/// was measured, so times may be too long." Names a stealing hypervisor likewise. Empty when quiet.
std::string BusyMachineSentence(const MachineLoad& before, const MachineLoad& after,
                                std::int64_t own_cpu_ns);

}  // namespace xsp::collect

#endif  // XSP_CAPTURE_COLLECT_MACHINE_LOAD_H_
