#ifndef XSP_ANSWER_SUITE_SCHEDULE_SHARING_H_
#define XSP_ANSWER_SUITE_SCHEDULE_SHARING_H_

#include <cstddef>
#include <span>
#include <vector>

#include "answer/suite/schedule/plan.h"
#include "answer/suite/schedule/solver.h"

namespace xsp::suite::schedule {

/// Two jobs that are started together on one device.
struct PairTimes {
  std::size_t first, second;     ///< Of Problem::jobs; not the same.
  double first_end, second_end;  ///< After the common start; > 0.

  /// Until both have ended.
  double Together() const;
};

/// A pair shares a device only if that saves at least this share of the devices' time of both:
/// measured times differ by some per cent from round to round.
inline constexpr double kLeastSaving = 0.05;

/// What a pair saves of the devices' time: of both, each at its least width x time, less the time
/// together. May be negative.
double SavedBy(const Problem& alone, const PairTimes& pair);

struct ChosenPairs {
  std::vector<PairTimes> pairs;
  bool is_best;  ///< No other choice saves more; else there were too many to try all.
};

/// Of `candidates`, those that save the most together, each job in at most one: a matching of
/// greatest weight. All are tried where no more than 20 jobs are linked by candidates; of more, the
/// greatest first, then exchanged while that saves more.
ChosenPairs MostSaved(const Problem& alone, std::span<const PairTimes> candidates);

/// A problem in which some jobs are two of another.
struct SharedProblem {
  Problem problem;
  std::vector<std::vector<std::size_t>> jobs;  ///< Of the other, by job: one, or two.
};

/// The problem in which each of `pairs` is one job, of width 1, in the place of its first.
SharedProblem WithPairs(const Problem& alone, std::span<const PairTimes> pairs);

struct SharedSolution {
  SharedProblem shared;          ///< What `solution` is of.
  std::vector<PairTimes> pairs;  ///< That share a device. Empty: none, as none shortens the plan.
  Solution solution;
  Solution alone;              ///< Without sharing; the same where no pair shares.
  bool tried = false;          ///< There were pairs that save time.
  double seconds = 0;          ///< That the search took.
  bool pairs_are_best = true;  ///< Of the pairs that were tried, ChosenPairs::is_best.
};

/// The shorter of two plans: without sharing, and with the pairs that save the most, less those
/// without which quick plans (RulePlans()) are shorter. Each has half of the time where there are
/// such pairs. Bounds are of the problem with these pairs. Otherwise as Solve().
SharedSolution SolveShared(const Problem& alone, std::span<const PairTimes> candidates,
                           const SolveOptions& options);

}  // namespace xsp::suite::schedule

#endif  // XSP_ANSWER_SUITE_SCHEDULE_SHARING_H_
