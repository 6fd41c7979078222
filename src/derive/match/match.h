#ifndef XSP_DERIVE_MATCH_MATCH_H_
#define XSP_DERIVE_MATCH_MATCH_H_

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/result.h"
#include "store/rows/energy_row.h"
#include "store/rows/event_count_row.h"
#include "store/rows/kernel_row.h"
#include "store/rows/layer_row.h"
#include "store/rows/match_row.h"
#include "store/rows/point_row.h"
#include "store/rows/run_row.h"
#include "store/rows/sample_row.h"
#include "trace/trace.h"

namespace xsp::match {

/// A run to match, as a session or an import made it. Its raw tables lie in `folder`.
struct RunInput {
  std::int64_t run_id = 0;
  std::int64_t point_id = 0;
  std::string rung;              ///< model, layer, library, kernel, counters, details, imported
  std::string status;            ///< done, interrupted, failed
  std::filesystem::path folder;  ///< Empty for a run that left nothing.
  std::string path;              ///< Relative to the experiment, as stored.
  std::string message;           ///< What went wrong; empty: nothing.
  /// What lies in `folder`, where the caller has it in memory: then it is not read. Borrowed.
  const trace::Trace* trace = nullptr;
  std::int64_t peak_resident_bytes = 0;  ///< Of its process, before it ended; 0: not known.
  int process = 1;                       ///< 1-based, of the processes of its rung that alternated.
  int process_pair = 0;  ///< Of a process that was measured only to tell a rung's cost: its pair.
  std::string process_pair_of = {};  ///< The rung whose cost that is.
  /// What the run cost over the same without profiling, where that was measured elsewhere than in
  /// its own calls: of the wall time of a whole program.
  struct WholeCost {
    double bare_ns, ratio, ratio_low, ratio_high;  ///< Recorded to bare, 1: nothing.
  };
  std::optional<WholeCost> whole_cost = std::nullopt;
};

struct PointInput {
  std::int64_t point_id;
  std::string model, backend, device, precision;
  std::int64_t batch;    ///< 0: not known.
  std::string settings;  ///< JSON object.
  std::int64_t model_bytes;
  std::int64_t cores;
};

/// The rows of experiment tables.
struct ExperimentTables {
  std::vector<store::PointRow> point;
  std::vector<store::RunRow> run;
  std::vector<store::SampleRow> sample;
  std::vector<store::LayerRow> layer;
  std::vector<store::KernelRow> kernel;
  std::vector<store::MatchRow> match;
  std::vector<store::EventCountRow> event_count;  ///< Empty: nothing was counted.
  std::vector<store::EnergyRow> energy;           ///< Empty: no power was sampled.
};

/// Whether so few calls were undisturbed that values are taken from all.
inline bool TooFewUndisturbed(std::size_t undisturbed, std::size_t all) {
  constexpr std::size_t kFewest = 5;
  return undisturbed < kFewest && 2 * undisturbed < all;
}

/// Matches layers and kernels of each point across its runs and iterations and takes each value
/// from the least profiled run that shows it (design, section 4). Values are per model call: the
/// trimmed mean over the undisturbed iterations of each matched event. What could not be matched
/// is counted in the `match` table, never dropped. Errors: kBadInput for a run whose tables cannot
/// be read.
Result<ExperimentTables> Match(const std::vector<PointInput>& points,
                               const std::vector<RunInput>& runs);

}  // namespace xsp::match

#endif  // XSP_DERIVE_MATCH_MATCH_H_
