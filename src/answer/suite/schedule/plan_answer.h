#ifndef XSP_ANSWER_SUITE_SCHEDULE_PLAN_ANSWER_H_
#define XSP_ANSWER_SUITE_SCHEDULE_PLAN_ANSWER_H_

#include <string>
#include <vector>

#include "answer/suite/answer.h"
#include "answer/suite/job_runs.h"
#include "answer/suite/schedule/export.h"
#include "answer/suite/schedule/policies.h"
#include "answer/suite/schedule/sharing.h"

namespace xsp::suite::schedule {

/// Two jobs that were measured beside each other.
struct MeasuredPair {
  PairTimes times;
  MachineUsage usage;    ///< While both ran, and one of them.
  std::string excluded;  ///< Why it cannot share a device; empty: it can.
};

/// What was planned. Borrowed things outlive the call.
struct Planned {
  const Problem* alone;    ///< Without sharing.
  const NamedPlan* shown;  ///< The plan that is shown, of `policy`.
  const NamedPlan* named;  ///< Of `alone`, for its names.
  const SharedSolution* found;
  const std::vector<PolicyPlan>* policies;
  const std::vector<MeasuredPair>* pairs;
  std::string policy;  ///< shortest, exclusive or one of kPolicies.
  double time_limit_s;
  bool interrupted;
};

/// "12.3 min"; without a unit "12.3".
std::string WithUnit(double time, const std::string& unit);

/// Tables `plan`, `plans`, `bounds`, `gantt` and, of measured pairs, `pairs`; sentences and a
/// chart.
Answer PlanAnswer(const Planned& planned, std::vector<std::string> method);

}  // namespace xsp::suite::schedule

#endif  // XSP_ANSWER_SUITE_SCHEDULE_PLAN_ANSWER_H_
