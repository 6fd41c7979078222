#include "answer/suite/schedule/bounds.h"

#include <algorithm>
#include <limits>
#include <set>

#include "answer/suite/schedule/packing_program.h"

namespace xsp::suite::schedule {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// A bisection stops here: finer than anyone's times are known.
constexpr double kClose = 2e-4;

/// The least area of the job's choices that end by `makespan`; infinite if none does.
double LeastArea(const Job& job, double makespan) {
  double least = kInfinity;
  for (const Choice& choice : job.choices)
    if (job.release + choice.time <= makespan) least = std::min(least, choice.width * choice.time);
  return least;
}

std::set<double> Releases(const Problem& problem) {
  std::set<double> releases;
  for (const Job& job : problem.jobs) releases.insert(job.release);
  return releases;
}

bool AreaFits(const Problem& problem, const std::set<double>& releases, double makespan) {
  for (const double release : releases) {
    double area = 0;
    for (const Job& job : problem.jobs)
      if (job.release >= release) area += LeastArea(job, makespan);
    // A rounding error must never refute what fits exactly.
    if (area > problem.devices * (makespan - release) * (1 + 1e-12)) return false;
  }
  return true;
}

/// The jobs released from `release` on, and only what ends by `makespan`. `*impossible` becomes
/// true if a job has no choice left.
Problem Kept(const Problem& problem, double release, double makespan, bool* impossible) {
  Problem later{problem.devices, {}};
  for (const Job& job : problem.jobs) {
    if (job.release < release) continue;
    Job kept{job.release, {}};
    for (const Choice& choice : job.choices)
      if (job.release + choice.time <= makespan) kept.choices.push_back(choice);
    if (kept.choices.empty()) *impossible = true;
    later.jobs.push_back(std::move(kept));
  }
  return later;
}

}  // namespace

double CriticalJobBound(const Problem& problem) {
  double bound = 0;
  for (const Job& job : problem.jobs) {
    double shortest = kInfinity;
    for (const Choice& choice : job.choices) shortest = std::min(shortest, choice.time);
    bound = std::max(bound, job.release + shortest);
  }
  return bound;
}

double AreaBound(const Problem& problem) {
  const std::set<double> releases = Releases(problem);
  double low = CriticalJobBound(problem);
  if (problem.jobs.empty() || AreaFits(problem, releases, low)) return low;
  double high = low;
  do high *= 2;
  while (!AreaFits(problem, releases, high));
  for (int i = 0; i < 100 && high - low > 1e-12 * high; ++i) {
    const double middle = (low + high) / 2;
    (AreaFits(problem, releases, middle) ? high : low) = middle;
  }
  return low;
}

Refuted RefuteByPacking(const Problem& problem, double makespan,
                        const std::function<bool()>& stop) {
  const std::set<double> releases = Releases(problem);
  if (CriticalJobBound(problem) > makespan || !AreaFits(problem, releases, makespan))
    return Refuted::kYes;
  Refuted verdict = Refuted::kNo;
  const auto tried = [&](const Problem& part, double part_makespan, PackingProgram::Bins bins) {
    const Refuted one = PackingProgram(part, part_makespan, bins).Solve(stop);
    if (one == Refuted::kStopped) verdict = one;
    return one == Refuted::kYes;
  };
  // Moments first: their program is far smaller.
  bool impossible = false;
  const Problem all = Kept(problem, 0, makespan, &impossible);
  if (impossible || tried(all, makespan, PackingProgram::Bins::kMoments)) return Refuted::kYes;
  for (const double release : releases) {
    Problem later = Kept(problem, release, makespan, &impossible);
    for (Job& job : later.jobs) job.release = 0;
    if (tried(later, makespan - release, PackingProgram::Bins::kDevices)) return Refuted::kYes;
  }
  return verdict;
}

double PackingBound(const Problem& problem, double bound, double makespan,
                    const std::function<bool()>& stop,
                    const std::function<void(double)>& progress) {
  double high = makespan;
  while (high - bound > kClose * high) {
    const double middle = (bound + high) / 2;
    const Refuted refuted = RefuteByPacking(problem, middle, stop);
    if (refuted == Refuted::kStopped) break;
    if (refuted == Refuted::kYes) {
      bound = middle;
      progress(bound);
    } else {
      high = middle;
    }
  }
  return bound;
}

}  // namespace xsp::suite::schedule
