#include "measure/sweeps/file_claim.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <thread>
#include <utility>
#include <vector>

#include "store/store_testing.h"

namespace xsp::sweeps {
namespace {

TEST(FileClaimTest, OneAtATimeHasIt) {
  const store::TestFolder folder;
  const auto file = folder.path() / "sub" / "claim";
  auto first = FileClaim::Try(file).value();
  ASSERT_TRUE(first.has_value());
  EXPECT_FALSE(FileClaim::Try(file).value().has_value());
  first->Finish();
  EXPECT_FALSE(std::filesystem::exists(file));
  EXPECT_TRUE(FileClaim::Try(file).value().has_value());
}

TEST(FileClaimTest, AProcessThatIsKilledLetsGo) {
  const store::TestFolder folder;
  const auto file = folder.path() / "claim";
  int ready[2];
  ASSERT_EQ(pipe(ready), 0);
  const pid_t child = fork();
  if (child == 0) {
    const auto claim = FileClaim::Try(file);
    [[maybe_unused]] const ssize_t written = write(ready[1], claim.ok() ? "y" : "n", 1);
    for (;;) pause();
  }
  char answer = 0;
  ASSERT_EQ(read(ready[0], &answer, 1), 1);
  EXPECT_EQ(answer, 'y');
  EXPECT_FALSE(FileClaim::Try(file).value().has_value());
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  EXPECT_TRUE(FileClaim::Try(file).value().has_value());
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
        auto claim = FileClaim::Wait(folder.path() / "claim", never);
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
  const auto held = FileClaim::Try(folder.path() / "claim").value();
  os::Interrupts interrupts;
  std::thread other([&] { interrupts.Request(); });
  const auto waited = FileClaim::Wait(folder.path() / "claim", interrupts);
  other.join();
  ASSERT_FALSE(waited.ok());
  EXPECT_EQ(waited.error().kind, ErrorKind::kInterrupted);
}

TEST(FileClaimTest, AFolderThatCannotBeWrittenIsAnError) {
  const auto claim = FileClaim::Try("/proc/no/claim");
  ASSERT_FALSE(claim.ok());
  EXPECT_EQ(claim.error().kind, ErrorKind::kEnvironment);
}

}  // namespace
}  // namespace xsp::sweeps
