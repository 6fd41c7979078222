#include "derive/compare/compared_sides.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "derive/compare/latency.h"
#include "derive/compare/process_times.h"

namespace xsp::compare {
namespace {

double TotalOf(const SideTrees& trees, Basis basis) {
  return basis == Basis::kDevice ? trees.device_ns : trees.wall_ns;
}

bool AreOneRun(const Side& a, const Side& b) {
  return a.source.experiment == b.source.experiment && a.run.run_id == b.run.run_id &&
         a.source.run_id == b.source.run_id;
}

std::optional<double> FiniteOrNothing(double value) {
  return std::isfinite(value) ? std::optional(value) : std::nullopt;
}

/// Whether a node's time in its own tree is what the comparison shows of it: operators that were
/// aligned across modules are shown in another place.
bool IsSame(double own_ns, const std::optional<double>& shown_ns) {
  return shown_ns && std::abs(own_ns - *shown_ns) <= 1e-6 * std::max(std::abs(own_ns), 1.0);
}

bool ClaimsDifference(Verdict verdict) {
  return verdict == Verdict::kFaster || verdict == Verdict::kSlower;
}

/// Of the coarser clock.
double TickNs(const Sides& sides) {
  const SideTrees &a = sides.a.trees, &b = sides.b.trees;
  return static_cast<double>(sides.basis == Basis::kDevice
                                 ? std::max(a.device_tick_ns, b.device_tick_ns)
                                 : std::max(a.host_tick_ns, b.host_tick_ns));
}

/// `whole`: the verdict on latencies. Where these differ, nodes may have changed as the rest did.
NodeEvidence EvidenceFor(const Sides& sides, Verdict whole) {
  if (ClaimsDifference(whole)) return NodeEvidence::kTimes;
  return WereMeasuredTogether(sides) ? NodeEvidence::kEither : NodeEvidence::kAgainstRest;
}

std::vector<NodeVerdict> JudgeAll(const Sides& sides, const ComparedTrees& trees,
                                  const NodeRules& rules) {
  if (sides.a.processes.empty() || sides.b.processes.empty())
    return std::vector<NodeVerdict>(trees.nodes.size());
  const TimesByProcess of_a = TimesOfProcesses(sides.a, sides.basis);
  const TimesByProcess of_b = TimesOfProcesses(sides.b, sides.basis);
  const ComparisonTree &tree_a = TreeOf(sides.a.trees, sides.basis),
                       &tree_b = TreeOf(sides.b.trees, sides.basis);
  const auto shown_of_a = TimesBelow(tree_a, OwnTimes(tree_a));
  const auto shown_of_b = TimesBelow(tree_b, OwnTimes(tree_b));
  std::vector<NodeProcesses> nodes;
  std::vector<std::int32_t> row_of_a(tree_a.size(), -1);
  for (const ComparedNode& node : trees.nodes) {
    NodeProcesses& processes = nodes.emplace_back();
    if (node.a_node >= 0) {
      const auto at = static_cast<std::size_t>(node.a_node);
      row_of_a[at] = static_cast<std::int32_t>(nodes.size()) - 1;
      processes.parent = row_of_a[static_cast<std::size_t>(tree_a.nodes()[at].parent)];
    }
    // Time between layers is mostly what profiling costs, which depends on what else runs: between
    // two experiments it is not judged.
    const bool is_between = node.kind == NodeKind::kBetween;
    processes.is_work = node.is_leaf && !is_between;
    if (is_between && !WereMeasuredTogether(sides)) continue;
    if (node.a_node < 0 || node.b_node < 0) continue;
    const auto a = static_cast<std::size_t>(node.a_node), b = static_cast<std::size_t>(node.b_node);
    if (!IsSame(shown_of_a[a], node.a_ns) || !IsSame(shown_of_b[b], node.b_ns)) continue;
    processes.a = of_a.times_ns[a];
    processes.b = of_b.times_ns[b];
    processes.slope = SlopeOf(of_a.with_slowness[a] + of_b.with_slowness[b],
                              of_a.slowness_squares + of_b.slowness_squares);
  }
  return JudgeNodes(nodes, rules);
}

SideParts PartsOf(const Side& side, const ComparisonTree& tree) {
  return {side.source.name, side.facts, tree, side.run.rung == "imported"};
}

/// Sums of as many numbers as there are nodes are exact to so much.
double Residual(const ComparedSides& compared) {
  const double residual_ns =
      (compared.b_total_ns - compared.a_total_ns) - (compared.trees.b_ns - compared.trees.a_ns);
  const double rounding_ns = std::numeric_limits<double>::epsilon() *
                             static_cast<double>(compared.trees.nodes.size() + 1) *
                             (std::abs(compared.a_total_ns) + std::abs(compared.b_total_ns));
  return std::abs(residual_ns) <= rounding_ns ? 0 : residual_ns;
}

/// Sides that were measured one after the other, one of them on a busy machine: what else ran then
/// may be all of the difference, and is in no interval.
const Side* DisturbedSide(const Sides& sides) {
  if (WereMeasuredTogether(sides)) return nullptr;  // They alternated.
  if (sides.a.was_busy) return &sides.a;
  return sides.b.was_busy ? &sides.b : nullptr;
}

void JudgeWhole(const Sides& sides, std::optional<double> bound, ComparedSides& compared) {
  const Side &a = sides.a, &b = sides.b;
  compared.ratio = FiniteOrNothing(compared.b_total_ns / compared.a_total_ns);
  if (!a.calls.empty() && !b.calls.empty()) {
    const core::ProcessRatio of_processes = LatencyRatio(b.calls, a.calls);
    const core::ProcessRatio found =
        WidenedBySessions(of_processes, compared.sessions.value_or(SessionNoise()));
    compared.is_interval_of_sessions = found.ratio.interval.high > of_processes.ratio.interval.high;
    compared.is_ratio_of_latencies = true;
    compared.ratio = FiniteOrNothing(found.ratio.centre);
    // One of three orders of magnitude (two processes a side that differ) is no help to anybody.
    if (found.ratio.interval.high < 1e3 * found.ratio.interval.low) {
      compared.low = FiniteOrNothing(found.ratio.interval.low);
      compared.high = FiniteOrNothing(found.ratio.interval.high);
    }
    compared.verdict = Judge(found, found.p, bound);
    if (compared.sessions) compared.reason = DescribeSessionNoise(*compared.sessions);
    if (compared.verdict == Verdict::kInconclusive)
      compared.reason = fmt::format(
          "{} is wider than {}: {}",
          compared.is_interval_of_sessions ? "the interval of sessions" : "the interval",
          bound ? "the bound" : "half to twice the time",
          compared.is_interval_of_sessions
              ? "`xsp run --against` measures both sides alternately"
              : fmt::format("more processes than {} and {} make it narrower", a.calls.size(),
                            b.calls.size()));
  }
  if (compared.verdict == Verdict::kUnknownNoise)
    compared.reason =
        a.calls.empty() && b.calls.empty()
            ? "each side is one recording; what two recordings of one program differ by is not "
              "known"
            : fmt::format(
                  "processes measured: {} of the first side, {} of the second; what two processes "
                  "of one program differ by is not known{}",
                  std::max<std::size_t>(a.calls.size(), 1),
                  std::max<std::size_t>(b.calls.size(), 1),
                  a.calls.empty() || b.calls.empty() ? ""
                                                     : ": `xsp run --processes 10` measures it");
  const Side* const disturbed = DisturbedSide(sides);
  if (disturbed != nullptr && ClaimsDifference(compared.verdict)) {
    compared.verdict = Verdict::kInconclusive;
    compared.reason = fmt::format(
        "the machine was busy while {} was measured: measure both alternately (`xsp run "
        "--against`), or again on a quiet machine",
        disturbed->source.name);
  }
  // The run with layers is slower by what profiling costs.
  if (!compared.comparable.without_layers.empty() && !compared.is_ratio_of_latencies &&
      a.run.rung != b.run.rung) {
    compared.verdict = Verdict::kInconclusive;
    compared.reason = fmt::format(
        "calls of {} were measured in the rung {}, those of {} in {}: what profiling costs is in "
        "the ratio",
        a.source.name, a.run.rung, b.source.name, b.run.rung);
  }
  if (compared.comparable.verdict == Comparable::kNot) {
    compared.verdict = Verdict::kInconclusive;
    compared.reason = compared.comparable.reason;
  }
}

}  // namespace

bool WereMeasuredTogether(const Sides& sides) {
  return sides.a.source.experiment == sides.b.source.experiment ||
         (!sides.a.session.empty() && sides.a.session == sides.b.session);
}

ComparedSides CompareSides(const Sides& sides, std::optional<double> bound,
                           const SessionNoise& sessions) {
  const ComparisonTree& a = TreeOf(sides.a.trees, sides.basis);
  const ComparisonTree& b = TreeOf(sides.b.trees, sides.basis);
  ComparedSides compared;
  compared.trees = CompareTrees(a, b, AlignTrees(a, b));
  compared.a_total_ns = TotalOf(sides.a.trees, sides.basis);
  compared.b_total_ns = TotalOf(sides.b.trees, sides.basis);
  compared.residual_ns = Residual(compared);
  compared.comparable = CompareFacts(PartsOf(sides.a, a), PartsOf(sides.b, b), compared.trees);
  if (AreOneRun(sides.a, sides.b)) {
    compared.ratio = 1;
    compared.verdict = Verdict::kNoDifference;
    compared.reason = "both sides are the same run";
    compared.node_verdicts.assign(compared.trees.nodes.size(), {Verdict::kNoDifference, {}, {}});
    return compared;
  }
  if (!WereMeasuredTogether(sides)) compared.sessions = sessions;
  JudgeWhole(sides, bound, compared);
  compared.node_verdicts = JudgeAll(sides, compared.trees,
                                    {bound, EvidenceFor(sides, compared.verdict), TickNs(sides),
                                     compared.sessions.value_or(SessionNoise())});
  if (DisturbedSide(sides) != nullptr) {
    for (NodeVerdict& node : compared.node_verdicts)
      if (ClaimsDifference(node.verdict)) node.verdict = Verdict::kInconclusive;
  }
  return compared;
}

}  // namespace xsp::compare
