#ifndef XSP_DERIVE_ROOFS_CPU_TABLE_H_
#define XSP_DERIVE_ROOFS_CPU_TABLE_H_

#include <filesystem>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "derive/roofs/roof.h"

namespace xsp::roofs {

/// Which cores of a CPU are to work.
struct CpuShare {
  int cores = 0;    ///< Physical cores at work, of all sockets; 0: all of one CPU.
  int sockets = 1;  ///< CPUs whose memory is in reach.
};

/// What a well-known CPU could do at most, computed from published figures: FLOP/s = cores x FLOP a
/// cycle and core x clock, byte/s of DRAM = channels x 10^6 transfers/s x 8 B x sockets. The
/// clock is the highest single-core one for one core, the boost of all cores where that is
/// published, else the highest single-core one: then it is a bound that all cores together may not
/// reach. `how` shows the product. Provenance "data_sheet", all `used`.
///
/// `name` is what the kernel calls the CPU ("AMD EPYC 7763 64-Core Processor"). Reads
/// `DataRoot()/machine/cpus.csv` and `cores.csv`. Errors: kNotPossible for a CPU that is not in the
/// table (many virtual machines hide the name: nothing is guessed), kEnvironment when a table is
/// missing or damaged.
Result<std::vector<Roof>> CpuDataSheet(std::string_view name, const CpuShare& share);

/// The same from the tables of another folder.
Result<std::vector<Roof>> CpuDataSheetFrom(const std::filesystem::path& folder,
                                           std::string_view name, const CpuShare& share);

}  // namespace xsp::roofs

#endif  // XSP_DERIVE_ROOFS_CPU_TABLE_H_
