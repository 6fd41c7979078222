#ifndef XSP_DERIVE_COMPARE_KNOWN_TIMES_H_
#define XSP_DERIVE_COMPARE_KNOWN_TIMES_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/result.h"
#include "derive/compare/best_known.h"
#include "store/database.h"
#include "store/many_experiments.h"

namespace xsp::compare {

/// Which layers of other experiments count.
struct TimesWanted {
  bool on_device = false;       ///< Layers whose work a device did, else those of hosts.
  std::int64_t cores = 0;       ///< Of the host's job; 0: any. Not of devices.
  bool with_disturbed = false;  ///< Also of runs of whose calls more than half had interference.
};

/// Where a time was measured.
struct KnownTime {
  WorkTime time;
  std::size_t experiment = 0;  ///< Index among the experiments that were read.
  std::int64_t point_id = 0;
  std::string backend;
  std::string layer;           ///< Its name.
  std::string implementation;  ///< Of its main kernel, as its library names it; empty: not known.
};

/// The fastest layer of each kind of work in the experiments that can be read: per model call,
/// trimmed means as they are stored. Errors: as store::ManyExperiments::Query().
Result<std::vector<KnownTime>> ReadKnownTimes(store::ManyExperiments& experiments,
                                              const TimesWanted& wanted);

/// One layer of an experiment beside its bound.
struct BoundedLayer {
  std::int64_t point_id = 0, layer_index = 0;
  std::string name;
  WorkTime time;  ///< time_ns 0: not measured.
  std::optional<double> bound_ns;
  std::string resource;  ///< What bounds it (view layer_bound); empty: no bound.
};

/// Every layer of `experiment`, which was opened alone, in order. Errors: as Database::Query.
Result<std::vector<BoundedLayer>> ReadBoundedLayers(const store::Database& experiment);

}  // namespace xsp::compare

#endif  // XSP_DERIVE_COMPARE_KNOWN_TIMES_H_
