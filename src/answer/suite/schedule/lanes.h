#ifndef XSP_ANSWER_SUITE_SCHEDULE_LANES_H_
#define XSP_ANSWER_SUITE_SCHEDULE_LANES_H_

#include <cstdint>
#include <functional>

#include "answer/suite/schedule/plan.h"
#include "answer/suite/schedule/search.h"

namespace xsp::suite::schedule {

/// What AnnealInLanes() does.
struct LaneOptions {
  int lanes = 1;        ///< Threads, each of which does one round after another; >= 1.
  int first_round = 0;  ///< Rounds get longer; odd ones begin elsewhere.
  int rounds = 1;       ///< Of each lane.
  double target = 0;    ///< Enough: a plan no longer than this.
  std::uint64_t seed = 1;
  /// Asked now and then, from every lane; true ends all. Never null.
  std::function<bool()> stop;
  /// Told each better makespan, by one lane at a time. Never null.
  std::function<void(double makespan)> better;
};

/// Rounds of Anneal() in threads. A round begins with the best of its own lane and of what all
/// lanes had two rounds ago, so that none waits for one a little slower; of plans that meet the
/// target, that of the fewest steps is taken, then that of the first lane. So the result is the
/// same for the same lanes, rounds and seed, however fast threads are, unless `stop` says so.
Recipe AnnealInLanes(const Problem& problem, const Recipe& start, const LaneOptions& options);

}  // namespace xsp::suite::schedule

#endif  // XSP_ANSWER_SUITE_SCHEDULE_LANES_H_
