#include "measure/sweeps/file_claim.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <thread>
#include <utility>
#include <vector>

#include "store/store_testing.h"

namespace xsp::sweeps {
namespace {

TEST(FileClaimTest, OneAtATimeHasIt) {
  const store::TestFolder folder;
  const auto file = folder.path() / "sub" / "claim";
  auto first = FileClaim::Try(file, "go").value();
  ASSERT_TRUE(first.has_value());
  EXPECT_FALSE(FileClaim::Try(file, "go").value().has_value());
  first->Finish();
  EXPECT_FALSE(std::filesystem::exists(file));
  EXPECT_TRUE(FileClaim::Try(file, "go").value().has_value());
}

TEST(FileClaimTest, AProcessThatIsKilledLetsGo) {
  const store::TestFolder folder;
  const auto file = folder.path() / "claim";
  int ready[2];
  ASSERT_EQ(pipe(ready), 0);
  const pid_t child = fork();
  if (child == 0) {
    const auto claim = FileClaim::Try(file, "go");
    [[maybe_unused]] const ssize_t written = write(ready[1], claim.ok() ? "y" : "n", 1);
    for (;;) pause();
  }
  char answer = 0;
  ASSERT_EQ(read(ready[0], &answer, 1), 1);
  EXPECT_EQ(answer, 'y');
  EXPECT_FALSE(FileClaim::Try(file, "go").value().has_value());
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  EXPECT_TRUE(FileClaim::Try(file, "go").value().has_value());
  for (const int end : ready) close(end);
}

TEST(FileClaimTest, ThoseWhoWaitHaveItOneAfterAnother) {
  const store::TestFolder folder;
  std::atomic<int> holders = 0, most = 0, turns = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      os::Interrupts never;
      for (int k = 0; k < 3; ++k) {
        auto claim = FileClaim::Wait(folder.path() / "claim", "go", never);
        ASSERT_TRUE(claim.ok());
        most = std::max<int>(most, ++holders);
        --holders;
        ++turns;
        claim.value().Finish();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(most, 1);
  EXPECT_EQ(turns, 12);
}

TEST(FileClaimTest, WaitingEndsWithAnInterrupt) {
  const store::TestFolder folder;
  const auto held = FileClaim::Try(folder.path() / "claim", "go").value();
  os::Interrupts interrupts;
  std::thread other([&] { interrupts.Request(); });
  const auto waited = FileClaim::Wait(folder.path() / "claim", "go", interrupts);
  other.join();
  ASSERT_FALSE(waited.ok());
  EXPECT_EQ(waited.error().kind, ErrorKind::kInterrupted);
}

TEST(FileClaimTest, AFolderThatCannotBeWrittenIsAnError) {
  const auto claim = FileClaim::Try("/proc/no/claim", "go");
  ASSERT_FALSE(claim.ok());
  EXPECT_EQ(claim.error().kind, ErrorKind::kEnvironment);
}

TEST(FileClaimTest, WhatHindersClaimsIsAnErrorOfThatFile) {
  const store::TestFolder folder;
  const auto file = folder.path() / "no-folder";
  std::ofstream(file) << "x";
  EXPECT_FALSE(MakeClaimFolder(file / "claims", "go").ok());
  const auto beneath_file = FileClaim::Try(file / "claim", "go");
  ASSERT_FALSE(beneath_file.ok());
  EXPECT_THAT(beneath_file.error().what, ::testing::HasSubstr((file / "claim").string()));
  EXPECT_FALSE(FileClaim::Try(folder.path(), "go").ok());
  std::filesystem::create_symlink("nowhere", folder.path() / "link");
  EXPECT_FALSE(FileClaim::Try(folder.path() / "link", "go").ok());
}

TEST(FileClaimTest, TheHintFitsTheReasonAndThePlace) {
  const auto hint = [](int code) { return CannotClaim("/s/claim", code, "go there").hint; };
  EXPECT_EQ(hint(EACCES), "Make the folder and its files writable for this user, or go there.");
  EXPECT_EQ(hint(EROFS), "Mount the file system writable, or go there.");
  EXPECT_EQ(hint(ENOSPC), "Free space, or go there.");
  for (const int code : {ENOLCK, ENOSYS, EOPNOTSUPP})
    EXPECT_THAT(hint(code), ::testing::HasSubstr("does not lock files"));
  EXPECT_EQ(hint(EISDIR), "Go there.");
}

mode_t ModeOf(const std::filesystem::path& path) {
  struct stat status {};
  EXPECT_EQ(stat(path.c_str(), &status), 0);
  return status.st_mode & 07777;
}

TEST(FileClaimTest, AllWhoShareTheFolderMayClaim) {
  const mode_t before = umask(077);
  for (const mode_t mode : {0700, 0770, 0775, 02770, 01777}) {
    const store::TestFolder folder;
    ASSERT_EQ(chmod(folder.path().c_str(), mode), 0);
    const auto claims = folder.path() / "claims";
    ASSERT_TRUE(MakeClaimFolder(claims, "go").ok());
    ASSERT_TRUE(MakeClaimFolder(claims, "go").ok());
    EXPECT_EQ(ModeOf(claims), mode);
    auto claim = FileClaim::Try(claims / "claim", "go").value();
    ASSERT_TRUE(claim.has_value());
    EXPECT_EQ(ModeOf(claims / "claim"), mode & 0666);
    claim->Finish();
    EXPECT_TRUE(std::filesystem::is_empty(claims));
  }
  umask(before);
}

}  // namespace
}  // namespace xsp::sweeps
