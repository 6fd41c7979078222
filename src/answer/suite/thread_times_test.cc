#include "answer/suite/thread_times.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "store/experiment_writer.h"
#include "store/rows/point_row.h"
#include "store/store_testing.h"

namespace xsp::suite {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;

TEST(ThreadTimesTest, PointsAreJobsByTheirThreads) {
  const store::TestFolder folder;
  const auto add = [&](const char* name, const char* settings, double latency_ns) {
    auto writer = store::ExperimentWriter::Create(folder.path(), name);
    ASSERT_TRUE(writer.ok());
    const std::vector<store::PointRow> points = {{.point_id = 1,
                                                  .model = "net",
                                                  .backend = "torch",
                                                  .device = "cpu",
                                                  .precision = "float32",
                                                  .batch = 1,
                                                  .settings = settings,
                                                  .latency_ns = latency_ns,
                                                  .status = "done"}};
    ASSERT_TRUE(writer.value().AddRows(points).ok());
    ASSERT_TRUE(writer.value().Commit("{\"format_version\": 1}").ok());
  };
  std::vector<std::string> treatments;
  EXPECT_THAT(ThreadTimes(folder.path(), {}, &treatments).error().what,
              HasSubstr("nothing is in the store"));
  add("one", R"({"threads": 1, "seed": 1})", 100);
  add("two", R"({"threads": 2, "seed": 2})", 60);
  add("two-again", R"({"threads": 2, "seed": 3})", 50);
  add("default", R"({"threads": 0})", 40);
  add("eager", R"({"threads": 2, "graph": "eager"})", 80);
  // All of the store.
  const auto jobs = ThreadTimes(folder.path(), {}, &treatments);
  ASSERT_TRUE(jobs.ok()) << jobs.error().what;
  ASSERT_EQ(jobs.value().jobs.size(), 2U);
  const JobTimes& net =
      jobs.value().jobs[1].at.size() == 2 ? jobs.value().jobs[1] : jobs.value().jobs[0];
  ASSERT_EQ(net.at.size(), 2U);
  EXPECT_EQ(net.at[0].time, 100);
  EXPECT_EQ(net.at[1].time, 55);
  EXPECT_THAT(
      treatments,
      Contains(HasSubstr("1 of 5 points does not say how many threads it used and is left out.")));
  EXPECT_THAT(treatments, Contains(HasSubstr("measured 2 times")));
  const auto one = ThreadTimes(folder.path(), {"one"}, &treatments);
  ASSERT_TRUE(one.ok());
  EXPECT_EQ(one.value().jobs.at(0).at.size(), 1U);
  EXPECT_FALSE(ThreadTimes(folder.path(), {"none"}, &treatments).ok());
}

}  // namespace
}  // namespace xsp::suite
