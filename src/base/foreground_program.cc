#include "base/foreground_program.h"

#include <fmt/format.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace xsp::base {

namespace {

/// Not those that stop and wake: they do so to us as well, which is right.
constexpr int kForwarded[] = {SIGHUP,  SIGINT,  SIGQUIT, SIGTERM,
                              SIGUSR1, SIGUSR2, SIGALRM, SIGWINCH};

std::int64_t Ns(const timeval& time) {
  return (std::int64_t{time.tv_sec} * 1'000'000 + time.tv_usec) * 1000;
}

}  // namespace

ForegroundProgram::ForegroundProgram() {
  sigemptyset(&taken_);
  for (const int signal : kForwarded) sigaddset(&taken_, signal);
  sigaddset(&taken_, SIGCHLD);
  pthread_sigmask(SIG_BLOCK, &taken_, &before_);
}

ForegroundProgram::~ForegroundProgram() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

Status ForegroundProgram::Start(const std::vector<std::string>& argv) {
  std::vector<char*> arguments;
  for (const std::string& argument : argv) arguments.push_back(const_cast<char*>(argument.c_str()));
  arguments.push_back(nullptr);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setsigmask(&attributes, &before_);
  // What this program ignores for itself; the rest is inherited as it came to us.
  sigset_t standard;
  sigemptyset(&standard);
  sigaddset(&standard, SIGPIPE);
  posix_spawnattr_setsigdefault(&attributes, &standard);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  const int failed =
      posix_spawnp(&pid_, arguments.front(), nullptr, &attributes, arguments.data(), environ);
  posix_spawnattr_destroy(&attributes);
  if (failed == 0) return Ok{};
  pid_ = -1;
  return Error{ErrorKind::kBadInput,
               fmt::format("program cannot be started: {}: {}", argv.front(),
                           std::generic_category().message(failed)),
               ""};
}

ExitStatus ForegroundProgram::Wait() {
  for (;;) {
    int status = 0;
    rusage used{};
    const pid_t ended = wait4(pid_, &status, WNOHANG, &used);
    if (ended == pid_) {
      ExitStatus exit;
      exit.code = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
      exit.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
      exit.user_ns = Ns(used.ru_utime);
      exit.system_ns = Ns(used.ru_stime);
      exit.peak_rss_bytes = std::int64_t{used.ru_maxrss} * 1024;
      exit.involuntary_context_switches = used.ru_nivcsw;
      return exit;
    }
    // SIGCHLD was blocked before the program started: none can be missed.
    siginfo_t signal{};
    if (sigwaitinfo(&taken_, &signal) > 0 && signal.si_signo != SIGCHLD) Forward(signal);
  }
}

void ForegroundProgram::Forward(const siginfo_t& signal) const {
  const bool from_terminal = signal.si_code == SI_KERNEL;
  // A program that sends a signal to its whole group has told itself.
  if (from_terminal || signal.si_pid == pid_) return;
  kill(pid_, signal.si_signo);
}

void EndBySignal(int signal) {
  const rlimit none = {0, 0};
  setrlimit(RLIMIT_CORE, &none);
  std::signal(signal, SIG_DFL);
  sigset_t own;
  sigemptyset(&own);
  sigaddset(&own, signal);
  pthread_sigmask(SIG_UNBLOCK, &own, nullptr);
  raise(signal);
}

}  // namespace xsp::base
