#include "answer/suite/schedule/plan.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "core/result.h"

namespace xsp::suite::schedule {

double Profile::Insert(double release, const Choice& choice) {
  // The earliest step from which on enough devices stay free for long enough.
  std::size_t first = 0;
  double start = 0;
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    const bool last = i + 1 == steps_.size();
    if (steps_[i].free < choice.width) {
      first = i + 1;
      continue;
    }
    if (i == first) start = std::max(steps_[i].from, release);
    if (!last && steps_[i + 1].from <= start) {
      first = i + 1;  // The release lies beyond this step.
      continue;
    }
    if (last || steps_[i + 1].from >= start + choice.time) break;
  }
  XSP_CHECK(first < steps_.size());
  if (start > steps_[first].from) {
    steps_.insert(steps_.begin() + static_cast<std::ptrdiff_t>(first) + 1,
                  {start, steps_[first].free});
    ++first;
  }
  const double end = start + choice.time;
  std::size_t i = first;
  for (; i < steps_.size() && steps_[i].from < end; ++i) steps_[i].free -= choice.width;
  if (i == steps_.size() || steps_[i].from > end)
    steps_.insert(steps_.begin() + static_cast<std::ptrdiff_t>(i),
                  {end, steps_[i - 1].free + choice.width});
  return start;
}

double Profile::AreaBeyond(double time) const {
  double area = 0;
  for (std::size_t i = 0; i + 1 < steps_.size(); ++i)
    if (steps_[i + 1].from > time)
      area += (devices_ - steps_[i].free) * (steps_[i + 1].from - std::max(time, steps_[i].from));
  return area;
}

double Placement::Makespan(std::span<const std::size_t> order, std::span<const std::size_t> choices,
                           double limit) const {
  Profile profile(problem_->devices);
  double makespan = 0;
  for (const std::size_t job : order) {
    const Job& what = problem_->jobs[job];
    const Choice& choice = what.choices[choices[job]];
    makespan = std::max(makespan, profile.Insert(what.release, choice) + choice.time);
    if (makespan > limit) return std::numeric_limits<double>::infinity();
  }
  return makespan;
}

Plan Placement::Schedule(std::span<const std::size_t> order, std::span<const std::size_t> choices,
                         Starts starts) const {
  Profile profile(problem_->devices);
  Plan plan;
  double before = 0;  // When the job before started.
  for (const std::size_t job : order) {
    const Job& what = problem_->jobs[job];
    const Choice& choice = what.choices[choices[job]];
    const bool in_order = starts == Starts::kInOrder;
    const double start =
        profile.Insert(in_order ? std::max(what.release, before) : what.release, choice);
    before = start;
    plan.placed.push_back({job, choices[job], start, start + choice.time, {}});
    plan.makespan = std::max(plan.makespan, start + choice.time);
  }
  std::ranges::sort(plan.placed, [](const Placed& a, const Placed& b) {
    return a.start != b.start ? a.start < b.start : a.job < b.job;
  });
  // By start, any free devices will do: never more are in use than there are.
  std::vector<double> free_from(static_cast<std::size_t>(problem_->devices), 0);
  for (Placed& placed : plan.placed) {
    const int width = problem_->jobs[placed.job].choices[placed.choice].width;
    for (int d = 0; d < problem_->devices && static_cast<int>(placed.devices.size()) < width; ++d)
      if (free_from[static_cast<std::size_t>(d)] <= placed.start) {
        placed.devices.push_back(d);
        free_from[static_cast<std::size_t>(d)] = placed.end;
      }
    XSP_CHECK(static_cast<int>(placed.devices.size()) == width);
  }
  return plan;
}

double MeanTurnaround(const Problem& problem, const Plan& plan) {
  double sum = 0;
  std::size_t jobs = 0;
  for (const Placed& placed : plan.placed) {
    const Job& job = problem.jobs[placed.job];
    for (const double end : job.ends) sum += placed.start + end - job.release;
    if (job.ends.empty()) sum += placed.end - job.release;
    jobs += std::max<std::size_t>(job.ends.size(), 1);
  }
  return sum / static_cast<double>(jobs);
}

double UsedArea(const Problem& problem, const Plan& plan) {
  return std::accumulate(plan.placed.begin(), plan.placed.end(), 0.0,
                         [&problem](double sum, const Placed& placed) {
                           const Choice& choice = problem.jobs[placed.job].choices[placed.choice];
                           return sum + choice.width * choice.time;
                         });
}

}  // namespace xsp::suite::schedule
