#ifndef XSP_ANSWER_SUITE_SCHEDULE_BOUNDS_H_
#define XSP_ANSWER_SUITE_SCHEDULE_BOUNDS_H_

#include <functional>

#include "answer/suite/schedule/plan.h"

namespace xsp::suite::schedule {

/// No plan is shorter than any of these. Pure functions, any thread.

/// The latest that a job can end at the earliest: max over jobs of release + its shortest time.
double CriticalJobBound(const Problem& problem);

/// The smallest makespan whose devices' time would do: within it, each job takes the least area of
/// those choices that end in time, and for every release time r the jobs released from r on have
/// devices x (makespan - r). (Turek, Wolf and Yu 1992 for jobs without release times.)
double AreaBound(const Problem& problem);

/// What a try to refute a makespan came to.
enum class Refuted { kYes, kNo, kStopped };

/// Tries to prove that no plan has a makespan of `makespan` or less, by two relaxations in which
/// widths may be mixed. By devices: each job is cut into `width` pieces of one device that need not
/// run at the same time; what is left is bin packing with devices as bins, of the jobs from each
/// release on. By moments: a job may stop and go on on other devices; what is left is which jobs
/// run together at each moment, none before its release. The pattern relaxation of both (Gilmore
/// and Gomory 1961) is a linear program: jobs choose widths, devices or moments choose sets of
/// pieces. Patterns of devices are made as needed by a knapsack over sizes rounded down to 1/2048
/// of the makespan, and a refutation is checked by its dual (Farley 1990): it holds whatever the
/// program's rounding. `stop` ends the work early. Sees also what the area bound sees.
Refuted RefuteByPacking(const Problem& problem, double makespan, const std::function<bool()>& stop);

/// Raises `bound`, which holds, towards `makespan`, which a plan has, by bisection with
/// RefuteByPacking() until they are within 0.02 % or `stop` says so. `progress` is given each new
/// bound. Returns a bound that holds, at least `bound`.
double PackingBound(const Problem& problem, double bound, double makespan,
                    const std::function<bool()>& stop, const std::function<void(double)>& progress);

}  // namespace xsp::suite::schedule

#endif  // XSP_ANSWER_SUITE_SCHEDULE_BOUNDS_H_
