#include "os/subprocess.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fcntl.h>
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <filesystem>
#include <fstream>

#include "core/hang_limit_testing.h"

namespace xsp::os {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using testing::HasSubstr;

SpawnOptions Shell(std::string script) {
  SpawnOptions options;
  options.argv = {"sh", "-c", std::move(script)};
  return options;
}

TEST(SubprocessTest, ExchangesLines) {
  Subprocess process = Subprocess::Spawn(Shell("while read x; do echo \"got $x\"; done")).value();
  for (const std::string word : {"one", "two"}) {
    ASSERT_TRUE(process.WriteLine(word).ok());
    const LineRead read = process.ReadLine(core::kHangLimit);
    ASSERT_EQ(read.kind, LineRead::Kind::kLine);
    EXPECT_EQ(read.text, "got " + word);
  }
  process.CloseStdin();
  EXPECT_EQ(process.ReadLine(core::kHangLimit).kind, LineRead::Kind::kEnd);
  EXPECT_TRUE(process.Wait(core::kHangLimit)->success());
}

TEST(SubprocessTest, GivesALastLineWithoutNewline) {
  Subprocess process = Subprocess::Spawn(Shell("printf 'a\\n\\nb'")).value();
  EXPECT_EQ(process.ReadLine(core::kHangLimit).text, "a");
  EXPECT_EQ(process.ReadLine(core::kHangLimit).text, "");
  EXPECT_EQ(process.ReadLine(core::kHangLimit).text, "b");
  EXPECT_EQ(process.ReadLine(core::kHangLimit).kind, LineRead::Kind::kEnd);
}

TEST(SubprocessTest, CutsALineThatIsTooLong) {
  SpawnOptions options = Shell("head -c 100000 /dev/zero | tr '\\0' x; echo; echo next");
  options.line_limit = 10;
  Subprocess process = Subprocess::Spawn(options).value();
  EXPECT_EQ(process.ReadLine(core::kHangLimit).text, "xxxxxxxxxx");
  EXPECT_EQ(process.ReadLine(core::kHangLimit).text, "next");
}

TEST(SubprocessTest, ReportsStatusSignalAndUse) {
  const Completed code = RunToEnd(Shell("exit 3"), core::kHangLimit).value();
  EXPECT_EQ(code.exit.code, 3);
  EXPECT_EQ(ToString(code.exit), "exit status 3");
  const Completed killed = RunToEnd(Shell("kill -SEGV $$"), core::kHangLimit).value();
  EXPECT_EQ(killed.exit.signal, SIGSEGV);
  EXPECT_THAT(ToString(killed.exit), HasSubstr("signal 11 (Segmentation"));
  EXPECT_GT(code.exit.peak_rss_bytes, 100'000);
}

TEST(SubprocessTest, TimesOutAndKillsTheWholeGroup) {
  // The grandchild ignores the hang-up and would live for a minute.
  Subprocess process = Subprocess::Spawn(Shell("sleep 60 & echo $!; wait")).value();
  const pid_t grandchild = std::stoi(process.ReadLine(core::kHangLimit).text);
  EXPECT_EQ(process.ReadLine(20ms).kind, LineRead::Kind::kTimeout);
  EXPECT_EQ(process.Wait(20ms), std::nullopt);
  EXPECT_EQ(process.Kill().signal, SIGKILL);
  // Gone, or a zombie that waits for this container's init: no longer running in any case.
  bool running = true;
  for (int i = 0; i < 2000 && running; ++i) {
    std::ifstream stat("/proc/" + std::to_string(grandchild) + "/stat");
    const std::string text((std::istreambuf_iterator<char>(stat)), {});
    running = !text.empty() && text.find(") Z") == std::string::npos;
    if (running) usleep(10'000);
  }
  EXPECT_FALSE(running);
}

TEST(SubprocessTest, EndsItsLinesWhenOnlyAGrandchildHoldsThePipe) {
  Subprocess process = Subprocess::Spawn(Shell("sleep 60 & echo last; exit 4")).value();
  EXPECT_EQ(process.ReadLine(core::kHangLimit).text, "last");
  EXPECT_EQ(process.ReadLine(core::kHangLimit).kind, LineRead::Kind::kEnd);
  EXPECT_EQ(process.Wait(core::kHangLimit)->code, 4);
}

TEST(SubprocessTest, LeavesNoZombie) {
  pid_t pid;
  {
    Subprocess process = Subprocess::Spawn(Shell("sleep 60")).value();
    pid = process.pid();
  }
  EXPECT_EQ(waitpid(pid, nullptr, WNOHANG), -1);
  EXPECT_EQ(errno, ECHILD);
}

TEST(SubprocessTest, SurvivesWritingToADeadProcess) {
  Subprocess process = Subprocess::Spawn(Shell("exit 0")).value();
  ASSERT_TRUE(process.Wait(core::kHangLimit).has_value());
  EXPECT_EQ(process.WriteLine("hello").error().kind, ErrorKind::kEnvironment);
  Subprocess closed = Subprocess::Spawn(Shell("exec 0<&-; echo closed; sleep 60")).value();
  EXPECT_EQ(closed.ReadLine(core::kHangLimit).text, "closed");
  EXPECT_EQ(closed.WriteLine("hello").error().kind, ErrorKind::kEnvironment);  // Not SIGPIPE.
}

TEST(SubprocessTest, DoesNotBlockOnAProcessThatNeverReads) {
  Subprocess process = Subprocess::Spawn(Shell("sleep 60")).value();
  const Status status = process.WriteLine(std::string(1 << 20, 'x'), 50ms);
  EXPECT_EQ(status.error().what, "process does not read its stdin");
}

TEST(SubprocessTest, KeepsTheEndOfStderr) {
  SpawnOptions options =
      Shell("i=0; while [ $i -lt 20000 ]; do echo line $i >&2; i=$((i+1)); done");
  options.stderr_limit = 1000;
  const Completed completed = RunToEnd(options, core::kHangLimit).value();
  EXPECT_EQ(completed.stderr_tail.size(), 1000u);
  EXPECT_TRUE(completed.stderr_tail.ends_with("line 19999\n"));
}

TEST(SubprocessTest, PassesEnvironmentFolderAndAffinity) {
  SpawnOptions options = Shell("echo $XSP_X $HOME; pwd; grep Cpus_allowed_list /proc/self/status");
  cpu_set_t ours;
  sched_getaffinity(0, sizeof(ours), &ours);
  int cpu = 0;
  while (!CPU_ISSET(static_cast<std::size_t>(cpu), &ours)) ++cpu;
  options.environment = {{"XSP_X", "1 2"}, {"HOME", "/nowhere"}};
  options.folder = "/";
  options.cpus = {cpu};
  EXPECT_EQ(RunToEnd(options, core::kHangLimit).value().out,
            "1 2 /nowhere\n/\nCpus_allowed_list:\t" + std::to_string(cpu) + "\n");
}

TEST(SubprocessTest, HandsDownNoDescriptorOfOurs) {
  SpawnOptions list;
  list.argv = {"ls", "-1", "/proc/self/fd"};
  const std::string alone = RunToEnd(list, core::kHangLimit).value().out;
  const Subprocess other = Subprocess::Spawn(Shell("sleep 60")).value();
  EXPECT_EQ(RunToEnd(list, core::kHangLimit).value().out, alone);
}

TEST(SubprocessTest, IsWokenByADescriptor) {
  int wake[2];
  ASSERT_EQ(pipe2(wake, O_CLOEXEC), 0);
  Subprocess process = Subprocess::Spawn(Shell("sleep 60")).value();
  ASSERT_EQ(write(wake[1], "x", 1), 1);
  EXPECT_EQ(process.ReadLine(core::kHangLimit, wake[0]).kind, LineRead::Kind::kWoken);
  EXPECT_EQ(RunToEnd(Shell("sleep 60"), core::kHangLimit, 100, wake[0]).error().kind,
            ErrorKind::kInterrupted);
  close(wake[0]);
  close(wake[1]);
}

TEST(SubprocessTest, SaysWhyAProgramCannotRun) {
  SpawnOptions options;
  options.argv = {"xsp-no-such-program"};
  EXPECT_EQ(Subprocess::Spawn(options).error().what, "no such program: xsp-no-such-program");
  options.argv = {"/etc/passwd"};
  EXPECT_EQ(Subprocess::Spawn(options).error().kind, ErrorKind::kBadInput);
  options.argv = {"true"};
  options.folder = "/no/such/folder";
  EXPECT_THAT(Subprocess::Spawn(options).error().what, HasSubstr("cannot enter /no/such/folder"));
}

TEST(RunToEndTest, BoundsTimeAndOutput) {
  EXPECT_THAT(RunToEnd(Shell("sleep 60"), 50ms).error().what,
              HasSubstr("was not done after 0.05 s"));
  EXPECT_THAT(RunToEnd(Shell("yes"), core::kHangLimit, 1000).error().what,
              HasSubstr("wrote more than 1000 bytes"));
}

}  // namespace
}  // namespace xsp::os
