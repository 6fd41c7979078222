#ifndef XSP_DERIVE_COMPARE_GATE_ROWS_H_
#define XSP_DERIVE_COMPARE_GATE_ROWS_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "derive/compare/comparison.h"
#include "derive/compare/gate.h"
#include "derive/compare/side.h"

namespace xsp::compare {

/// The rows that a gate's pattern selects.
struct GateRows {
  std::vector<std::size_t> rows;  ///< In ComparedTrees::nodes; none of them lies in another.
  std::size_t of_kind = 0;        ///< Rows that the pattern was compared with.
};

/// The rows of the gate's kind whose path, in either side, matches its pattern: as a whole, or from
/// the beginning of one of its segments to the end. Of modules in modules the outermost.
GateRows FindGateRows(const ComparedTrees& trees, const Gate& gate);

/// The time of nodes of one side in each of its processes.
class ProcessTimes {
 public:
  /// Aligns the trees of all processes with that of the side's run. Borrows nothing.
  ProcessTimes(const Side& side, Basis basis);

  /// Typical time in and below `nodes` of the side's tree, none of which lies in another, ns per
  /// call: one sum for each process, that of the side's run first.
  std::vector<double> SumOf(std::span<const std::int32_t> nodes) const;
  /// Their mean per call in the side's run, ns: what rows show.
  double MeanOf(std::span<const std::int32_t> nodes) const;
  /// Whether MeanOf(nodes) is `shown_ns`. It is not where operators were aligned across modules:
  /// these are shown in another place than in their own tree.
  bool IsShown(std::span<const std::int32_t> nodes, double shown_ns) const;

 private:
  std::vector<std::vector<double>> times_ns_;  ///< Typical, by node and process.
  std::vector<double> means_ns_;               ///< By node, of the side's run.
};

/// A row that takes more time in the second side. Its times are the medians over processes of what
/// is typical of a call (ProcessTimes), so that single calls that took long do not decide.
struct GateNode {
  std::string path;
  NodeKind kind = NodeKind::kRoot;
  std::optional<double> a_ns, b_ns;
  double difference_ns = 0;
  double share = 0;  ///< Of the difference of all rows that were asked for.
};

/// Of `rows` (in `trees`) those with the largest increases, at most `max_nodes`, the largest first;
/// none below 1 % of the largest. Empty where all of them together do not take more time.
std::vector<GateNode> LargestIncreases(const ComparedTrees& trees, const ProcessTimes& a,
                                       const ProcessTimes& b, std::span<const std::size_t> rows,
                                       std::size_t max_nodes);

/// The leaves in and below `rows`, or all.
std::vector<std::size_t> LeavesBelow(const ComparedTrees& trees,
                                     const std::optional<std::vector<std::size_t>>& rows);

}  // namespace xsp::compare

#endif  // XSP_DERIVE_COMPARE_GATE_ROWS_H_
