#include "measure/slurm/job_log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "os/scratch_folder.h"

namespace xsp::slurm {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(JobLogTest, ProgressIsALineOfJson) {
  const auto progress =
      ParseProgress(R"({"progress":{"step":"layer rung","fraction":0.25,"remaining_s":null}})");
  ASSERT_TRUE(progress);
  EXPECT_EQ(progress->step, "layer rung");
  EXPECT_EQ(progress->fraction, 0.25);
  EXPECT_LT(progress->remaining_s, 0);
  for (const char* line :
       {"", "a note", R"({"progress":{"step")", R"({"progress":3})", R"({"step":"no progress"})"})
    EXPECT_FALSE(ParseProgress(line)) << line;
}

TEST(JobLogTest, LinesAreReadOnceTheyAreWhole) {
  const auto scratch = os::ScratchFolder::Create().value();
  const std::filesystem::path file = scratch.path() / "log";
  JobLog log(file);
  EXPECT_THAT(log.ReadNew(), IsEmpty());
  std::ofstream out(file);
  out << "one\n{\"progress\":{\"step\":\"a\"}}\ntw" << std::flush;
  EXPECT_THAT(log.ReadNew(), ElementsAre("one"));
  ASSERT_TRUE(log.progress());
  EXPECT_EQ(log.progress()->step, "a");
  out << "o\n{\"progress\":{\"step\":\"b\"" << std::flush;
  EXPECT_THAT(log.ReadNew(), ElementsAre("two"));
  EXPECT_EQ(log.progress()->step, "a");
  out << "}}\n" << std::flush;
  EXPECT_THAT(log.ReadNew(), IsEmpty());
  EXPECT_EQ(log.progress()->step, "b");
}

TEST(JobLogTest, AShorterLogIsThatOfANewAttempt) {
  const auto scratch = os::ScratchFolder::Create().value();
  const std::filesystem::path file = scratch.path() / "log";
  std::ofstream(file) << "the first attempt\n{\"progress\":{\"step\":\"a\"}}\nbegun";
  JobLog log(file);
  EXPECT_THAT(log.ReadNew(), ElementsAre("the first attempt"));
  std::ofstream(file) << "again\n";
  EXPECT_THAT(log.ReadNew(), ElementsAre("again"));
  EXPECT_FALSE(log.progress());
}

}  // namespace
}  // namespace xsp::slurm
