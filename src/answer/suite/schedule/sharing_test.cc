#include "answer/suite/schedule/sharing.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <random>
#include <set>

namespace xsp::suite::schedule {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

/// Jobs of one device that take these times.
Problem JobsOf(int devices, const std::vector<double>& times) {
  Problem problem{devices, {}};
  for (const double time : times) problem.jobs.push_back({0, {{1, time}}});
  return problem;
}

double Saved(const Problem& problem, const std::vector<PairTimes>& pairs) {
  double saved = 0;
  for (const PairTimes& pair : pairs) saved += SavedBy(problem, pair);
  return saved;
}

/// By trying every choice of pairs.
double MostByBruteForce(const Problem& problem, const std::vector<PairTimes>& pairs,
                        std::set<std::size_t> taken = {}, std::size_t from = 0) {
  double most = 0;
  for (std::size_t i = from; i < pairs.size(); ++i) {
    const PairTimes& pair = pairs[i];
    const double saved = SavedBy(problem, pair);
    const double both = saved + pair.Together();
    if (taken.contains(pair.first) || taken.contains(pair.second) || saved < kLeastSaving * both)
      continue;
    std::set<std::size_t> with = taken;
    with.insert({pair.first, pair.second});
    most = std::max(most, saved + MostByBruteForce(problem, pairs, with, i + 1));
  }
  return most;
}

/// Random jobs, and pairs of them that are measured with this probability.
struct RandomJobs {
  RandomJobs(std::size_t jobs, double probability, unsigned seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> time(1, 10), share(0.5, 1.1), chance(0, 1);
    std::vector<double> times(jobs);
    for (double& one : times) one = time(random);
    problem = JobsOf(4, times);
    for (std::size_t a = 0; a < jobs; ++a)
      for (std::size_t b = a + 1; b < jobs; ++b) {
        if (chance(random) >= probability) continue;
        const double together =
            std::max({times[a], times[b], share(random) * (times[a] + times[b])});
        pairs.push_back({a, b, together, std::min(times[b] * 1.1, together)});
      }
  }

  Problem problem;
  std::vector<PairTimes> pairs;
};

TEST(MostSavedTest, IsTheBestOfAllChoices) {
  for (unsigned seed = 0; seed < 200; ++seed) {
    const RandomJobs random(2 + seed % 7, 0.6, seed);
    const ChosenPairs chosen = MostSaved(random.problem, random.pairs);
    EXPECT_TRUE(chosen.is_best);
    EXPECT_NEAR(Saved(random.problem, chosen.pairs), MostByBruteForce(random.problem, random.pairs),
                1e-9)
        << seed;
  }
}

TEST(MostSavedTest, GreatestFirstWouldSaveLess) {
  // The middle pair saves most, the outer two together more.
  const Problem problem = JobsOf(2, {4, 4, 4, 4});
  const std::vector<PairTimes> pairs = {{0, 1, 5, 5}, {1, 2, 4, 4}, {2, 3, 5, 5}};
  const ChosenPairs chosen = MostSaved(problem, pairs);
  ASSERT_THAT(chosen.pairs, SizeIs(2));
  EXPECT_EQ(Saved(problem, chosen.pairs), 6);
}

TEST(MostSavedTest, OfManyJobsEachIsInOnePairAtMost) {
  for (unsigned seed = 0; seed < 5; ++seed) {
    const RandomJobs random(60, 0.3, seed);
    const ChosenPairs chosen = MostSaved(random.problem, random.pairs);
    EXPECT_FALSE(chosen.is_best);
    std::set<std::size_t> jobs;
    for (const PairTimes& pair : chosen.pairs) {
      EXPECT_TRUE(jobs.insert(pair.first).second);
      EXPECT_TRUE(jobs.insert(pair.second).second);
      EXPECT_GE(SavedBy(random.problem, pair), 0);
    }
    // No pair is left that could be added.
    for (const PairTimes& pair : random.pairs)
      if (!jobs.contains(pair.first) && !jobs.contains(pair.second)) {
        EXPECT_LT(SavedBy(random.problem, pair),
                  kLeastSaving * (SavedBy(random.problem, pair) + pair.Together()));
      }
  }
}

TEST(MostSavedTest, PairThatSavesNothingIsNotChosen) {
  const Problem problem = JobsOf(2, {4, 4});
  EXPECT_THAT(MostSaved(problem, std::vector<PairTimes>{{0, 1, 8.5, 8.5}}).pairs, IsEmpty());
  EXPECT_THAT(MostSaved(problem, std::vector<PairTimes>{{0, 1, 7.7, 7.7}}).pairs, IsEmpty());
  EXPECT_THAT(MostSaved(problem, std::vector<PairTimes>{{0, 1, 7.5, 7.5}}).pairs, SizeIs(1));
}

TEST(WithPairsTest, PairIsAJobInThePlaceOfItsFirst) {
  Problem problem = JobsOf(2, {4, 5, 6});
  problem.jobs[2].release = 3;
  const SharedProblem shared = WithPairs(problem, std::vector<PairTimes>{{0, 2, 7, 8}});
  EXPECT_THAT(shared.jobs, ElementsAre(ElementsAre(0, 2), ElementsAre(1)));
  const Job& pair = shared.problem.jobs.at(0);
  EXPECT_EQ(pair.release, 3);
  EXPECT_EQ(pair.choices.at(0).width, 1);
  EXPECT_EQ(pair.choices.at(0).time, 8);
  EXPECT_THAT(pair.ends, ElementsAre(7, 8));
  // On one device: the pair from 3 to 11, or after the other job. Each end counts.
  const Plan plan{13, {{1, 0, 0, 5, {0}}, {0, 0, 5, 13, {0}}}};
  EXPECT_DOUBLE_EQ(MeanTurnaround(shared.problem, plan), ((12 - 3) + (13 - 3) + 5) / 3.0);
}

SharedSolution SolvedIn(const Problem& problem, const std::vector<PairTimes>& pairs) {
  SolveOptions options;
  options.time_limit_s = 5;
  return SolveShared(problem, pairs, options);
}

TEST(SolveSharedTest, PairsShortenThePlan) {
  // By hand: two devices, four jobs of 4: 8 alone. In pairs of 5 each device has one pair.
  const SharedSolution found =
      SolvedIn(JobsOf(2, {4, 4, 4, 4}), {{0, 1, 5, 5}, {1, 2, 4, 4}, {2, 3, 5, 5}});
  EXPECT_EQ(found.solution.plan.makespan, 5);
  EXPECT_EQ(found.alone.plan.makespan, 8);
  EXPECT_THAT(found.pairs, SizeIs(2));
}

TEST(SolveSharedTest, PairThatDelaysTheLastJobDoesNotShare) {
  // Each job has a device to itself.
  const SharedSolution idle = SolvedIn(JobsOf(2, {4, 4}), {{0, 1, 5, 5}});
  EXPECT_TRUE(idle.tried);
  EXPECT_THAT(idle.pairs, IsEmpty());
  EXPECT_EQ(idle.solution.plan.makespan, 4);
  // The pair of the longest job would end after 12, and saves most.
  const SharedSolution mixed =
      SolvedIn(JobsOf(2, {10, 6, 4, 4}), {{0, 1, 12, 12}, {2, 3, 4.5, 4.5}});
  ASSERT_THAT(mixed.pairs, SizeIs(1));
  EXPECT_EQ(mixed.pairs[0].first, 2U);
  EXPECT_EQ(mixed.alone.plan.makespan, 14);
  EXPECT_EQ(mixed.solution.plan.makespan, 10.5);
}

}  // namespace
}  // namespace xsp::suite::schedule
