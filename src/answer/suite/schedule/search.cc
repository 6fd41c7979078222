#include "answer/suite/schedule/search.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <random>
#include <utility>

#include "answer/suite/schedule/incremental_placement.h"

namespace xsp::suite::schedule {
namespace {

constexpr double kNoPlanYet = std::numeric_limits<double>::infinity();

/// Of each job the choice for which `cost` is least, the narrower one of equals.
std::vector<std::size_t> Least(const Problem& problem,
                               const std::function<double(const Job&, const Choice&)>& cost) {
  std::vector<std::size_t> choices;
  for (const Job& job : problem.jobs) {
    const auto least = std::ranges::min_element(
        job.choices, {}, [&](const Choice& choice) { return cost(job, choice); });
    choices.push_back(static_cast<std::size_t>(least - job.choices.begin()));
  }
  return choices;
}

/// Released first, then longest first.
Recipe LongestFirst(const Problem& problem, std::vector<std::size_t> choices) {
  Recipe recipe{std::vector<std::size_t>(problem.jobs.size()), std::move(choices)};
  std::iota(recipe.order.begin(), recipe.order.end(), 0U);
  const auto time = [&](std::size_t job) {
    return problem.jobs[job].choices[recipe.choices[job]].time;
  };
  std::ranges::stable_sort(recipe.order, [&](std::size_t a, std::size_t b) {
    const double release_a = problem.jobs[a].release, release_b = problem.jobs[b].release;
    return release_a != release_b ? release_a < release_b : time(a) > time(b);
  });
  return recipe;
}

/// Jobs one after another, whatever room there is beside them.
Plan OneAfterAnother(const Problem& problem, const Recipe& recipe) {
  Plan plan;
  for (const std::size_t job : recipe.order) {
    const Choice& choice = problem.jobs[job].choices[recipe.choices[job]];
    const double start = std::max(plan.makespan, problem.jobs[job].release);
    std::vector<int> devices(static_cast<std::size_t>(choice.width));
    std::iota(devices.begin(), devices.end(), 0);
    plan.makespan = start + choice.time;
    plan.placed.push_back({job, recipe.choices[job], start, plan.makespan, std::move(devices)});
  }
  return plan;
}

double AreaOf(const Job&, const Choice& choice) { return choice.width * choice.time; }

/// The best of 64 makespans between the bound and thrice it, or of those that `stop` leaves time
/// for: one at least.
Recipe WithinAMakespan(const Problem& problem, double bound, const std::function<bool()>& stop) {
  Placement placement(problem);
  Recipe best;
  double best_makespan = kNoPlanYet;
  for (int i = 0; i < 64 && (i == 0 || !stop()); ++i) {
    const double target = bound * std::pow(3.0, i / 63.0);
    Recipe recipe = LongestFirst(problem, Least(problem, [&](const Job& job, const Choice& c) {
                                   const bool in_time = job.release + c.time <= target;
                                   return in_time ? AreaOf(job, c) : 1e300 * c.time;
                                 }));
    const double makespan = placement.Makespan(recipe.order, recipe.choices, best_makespan);
    if (makespan < best_makespan) best_makespan = makespan, best = std::move(recipe);
  }
  return best;
}

}  // namespace

std::vector<RulePlan> RulePlans(const Problem& problem, double bound,
                                const std::function<bool()>& stop) {
  std::vector<RulePlan> plans;
  Placement placement(problem);
  const Recipe widest =
      LongestFirst(problem, Least(problem, [](const Job&, const Choice& c) { return -c.width; }));
  plans.push_back({"one after another on all devices", widest, OneAfterAnother(problem, widest)});
  const auto add = [&](const char* name, Recipe recipe) {
    Plan plan = placement.Schedule(recipe.order, recipe.choices);
    plans.push_back({name, std::move(recipe), std::move(plan)});
  };
  const auto longest_first = [&](auto cost) { return LongestFirst(problem, Least(problem, cost)); };
  add("narrowest width, longest first",
      longest_first([](const Job&, const Choice& c) { return c.width; }));
  add("fastest width, longest first",
      longest_first([](const Job&, const Choice& c) { return c.time; }));
  add("least area, longest first", longest_first(AreaOf));
  add("least area within a makespan, longest first", WithinAMakespan(problem, bound, stop));
  return plans;
}

namespace {

class Annealing {
 public:
  Annealing(const Problem& problem, const Recipe& start, double target, std::uint64_t seed)
      : problem_(problem), target_(target), random_(seed), placement_(problem), now_(start) {}

  Annealed Run(std::uint64_t steps, bool elsewhere,
               const std::function<bool(std::uint64_t)>& stop) {
    best_ = {now_, placement_.Begin(now_.order, now_.choices), 0};
    if (elsewhere) Shake();
    double now_cost = placement_.Begin(now_.order, now_.choices) + Late();
    next_ = now_;
    for (; best_.steps < steps && best_.makespan > target_; ++best_.steps) {
      if (best_.steps % 64 == 0 && stop(best_.steps)) break;
      const double cooled = static_cast<double>(best_.steps) / static_cast<double>(steps);
      const double temperature = best_.makespan * kHot * std::pow(kCold / kHot, cooled);
      // The worst that this step accepts is drawn first, so that placing can end as soon as it is
      // exceeded.
      const double limit = now_cost - temperature * std::log(1 - Unit());
      const std::size_t from = Change();
      const double makespan = placement_.Try(next_.order, next_.choices, from, limit);
      if (makespan < best_.makespan) best_.makespan = makespan, best_.recipe = next_;
      const double cost = makespan > limit ? makespan : makespan + Late();
      if (cost > limit) {
        next_ = now_;
        continue;
      }
      placement_.Keep();
      now_ = next_;
      now_cost = cost;
    }
    return std::move(best_);
  }

 private:
  // Chosen by trial on 30 jobs and 16 devices: of the best makespan; per device.
  static constexpr double kHot = 0.01, kCold = 0.0002, kLateWeight = 16;

  /// Below `count`, which is less than 2^32.
  std::size_t Any(std::size_t count) { return (random_() >> 32) * count >> 32; }
  double Unit() { return static_cast<double>(random_() >> 11) * 0x1p-53; }

  double Late() const { return kLateWeight * placement_.AreaBeyond(target_) / problem_.devices; }

  /// A new beginning, with most widths as they are: else every round ends where the last one did.
  void Shake() {
    std::ranges::shuffle(now_.order, random_);
    for (std::size_t job = 0; job < now_.choices.size(); ++job)
      if (Unit() < 0.2) now_.choices[job] = Any(problem_.jobs[job].choices.size());
  }

  /// A place of the order; of two the one whose job ends later.
  std::size_t LatePlace() {
    const std::size_t a = Any(now_.order.size()), b = Any(now_.order.size());
    return placement_.End(a) > placement_.End(b) ? a : b;
  }

  /// Another width for the job at `place`, near the one it has more often than not.
  void Widen(std::size_t place) {
    const std::size_t job = next_.order[place];
    const std::size_t choices = problem_.jobs[job].choices.size();
    if (choices == 1) return;
    std::size_t& choice = next_.choices[job];
    if (Any(2) == 0) {
      const bool up = choice + 1 < choices && (choice == 0 || Any(2) == 0);
      choice = up ? choice + 1 : choice - 1;
    } else {
      const std::size_t other = Any(choices - 1);
      choice = other + (other >= choice ? 1 : 0);
    }
  }

  void Move(std::size_t from, std::size_t to) {
    const auto at = next_.order.begin();
    const auto a = static_cast<std::ptrdiff_t>(from), b = static_cast<std::ptrdiff_t>(to);
    if (a < b)
      std::rotate(at + a, at + a + 1, at + b + 1);
    else
      std::rotate(at + b, at + a, at + a + 1);
  }

  /// Changes next_, which is as now_. Returns the first place that differs.
  std::size_t Change() {
    const std::size_t n = now_.order.size();
    const std::size_t a = LatePlace();
    const std::size_t b = Any(n);
    switch (Any(5)) {
      case 0:
        Widen(a);
        return a;
      case 1:
        std::swap(next_.order[a], next_.order[b]);
        break;
      case 2:
        Move(a, b);
        break;
      case 3:
        Widen(a);
        Move(a, b);
        break;
      default:
        Widen(a);
        if (b != a) Widen(b);
    }
    return std::min(a, b);
  }

  const Problem& problem_;
  const double target_;
  std::mt19937_64 random_;
  IncrementalPlacement placement_;
  Recipe now_, next_;
  Annealed best_;
};

}  // namespace

Annealed Anneal(const Problem& problem, const Recipe& start, std::uint64_t steps, bool elsewhere,
                double target, std::uint64_t seed, const std::function<bool(std::uint64_t)>& stop) {
  return Annealing(problem, start, target, seed).Run(steps, elsewhere, stop);
}

}  // namespace xsp::suite::schedule
