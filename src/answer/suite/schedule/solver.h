#ifndef XSP_ANSWER_SUITE_SCHEDULE_SOLVER_H_
#define XSP_ANSWER_SUITE_SCHEDULE_SOLVER_H_

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "answer/suite/schedule/plan.h"
#include "answer/suite/schedule/search.h"

namespace xsp::suite::schedule {

struct SolveOptions {
  double time_limit_s = 30;
  double gap = 0;  ///< Enough: the plan is at most this share above the bound.
  std::uint64_t seed = 1;
  int threads = 1;  ///< That search; >= 1.
  /// Asked now and then, from any of the threads; true ends the work with what there is. Never
  /// null.
  std::function<bool()> stop = [] { return false; };
  /// Told what is being done, the best makespan and the best bound, by one thread at a time. Never
  /// null.
  std::function<void(const char* doing, double makespan, double bound)> progress =
      [](const char*, double, double) {};
};

struct Solution {
  Plan plan;
  std::vector<RulePlan> rules;  ///< What the plan is compared with.
  double bound;                 ///< No plan is shorter.
  double critical_job_bound;
  double area_bound;
  std::string bound_from;  ///< "critical job", "area", "packing of devices", "search of all plans".
  bool optimal;            ///< The plan is as long as the bound (to 1e-9).
  bool stopped;            ///< `stop` ended it, or the time.
  double seconds;

  /// How far the plan is above the bound, as a share of the bound.
  double gap() const { return bound > 0 ? plan.makespan / bound - 1 : 0; }
};

/// The shortest plan that is found within the time, and a bound that no plan undercuts. Rules
/// first, then annealing, then all plans where jobs are few, then the packing bound, then annealing
/// for what time is left. The same for the same problem, seed and threads, unless time or `stop`
/// ended it (`stopped`). `problem` has at least one job.
Solution Solve(const Problem& problem, const SolveOptions& options);

}  // namespace xsp::suite::schedule

#endif  // XSP_ANSWER_SUITE_SCHEDULE_SOLVER_H_
