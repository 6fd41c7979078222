#ifndef XSP_DERIVE_COMPARE_COMPARED_SIDES_H_
#define XSP_DERIVE_COMPARE_COMPARED_SIDES_H_

#include <optional>
#include <string>
#include <vector>

#include "derive/compare/comparability.h"
#include "derive/compare/comparison.h"
#include "derive/compare/session_noise.h"
#include "derive/compare/side.h"
#include "derive/compare/verdict.h"

namespace xsp::compare {

/// What two sides differ by.
struct ComparedSides {
  double a_total_ns = 0, b_total_ns = 0;  ///< Of the basis, mean per call.
  Comparability comparable;
  Verdict verdict = Verdict::kUnknownNoise;
  std::string reason;  ///< Why, or what the verdict does not include; empty: nothing to add.
  /// Second over first: of the latencies of unprofiled calls where both sides have some (robust:
  /// core::CompareProcesses), else of the totals, without an interval.
  std::optional<double> ratio, low, high;
  bool is_ratio_of_latencies = false;
  /// Of the sides, where they are two experiments: other sessions of the same programs.
  std::optional<SessionNoise> sessions;
  bool is_interval_of_sessions = false;  ///< [low, high]: wider than that of processes.
  ComparedTrees trees;
  std::vector<NodeVerdict> node_verdicts;  ///< Of each of trees.nodes.
  /// b_total_ns - a_total_ns less the differences of the leaves, ns.
  double residual_ns = 0;
};

/// Whether the processes of the sides alternated: points of one experiment, or of experiments that
/// were measured together. Else they are two sessions.
bool WereMeasuredTogether(const Sides& sides);

/// Compares them. `bound`: see Judge(). `sessions`: other sessions of the same programs on the same
/// machine; where the sides are two experiments, it widens their intervals.
ComparedSides CompareSides(const Sides& sides, std::optional<double> bound,
                           const SessionNoise& sessions = {});

}  // namespace xsp::compare

#endif  // XSP_DERIVE_COMPARE_COMPARED_SIDES_H_
