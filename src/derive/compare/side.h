#ifndef XSP_DERIVE_COMPARE_SIDE_H_
#define XSP_DERIVE_COMPARE_SIDE_H_

#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "core/result.h"
#include "derive/compare/comparability.h"
#include "derive/compare/measured_tables.h"
#include "derive/compare/side_trees.h"
#include "store/database.h"

namespace xsp::compare {

/// What two sides are compared by.
enum class Basis : std::uint8_t {
  kDevice,  ///< Durations of device work: both have some.
  kHost,    ///< Durations of layers and the time between them.
};

/// What one side of a comparison is: a point of an experiment, of one of its runs if named.
struct SideSource {
  std::string name;  ///< As the user wrote it.
  std::filesystem::path experiment;
  std::int64_t point_id = 0;
  std::optional<std::int64_t> run_id;  ///< Nothing: the run that shows most (see ReadSide).

  bool operator==(const SideSource&) const = default;
};

/// How the devices of a run spent their time, ns per step (the whole run where it has no steps),
/// summed over devices.
struct DeviceTime {
  std::int64_t steps = 0;
  double total_ns = 0, idle_ns = 0, compute_ns = 0, communication_ns = 0;
  double exposed_communication_ns = 0, copy_ns = 0;
};

/// One side, read.
struct Side {
  SideSource source;
  store::PointRow point;
  store::RunRow run;  ///< The run of `trees`.
  SideTrees trees;
  /// Trees of the other processes of that rung. Empty: there are none, or the other side has none.
  std::vector<SideTrees> processes;
  std::vector<SideFact> facts;
  bool was_busy =
      false;  ///< Other programs, or the hypervisor, took CPU time of the machine meanwhile.
  std::string session;                    ///< SessionOf() its experiment.
  std::optional<DeviceTime> device_time;  ///< Nothing: no device.
  /// Unprofiled calls of each process of the point, as MeasuredPoint::processes.
  std::vector<std::vector<std::vector<double>>> calls;
};

/// Both, on one basis.
struct Sides {
  Basis basis = Basis::kHost;
  Side a, b;
};

/// What experiments whose workers alternated share (`session` of experiment.json). Empty: it was
/// measured alone, or the file cannot be read.
std::string SessionOf(const std::filesystem::path& experiment);

/// Reads two sides. Of a point the run is taken from which the tables `kernel` (where both sides
/// have device work) or `layer` have their values; without such rows the first run that is done.
/// Errors: kBadInput (no such point or run, tables or traces that cannot be read, a side without a
/// call).
Result<Sides> ReadSides(const SideSource& a, const SideSource& b);

}  // namespace xsp::compare

#endif  // XSP_DERIVE_COMPARE_SIDE_H_
