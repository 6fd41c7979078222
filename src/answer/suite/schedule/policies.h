#ifndef XSP_ANSWER_SUITE_SCHEDULE_POLICIES_H_
#define XSP_ANSWER_SUITE_SCHEDULE_POLICIES_H_

#include <array>
#include <string_view>
#include <vector>

#include "answer/suite/schedule/plan.h"

namespace xsp::suite::schedule {

/// What a cluster does that knows of its jobs only what they ask for: their fastest width.
struct PolicyPlan {
  std::string_view name;   ///< As the option says it: one of kPolicies.
  std::string_view words;  ///< For people.
  Plan plan;
};

/// first-come: in the order in which jobs are released, then of the table; none starts before an
/// earlier one, as in a queue without backfilling. widest-first: of the released jobs the widest
/// first, likewise; of the same width the longest.
inline constexpr std::array<std::string_view, 2> kPolicies = {"first-come", "widest-first"};

/// One for each of kPolicies, in their order.
std::vector<PolicyPlan> PolicyPlans(const Problem& problem);

}  // namespace xsp::suite::schedule

#endif  // XSP_ANSWER_SUITE_SCHEDULE_POLICIES_H_
