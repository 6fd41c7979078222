#ifndef XSP_DERIVE_COMPARE_VERDICT_H_
#define XSP_DERIVE_COMPARE_VERDICT_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "core/estimate.h"

namespace xsp::compare {

enum class Verdict : std::uint8_t {
  kFaster,  ///< The second side is.
  kSlower,
  kNoDifference,  ///< None was found, which does not mean that there is none.
  kEquivalent,    ///< The interval lies within the bound that was asked for.
  kInconclusive,  ///< The interval is wider than that bound, or the sides are not comparable.
  kUnknownNoise,  ///< A side has one process: what two processes of it differ by is not known.
};

/// "faster", "slower", "no_difference", "equivalent", "inconclusive" or "unknown_noise".
std::string_view ToString(Verdict verdict);

/// The verdict on the ratio second / first of `found`. `p`: its p value, adjusted for all that are
/// tested at once. `bound`: the relative difference that does not matter, above 0: `equivalent` if
/// the 95 % interval lies within [1 / (1 + bound), 1 + bound], which is a test of equivalence at
/// 2.5 % on each side (Schuirmann 1987). Else `faster` or `slower` where p is below 0.05.
Verdict Judge(const core::ProcessRatio& found, double p, std::optional<double> bound);

/// The values of one node, ns: of each process of a side its mean per call. NaN: not in it.
struct NodeProcesses {
  std::vector<double> a, b;
};

/// A verdict for each node that is on both sides: core::CompareProcesses() over processes, adjusted
/// by Holm for all of them. `unknown_noise` where a side has fewer than two processes with a time
/// above 0.
std::vector<Verdict> JudgeNodes(std::span<const NodeProcesses> nodes, std::optional<double> bound);

}  // namespace xsp::compare

#endif  // XSP_DERIVE_COMPARE_VERDICT_H_
