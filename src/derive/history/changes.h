#ifndef XSP_DERIVE_HISTORY_CHANGES_H_
#define XSP_DERIVE_HISTORY_CHANGES_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "capture/collect/collector.h"
#include "core/estimate.h"
#include "derive/history/series.h"

namespace xsp::history {

/// Experiments [begin, end) of a series between two change points.
struct Segment {
  std::size_t begin = 0, end = 0;
  /// Geometric mean with the interval of experiments, of those on a machine that was not busy if
  /// they are three or more. The interval of one experiment is NaN.
  core::Estimate level;
  std::size_t busy = 0;  ///< Experiments on a busy machine.

  std::size_t size() const { return end - begin; }
  bool WasBusy() const { return busy == size(); }
};

/// A fact of the stack that differs between two neighbouring experiments.
struct StackChange {
  std::string key;
  std::string before, after;  ///< Empty: the machine hides it, or has no such part.
  bool lasts = false;         ///< All of the segment before have `before`, all after it `after`.
};

enum class ChangeVerdict : std::uint8_t {
  kWorse,   ///< The level changed, for the worse.
  kBetter,  ///< The level changed, for the better.
  kSpread,  ///< The values are distributed otherwise, but the interval of the ratio has 1 in it.
  kBusy,    ///< The machine was busy in all of a segment, which may be the whole reason.
};

/// "worse", "better", "spread" or "busy".
std::string_view ToString(ChangeVerdict verdict);

/// A change point.
struct Change {
  std::size_t at = 0;  ///< The first experiment after it.
  double p = 0;
  core::Estimate ratio;  ///< Level after it / before it; interval over experiments (Welch 1947).
  ChangeVerdict verdict = ChangeVerdict::kSpread;
  /// Between the experiments on both sides, those that last first. Momentary facts are left out.
  std::vector<StackChange> stack;
  bool knows_stack = false;  ///< Both experiments have one.
};

struct Changes {
  std::vector<Segment> segments;  ///< At least one.
  std::vector<Change> changes;    ///< Between them.
};

/// The change points of a series (core::FindChangePoints() of the logarithms of its values).
/// `collectors`: they know which facts change from moment to moment.
Changes FindChanges(const Series& series, const Metric& metric,
                    std::span<const CollectorSpec* const> collectors);

}  // namespace xsp::history

#endif  // XSP_DERIVE_HISTORY_CHANGES_H_
