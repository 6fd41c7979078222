#include "os/foreground_program.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <thread>

namespace xsp::os {
namespace {

namespace fs = std::filesystem;

ExitStatus RunProgram(const std::vector<std::string>& argv) {
  ForegroundProgram program;
  const Status started = program.Start(argv);
  EXPECT_TRUE(started.ok());
  return program.Wait();
}

TEST(ForegroundProgramTest, GivesBackExitStatusAndSignal) {
  EXPECT_EQ(RunProgram({"sh", "-c", "exit 0"}).code, 0);
  EXPECT_EQ(RunProgram({"sh", "-c", "exit 37"}).code, 37);
  const ExitStatus killed = RunProgram({"sh", "-c", "kill -SEGV $$"});
  EXPECT_EQ(killed.signal, SIGSEGV);
  EXPECT_EQ(killed.code, 0);
}

TEST(ForegroundProgramTest, AProgramThatIsNotThereIsAnError) {
  for (const char* name : {"no-such-program-anywhere", "/etc/passwd"}) {
    ForegroundProgram program;
    const Status started = program.Start({name});
    ASSERT_FALSE(started.ok());
    EXPECT_EQ(started.error().kind, ErrorKind::kBadInput);
    EXPECT_NE(started.error().what.find(name), std::string::npos);
  }
}

/// What the process does: 'R' runs, 'S' waits, ... ; ' ': there is none.
char StateOf(int pid) {
  std::ifstream file(fmt::format("/proc/{}/stat", pid));
  std::string line;
  std::getline(file, line);
  const std::size_t name_end = line.rfind(") ");
  return name_end == std::string::npos ? ' ' : line[name_end + 2];
}

TEST(ForegroundProgramTest, TheProcessWaitsUntilWhoWatchesItIsReady) {
  const fs::path ran = fs::path(testing::TempDir()) / fmt::format("ran-{}", getpid());
  ForegroundProgram program;
  int held_pid = 0;
  const Status started =
      program.Start({"sh", "-c", "echo $$ > \"$0\"", ran.string()}, {.before_exec = [&](int pid) {
                      held_pid = pid;
                      while (StateOf(pid) != 'S') std::this_thread::yield();
                      EXPECT_FALSE(fs::exists(ran));
                      EXPECT_EQ(kill(pid, 0), 0);
                      return Status(Ok{});
                    }});
  ASSERT_TRUE(started.ok());
  EXPECT_EQ(program.Wait().code, 0);
  int program_pid = 0;
  std::ifstream(ran) >> program_pid;
  EXPECT_EQ(program_pid, held_pid);
  EXPECT_EQ(program.pid(), held_pid);
  fs::remove(ran);
}

TEST(ForegroundProgramTest, WhoCannotWatchItEndsItBeforeItRuns) {
  const fs::path ran = fs::path(testing::TempDir()) / fmt::format("never-ran-{}", getpid());
  ForegroundProgram program;
  int held_pid = 0;
  const Status started =
      program.Start({"touch", ran.string()}, {.before_exec = [&](int pid) -> Status {
                      held_pid = pid;
                      return Error{ErrorKind::kNotPossible, "no sampling here", ""};
                    }});
  ASSERT_FALSE(started.ok());
  EXPECT_EQ(started.error().kind, ErrorKind::kNotPossible);
  EXPECT_FALSE(fs::exists(ran));
  EXPECT_NE(kill(held_pid, 0), 0);  // Ended and waited for.
}

TEST(ForegroundProgramTest, AProcessKilledWhileItWaitsHasEndedByThatSignal) {
  ForegroundProgram program;
  const Status started = program.Start({"sleep", "100"}, {.before_exec = [](int pid) {
                                         kill(pid, SIGKILL);
                                         return Status(Ok{});
                                       }});
  ASSERT_TRUE(started.ok());
  EXPECT_EQ(program.Wait().signal, SIGKILL);
}

TEST(ForegroundProgramTest, GivesItVariablesBesideOursAndInPlaceOfOurs) {
  const fs::path seen = fs::path(testing::TempDir()) / fmt::format("seen-{}", getpid());
  setenv("XSP_TEST_OURS", "before", 1);
  ForegroundProgram program;
  const Status started = program.Start(
      {"sh", "-c", "echo $XSP_TEST_OURS $XSP_TEST_NEW $HOME > \"$0\"", seen.string()},
      {.environment = {{"XSP_TEST_OURS", "after"}, {"XSP_TEST_NEW", "1"}, {"HOME", "/h"}}});
  ASSERT_TRUE(started.ok());
  EXPECT_EQ(program.Wait().code, 0);
  std::string line;
  std::getline(std::ifstream(seen) >> std::ws, line);
  EXPECT_EQ(line, "after 1 /h");
  EXPECT_STREQ(getenv("XSP_TEST_OURS"), "before");
  fs::remove(seen);
}

TEST(ForegroundProgramTest, OutputGoesToAFileAndInputIsEmptyWhereAFileIsNamed) {
  const fs::path output = fs::path(testing::TempDir()) / fmt::format("output-{}", getpid());
  fs::remove(output);
  for (const char* word : {"first", "second"}) {
    ForegroundProgram program;
    ASSERT_TRUE(
        program
            .Start(
                {"sh", "-c",
                 "cat; echo \"$0\"; echo aside >&2; [ $(cut -d' ' -f5 /proc/$$/stat) = $$ ]", word},
                {.output = output})
            .ok());
    EXPECT_EQ(program.Wait().code, 0);
  }
  std::ifstream file(output);
  const std::string text((std::istreambuf_iterator<char>(file)), {});
  EXPECT_EQ(text, "first\naside\nsecond\naside\n");
  fs::remove(output);
}

TEST(ForegroundProgramTest, OutputThatCannotBeWrittenIsAnError) {
  ForegroundProgram program;
  const Status started = program.Start({"true"}, {.output = "/no-such-folder/output"});
  ASSERT_FALSE(started.ok());
  EXPECT_EQ(started.error().kind, ErrorKind::kEnvironment);
}

TEST(ForegroundProgramTest, ASignalThatIsTakenIsNotSentOn) {
  const fs::path ready = fs::path(testing::TempDir()) / fmt::format("taken-{}", getpid());
  ForegroundProgram program;
  ASSERT_TRUE(program
                  .Start({"sh", "-c",
                          "trap 'exit 5' USR1; trap 'exit 6' USR2; : > \"$0\"; while :; do sleep "
                          "0.01; done",
                          ready.string()})
                  .ok());
  std::atomic<bool> has_taken = false;
  // Sent by another process: what we send ourselves is sent on all the same.
  std::thread sender([&] {
    while (!fs::exists(ready)) std::this_thread::sleep_for(std::chrono::milliseconds(5));
    kill(getpid(), SIGUSR1);
    has_taken.wait(false);
    kill(getpid(), SIGUSR2);
  });
  std::vector<int> offered;
  const ExitStatus exit = program.Wait([&](int signal) {
    offered.push_back(signal);
    has_taken = true;
    has_taken.notify_all();
    return signal == SIGUSR1;
  });
  sender.join();
  EXPECT_EQ(exit.code, 6);
  EXPECT_EQ(offered, (std::vector<int>{SIGUSR1, SIGUSR2}));
  fs::remove(ready);
}

TEST(ForegroundProgramTest, SendsOnWhatAnotherProcessSends) {
  const fs::path ready = fs::path(testing::TempDir()) / fmt::format("ready-{}", getpid());
  ForegroundProgram program;
  ASSERT_TRUE(
      program
          .Start({"sh", "-c", "trap 'exit 5' TERM; : > \"$0\"; while :; do sleep 0.01; done",
                  ready.string()})
          .ok());
  std::thread sender([&] {
    while (!fs::exists(ready)) std::this_thread::sleep_for(std::chrono::milliseconds(5));
    kill(getpid(), SIGTERM);
  });
  const ExitStatus exit = program.Wait();
  sender.join();
  fs::remove(ready);
  EXPECT_EQ(exit.code, 5);
  EXPECT_EQ(exit.signal, 0);
}

/// A line of this process's state as the kernel tells it.
std::string StatusLine(const std::string& key) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with(key)) return line;
  return "";
}

TEST(ForegroundProgramTest, TheProgramsSignalsAreAsWeFoundThem) {
  const std::string blocked = StatusLine("SigBlk:");
  EXPECT_EQ(RunProgram({"sh", "-c", "grep -qx \"$0\" /proc/self/status", blocked}).code, 0);
  const auto before = std::signal(SIGPIPE, SIG_DFL);
  IgnoreBrokenPipes();  // For this program alone.
  EXPECT_EQ(RunProgram({"sh", "-c", "kill -PIPE $$; exit 3"}).signal, SIGPIPE);
  std::signal(SIGPIPE, SIG_IGN);
  IgnoreBrokenPipes();  // Given to us ignored, as a service manager does.
  EXPECT_EQ(RunProgram({"sh", "-c", "kill -PIPE $$; exit 3"}).code, 3);
  std::signal(SIGPIPE, before);
}

TEST(ForegroundProgramTest, EndsAsTheProgramEnded) {
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    EndBySignal(SIGABRT);
    _exit(0);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFSIGNALED(status));
  EXPECT_EQ(WTERMSIG(status), SIGABRT);
  EXPECT_FALSE(WCOREDUMP(status));
}

}  // namespace
}  // namespace xsp::os
