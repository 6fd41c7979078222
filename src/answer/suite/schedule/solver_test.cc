#include "answer/suite/schedule/solver.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <random>
#include <vector>

#include "answer/suite/schedule/bounds.h"
#include "answer/suite/schedule/exhaustive_search.h"
#include "answer/suite/schedule/incremental_placement.h"

namespace xsp::suite::schedule {
namespace {

/// The shortest makespan by trying every order and every choice: devices as a list of the times at
/// which they get free, each job on those that are free first, no earlier than the job before it.
/// Shares nothing with the code under test.
double ByBruteForce(const Problem& problem) {
  double best = std::numeric_limits<double>::infinity();
  std::vector<std::size_t> order(problem.jobs.size());
  std::iota(order.begin(), order.end(), 0U);
  const std::function<void(std::size_t, std::vector<double>, double, double)> place =
      [&](std::size_t at, std::vector<double> free, double now, double makespan) {
        if (at == order.size()) {
          best = std::min(best, makespan);
          return;
        }
        const Job& job = problem.jobs[order[at]];
        for (const Choice& choice : job.choices) {
          std::vector<double> then = free;
          std::sort(then.begin(), then.end());
          const auto width = static_cast<std::size_t>(choice.width);
          const double start = std::max({now, job.release, then[width - 1]});
          for (std::size_t d = 0; d < width; ++d) then[d] = start + choice.time;
          place(at + 1, then, start, std::max(makespan, start + choice.time));
        }
      };
  do {
    place(0, std::vector<double>(static_cast<std::size_t>(problem.devices), 0.0), 0, 0);
  } while (std::next_permutation(order.begin(), order.end()));
  return best;
}

/// Jobs with a serial share each (Amdahl 1967), on widths that are powers of two or any.
Problem Random(std::mt19937_64& random, int devices, std::size_t jobs, bool powers, bool releases) {
  std::uniform_real_distribution<double> unit(0, 1);
  Problem problem{devices, {}};
  for (std::size_t j = 0; j < jobs; ++j) {
    Job job;
    if (releases) job.release = 40 * unit(random);
    const double time = 10 + 90 * unit(random);
    const double serial = 0.5 * unit(random) * unit(random);
    for (int width = 1; width <= devices; width = powers ? 2 * width : width + 1) {
      const double noise = 1 + 0.1 * unit(random);
      job.choices.push_back({width, time * (serial + (1 - serial) / width) * noise});
    }
    problem.jobs.push_back(std::move(job));
  }
  return problem;
}

/// Fails unless `plan` is one of `problem`: every job once, after its release, on as many different
/// devices as it chose, no device with two jobs at a time.
void ExpectFeasible(const Problem& problem, const Plan& plan) {
  ASSERT_EQ(plan.placed.size(), problem.jobs.size());
  std::vector<int> seen(problem.jobs.size(), 0);
  double last = 0;
  for (const Placed& placed : plan.placed) {
    ++seen[placed.job];
    const Job& job = problem.jobs[placed.job];
    const Choice& choice = job.choices.at(placed.choice);
    EXPECT_GE(placed.start, job.release);
    EXPECT_EQ(placed.end, placed.start + choice.time);
    EXPECT_EQ(placed.devices.size(), static_cast<std::size_t>(choice.width));
    EXPECT_TRUE(std::ranges::is_sorted(placed.devices, std::less_equal<>()) ||
                placed.devices.size() == 1);
    last = std::max(last, placed.end);
    for (const Placed& other : plan.placed) {
      if (other.job == placed.job || other.start >= placed.end || other.end <= placed.start)
        continue;
      for (const int device : placed.devices)
        EXPECT_EQ(std::ranges::count(other.devices, device), 0) << "device " << device;
    }
  }
  EXPECT_EQ(std::ranges::count(seen, 1), static_cast<std::ptrdiff_t>(seen.size()));
  EXPECT_EQ(plan.makespan, last);
}

TEST(SolveTest, FindsAndProvesWhatTryingEveryPlanFinds) {
  std::mt19937_64 random(7);
  for (int i = 0; i < 60; ++i) {
    const std::size_t jobs = 1 + static_cast<std::size_t>(i) % 5;
    const Problem problem = Random(random, 2 + i % 3, jobs, i % 2 == 0, i % 4 >= 2);
    SCOPED_TRACE(i);
    const double best = ByBruteForce(problem);
    const Solution solution = Solve(problem, {});
    ExpectFeasible(problem, solution.plan);
    EXPECT_NEAR(solution.plan.makespan, best, 1e-9 * best);
    EXPECT_TRUE(solution.optimal);
    EXPECT_LE(solution.bound, best * (1 + 1e-9));
    for (const RulePlan& rule : solution.rules) {
      ExpectFeasible(problem, rule.plan);
      EXPECT_GE(rule.plan.makespan, best * (1 - 1e-9)) << rule.name;
    }
  }
}

TEST(SolveTest, SearchOfAllPlansNeedsNoStartToBeRight) {
  std::mt19937_64 random(11);
  for (int i = 0; i < 40; ++i) {
    const Problem problem = Random(random, 2 + i % 4, 4, i % 2 == 0, i % 4 >= 2);
    const Exhausted all = SearchAll(problem, 1e9, 0, [] { return false; });
    ASSERT_TRUE(all.complete && all.better.has_value());
    const Plan plan = Placement(problem).Schedule(all.better->order, all.better->choices);
    const double best = ByBruteForce(problem);
    EXPECT_NEAR(plan.makespan, best, 1e-9 * best) << i;
  }
}

TEST(SolveTest, NoBoundExceedsTheShortestPlan) {
  std::mt19937_64 random(13);
  int raised = 0;
  for (int i = 0; i < 60; ++i) {
    const Problem problem = Random(random, 2 + i % 3, 5, i % 2 == 0, i % 3 == 0);
    const double best = ByBruteForce(problem);
    const double area = AreaBound(problem);
    EXPECT_LE(CriticalJobBound(problem), best * (1 + 1e-12));
    EXPECT_LE(area, best * (1 + 1e-12));
    EXPECT_EQ(RefuteByPacking(problem, best * (1 + 1e-9), [] { return false; }), Refuted::kNo);
    const double packing = PackingBound(
        problem, area, best, [] { return false; }, [](double) {});
    EXPECT_LE(packing, best);
    if (packing > area * 1.001) ++raised;
  }
  EXPECT_GT(raised, 10);  // Else it would not be worth its time.
}

TEST(SolveTest, PackingSeesThatThreeLongJobsDoNotShareTwoDevices) {
  // Area and the longest job say 3; two of three jobs must follow each other on a device.
  const Problem problem{2, {{0, {{1, 2}}}, {0, {{1, 2}}}, {0, {{1, 2}}}}};
  EXPECT_NEAR(AreaBound(problem), 3, 1e-9);
  EXPECT_EQ(RefuteByPacking(problem, 3.9, [] { return false; }), Refuted::kYes);
  EXPECT_EQ(RefuteByPacking(problem, 4, [] { return false; }), Refuted::kNo);
}

TEST(SolveTest, MomentsSeeThatWideJobsDoNotRunTogether) {
  // Three jobs on 3 of 5 devices: cut by devices nine pieces of which two fit on each, in truth one
  // after another.
  const Problem problem{5, {{0, {{3, 2}}}, {0, {{3, 2}}}, {0, {{3, 2}}}}};
  EXPECT_NEAR(AreaBound(problem), 3.6, 1e-9);
  EXPECT_EQ(RefuteByPacking(problem, 5.9, [] { return false; }), Refuted::kYes);
  EXPECT_EQ(RefuteByPacking(problem, 6, [] { return false; }), Refuted::kNo);
}

TEST(SolveTest, MomentsSeeThatNothingElseCanRunBeforeARelease) {
  // Until 4 only the first and the last job are there, which cannot run together: 2 of the first's
  // 4 are left then, with 3 and 3 of the others. Area alone says 7, and so do pieces on devices.
  const Problem problem{2, {{0, {{1, 4}}}, {4, {{1, 3}}}, {4, {{1, 3}}}, {0, {{2, 2}}}}};
  EXPECT_NEAR(AreaBound(problem), 7, 1e-9);
  EXPECT_EQ(RefuteByPacking(problem, 7.99, [] { return false; }), Refuted::kYes);
  EXPECT_EQ(RefuteByPacking(problem, ByBruteForce(problem), [] { return false; }), Refuted::kNo);
}

TEST(SolveTest, TheSameSeedAndThreadsFindTheSamePlan) {
  std::mt19937_64 random(23);
  for (const int threads : {1, 3}) {
    const Problem problem = Random(random, 16, 30, true, false);
    SolveOptions options;
    options.gap = 0.06;
    options.threads = threads;
    const Solution first = Solve(problem, options);
    const Solution second = Solve(problem, options);
    ASSERT_FALSE(first.stopped);
    ASSERT_EQ(first.plan.placed.size(), second.plan.placed.size());
    EXPECT_EQ(first.plan.makespan, second.plan.makespan);
    for (std::size_t i = 0; i < first.plan.placed.size(); ++i) {
      EXPECT_EQ(first.plan.placed[i].job, second.plan.placed[i].job);
      EXPECT_EQ(first.plan.placed[i].start, second.plan.placed[i].start);
      EXPECT_EQ(first.plan.placed[i].devices, second.plan.placed[i].devices);
    }
  }
}

TEST(IncrementalPlacementTest, SaysWhatPlacingAllSays) {
  std::mt19937_64 random(29);
  for (const std::size_t jobs : {1U, 7U, 300U}) {
    const Problem problem = Random(random, 8, jobs, true, jobs == 7);
    std::vector<std::size_t> order(jobs), choices(jobs, 0);
    std::iota(order.begin(), order.end(), 0U);
    IncrementalPlacement placement(problem);
    EXPECT_EQ(placement.Begin(order, choices), Placement(problem).Makespan(order, choices, 1e300));
    for (int i = 0; i < 300; ++i) {
      std::vector<std::size_t> next = order, other = choices;
      const std::size_t a = random() % jobs, b = random() % jobs;
      std::swap(next[a], next[b]);
      other[next[b]] = random() % problem.jobs[next[b]].choices.size();
      const double all = Placement(problem).Makespan(next, other, 1e300);
      const double limit = i % 3 == 0 ? all * 0.999 : all;
      const double tried = placement.Try(next, other, std::min(a, b), limit);
      if (i % 3 == 0) {
        EXPECT_TRUE(std::isinf(tried));
        continue;
      }
      EXPECT_EQ(tried, all);
      if (i % 2 == 0) continue;  // What is not kept leaves no trace.
      placement.Keep();
      order = next, choices = other;
    }
  }
}

TEST(SolveTest, StoppedWorkStillHasAPlanAndABound) {
  std::mt19937_64 random(17);
  const Problem problem = Random(random, 16, 40, true, true);
  SolveOptions options;
  options.stop = [] { return true; };
  const Solution solution = Solve(problem, options);
  ExpectFeasible(problem, solution.plan);
  EXPECT_TRUE(solution.stopped);
  EXPECT_GT(solution.bound, 0);
  EXPECT_LE(solution.bound, solution.plan.makespan);
}

TEST(SolveTest, RulesThatAreStoppedHaveAPlanEachAndTryNoMore) {
  std::mt19937_64 random(31);
  const Problem problem = Random(random, 16, 40, true, true);
  int asked = 0;
  const auto stopped = RulePlans(problem, AreaBound(problem), [&asked] { return ++asked > 0; });
  EXPECT_EQ(asked, 1);  // Not once for each of the 64 makespans.
  const auto whole = RulePlans(problem, AreaBound(problem), [] { return false; });
  ASSERT_EQ(stopped.size(), whole.size());
  for (std::size_t i = 0; i < whole.size(); ++i) {
    EXPECT_EQ(stopped[i].name, whole[i].name);
    ExpectFeasible(problem, stopped[i].plan);
    EXPECT_LE(whole[i].plan.makespan, stopped[i].plan.makespan);
  }
}

TEST(SolveTest, StopsWhenTheGapIsSmallEnough) {
  std::mt19937_64 random(19);
  const Problem problem = Random(random, 16, 30, true, false);
  SolveOptions options;
  options.gap = 0.5;
  const Solution solution = Solve(problem, options);
  EXPECT_FALSE(solution.stopped);
  EXPECT_LE(solution.gap(), 0.5);
}

// What half a minute reaches on a quiet machine is in docs/suite/schedule.md. Here the rounds of
// the search decide, not the clock: on a busy machine they take longer, and find the same.
TEST(SolveTest, ThirtyJobsOnSixteenDevicesComeNearTheBound) {
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    std::mt19937_64 random(seed);
    const Problem problem = Random(random, 16, 30, true, false);
    SolveOptions options;
    options.time_limit_s = 600;  // Out of reach.
    options.gap = 0.03;
    options.threads = 2;
    const Solution solution = Solve(problem, options);
    ExpectFeasible(problem, solution.plan);
    EXPECT_FALSE(solution.stopped) << "seed " << seed;
    EXPECT_LE(solution.gap(), 0.03) << "seed " << seed << ", bound " << solution.bound;
    const double best_rule = std::ranges::min(solution.rules, {}, [](const RulePlan& r) {
                               return r.plan.makespan;
                             }).plan.makespan;
    EXPECT_LT(solution.plan.makespan, best_rule);
  }
}

}  // namespace
}  // namespace xsp::suite::schedule
