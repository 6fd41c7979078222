#include "answer/suite/schedule/incremental_placement.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace xsp::suite::schedule {
namespace {

/// More profiles than this are not kept: each has a step or two for each job before it.
constexpr std::size_t kMaxCheckpoints = 256;

}  // namespace

IncrementalPlacement::IncrementalPlacement(const Problem& problem)
    : problem_(&problem),
      stride_(1 + problem.jobs.size() / kMaxCheckpoints),
      profile_(problem.devices) {
  const std::size_t kept = problem.jobs.size() / stride_ + 1;
  for (Checkpoints* each : {&base_, &tried_}) {
    each->before.assign(kept, profile_);
    each->makespans.assign(kept, 0);
    each->ends.assign(problem.jobs.size(), 0);
  }
}

double IncrementalPlacement::Begin(std::span<const std::size_t> order,
                                   std::span<const std::size_t> choices) {
  const double makespan = Try(order, choices, 0, std::numeric_limits<double>::infinity());
  Keep();
  return makespan;
}

double IncrementalPlacement::Try(std::span<const std::size_t> order,
                                 std::span<const std::size_t> choices, std::size_t from,
                                 double limit) {
  tried_from_ = from / stride_ * stride_;
  profile_ = base_.before[tried_from_ / stride_];
  double makespan = base_.makespans[tried_from_ / stride_];
  if (makespan > limit) return std::numeric_limits<double>::infinity();
  for (std::size_t place = tried_from_; place < order.size(); ++place) {
    if (place != tried_from_ && place % stride_ == 0) {
      tried_.before[place / stride_] = profile_;
      tried_.makespans[place / stride_] = makespan;
    }
    const Job& job = problem_->jobs[order[place]];
    const Choice& choice = job.choices[choices[order[place]]];
    const double end = profile_.Insert(job.release, choice) + choice.time;
    if (end > limit) return std::numeric_limits<double>::infinity();
    tried_.ends[place] = end;
    makespan = std::max(makespan, end);
  }
  return makespan;
}

void IncrementalPlacement::Keep() {
  const std::size_t jobs = base_.ends.size();
  std::copy(tried_.ends.begin() + static_cast<std::ptrdiff_t>(tried_from_), tried_.ends.end(),
            base_.ends.begin() + static_cast<std::ptrdiff_t>(tried_from_));
  for (std::size_t k = tried_from_ / stride_ + 1; k * stride_ < jobs; ++k) {
    std::swap(base_.before[k], tried_.before[k]);
    base_.makespans[k] = tried_.makespans[k];
  }
}

}  // namespace xsp::suite::schedule
