#ifndef XSP_DERIVE_COMPARE_GATE_VALUES_H_
#define XSP_DERIVE_COMPARE_GATE_VALUES_H_

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "derive/compare/compared_sides.h"
#include "derive/compare/gate.h"
#include "derive/compare/gate_measures.h"
#include "derive/compare/gate_rows.h"

namespace xsp::compare {

/// A quantity of both sides.
struct GateRatio {
  std::optional<double> a = {}, b = {};  ///< Nothing: not known.
  std::string unit = {};                 ///< "ns", "byte" or "J" or "calls/s".
  std::optional<double> ratio = {};      ///< b / a; nothing: a is 0, or there is no value.
  std::optional<double> low = {},
                        high = {};  ///< Of its 95 % interval; nothing: the noise is not known.
  bool is_of_sessions = false;      ///< [low, high]: wider than that of processes.
  bool is_exact = false;            ///< Every process has the same value: there is no noise.
  bool is_time = true;              ///< What else the machine does changes it.
  std::size_t processes = 1;        ///< Of the side that has fewer.
  std::string missing = {};         ///< Why there is no value; empty: there is.
  std::string note = {};            ///< What it is, where the metric alone does not say.
};

/// The values that gates limit, of one pair of sides, all of which outlive it.
class GateValues {
 public:
  GateValues(const Sides& sides, const ComparedSides& compared, const SideMeasures& a,
             const SideMeasures& b)
      : sides_(sides), compared_(compared), a_(a), b_(b) {}

  /// One value, or of the energy one for each part of the machine that both sides know; at least
  /// one, which may be missing.
  std::vector<GateRatio> Of(const Gate& gate);

  /// The times of each side's nodes in its processes; read when first asked for.
  const ProcessTimes& TimesOfA();
  const ProcessTimes& TimesOfB();

 private:
  GateRatio LatencyOf() const;
  GateRatio ThroughputOf() const;
  GateRatio MemoryOf() const;
  GateRatio DeviceOf() const;
  std::vector<GateRatio> EnergyOf() const;
  GateRatio RowsOf(const Gate& gate);
  std::string WhyNoMemory() const;
  std::string NoRow(const Gate& gate, std::size_t of_kind) const;

  const Sides& sides_;
  const ComparedSides& compared_;
  const SideMeasures &a_, &b_;
  std::optional<ProcessTimes> times_of_a_, times_of_b_;
};

}  // namespace xsp::compare

#endif  // XSP_DERIVE_COMPARE_GATE_VALUES_H_
