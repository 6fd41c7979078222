#ifndef XSP_DERIVE_HISTORY_MEASURED_RUN_H_
#define XSP_DERIVE_HISTORY_MEASURED_RUN_H_

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "capture/collect/collector.h"
#include "core/result.h"

namespace xsp::history {

/// What run.json tells of the machine and the software of a run.
struct MeasuredRun {
  std::vector<collect::Fact> facts;  ///< Stack, backend and model file, by key.
  std::string machine;               ///< As SeriesKey::machine.
  std::optional<bool> was_busy;      ///< Nothing: not known.
};

/// The machine of a stack, as MeasuredRun::machine; empty: its hardware is not known.
std::string MachineOf(const std::vector<collect::Fact>& stack);

/// Reads the run in `folder`. Errors: as store::Inspect().
Result<MeasuredRun> ReadMeasuredRun(const std::filesystem::path& folder);

}  // namespace xsp::history

#endif  // XSP_DERIVE_HISTORY_MEASURED_RUN_H_
