#ifndef XSP_DERIVE_COMPARE_NODE_NOISE_H_
#define XSP_DERIVE_COMPARE_NODE_NOISE_H_

#include <cstdint>
#include <span>
#include <vector>

#include "core/estimate.h"

namespace xsp::compare {

/// The values of one node, ns: of each process of a side its typical time per call, the processes
/// in the same order in every node. Empty: not on that side, or not known. 0 or less: the process
/// has no such node.
struct NodeProcesses {
  std::vector<double> a, b;
  /// It may stand for the rest of the model: a leaf that does work, with time in no other node.
  bool is_work = true;
  std::int32_t parent = -1;  ///< Index of the node that it is part of, before it; -1: none.
  /// By how many per cent its time grows where the machine is slower by one per cent: some kinds of
  /// work suffer more than others. At least 0.
  double slope = 1;
};

/// What each process differs by in all of its nodes, as a factor: a process on a machine that is
/// slower by 3 % has 1.03.
struct CommonFactors {
  std::vector<double> a, b;
};

/// The slope of a node from the calls of its processes: regression of its times, as shares of their
/// mean, on the slowness of the calls (CallSlowness), pulled towards 1 where calls vary little.
/// `with_slowness`, `slowness_squares`: as in TimesByProcess, of all processes of both sides. 0 to
/// 2.
double SlopeOf(double with_slowness, double slowness_squares);

/// Factors of the processes. A process of factor f takes 1 + slope (f - 1) times the leaf's
/// mean over both sides; f is where the sum of absolute differences from that, in time,
/// is smallest (least absolute deviations). With slopes of 1 that is the median of the ratio to the
/// leaf's mean, weighted by time. What differs between the sides once the factors are divided out
/// (a leaf, or a node of less than half of the time; Welch's t test at 0.1 %, then 1 and 10 %) is
/// left out and the factors found again, because a median moves with what lies on one side of it.
/// The assumption is that what changed takes less than half of the time; where more stands out, no
/// leaf is left out. Leaves that a process lacks do not count. Empty: nothing is known.
CommonFactors FindCommonFactors(std::span<const NodeProcesses> nodes);

/// Times divided by 1 + slope (f - 1) of the factors f of their processes: what is left is what
/// nodes differ by.
NodeProcesses WithoutCommonFactors(const NodeProcesses& node, const CommonFactors& factors);

/// Second over first, over the processes that have the node. NaN: fewer than two on a side.
core::ProcessRatio CompareProcessesOf(const NodeProcesses& node);

/// Mean of both sides, ns: a node's weight. 0: unknown.
double MeanTimeNs(const NodeProcesses& node);

/// Holm's adjustment with weights (Holm 1979, section 4), in the given order: the probability of
/// any false rejection stays below the level, of which a test gets a share in proportion to its
/// weight. Weights are above 0 and must not depend on what is tested. Equal weights: Holm's
/// adjustment.
std::vector<double> AdjustedByWeightedHolm(std::span<const double> p_values,
                                           std::span<const double> weights);

}  // namespace xsp::compare

#endif  // XSP_DERIVE_COMPARE_NODE_NOISE_H_
