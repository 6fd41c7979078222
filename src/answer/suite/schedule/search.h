#ifndef XSP_ANSWER_SUITE_SCHEDULE_SEARCH_H_
#define XSP_ANSWER_SUITE_SCHEDULE_SEARCH_H_

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "answer/suite/schedule/plan.h"

namespace xsp::suite::schedule {

/// A plan as its recipe: in which order jobs are placed, and which choice each has.
struct Recipe {
  std::vector<std::size_t> order;
  std::vector<std::size_t> choices;  ///< By job.
};

/// A rule's plan, with the name that people know it by.
struct RulePlan {
  std::string name;
  Recipe recipe;
  Plan plan;
};

/// What is done without searching, the first two as comparison, the others also as a start:
///   one after another, each on as many devices as it can use (in order of release);
///   each on its narrowest width, longest first (LPT, Graham 1969);
///   each at its fastest, longest first;
///   each on the width of least area, longest first;
///   each on the least area that ends within a makespan, longest first, for the best of the
///   makespans tried (the allotment of Turek, Wolf and Yu 1992).
/// `stop`, asked between these makespans, ends the trying early; every rule has its plan all the
/// same.
std::vector<RulePlan> RulePlans(const Problem& problem, double bound,
                                const std::function<bool()>& stop);

/// What a round of Anneal() found.
struct Annealed {
  Recipe recipe;
  double makespan;
  std::uint64_t steps;  ///< Taken until the end, or until the target was met.
};

/// A round of simulated annealing over recipes (Kirkpatrick et al. 1983): a step gives jobs another
/// width, swaps two or moves one, rather those that end late. What is made small is the makespan
/// and the work that lies beyond the target, so that a step is seen which shortens one of several
/// late jobs. Begins with `start`, or, if `elsewhere`, with a random order and most of its widths;
/// what it returns is never longer than `start`. Ends when a plan is no longer than `target`, and
/// early when `stop`, asked now and then with the steps taken, says so. Deterministic but for
/// `stop`. Any thread.
Annealed Anneal(const Problem& problem, const Recipe& start, std::uint64_t steps, bool elsewhere,
                double target, std::uint64_t seed, const std::function<bool(std::uint64_t)>& stop);

}  // namespace xsp::suite::schedule

#endif  // XSP_ANSWER_SUITE_SCHEDULE_SEARCH_H_
