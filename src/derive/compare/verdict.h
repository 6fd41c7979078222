#ifndef XSP_DERIVE_COMPARE_VERDICT_H_
#define XSP_DERIVE_COMPARE_VERDICT_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "core/estimate.h"
#include "derive/compare/node_noise.h"
#include "derive/compare/session_noise.h"

namespace xsp::compare {

enum class Verdict : std::uint8_t {
  kFaster,  ///< The second side is.
  kSlower,
  kNoDifference,  ///< None was found, which does not mean that there is none.
  kEquivalent,    ///< The interval lies within the bound that was asked for.
  /// The interval is wider than that bound; it reaches from half to twice, so that not even a
  /// large difference can be ruled out; or the sides are not comparable.
  kInconclusive,
  kUnknownNoise,  ///< A side has one process: what two processes of it differ by is not known.
};

/// "faster", "slower", "no_difference", "equivalent", "inconclusive" or "unknown_noise".
std::string_view ToString(Verdict verdict);

/// The verdict on the ratio second / first of `found`. `p`: its p value, adjusted for all that are
/// tested at once. `bound`: the relative difference that does not matter, above 0: `equivalent` if
/// the 95 % interval lies within [1 / (1 + bound), 1 + bound], which is a test of equivalence at
/// 2.5 % on each side (Schuirmann 1987). Else `faster` or `slower` where p is below 0.05, and
/// `inconclusive` where the interval reaches from below 1/2 to above 2.
Verdict Judge(const core::ProcessRatio& found, double p, std::optional<double> bound);

/// Second over first with a 95 % interval that is not adjusted for other nodes.
struct NodeRatio {
  double ratio, low, high;
};

/// What is known of one node. Nothing: a side has fewer than two processes with a time above 0.
struct NodeVerdict {
  Verdict verdict = Verdict::kUnknownNoise;
  std::optional<NodeRatio> times;  ///< Of typical times over all processes.
  /// Likewise after division by what each process differs by throughout (FindCommonFactors).
  /// Nothing also where the rules do not ask for it.
  std::optional<NodeRatio> relative;
};

/// What a node must differ by to be called faster or slower.
enum class NodeEvidence : std::uint8_t {
  kTimes,  ///< Its times.
  /// Its times relative to the rest of the model, unless its times differ in the other direction.
  /// For sides that were measured one after the other and do not differ as a whole: a process, or
  /// the machine meanwhile, may be slower throughout. A node whose times differ, but not from the
  /// rest, is `inconclusive`.
  kAgainstRest,
  kEither,  ///< One of both: p values are doubled.
};

struct NodeRules {
  std::optional<double> bound = {};  ///< As for Judge(); of times.
  NodeEvidence evidence = NodeEvidence::kTimes;
  /// Of the clock of the profilers: a leaf that differs by less is not called faster or slower.
  double tick_ns = 0;
  SessionNoise sessions = {};  ///< Widens the intervals of times, of two sessions.
};

/// A verdict for each node that is on both sides: core::CompareProcesses() over processes, adjusted
/// for all nodes by Holm with their times as weights (AdjustedByWeightedHolm), so that many short
/// operators do not take the power from a module. `unknown_noise` where a side has fewer than two
/// processes with a time above 0, or where these do not vary at all.
std::vector<NodeVerdict> JudgeNodes(std::span<const NodeProcesses> nodes, const NodeRules& rules);

}  // namespace xsp::compare

#endif  // XSP_DERIVE_COMPARE_VERDICT_H_
