#ifndef XSP_DERIVE_COMPARE_GATES_H_
#define XSP_DERIVE_COMPARE_GATES_H_

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "derive/compare/compared_sides.h"
#include "derive/compare/gate.h"
#include "derive/compare/gate_measures.h"
#include "derive/compare/gate_rows.h"
#include "derive/compare/gate_values.h"

namespace xsp::compare {

enum class GateOutcome : std::uint8_t {
  kPass,          ///< The second side is worse by no more than the limit.
  kInconclusive,  ///< Neither is certain.
  kRegression,    ///< It is worse by more.
};

/// "pass", "inconclusive" or "regression".
std::string_view ToString(GateOutcome outcome);

/// How one gate came out.
struct GateResult {
  Gate gate;
  GateOutcome outcome = GateOutcome::kInconclusive;
  GateRatio value = {};
  std::string reason = {};           ///< Empty: nothing to add.
  std::vector<GateNode> nodes = {};  ///< What took more time; empty where the gate passed.
};

/// Judges `gates` on two sides. The 95 % interval of the ratio decides: a gate passes if all of it
/// is within the limit and is a regression if all of it is beyond; else it is inconclusive. Where
/// the interval is not known, or the machine was busy, `noise` widens it: the ratio is divided and
/// multiplied by 1 + noise (0: the ratio alone decides); without it such a gate is inconclusive,
/// and so is one on sides that are not comparable or come from different machines.
std::vector<GateResult> JudgeGates(const Sides& sides, const ComparedSides& compared,
                                   const SideMeasures& a, const SideMeasures& b,
                                   std::span<const Gate> gates, std::optional<double> noise);

/// The worst of them; pass of none.
GateOutcome WorstOutcome(std::span<const GateResult> results);

}  // namespace xsp::compare

#endif  // XSP_DERIVE_COMPARE_GATES_H_
