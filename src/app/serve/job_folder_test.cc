#include "app/serve/job_folder.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "core/json_text.h"
#include "measure/live/level_sink.h"
#include "os/scratch_folder.h"

namespace xsp::serve {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

class JobFolderTest : public testing::Test {
 protected:
  void Write(const char* name, const std::string& text) const {
    std::ofstream(folder_.path() / name, std::ios::binary) << text;
  }

  os::ScratchFolder scratch_ = os::ScratchFolder::Create().value();
  JobFolder folder_{scratch_.path() / "000007"};
};

Job JobOfTest() {
  Job job;
  job.id = "000007";
  job.operation = "run";
  job.request = {{"model", "resnet50 \"\n"}};
  job.command = "xsp run resnet50";
  job.user = "ada";
  job.created = "2026-01-31T12:00:59Z";
  return job;
}

TEST_F(JobFolderTest, ReadsBackWhatItSaved) {
  Job job = JobOfTest();
  ASSERT_TRUE(folder_.Create(job, {{"model", "resnet50"}}).ok());
  job.state = JobState::kFailed;
  job.started = "2026-01-31T12:01:00Z";
  job.ended = "2026-01-31T12:02:00Z";
  job.exit_status = 3;
  job.error_what = "no such model";
  job.error_hint = "xsp zoo";
  ASSERT_TRUE(folder_.Save(job).ok());
  const auto read = folder_.Load();
  ASSERT_TRUE(read.ok()) << read.error().what;
  EXPECT_EQ(ToJson(read.value(), 0), ToJson(job, 0));
}

TEST_F(JobFolderTest, RefusesADamagedJob) {
  ASSERT_TRUE(folder_.Create(JobOfTest(), json::object()).ok());
  for (const std::string text : {"", "{", "[]", "{}", R"({"operation": "run", "state": "odd"})"}) {
    Write("job.json", text);
    EXPECT_FALSE(folder_.Load().ok()) << text;
  }
}

TEST_F(JobFolderTest, KnowsItsProcessByItsArgumentsOnly) {
  ASSERT_TRUE(folder_.Create(JobOfTest(), json::object()).ok());
  EXPECT_EQ(folder_.RunningProcess(), std::nullopt);
  // This process lives, but has not the folder among its arguments.
  Write("process", std::to_string(getpid()) + "\n");
  EXPECT_EQ(folder_.RunningProcess(), std::nullopt);
  for (const char* text : {"", "x", "0", "1", "-1", "99999999999999"}) {
    Write("process", text);
    EXPECT_EQ(folder_.RunningProcess(), std::nullopt) << text;
  }
}

TEST_F(JobFolderTest, ReadsTheNewestProgressAndLeavesItOutOfTheLog) {
  ASSERT_TRUE(folder_.Create(JobOfTest(), json::object()).ok());
  EXPECT_FALSE(folder_.ReadProgress().has_value());
  EXPECT_EQ(folder_.ReadLog(), "");
  Write("log",
        "{\"progress\":{\"step\":\"first\",\"fraction\":0.1,\"remaining_s\":9}}\n"
        "note: one\n"
        "{\"progress\":{\"step\":\"second\",\"fraction\":1.5,\"remaining_s\":null}}\n"
        "note: two\n"
        "{\"progress\":{\"step\":\"cut");
  const auto progress = folder_.ReadProgress();
  ASSERT_TRUE(progress.has_value());
  EXPECT_EQ(progress->step, "second");
  EXPECT_EQ(progress->fraction, 1);
  EXPECT_LT(progress->remaining_s, 0);
  EXPECT_EQ(folder_.ReadLog(), "note: one\nnote: two\n");
}

TEST_F(JobFolderTest, AsksForLevelsAndReadsThem) {
  ASSERT_TRUE(folder_.Create(JobOfTest(), json::object()).ok());
  const live::LevelSink sink(folder_.levels());
  EXPECT_FALSE(sink.wants_more());
  EXPECT_EQ(core::ParseJson(folder_.WatchLevels()), core::ParseJson(R"({"runs": []})"));
  EXPECT_TRUE(sink.wants_more());
  Write("levels.json", R"({"runs": [{"run": "b1-layer", "levels": []}]})");
  EXPECT_EQ(core::ParseJson(folder_.WatchLevels())["runs"][0]["run"], "b1-layer");
  Write("levels.json", R"({"runs": [{"run")");
  EXPECT_EQ(core::ParseJson(folder_.WatchLevels()), core::ParseJson(R"({"runs": []})"));
}

TEST_F(JobFolderTest, ReadsTheEndOfALongLog) {
  ASSERT_TRUE(folder_.Create(JobOfTest(), json::object()).ok());
  Write("log", std::string(1 << 20, 'x') + "\nthe end\n");
  const std::string log = folder_.ReadLog();
  EXPECT_LE(log.size(), std::size_t{257} << 10);
  EXPECT_TRUE(log.ends_with("\nthe end\n"));
}

TEST_F(JobFolderTest, HasAResultOnlyOnceItIsWhole) {
  ASSERT_TRUE(folder_.Create(JobOfTest(), json::object()).ok());
  EXPECT_FALSE(folder_.ReadResult().ok());
  Write("result.json", R"({"experiment": "/store/a)");
  EXPECT_FALSE(folder_.ReadResult().ok());
  Write("result.json", R"({"experiment": "/store/a"})");
  EXPECT_EQ(folder_.ReadResult().value(), R"({"experiment": "/store/a"})");
}

TEST(JobFolders, AreThoseWithANumberForAName) {
  const os::ScratchFolder scratch = os::ScratchFolder::Create().value();
  for (const char* name : {"000010", "000009", "lost+found", ".new", "1a"})
    fs::create_directories(scratch.path() / name);
  EXPECT_EQ(JobFolders(scratch.path()),
            (std::vector<fs::path>{scratch.path() / "000009", scratch.path() / "000010"}));
  EXPECT_TRUE(JobFolders(scratch.path() / "none").empty());
}

}  // namespace
}  // namespace xsp::serve
