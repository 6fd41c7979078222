#include "answer/suite/job_runs.h"

#include <gmock/gmock.h>

#include <cmath>

#include "answer/suite/job_runs_testing.h"
#include "store/store_testing.h"

namespace xsp::suite {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class JobRunsTest : public ::testing::Test {
 protected:
  void Add(const JobRun& run, double memory_mb = 1000, const std::string& cpu = "a processor") {
    StoreJobRun(folder_.path(), "run-" + std::to_string(++count_), run, memory_mb, cpu);
  }

  Result<MeasuredJobs> Read(const std::vector<std::string>& sets = {}) {
    return MeasuredJobsOf(folder_.path(), sets, &treatments_);
  }

  store::TestFolder folder_;
  std::vector<std::string> treatments_;
  int count_ = 0;
};

TEST_F(JobRunsTest, TimesAreMediansOfTheRounds) {
  for (const double seconds : {4.0, 5.0, 9.0})
    Add({"s", "single", 1, {{"a", seconds}}}, 1000 + seconds);
  Add({"s", "single", 1, {{"it's \"b\"", 2}}});
  Add({"s", "distributed", 2, {{"a", 3}}});
  Add({"s", "uniform", 1, {{"a", 8}, {"a", 8}}});
  const auto jobs = Read();
  ASSERT_TRUE(jobs.ok()) << jobs.error().what;
  EXPECT_EQ(jobs.value().table.unit, "s");
  ASSERT_THAT(jobs.value().table.jobs, SizeIs(2));
  const JobTimes& a = jobs.value().table.jobs[0];
  ASSERT_THAT(a.at, SizeIs(2));
  EXPECT_EQ(a.at[0].time, 5);
  EXPECT_EQ(a.at[0].memory, 1009);
  EXPECT_EQ(a.at[1].width, 2);
  EXPECT_EQ(a.at[1].time, 3);
  EXPECT_EQ(jobs.value().table.jobs[1].job, "it's \"b\"");
  EXPECT_THAT(jobs.value().pairs, IsEmpty());
  EXPECT_THAT(treatments_,
              Contains("Times are medians of 6 runs of `xsp suite jobs` in the store."));
}

TEST_F(JobRunsTest, MixedRunsOfTwoArePairs) {
  Add({"s", "single", 1, {{"a", 4}}});
  Add({"s", "single", 1, {{"b", 4}}});
  Add({"s", "mixed", 1, {{"b", 5}, {"a", 6}}}, 3000);
  Add({"s", "mixed", 1, {{"a", 8}, {"b", 7}}}, 2000);
  Add({"s", "mixed", 1, {{"a", 9}, {"b", 9}, {"c", 9}}});
  Add({"s", "mixed", 1, {{"a", 9}, {"no single run", 9}}});
  const auto jobs = Read();
  ASSERT_TRUE(jobs.ok()) << jobs.error().what;
  ASSERT_THAT(jobs.value().pairs, SizeIs(1));
  const SharedTimes& pair = jobs.value().pairs[0];
  EXPECT_EQ(jobs.value().table.jobs[pair.first].job, "a");
  EXPECT_EQ(pair.first_end, 7);
  EXPECT_EQ(pair.second_end, 6);
  EXPECT_EQ(pair.usage.DeviceMemory(), 3000);
  EXPECT_EQ(pair.usage.cpu, 50);
  EXPECT_TRUE(std::isnan(pair.usage.gpu));
  EXPECT_THAT(treatments_,
              Contains("1 mixed run of three jobs or more is left out: two share a device."));
}

TEST_F(JobRunsTest, MeasurementsAreChosenByName) {
  EXPECT_THAT(Read().error().what, HasSubstr("no run of xsp suite jobs"));
  Add({"old", "single", 1, {{"a", 100}}});
  Add({"new", "single", 1, {{"a", 4}}});
  const auto jobs = Read({"new"});
  ASSERT_TRUE(jobs.ok()) << jobs.error().what;
  EXPECT_EQ(jobs.value().table.jobs.at(0).at.at(0).time, 4);
  const auto none = Read({"newer"});
  EXPECT_EQ(none.error().kind, ErrorKind::kBadInput);
  EXPECT_THAT(none.error().hint, HasSubstr("new, old"));
}

TEST_F(JobRunsTest, TimesOfDifferentMachinesAreNotMixed) {
  Add({"here", "single", 1, {{"a", 4}}});
  Add({"there", "single", 1, {{"b", 4}}}, 1000, "another");
  EXPECT_THAT(Read().error().what,
              HasSubstr("different machines: here on a processor; there on another"));
  EXPECT_TRUE(Read({"there"}).ok());
}

TEST_F(JobRunsTest, WhatCannotBeUsedIsSaid) {
  Add({"s", "single", 1, {{"a", 4}}});
  Add({"s", "distributed", 0, {{"a", 3}}});
  for (const char* broken : {"", "5", "[[1, 2]]", "[[\"a\", -1]]", "[[\"a\", 1e999]]", "[]"}) {
    Add({"s", "single", 1, {{"a", 1}}});
    const std::string name = "run-" + std::to_string(count_);
    ASSERT_TRUE(store::TagExperiment(folder_.path(), name, {{"jobs.seconds", broken}}).ok());
  }
  Add({"s", "single", 1, {{"a", 1}}});
  ASSERT_TRUE(store::TagExperiment(folder_.path(), "run-9", {{"jobs.width", "99999999999"}}).ok());
  const auto jobs = Read();
  ASSERT_TRUE(jobs.ok()) << jobs.error().what;
  ASSERT_THAT(jobs.value().table.jobs.at(0).at, SizeIs(1));
  EXPECT_EQ(jobs.value().table.jobs[0].at[0].time, 4);
  EXPECT_THAT(treatments_,
              Contains(HasSubstr(
                  "run-3, run-4, run-5, run-6, run-7, run-8, run-9 are not those of a run")));
  EXPECT_THAT(treatments_, Contains(HasSubstr("(xsp suite jobs --width) are left out: a.")));
}

}  // namespace
}  // namespace xsp::suite
