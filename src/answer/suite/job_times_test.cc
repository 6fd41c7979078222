#include "answer/suite/job_times.h"

#include <gmock/gmock.h>

#include "answer/suite/suite_command_testing.h"

namespace xsp::suite {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

Result<JobTable> Read(const std::string& text, Relative relative = Relative::kRefused,
                      std::vector<std::string>* treatments = nullptr,
                      const std::string& unit = "") {
  std::vector<std::string> ignored;
  XSP_TRY(const DataTable data, OpenTable(TextFile("jobs.csv", text), "scaling"));
  JobColumns columns;
  columns.unit = unit;
  return JobTableOf(data, columns, relative, treatments ? treatments : &ignored);
}

std::string WhyNot(const std::string& text) {
  const auto jobs = Read(text);
  if (jobs.ok()) return "";
  EXPECT_EQ(jobs.error().kind, ErrorKind::kBadInput);
  EXPECT_FALSE(jobs.error().hint.empty());
  return jobs.error().what;
}

TEST(JobTimesTest, LongAndWideFormAreTheSameJobs) {
  const auto rows = Read("job,gpus,minutes\na,2,6\na,1,10\nb,1,4\n");
  const auto wide = Read("job,minutes_1gpu,minutes_2gpus\na,10,6\nb,4,\n");
  for (const auto* jobs : {&rows, &wide}) {
    ASSERT_TRUE(jobs->ok()) << jobs->error().what;
    const JobTable& table = jobs->value();
    EXPECT_EQ(table.unit, "min");
    ASSERT_EQ(table.jobs.size(), 2U);
    ASSERT_EQ(table.jobs[0].at.size(), 2U);
    EXPECT_EQ(table.jobs[0].at[1].width, 2);
    EXPECT_EQ(table.jobs[0].at[1].time, 6);
    EXPECT_EQ(table.jobs[1].at.size(), 1U);
  }
}

TEST(JobTimesTest, SpeedUpsCountFromTheJobsOwnTime) {
  const auto jobs = Read("job,seconds_1,speedup_2,speedup_4\na,12,1.5,3\n");
  ASSERT_TRUE(jobs.ok()) << jobs.error().what;
  EXPECT_EQ(jobs.value().unit, "s");
  EXPECT_EQ(jobs.value().jobs[0].at[1].time, 8);
  EXPECT_EQ(jobs.value().jobs[0].at[2].time, 4);
}

TEST(JobTimesTest, SpeedUpsWithoutATimeAreRelativeOrRefused) {
  const std::string text = "job,threads,speedup\na,1,1\na,2,1.6\n";
  EXPECT_THAT(WhyNot(text), HasSubstr("no time is stated for job a"));
  std::vector<std::string> treatments;
  const auto jobs = Read(text, Relative::kAllowed, &treatments);
  ASSERT_TRUE(jobs.ok());
  EXPECT_DOUBLE_EQ(jobs.value().jobs[0].at[1].time, 1 / 1.6);
  EXPECT_THAT(treatments, Contains(HasSubstr("no time")));
}

TEST(JobTimesTest, MissingValuesAreCounted) {
  std::vector<std::string> treatments;
  const auto jobs = Read("job,gpus,time\na,1,3\na,2,\n", Relative::kRefused, &treatments);
  ASSERT_TRUE(jobs.ok()) << jobs.error().what;
  EXPECT_EQ(jobs.value().jobs[0].at.size(), 1U);
  EXPECT_THAT(treatments,
              Contains(HasSubstr("1 of 2 values is missing; that width of that job is excluded.")));
}

TEST(JobTimesTest, TimeOnOneIsWhatSpeedUpsCountFrom) {
  const auto stated = Read("job,gpus,time,speedup\na,2,6,1.5\na,4,,3\nb,1,4,\n");
  ASSERT_TRUE(stated.ok()) << stated.error().what;
  EXPECT_EQ(stated.value().jobs[0].time_on_one, 9);
  EXPECT_EQ(stated.value().jobs[0].at[1].time, 3);
  EXPECT_FALSE(stated.value().jobs[1].time_on_one.has_value());
  // The narrowest width with both counts, not the narrowest with a time.
  const auto wider = Read("job,gpus,time,speedup\na,2,3,\na,4,2,2\na,8,,4\n");
  ASSERT_TRUE(wider.ok()) << wider.error().what;
  EXPECT_EQ(wider.value().jobs[0].time_on_one, 4);
  EXPECT_EQ(wider.value().jobs[0].at[2].time, 1);
  const auto relative = Read("job,gpus,speedup\na,2,1.5\n", Relative::kAllowed);
  ASSERT_TRUE(relative.ok()) << relative.error().what;
  EXPECT_EQ(relative.value().jobs[0].time_on_one, 1);
}

TEST(JobTimesTest, TimesAndSpeedUpsThatContradictEachOtherAreSaid) {
  std::vector<std::string> treatments;
  const auto jobs =
      Read("job,gpus,time,speedup\na,1,10,1\na,2,5,2\na,4,5,4\n", Relative::kRefused, &treatments);
  ASSERT_TRUE(jobs.ok()) << jobs.error().what;
  EXPECT_EQ(jobs.value().jobs[0].at[2].time, 5);
  EXPECT_THAT(treatments, Contains(HasSubstr("job a on width 4: time 5, speed-up 4, by the times "
                                             "2.")));
  // 5.2 x 1.9 is 9.88: rounding.
  treatments.clear();
  EXPECT_TRUE(
      Read("job,gpus,time,speedup\na,1,10,1\na,2,5.2,1.9\n", Relative::kRefused, &treatments).ok());
  EXPECT_THAT(treatments, IsEmpty());
}

TEST(JobTimesTest, JobsWithoutAnyValueAreLeftOutAndNamed) {
  std::vector<std::string> treatments;
  const auto jobs =
      Read("job,gpus,time\na,1,3\nb,1,\nb,2,\nc,1,2\n", Relative::kRefused, &treatments);
  ASSERT_TRUE(jobs.ok()) << jobs.error().what;
  ASSERT_EQ(jobs.value().jobs.size(), 2U);
  EXPECT_EQ(jobs.value().jobs[1].job, "c");
  EXPECT_EQ(jobs.value().jobs[1].at[0].time, 2);
  EXPECT_THAT(treatments, Contains("1 job has no value and is left out: b."));
  EXPECT_THAT(WhyNot("job,gpus,time\na,1,\nb,2,\n"), HasSubstr("no value for any job"));
}

TEST(JobTimesTest, UnitsOfAWideTableAreOne) {
  EXPECT_EQ(WhyNot("job,hours_1,minutes_2\na,1,30\n"),
            "columns hours_1 and minutes_2 state times in different units: h and min");
  EXPECT_THAT(WhyNot("job,duration_s_1,duration_ms_2\na,1,30\n"), HasSubstr("s and ms"));
  const auto jobs = Read("job,time_s_1,time_s_2\na,3,2\n");
  ASSERT_TRUE(jobs.ok()) << jobs.error().what;
  EXPECT_EQ(jobs.value().unit, "s");
}

TEST(JobTimesTest, UnitThatIsAskedForIsNoOtherThanTheTables) {
  const auto refused = Read("job,minutes_1,minutes_2\na,3,2\n", Relative::kRefused, nullptr, "s");
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().kind, ErrorKind::kUsage);
  EXPECT_EQ(refused.error().what, "the table states its times in min, not in --unit s");
  const auto none = Read("job,gpus,speedup\na,1,1\n", Relative::kAllowed, nullptr, "s");
  ASSERT_FALSE(none.ok());
  EXPECT_EQ(none.error().kind, ErrorKind::kUsage);
  for (const char* text : {"job,gpus,time\na,1,3\n", "job,seconds_1\na,3\n"}) {
    const auto jobs = Read(text, Relative::kRefused, nullptr, "s");
    ASSERT_TRUE(jobs.ok()) << jobs.error().what;
    EXPECT_EQ(jobs.value().unit, "s");
  }
}

TEST(JobTimesTest, ShortColumnNamesAreWidthsOnlyAmongTheirLike) {
  // T4 and V100 are GPUs.
  EXPECT_THAT(WhyNot("job,t4,v100\na,3,2\n"), HasSubstr("neither a width"));
  EXPECT_THAT(WhyNot("job,2019\na,3\n"), HasSubstr("neither a width"));
  for (const char* text : {"job,t1,t2\na,3,2\n", "job,1,2\na,3,2\n", "job,time1,time_2\na,3,2\n",
                           "job,1gpu,2gpus\na,3,2\n", "job,minutes_1,minutes_2,t4\na,3,2,9\n"}) {
    const auto jobs = Read(text);
    ASSERT_TRUE(jobs.ok()) << text << jobs.error().what;
    ASSERT_EQ(jobs.value().jobs[0].at.size(), 2U) << text;
    EXPECT_EQ(jobs.value().jobs[0].at[1].time, 2) << text;
  }
}

TEST(JobTimesTest, ReleaseAndMemoryAreRead) {
  const auto jobs = Read("job,gpus,hours,memory_gb,release\na,1,3,30,2\na,2,2,16,2\nb,1,1,1,0\n");
  ASSERT_TRUE(jobs.ok()) << jobs.error().what;
  EXPECT_EQ(jobs.value().unit, "h");
  EXPECT_EQ(jobs.value().jobs[0].release, 2);
  EXPECT_EQ(jobs.value().jobs[0].at[1].memory, 16);
}

TEST(JobTimesTest, WrongNumbersAreRefusedWithTheirPlace) {
  EXPECT_THAT(WhyNot("job,gpus,time\na,1,-3\n"), HasSubstr("time of a on width 1"));
  EXPECT_THAT(WhyNot("job,gpus,time\na,1,0\n"), HasSubstr("not a positive number: 0"));
  EXPECT_THAT(WhyNot("job,gpus,time\na,1,1e300\n"), HasSubstr("out of range"));
  EXPECT_THAT(WhyNot("job,gpus,time\na,0,3\n"), HasSubstr("whole number of at least 1: 0"));
  EXPECT_THAT(WhyNot("job,gpus,time\na,1.5,3\n"), HasSubstr("1.5"));
  EXPECT_THAT(WhyNot("job,gpus,time\na,1,3\na,1,4\n"), HasSubstr("two values on width 1"));
  EXPECT_THAT(WhyNot("job,gpus,time,release\na,1,3,-1\n"), HasSubstr("release time of a"));
  EXPECT_THAT(WhyNot("job,gpus,time,release\na,1,3,1\na,2,2,2\n"), HasSubstr("two release times"));
  EXPECT_THAT(WhyNot("job,minutes_1\na,3\na,4\n"), HasSubstr("two rows: a"));
  // One cell of text makes text of the whole column.
  EXPECT_EQ(WhyNot("job,gpus,time\na,1,3\nb,1,n/a\n"),
            "column time contains text, not numbers: n/a in row 2");
  EXPECT_EQ(WhyNot("job,minutes_1\na,3\nb,slow\n"),
            "column minutes_1 contains text, not numbers: slow in row 2");
  EXPECT_THAT(WhyNot("job,colour\na,red\n"), HasSubstr("neither a width"));
  EXPECT_THAT(WhyNot("job,gpus,time,speedup\na,2,3,\na,4,,2\n"), HasSubstr("is missing"));
}

TEST(JobTimesTest, PublishedTableHasSixJobsOnFourWidths) {
  const auto data = OpenTable("mlperf-v0.5", "scaling");
  ASSERT_TRUE(data.ok()) << data.error().what;
  std::vector<std::string> treatments;
  const auto jobs = JobTableOf(data.value(), {}, Relative::kRefused, &treatments);
  ASSERT_TRUE(jobs.ok()) << jobs.error().what;
  EXPECT_EQ(jobs.value().unit, "min");
  ASSERT_EQ(jobs.value().jobs.size(), 6U);
  for (const JobTimes& job : jobs.value().jobs) EXPECT_EQ(job.at.size(), 4U) << job.job;
  EXPECT_NEAR(jobs.value().jobs[3].at[2].time, 1840.4 / 2.64, 1e-9);
}

}  // namespace
}  // namespace xsp::suite
