#ifndef XSP_DERIVE_COMPARE_GATE_MEASURES_H_
#define XSP_DERIVE_COMPARE_GATE_MEASURES_H_

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/result.h"
#include "derive/compare/side.h"

namespace xsp::compare {

/// What gates limit beside times, of one side.
struct SideMeasures {
  /// Peak of the memory that the framework allocated during a call, bytes: the same in every
  /// process of one program.
  std::optional<double> allocated_peak_bytes = {};
  /// Peak memory of each process with unprofiled calls; where there are none, of each process of
  /// the side's rung.
  std::vector<double> resident_peak_bytes = {};
  /// Energy per model call, joules: of each part of the machine the value of each such process that
  /// resolves it.
  std::map<std::string, std::vector<double>> call_joules = {};
};

/// Reads them from the tables `point`, `run` and `energy` of the side's experiment; of a side that
/// names a run, of that run alone. Errors: kBadInput (tables that cannot be read).
Result<SideMeasures> ReadMeasures(const Side& side);

}  // namespace xsp::compare

#endif  // XSP_DERIVE_COMPARE_GATE_MEASURES_H_
