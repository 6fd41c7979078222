#include "measure/slurm/operation_job.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "core/hang_limit_testing.h"
#include "core/json_text.h"
#include "os/scratch_folder.h"
#include "os/subprocess.h"

namespace xsp::slurm {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using ::testing::ElementsAre;

void Write(const fs::path& file, const std::string& text) { std::ofstream(file) << text; }

std::string Read(const fs::path& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

TEST(OperationJobTest, TheScriptPerformsTheRequestWhateverPathsAreCalled) {
  const auto scratch = os::ScratchFolder::Create().value();
  const fs::path folder = scratch.path() / "it's $(x) \"a\" 100%";
  fs::create_directory(folder);
  Write(folder / "request.json", "{\"model\": \"m\"}");
  Write(folder / "outcome.json", "of the attempt before");
  const fs::path program = folder / "xsp";
  Write(program,
        "#!/bin/sh\nfor word in \"$@\"; do echo \"$word\"; done >&2\n"
        "echo \"$XSP_PROGRESS\" >&2\n[ -e \"$6\" ] && echo stale >&2\ncat\n");
  fs::permissions(program, fs::perms::owner_all);
  OperationJob job;
  job.operation = "run";
  job.store = "/the store's";
  job.program = program;
  Write(folder / "job.sh", OperationScript(folder, job));
  os::SpawnOptions options;
  options.argv = {"sh", folder / "job.sh"};
  const auto done = os::RunToEnd(options, core::kHangLimit, 1 << 20);
  ASSERT_TRUE(done.ok());
  EXPECT_TRUE(done.value().exit.success()) << done.value().stderr_tail;
  EXPECT_EQ(done.value().stderr_tail, "--store\n/the store's\nperform\nrun\n--outcome\n" +
                                          (folder / "outcome.json").string() + "\njson\n");
  EXPECT_EQ(Read(folder / "result.json"), "{\"model\": \"m\"}");
}

TEST(OperationJobTest, AnAnswerIsTheDocumentWithItsNotesAndStatus) {
  const auto scratch = os::ScratchFolder::Create().value();
  Write(scratch.path() / "outcome.json", R"({"exit_status": 4, "notes": ["error: a", "hint: b"]})");
  EXPECT_FALSE(ReadAnswer(scratch.path()));  // The document is still to come.
  Write(scratch.path() / "result.json", R"({"experiment": "e"})");
  const auto answer = ReadAnswer(scratch.path());
  ASSERT_TRUE(answer && answer->ok());
  EXPECT_EQ(answer->value().document, (json{{"experiment", "e"}}));
  EXPECT_THAT(answer->value().notes, ElementsAre("error: a", "hint: b"));
  EXPECT_EQ(answer->value().exit_status, 4);
}

TEST(OperationJobTest, AnErrorKeepsItsKind) {
  const auto scratch = os::ScratchFolder::Create().value();
  for (const ErrorKind kind : {ErrorKind::kInternal, ErrorKind::kUsage, ErrorKind::kBadInput,
                               ErrorKind::kNotPossible, ErrorKind::kEnvironment}) {
    Write(scratch.path() / "outcome.json",
          core::JsonText(json{{"exit_status", static_cast<int>(kind)},
                              {"error", {{"what", "w"}, {"hint", "h"}}}}));
    const auto answer = ReadAnswer(scratch.path());
    ASSERT_TRUE(answer && !answer->ok());
    EXPECT_EQ(answer->error().kind, kind);
    EXPECT_EQ(answer->error().what, "w");
    EXPECT_EQ(answer->error().hint, "h");
  }
}

TEST(OperationJobTest, CutOffFilesAreNoAnswer) {
  const auto scratch = os::ScratchFolder::Create().value();
  EXPECT_FALSE(ReadAnswer(scratch.path()));
  Write(scratch.path() / "result.json", "{}");
  for (const char* outcome :
       {"", "{", "[]", "3", R"({"exit_status": "0", "notes": []})", R"({"exit_status": 0})",
        R"({"exit_status": 3, "error": {}})", R"({"exit_status": 0, "notes": [1]})"}) {
    Write(scratch.path() / "outcome.json", outcome);
    EXPECT_FALSE(ReadAnswer(scratch.path())) << outcome;
  }
  Write(scratch.path() / "outcome.json", R"({"exit_status": 0, "notes": []})");
  EXPECT_TRUE(ReadAnswer(scratch.path()));
  Write(scratch.path() / "result.json", "{\"experiment\": \"");
  EXPECT_FALSE(ReadAnswer(scratch.path()));
}

}  // namespace
}  // namespace xsp::slurm
