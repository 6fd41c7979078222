#ifndef XSP_ANSWER_SUGGEST_PARETO_H_
#define XSP_ANSWER_SUGGEST_PARETO_H_

#include <cstddef>
#include <optional>
#include <vector>

#include "answer/suggest/metric.h"

namespace xsp::suggest {

/// A candidate's value of each objective, all known.
using ObjectiveValues = std::vector<Value>;

/// Whether `a` is better than `b` beyond the noise in at least one objective, and `b` better than
/// `a` beyond the noise in none. What lies within the noise is a tie, on whichever side it leans.
bool Dominates(const ObjectiveValues& a, const ObjectiveValues& b,
               const std::vector<Direction>& directions);

/// Whether neither is better than the other beyond the noise in any objective.
bool AreTied(const ObjectiveValues& a, const ObjectiveValues& b,
             const std::vector<Direction>& directions);

struct ParetoFront {
  std::vector<bool> on_front;  ///< Of each candidate.
  /// Of a candidate that is not on it, one that dominates it.
  std::vector<std::optional<std::size_t>> dominated_by;
};

/// The candidates that no other dominates. Ties make domination intransitive, so that candidates
/// may dominate each other in a circle: they count as one, and are on the front together unless
/// something outside of the circle dominates one of them. A candidate off the front is thus always
/// dominated, and with candidates the front is never empty. The order of the candidates has no
/// influence on it. O(n^2).
ParetoFront FindFront(const std::vector<ObjectiveValues>& candidates,
                      const std::vector<Direction>& directions);

}  // namespace xsp::suggest

#endif  // XSP_ANSWER_SUGGEST_PARETO_H_
