#include "answer/suite/schedule/policies.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace xsp::suite::schedule {
namespace {

TEST(PoliciesTest, AQueueLeavesRoomThatALaterJobWouldFill) {
  // Wide, then one that must wait for it, then one that would fit beside the first.
  const Problem problem{2, {{0, {{1, 4}}}, {0, {{2, 3}}}, {0, {{1, 4}}}}};
  const std::vector<PolicyPlan> plans = PolicyPlans(problem);
  ASSERT_EQ(plans.size(), kPolicies.size());
  EXPECT_EQ(plans[0].plan.makespan, 11);  // 4, then 3, then 4.
  EXPECT_EQ(MeanTurnaround(problem, plans[0].plan), (4.0 + 7 + 11) / 3);
  EXPECT_EQ(plans[1].plan.makespan, 7);  // The wide one, then both others.
  EXPECT_EQ(MeanTurnaround(problem, plans[1].plan), (3.0 + 7 + 7) / 3);
}

TEST(PoliciesTest, TurnaroundCountsFromTheRelease) {
  const Problem problem{1, {{5, {{1, 2}}}, {0, {{1, 1}}}}};
  const std::vector<PolicyPlan> plans = PolicyPlans(problem);
  EXPECT_EQ(plans[0].plan.makespan, 7);
  EXPECT_EQ(MeanTurnaround(problem, plans[0].plan), 1.5);
}

TEST(PoliciesTest, RandomQueuesKeepTheirOrderAndTheirDevices) {
  std::mt19937 random(3);
  for (int trial = 0; trial < 200; ++trial) {
    Problem problem{1 + static_cast<int>(random() % 6), {}};
    for (int i = 0; i < 12; ++i) {
      Job job{static_cast<double>(random() % 5), {}};
      for (int width = 1; width <= problem.devices; ++width)
        if (width == 1 || random() % 2 == 0)
          job.choices.push_back({width, 1.0 + static_cast<double>(random() % 100) / width});
      problem.jobs.push_back(job);
    }
    for (const PolicyPlan& policy : PolicyPlans(problem)) {
      ASSERT_EQ(policy.plan.placed.size(), problem.jobs.size());
      std::vector<double> free_from(static_cast<std::size_t>(problem.devices), 0);
      double before = 0;
      for (const Placed& placed : policy.plan.placed) {
        const Job& job = problem.jobs[placed.job];
        EXPECT_GE(placed.start, std::max(job.release, before));
        EXPECT_EQ(static_cast<int>(placed.devices.size()), job.choices[placed.choice].width);
        for (const Choice& other : job.choices)
          EXPECT_LE(job.choices[placed.choice].time, other.time);
        for (const int device : placed.devices) {
          EXPECT_LE(free_from[static_cast<std::size_t>(device)], placed.start);
          free_from[static_cast<std::size_t>(device)] = placed.end;
        }
        before = placed.start;
      }
    }
  }
}

}  // namespace
}  // namespace xsp::suite::schedule
