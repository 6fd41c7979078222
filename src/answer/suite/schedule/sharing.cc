#include "answer/suite/schedule/sharing.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <functional>
#include <limits>
#include <numeric>
#include <optional>
#include <set>
#include <utility>

#include "answer/suite/schedule/bounds.h"
#include "answer/suite/schedule/search.h"

namespace xsp::suite::schedule {
namespace {

constexpr std::size_t kMostTriedJobs = 20;
constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();

double LeastArea(const Job& job) {
  double least = std::numeric_limits<double>::infinity();
  for (const Choice& choice : job.choices) least = std::min(least, choice.width * choice.time);
  return least;
}

/// A pair that is worth while.
struct Candidate {
  PairTimes pair;
  double saved;
};

std::vector<Candidate> WorthWhile(const Problem& alone, std::span<const PairTimes> pairs) {
  std::vector<Candidate> found;
  for (const PairTimes& pair : pairs) {
    const double saved = SavedBy(alone, pair);
    const double both = LeastArea(alone.jobs[pair.first]) + LeastArea(alone.jobs[pair.second]);
    if (saved >= kLeastSaving * both) found.push_back({pair, saved});
  }
  return found;
}

/// Candidates whose jobs are linked, directly or over others.
std::vector<std::vector<Candidate>> Components(std::size_t jobs,
                                               const std::vector<Candidate>& candidates) {
  std::vector<std::size_t> leader(jobs);
  std::iota(leader.begin(), leader.end(), 0U);
  const auto find = [&](std::size_t job) {
    while (leader[job] != job) job = leader[job] = leader[leader[job]];
    return job;
  };
  for (const Candidate& each : candidates) leader[find(each.pair.first)] = find(each.pair.second);
  std::vector<std::size_t> place(jobs, kNone);
  std::vector<std::vector<Candidate>> components;
  for (const Candidate& each : candidates) {
    std::size_t& at = place[find(each.pair.first)];
    if (at == kNone) {
      at = components.size();
      components.emplace_back();
    }
    components[at].push_back(each);
  }
  return components;
}

/// The jobs of a component, ascending.
std::vector<std::size_t> JobsOf(const std::vector<Candidate>& component) {
  std::set<std::size_t> jobs;
  for (const Candidate& each : component) jobs.insert({each.pair.first, each.pair.second});
  return {jobs.begin(), jobs.end()};
}

/// The matching of greatest weight, by all sets of jobs: O(2^jobs x jobs).
std::vector<PairTimes> BestOfAll(const std::vector<Candidate>& component,
                                 const std::vector<std::size_t>& jobs) {
  const std::size_t n = jobs.size();
  // By two places in `jobs`: the candidate.
  std::vector<std::size_t> link(n * n, kNone);
  for (std::size_t c = 0; c < component.size(); ++c) {
    const auto place = [&](std::size_t job) {
      return static_cast<std::size_t>(std::ranges::lower_bound(jobs, job) - jobs.begin());
    };
    const std::size_t a = place(component[c].pair.first), b = place(component[c].pair.second);
    std::size_t& there = link[a * n + b];
    if (there == kNone || component[c].saved > component[there].saved) there = link[b * n + a] = c;
  }
  std::vector<double> best(std::size_t{1} << n, 0);
  std::vector<std::uint8_t> partner(best.size(), 0);  // Of the first job of the set; itself: none.
  for (std::size_t set = 1; set < best.size(); ++set) {
    const auto first = static_cast<std::size_t>(std::countr_zero(set));
    const std::size_t rest = set & (set - 1);
    best[set] = best[rest];
    partner[set] = static_cast<std::uint8_t>(first);
    for (std::size_t other = first + 1; other < n; ++other) {
      const std::size_t c = link[first * n + other];
      if ((rest >> other & 1) == 0 || c == kNone) continue;
      const double saved = component[c].saved + best[rest & ~(std::size_t{1} << other)];
      if (saved <= best[set]) continue;
      best[set] = saved;
      partner[set] = static_cast<std::uint8_t>(other);
    }
  }
  std::vector<PairTimes> chosen;
  for (std::size_t set = best.size() - 1; set != 0;) {
    const auto first = static_cast<std::size_t>(std::countr_zero(set));
    const std::size_t other = partner[set];
    set &= set - 1;
    if (other == first) continue;
    chosen.push_back(component[link[first * n + other]].pair);
    set &= ~(std::size_t{1} << other);
  }
  return chosen;
}

/// The greatest first, then a candidate takes the place of those that it excludes while it saves
/// more than they do.
std::vector<PairTimes> GreatestFirst(std::vector<Candidate> component, std::size_t jobs) {
  std::ranges::stable_sort(component, std::greater<>(), &Candidate::saved);
  std::vector<std::size_t> taken(jobs, kNone);  // By job: the candidate.
  const auto saved = [&](std::size_t c) { return c == kNone ? 0 : component[c].saved; };
  const auto release = [&](std::size_t c) {
    if (c != kNone) taken[component[c].pair.first] = taken[component[c].pair.second] = kNone;
  };
  for (bool is_better = true; is_better;) {
    is_better = false;
    for (std::size_t c = 0; c < component.size(); ++c) {
      const PairTimes& pair = component[c].pair;
      const std::size_t a = taken[pair.first], b = taken[pair.second];
      if (a == c || component[c].saved <= saved(a) + (a == b ? 0 : saved(b))) continue;
      release(a);
      release(b);
      taken[pair.first] = taken[pair.second] = c;
      is_better = true;
    }
  }
  std::vector<PairTimes> chosen;
  for (std::size_t c = 0; c < component.size(); ++c)
    if (taken[component[c].pair.first] == c) chosen.push_back(component[c].pair);
  return chosen;
}

double QuickMakespan(const Problem& problem) {
  const double bound = std::max(CriticalJobBound(problem), AreaBound(problem));
  double least = std::numeric_limits<double>::infinity();
  for (const RulePlan& rule : RulePlans(problem, bound, [] { return false; }))
    least = std::min(least, rule.plan.makespan);
  return least;
}

/// `pairs` without those that quick plans are shorter without.
std::vector<PairTimes> WithoutThoseThatDelay(const Problem& alone, std::vector<PairTimes> pairs,
                                             const std::function<bool()>& stop) {
  double makespan = QuickMakespan(WithPairs(alone, pairs).problem);
  for (bool is_better = true; is_better && !pairs.empty();) {
    is_better = false;
    std::optional<std::size_t> worst;
    for (std::size_t i = 0; i < pairs.size() && !stop(); ++i) {
      std::vector<PairTimes> others = pairs;
      others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
      const double without = QuickMakespan(WithPairs(alone, others).problem);
      if (without >= makespan) continue;
      makespan = without;
      worst = i;
    }
    if (!worst) break;
    pairs.erase(pairs.begin() + static_cast<std::ptrdiff_t>(*worst));
    is_better = true;
  }
  return pairs;
}

}  // namespace

double PairTimes::Together() const { return std::max(first_end, second_end); }

double SavedBy(const Problem& alone, const PairTimes& pair) {
  return LeastArea(alone.jobs[pair.first]) + LeastArea(alone.jobs[pair.second]) - pair.Together();
}

ChosenPairs MostSaved(const Problem& alone, std::span<const PairTimes> candidates) {
  ChosenPairs chosen{{}, true};
  for (std::vector<Candidate>& component :
       Components(alone.jobs.size(), WorthWhile(alone, candidates))) {
    const std::vector<std::size_t> jobs = JobsOf(component);
    const bool is_small = jobs.size() <= kMostTriedJobs;
    chosen.is_best = chosen.is_best && is_small;
    const std::vector<PairTimes> of = is_small
                                          ? BestOfAll(component, jobs)
                                          : GreatestFirst(std::move(component), alone.jobs.size());
    chosen.pairs.insert(chosen.pairs.end(), of.begin(), of.end());
  }
  return chosen;
}

SharedProblem WithPairs(const Problem& alone, std::span<const PairTimes> pairs) {
  SharedProblem shared{{alone.devices, {}}, {}};
  for (std::size_t job = 0; job < alone.jobs.size(); ++job) {
    const auto of = [&](std::size_t PairTimes::*member) {
      return std::ranges::find(pairs, job, member);
    };
    if (of(&PairTimes::second) != pairs.end()) continue;
    const auto pair = of(&PairTimes::first);
    if (pair == pairs.end()) {
      shared.problem.jobs.push_back(alone.jobs[job]);
      shared.jobs.push_back({job});
      continue;
    }
    const double release = std::max(alone.jobs[job].release, alone.jobs[pair->second].release);
    shared.problem.jobs.push_back(
        {release, {{1, pair->Together()}}, {pair->first_end, pair->second_end}});
    shared.jobs.push_back({job, pair->second});
  }
  return shared;
}

SharedSolution SolveShared(const Problem& alone, std::span<const PairTimes> candidates,
                           const SolveOptions& options) {
  const ChosenPairs most = MostSaved(alone, candidates);
  if (most.pairs.empty()) {
    const Solution solution = Solve(alone, options);
    return {WithPairs(alone, {}), {}, solution, solution, false, solution.seconds};
  }
  SolveOptions half = options;
  half.time_limit_s /= 2;
  const Solution without = Solve(alone, half);
  std::vector<PairTimes> pairs = WithoutThoseThatDelay(alone, most.pairs, options.stop);
  SharedProblem shared = WithPairs(alone, pairs);
  const Solution with = Solve(shared.problem, half);
  const double seconds = without.seconds + with.seconds;
  if (with.plan.makespan < without.plan.makespan)
    return {std::move(shared), std::move(pairs), with, without, true, seconds, most.is_best};
  return {WithPairs(alone, {}), {}, without, without, true, seconds, most.is_best};
}

}  // namespace xsp::suite::schedule
