#ifndef XSP_MACHINE_ROOF_H_
#define XSP_MACHINE_ROOF_H_

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace xsp::machine {

/// One ceiling of this machine; a row of the experiment table `roof`.
struct Roof {
  std::string kind;   ///< "flops" or "bandwidth"
  std::string name;   ///< "float32 vector", "DRAM triad", "L2 read"
  std::string dtype;  ///< flops: "float32", "float64", "bfloat16", "float16", "int8"; else empty
  std::string unit;   ///< flops: "vector" or "tensor" (AMX); else empty
  int cores = 0;      ///< That ran at once; 0: a device of a data sheet.
  double value = 0;   ///< FLOP/s (int8: op/s), or byte/s
  std::string provenance;  ///< "measured:xsp" or "data_sheet"
  std::string how;         ///< "AVX-512 FMA, 24 accumulators, best of 50 x 5 ms"
  bool used = false;       ///< The one that analyses hold a job on all `cores` against.
};

struct RoofReport {
  std::string measured_at;  ///< RFC 3339, UTC.
  std::string machine;      ///< CPU model and flags that the figures hold for.
  std::string conditions;   ///< Load, compiler and flags; says when the machine was busy.
  bool disturbed = false;   ///< The machine was busy: the figures may be low.
  std::vector<Roof> roofs;
};

struct MeasureOptions {
  int cores = 0;       ///< Cores that the job may use; 0: all in this process's affinity mask.
  bool again = false;  ///< Measure even when a cached report of this machine exists.
  std::function<void(std::string_view step, double fraction)> progress;  ///< May be empty.
};

/// The roofs of this machine for one core and for `cores`: from the cache (CacheFolder()/roofs)
/// where it holds them for this CPU, core count and kernel version, else measured (some seconds)
/// and cached. Figures of a busy machine are kept for ten minutes only. Two processes that ask at
/// once take turns, so that they do not measure each other. Where the cache cannot be written the
/// report's conditions say so. Errors: kEnvironment when nothing can be measured.
/// Blocks; binds only threads of its own to CPUs.
Result<RoofReport> MeasuredRoofs(const MeasureOptions& options);

/// The report as one JSON object: measured_at, machine, conditions, disturbed, roofs (an array with
/// the fields of Roof; FLOP/s and byte/s).
std::string ToJson(const RoofReport& report);

}  // namespace xsp::machine

#endif  // XSP_MACHINE_ROOF_H_
