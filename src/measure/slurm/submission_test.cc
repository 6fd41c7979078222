#include "measure/slurm/submission.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <utility>

#include "measure/slurm/batch_job.h"
#include "os/files.h"
#include "os/scratch_folder.h"

namespace xsp::slurm {
namespace {

namespace fs = std::filesystem;

class SubmissionTest : public ::testing::Test {
 protected:
  fs::path Folder() { return std::move(MakeSubmissionFolder(store_, "s")).value(); }

  os::ScratchFolder scratch_ = os::ScratchFolder::Create().value();
  fs::path store_ = scratch_.path() / "store";
};

TEST_F(SubmissionTest, FoldersAreNumberedAndNeverTakenTwice) {
  EXPECT_EQ(Folder(), store_ / ".sweep-jobs" / "s" / "1");
  EXPECT_EQ(Folder().filename(), "2");
  fs::create_directories(SubmissionsFolder(store_, "s") / "10");
  fs::create_directories(SubmissionsFolder(store_, "s") / "not-a-number");
  EXPECT_EQ(Folder().filename(), "11");
}

TEST_F(SubmissionTest, ReadsWhatWasWrittenWithAnyName) {
  Submission written;
  written.folder = Folder();
  written.sweep = "s";
  written.file = "/a b/caf\xe9/s.yaml";  // Latin 1: no UTF-8.
  written.machine = "big one";
  written.points = {{3, "m-b1-option=a,'b'", {{"model", "m"}, {"batch", {1}}}}, {9, "n", {}}};
  ASSERT_TRUE(WriteSubmission(written, "models: [m]\n").ok());
  const auto read = ReadSubmission(written.folder / kDescriptionFile);
  ASSERT_TRUE(read.ok());
  EXPECT_EQ(read.value().folder, written.folder);
  EXPECT_EQ(read.value().sweep, "s");
  EXPECT_EQ(read.value().file, written.file);
  EXPECT_EQ(read.value().machine, "big one");
  ASSERT_EQ(read.value().points.size(), 2U);
  EXPECT_EQ(read.value().points[0].index, 3U);
  EXPECT_EQ(read.value().points[0].name, "m-b1-option=a,'b'");
  EXPECT_EQ(read.value().points[0].request, written.points[0].request);
  EXPECT_EQ(os::ReadFile(written.folder / kSweepFile).value(), "models: [m]\n");
}

TEST_F(SubmissionTest, WhatIsNoneIsAnErrorAndLeftOutOfTheList) {
  for (const char* text : {"", "[]", "{}", R"({"sweep": 3})",
                           R"({"sweep": "s", "file_bytes": ["x"], "machine": "", "points": []})",
                           R"({"sweep": "s", "file_bytes": [], "machine": "", "points": [3]})"}) {
    const fs::path folder = Folder();
    std::ofstream(folder / kDescriptionFile) << text;
    const auto read = ReadSubmission(folder / kDescriptionFile);
    ASSERT_FALSE(read.ok()) << text;
    EXPECT_EQ(read.error().kind, ErrorKind::kBadInput);
  }
  EXPECT_FALSE(ReadSubmission(store_ / "none.json").ok());
  Submission good;
  good.folder = Folder();
  good.sweep = "s";
  ASSERT_TRUE(WriteSubmission(good, "").ok());
  ASSERT_EQ(ReadSubmissions(store_, "s").size(), 1U);
  EXPECT_EQ(ReadSubmissions(store_, "s")[0].folder, good.folder);
  EXPECT_TRUE(ReadSubmissions(store_, "other").empty());
}

}  // namespace
}  // namespace xsp::slurm
