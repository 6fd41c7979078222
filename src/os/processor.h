#ifndef XSP_OS_PROCESSOR_H_
#define XSP_OS_PROCESSOR_H_

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace xsp::os {

/// One cache that CPU 0 sees.
struct Cache {
  int level = 0;
  std::string type;             ///< "Data", "Instruction" or "Unified".
  std::int64_t size_bytes = 0;  ///< Of one instance. A virtual machine may state the host's.
  std::vector<int> shared_by;   ///< CPUs that share the instance.
};

/// What the kernel says about the processors. An empty text or a 0: it does not say.
struct Processor {
  std::string model;               ///< "AMD EPYC 7763 64-Core Processor"
  std::string vendor;              ///< "GenuineIntel"; Arm: "implementer 0x41 part 0xd0c"
  std::string microcode;           ///< As the kernel prints it.
  std::vector<std::string> flags;  ///< Instruction sets and other features, sorted.
  std::vector<int> online;         ///< CPU numbers.
  int sockets = 0;
  int cores = 0;              ///< Physical, in all sockets.
  std::vector<Cache> caches;  ///< By level; data before instruction.

  bool Has(std::string_view flag) const;
  /// The data or unified cache of `level`, or null.
  const Cache* DataCache(int level) const;
};

/// Reads /proc/cpuinfo and /sys/devices/system/cpu below `root`. Never fails: what is missing stays
/// empty. Pure but for the reading; any thread.
Processor ReadProcessor(const std::filesystem::path& root = "/");

/// CPU numbers of a kernel list: "0-2,8" gives 0, 1, 2, 8. Parts that are no list are left out.
std::vector<int> ParseCpuList(std::string_view list);

/// The shortest kernel list of ascending `cpus`: "0-2,8".
std::string FormatCpuList(const std::vector<int>& cpus);

/// The CPUs that this thread may run on (its affinity mask), ascending. Empty only when the kernel
/// does not answer.
std::vector<int> AllowedCpus();

}  // namespace xsp::os

#endif  // XSP_OS_PROCESSOR_H_
