#include "answer/suite/schedule/policies.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <tuple>

namespace xsp::suite::schedule {

std::vector<PolicyPlan> PolicyPlans(const Problem& problem) {
  std::vector<std::size_t> fastest;
  for (const Job& job : problem.jobs)
    fastest.push_back(static_cast<std::size_t>(
        std::ranges::min_element(job.choices, {}, &Choice::time) - job.choices.begin()));
  const auto choice_of = [&](std::size_t job) { return problem.jobs[job].choices[fastest[job]]; };
  std::vector<std::size_t> order(problem.jobs.size());
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::stable_sort(order, {}, [&](std::size_t job) { return problem.jobs[job].release; });
  const Placement placement(problem);
  std::vector<PolicyPlan> plans;
  plans.push_back({kPolicies[0], "first come, first served, each at its fastest width",
                   placement.Schedule(order, fastest, Starts::kInOrder)});
  std::ranges::stable_sort(order, {}, [&](std::size_t job) {
    const Choice choice = choice_of(job);
    return std::tuple(problem.jobs[job].release, -choice.width, -choice.time);
  });
  plans.push_back({kPolicies[1], "widest first, each at its fastest width",
                   placement.Schedule(order, fastest, Starts::kInOrder)});
  return plans;
}

}  // namespace xsp::suite::schedule
