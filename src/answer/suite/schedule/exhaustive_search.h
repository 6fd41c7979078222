#ifndef XSP_ANSWER_SUITE_SCHEDULE_EXHAUSTIVE_SEARCH_H_
#define XSP_ANSWER_SUITE_SCHEDULE_EXHAUSTIVE_SEARCH_H_

#include <cstdint>
#include <functional>
#include <optional>

#include "answer/suite/schedule/plan.h"
#include "answer/suite/schedule/search.h"

namespace xsp::suite::schedule {

/// What a search through all plans found.
struct Exhausted {
  bool complete = false;         ///< Nothing was left out: no plan is shorter than the best.
  std::optional<Recipe> better;  ///< The best plan found, if shorter than the one given.
  std::uint64_t nodes = 0;
};

/// The most jobs that SearchAll() takes: it keeps a bit a job.
inline constexpr std::size_t kMostJobsExhausted = 24;

/// Branch and bound over all plans by start time: a state is which jobs have started and when each
/// device gets free. A branch is left when its area or a single job cannot end before `makespan`,
/// or a state with the same jobs had every device free as early. Ends early when `stop` says so or
/// the states kept fill 256 MiB. `bound`: no plan is shorter; a plan of that length ends the
/// search.
Exhausted SearchAll(const Problem& problem, double makespan, double bound,
                    const std::function<bool()>& stop);

}  // namespace xsp::suite::schedule

#endif  // XSP_ANSWER_SUITE_SCHEDULE_EXHAUSTIVE_SEARCH_H_
