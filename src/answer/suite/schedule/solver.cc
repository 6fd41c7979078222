#include "answer/suite/schedule/solver.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "answer/suite/schedule/bounds.h"
#include "answer/suite/schedule/exhaustive_search.h"
#include "answer/suite/schedule/lanes.h"
#include "core/result.h"

namespace xsp::suite::schedule {
namespace {

constexpr double kSameTime = 1e-9;

/// More than any time limit lets through.
constexpr int kMostRounds = 1'000'000'000;

class Solver {
 public:
  Solver(const Problem& problem, const SolveOptions& options)
      : problem_(problem), options_(options), begin_(std::chrono::steady_clock::now()) {}

  Solution Run() {
    Solution solution{};
    solution.critical_job_bound = CriticalJobBound(problem_);
    solution.area_bound = AreaBound(problem_);
    bound_ = std::max(solution.critical_job_bound, solution.area_bound);
    bound_from_ = solution.area_bound > solution.critical_job_bound ? "area" : "critical job";
    solution.rules = RulePlans(problem_, bound_, StopAt(Share(0.5)));
    best_ = *std::ranges::min_element(solution.rules, {},
                                      [](const RulePlan& rule) { return rule.plan.makespan; });
    Search(Share(0.1), 1);
    if (problem_.jobs.size() <= kMostJobsExhausted) TryAllPlans(Share(0.4));
    RaiseBound(Share(0.75));
    Search(options_.time_limit_s, kMostRounds);
    // The plan may have come down to what the bound was tried up to.
    solution.plan = std::move(best_.plan);
    solution.bound = std::min(bound_, solution.plan.makespan);
    solution.bound_from = bound_from_;
    solution.optimal = solution.plan.makespan <= solution.bound * (1 + kSameTime);
    solution.stopped = !Done();
    solution.seconds = Elapsed();
    return solution;
  }

 private:
  double Elapsed() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
  }

  /// The moment, in seconds from the beginning, at which a phase ends that may use this share.
  double Share(double share) const { return share * options_.time_limit_s; }

  bool Done() const {
    return best_.plan.makespan <= bound_ * (1 + std::max(options_.gap, kSameTime));
  }

  std::function<bool()> StopAt(double seconds) const {
    return [this, seconds] { return Elapsed() > seconds || options_.stop(); };
  }

  void Search(double until, int rounds) {
    if (Done()) return;
    LaneOptions lanes;
    lanes.lanes = options_.threads;
    lanes.first_round = round_;
    lanes.rounds = rounds;
    lanes.target = bound_ * (1 + std::max(options_.gap, kSameTime));
    lanes.seed = options_.seed;
    lanes.stop = StopAt(until);
    lanes.better = [this](double makespan) { options_.progress("searching", makespan, bound_); };
    Take(AnnealInLanes(problem_, best_.recipe, lanes));
    round_ += rounds;
  }

  void TryAllPlans(double until) {
    if (Done()) return;
    options_.progress("trying all plans", best_.plan.makespan, bound_);
    const Exhausted all = SearchAll(problem_, best_.plan.makespan, bound_, StopAt(until));
    if (all.better) Take(*all.better);
    if (!all.complete || best_.plan.makespan <= bound_ * (1 + kSameTime)) return;
    bound_ = best_.plan.makespan;
    bound_from_ = "search of all plans";
  }

  void RaiseBound(double until) {
    if (Done()) return;
    const double bound = PackingBound(
        problem_, bound_, best_.plan.makespan, StopAt(until),
        [this](double now) { options_.progress("raising the bound", best_.plan.makespan, now); });
    if (bound > bound_) bound_ = bound, bound_from_ = "packing of devices";
  }

  void Take(const Recipe& recipe) {
    Plan plan = Placement(problem_).Schedule(recipe.order, recipe.choices);
    if (plan.makespan >= best_.plan.makespan) return;
    best_.recipe = recipe;
    best_.plan = std::move(plan);
  }

  const Problem& problem_;
  const SolveOptions& options_;
  const std::chrono::steady_clock::time_point begin_;
  RulePlan best_;
  double bound_ = 0;
  std::string bound_from_;
  int round_ = 0;
};

}  // namespace

Solution Solve(const Problem& problem, const SolveOptions& options) {
  XSP_CHECK(!problem.jobs.empty());
  return Solver(problem, options).Run();
}

}  // namespace xsp::suite::schedule
