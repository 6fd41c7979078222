#include "os/parent_process.h"

#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <string>

namespace xsp::os {
namespace {

/// In a new process: heeds `parent`, then sleeps, holding `open`, which its end closes.
pid_t Sleeper(pid_t parent, int open) {
  const pid_t pid = fork();
  if (pid != 0) return pid;
  setenv("XSP_PARENT", std::to_string(parent).c_str(), 1);
  HeedParent();
  const bool is_removed = getenv("XSP_PARENT") == nullptr;
  if (write(open, is_removed ? "y" : "n", 1) == 1)
    for (;;) pause();
  _exit(1);
}

TEST(HeedParentTest, EndsWithTheParent) {
  int ready[2];
  ASSERT_EQ(pipe(ready), 0);
  const pid_t parent = fork();
  if (parent == 0) {
    close(ready[0]);
    Sleeper(getpid(), ready[1]);
    close(ready[1]);
    for (;;) pause();
  }
  close(ready[1]);
  char byte = 0;
  ASSERT_EQ(read(ready[0], &byte, 1), 1);
  EXPECT_EQ(byte, 'y');
  ASSERT_EQ(kill(parent, SIGKILL), 0);
  ASSERT_EQ(waitpid(parent, nullptr, 0), parent);
  EXPECT_EQ(read(ready[0], &byte, 1), 0);  // Nobody holds the other end any more.
  close(ready[0]);
}

TEST(HeedParentTest, EndsAtOnceWhereTheParentIsGone) {
  const pid_t gone = fork();
  if (gone == 0) _exit(0);
  ASSERT_EQ(waitpid(gone, nullptr, 0), gone);
  int status = 0;
  const pid_t pid = Sleeper(gone, -1);
  ASSERT_EQ(waitpid(pid, &status, 0), pid);
  EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM) << status;
}

TEST(HeedParentTest, GoesOnBelowAProgramBetween) {
  int ready[2];
  ASSERT_EQ(pipe(ready), 0);
  const pid_t pid = Sleeper(getppid(), ready[1]);
  char byte = 0;
  EXPECT_EQ(read(ready[0], &byte, 1), 1);  // It got behind HeedParent().
  kill(pid, SIGKILL);
  waitpid(pid, nullptr, 0);
  close(ready[0]);
  close(ready[1]);
}

}  // namespace
}  // namespace xsp::os
