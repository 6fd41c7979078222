#include "os/subprocess.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <ctime>

#include "os/paths.h"

extern char** environ;

namespace xsp::os {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;
using Duration = Subprocess::Duration;

namespace {

/// Longest sleep while waiting for an exit on a kernel without pidfd_open.
constexpr int kExitTickMs = 5;

class OwnedDescriptor {
 public:
  OwnedDescriptor() = default;
  explicit OwnedDescriptor(int fd) : fd_(fd) {}
  OwnedDescriptor(OwnedDescriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  OwnedDescriptor& operator=(OwnedDescriptor&& other) noexcept {
    Close();
    fd_ = std::exchange(other.fd_, -1);
    return *this;
  }
  ~OwnedDescriptor() { Close(); }
  void Close() {
    if (fd_ >= 0) close(fd_);
    fd_ = -1;
  }
  int get() const { return fd_; }
  bool open() const { return fd_ >= 0; }

 private:
  int fd_ = -1;
};

struct Pipe {
  OwnedDescriptor read, write;
};

Error SystemError(std::string_view what) {
  return {ErrorKind::kEnvironment, fmt::format("{}: {}", what, strerror(errno)), ""};
}

Result<Pipe> MakePipe() {
  int fds[2];
  if (pipe2(fds, O_CLOEXEC) != 0) return SystemError("cannot make a pipe");
  return Pipe{OwnedDescriptor(fds[0]), OwnedDescriptor(fds[1])};
}

/// What the child needs between fork and exec, made before: nothing may be allocated there.
struct ChildPlan {
  std::vector<char*> argv;
  std::vector<char*> environment;
  std::vector<std::string> texts;  ///< Keeps the text of `environment`.
  std::string program;
  std::string folder;
  cpu_set_t cpus;
  bool set_cpus = false;
  int cgroup_fd = -1;
  int in, out, err, report;  ///< Descriptors.
  pid_t parent;
};

/// Tells the parent which step failed, over the close-on-exec pipe, and ends.
[[noreturn]] void Fail(int report, char step) {
  const int error = errno;
  char message[1 + sizeof(int)];
  message[0] = step;
  std::memcpy(message + 1, &error, sizeof(int));
  [[maybe_unused]] const ssize_t written = write(report, message, sizeof(message));
  _exit(127);
}

[[noreturn]] void RunChild(const ChildPlan& plan) {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != plan.parent) _exit(127);  // It died before the line above.
  if (dup2(plan.in, 0) < 0 || dup2(plan.out, 1) < 0 || dup2(plan.err, 2) < 0)
    Fail(plan.report, 'd');
  if (!plan.folder.empty() && chdir(plan.folder.c_str()) != 0) Fail(plan.report, 'f');
  if (plan.set_cpus && sched_setaffinity(0, sizeof(plan.cpus), &plan.cpus) != 0)
    Fail(plan.report, 'a');
  if (plan.cgroup_fd >= 0 && write(plan.cgroup_fd, "0", 1) != 1) Fail(plan.report, 'c');
  // Our own masks and ignored signals are not the program's business.
  struct sigaction standard = {};
  standard.sa_handler = SIG_DFL;
  for (int signal : {SIGPIPE, SIGINT, SIGTERM, SIGHUP, SIGQUIT})
    sigaction(signal, &standard, nullptr);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  execve(plan.program.c_str(), plan.argv.data(), plan.environment.data());
  Fail(plan.report, 'x');
}

void FillEnvironment(const SpawnOptions& options, ChildPlan& plan) {
  const auto replaced = [&](std::string_view entry) {
    return std::any_of(options.environment.begin(), options.environment.end(),
                       [&](const auto& pair) {
                         return entry.size() > pair.first.size() &&
                                entry.substr(0, pair.first.size()) == pair.first &&
                                entry[pair.first.size()] == '=';
                       });
  };
  for (char** entry = environ; *entry != nullptr; ++entry)
    if (!replaced(*entry)) plan.environment.push_back(*entry);
  for (const auto& [name, value] : options.environment) plan.texts.push_back(name + "=" + value);
  for (std::string& text : plan.texts) plan.environment.push_back(text.data());
  plan.environment.push_back(nullptr);
}

Result<std::string> FindProgram(const std::string& name) {
  if (name.empty()) return Error{ErrorKind::kUsage, "no program to run", ""};
  if (name.find('/') != std::string::npos) return name;
  std::vector<fs::path> folders;
  std::string list = Environment("PATH").value_or("/usr/bin:/bin");
  for (std::size_t start = 0; start <= list.size();) {
    const std::size_t end = std::min(list.find(':', start), list.size());
    folders.emplace_back(end > start ? list.substr(start, end - start) : ".");
    start = end + 1;
  }
  if (auto found = FindExecutable(name, folders)) return found->string();
  return Error{ErrorKind::kBadInput, fmt::format("no such program: {}", name), ""};
}

Error StepError(char step, int error, const SpawnOptions& options) {
  const char* why = strerror(error);
  switch (step) {
    case 'x':
      return {ErrorKind::kBadInput, fmt::format("cannot run {}: {}", options.argv[0], why), ""};
    case 'f':
      return {ErrorKind::kBadInput,
              fmt::format("cannot enter {}: {}", options.folder.string(), why), ""};
    case 'a':
      return {ErrorKind::kEnvironment, fmt::format("cannot set the CPU affinity: {}", why), ""};
    case 'c':
      return {ErrorKind::kEnvironment,
              fmt::format("cannot join the cgroup {}: {}", options.cgroup.string(), why), ""};
    default:
      return {ErrorKind::kEnvironment, fmt::format("cannot start {}: {}", options.argv[0], why),
              ""};
  }
}

int MillisecondsUntil(Clock::time_point deadline) {
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now()).count();
  return static_cast<int>(std::clamp<std::int64_t>(left, 0, 1'000'000'000));
}

Clock::time_point DeadlineAfter(Duration timeout) {
  // A caller's "for ever" must not overflow the clock.
  const Duration bounded = std::min<Duration>(timeout, std::chrono::hours(24 * 365));
  return Clock::now() + bounded;
}

std::int64_t Nanoseconds(const timeval& time) {
  return std::int64_t{time.tv_sec} * 1'000'000'000 + std::int64_t{time.tv_usec} * 1000;
}

/// Keeps SIGPIPE away from one write: blocks it, and takes the one that the write may have caused.
class SigpipeGuard {
 public:
  SigpipeGuard() {
    sigemptyset(&pipe_);
    sigaddset(&pipe_, SIGPIPE);
    sigset_t pending;
    sigpending(&pending);
    was_pending_ = sigismember(&pending, SIGPIPE) == 1;
    pthread_sigmask(SIG_BLOCK, &pipe_, &before_);
  }
  ~SigpipeGuard() {
    if (!was_pending_) {
      const timespec now = {};
      while (sigtimedwait(&pipe_, nullptr, &now) < 0 && errno == EINTR) {
      }
    }
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
  SigpipeGuard(const SigpipeGuard&) = delete;
  SigpipeGuard& operator=(const SigpipeGuard&) = delete;

 private:
  sigset_t pipe_, before_;
  bool was_pending_ = false;
};

}  // namespace

std::string ToString(const ExitStatus& status) {
  if (status.signal == 0) return fmt::format("exit status {}", status.code);
  return fmt::format("signal {} ({})", status.signal, strsignal(status.signal));
}

struct Subprocess::State {
  pid_t pid = -1;
  OwnedDescriptor in, out, err, exit_fd;
  std::string line_buffer;
  std::string stderr_tail;
  std::size_t stderr_limit = 0;
  std::size_t line_limit = 0;
  std::optional<ExitStatus> exit;

  ~State() { Kill(); }

  void Kill() {
    if (exit) return;
    kill(-pid, SIGKILL);
    kill(pid, SIGKILL);  // Should it have left its group.
    Reap(0);
  }

  /// Takes the exit status if there is one (`flags` WNOHANG) or waits for it (0).
  bool Reap(int flags) {
    if (exit) return true;
    // Whatever the leader left running goes with it; while it is a zombie its group cannot be
    // somebody else's. waitid sees the end without taking it.
    siginfo_t info = {};
    int rc;
    do {
      rc = waitid(P_PID, static_cast<id_t>(pid), &info, WEXITED | WNOWAIT | flags);
    } while (rc < 0 && errno == EINTR);
    if (rc == 0 && info.si_pid == 0) return false;
    kill(-pid, SIGKILL);
    DrainStderr();
    int status = 0;
    rusage usage = {};
    while (wait4(pid, &status, 0, &usage) < 0 && errno == EINTR) {
    }
    exit.emplace();
    if (WIFSIGNALED(status)) exit->signal = WTERMSIG(status);
    if (WIFEXITED(status)) exit->code = WEXITSTATUS(status);
    exit->user_ns = Nanoseconds(usage.ru_utime);
    exit->system_ns = Nanoseconds(usage.ru_stime);
    exit->peak_rss_bytes = std::int64_t{usage.ru_maxrss} * 1024;
    exit->involuntary_context_switches = usage.ru_nivcsw;
    in.Close();
    exit_fd.Close();
    return true;
  }

  /// Reads once; false when there is nothing now. Closes at the end of the stream.
  static bool ReadSome(OwnedDescriptor& from, std::string& to) {
    char chunk[1 << 14];
    const ssize_t got = read(from.get(), chunk, sizeof(chunk));
    if (got < 0) return errno == EINTR;
    if (got == 0) {
      from.Close();
      return false;
    }
    to.append(chunk, static_cast<std::size_t>(got));
    return true;
  }

  void DrainStderr() {
    while (err.open() && ReadSome(err, stderr_tail)) {
      if (stderr_tail.size() > 2 * stderr_limit)
        stderr_tail.erase(0, stderr_tail.size() - stderr_limit);
    }
    if (stderr_tail.size() > stderr_limit) stderr_tail.erase(0, stderr_tail.size() - stderr_limit);
  }

  /// Waits for anything to happen until `deadline`; says whether `wake_fd` did. Drains stderr.
  bool Poll(Clock::time_point deadline, int wake_fd, bool for_exit) {
    pollfd fds[4] = {{out.get(), POLLIN, 0},
                     {err.get(), POLLIN, 0},
                     {wake_fd, POLLIN, 0},
                     {for_exit ? exit_fd.get() : -1, POLLIN, 0}};
    int timeout = MillisecondsUntil(deadline);
    if (for_exit && !exit_fd.open()) timeout = std::min(timeout, kExitTickMs);
    if (poll(fds, 4, timeout) < 0) return false;
    if (fds[1].revents != 0) DrainStderr();
    return fds[2].revents != 0;
  }

  std::optional<std::string> TakeLine() {
    const std::size_t end = line_buffer.find('\n');
    if (end == std::string::npos && (out.open() || line_buffer.empty())) {
      if (line_buffer.size() > line_limit) line_buffer.resize(line_limit);
      return std::nullopt;
    }
    std::string line = line_buffer.substr(0, std::min({end, line_limit, line_buffer.size()}));
    line_buffer.erase(0, end == std::string::npos ? end : end + 1);
    return line;
  }
};

Subprocess::Subprocess(std::unique_ptr<State> state) : state_(std::move(state)) {}
Subprocess::Subprocess(Subprocess&&) noexcept = default;
Subprocess& Subprocess::operator=(Subprocess&&) noexcept = default;
Subprocess::~Subprocess() = default;

Result<Subprocess> Subprocess::Spawn(const SpawnOptions& options) {
  if (options.argv.empty()) return Error{ErrorKind::kUsage, "no program to run", ""};
  ChildPlan plan = {};
  XSP_TRY(plan.program, FindProgram(options.argv[0]));
  for (const std::string& argument : options.argv)
    plan.argv.push_back(const_cast<char*>(argument.c_str()));
  plan.argv.push_back(nullptr);
  FillEnvironment(options, plan);
  plan.folder = options.folder.string();
  plan.parent = getpid();
  CPU_ZERO(&plan.cpus);
  for (int cpu : options.cpus)
    if (cpu >= 0 && cpu < CPU_SETSIZE) CPU_SET(static_cast<std::size_t>(cpu), &plan.cpus);
  plan.set_cpus = !options.cpus.empty();
  OwnedDescriptor cgroup;
  if (!options.cgroup.empty()) {
    cgroup = OwnedDescriptor(open((options.cgroup / "cgroup.procs").c_str(), O_WRONLY | O_CLOEXEC));
    if (!cgroup.open()) return StepError('c', errno, options);
    plan.cgroup_fd = cgroup.get();
  }
  XSP_TRY(Pipe in, MakePipe());
  XSP_TRY(Pipe out, MakePipe());
  XSP_TRY(Pipe err, MakePipe());
  XSP_TRY(Pipe report, MakePipe());
  plan.in = in.read.get();
  plan.out = out.write.get();
  plan.err = err.write.get();
  plan.report = report.write.get();

  const pid_t pid = fork();
  if (pid < 0) return SystemError("cannot start a process");
  if (pid == 0) RunChild(plan);
  setpgid(pid, pid);  // In both: whichever comes first, it is done before either goes on.
  auto state = std::make_unique<State>();
  state->pid = pid;
  report.write.Close();
  char message[1 + sizeof(int)];
  ssize_t got;
  do {
    got = read(report.read.get(), message, sizeof(message));
  } while (got < 0 && errno == EINTR);
  if (got == static_cast<ssize_t>(sizeof(message))) {
    int error;
    std::memcpy(&error, message + 1, sizeof(int));
    return StepError(message[0], error, options);  // ~State reaps it.
  }
  state->in = std::move(in.write);
  state->out = std::move(out.read);
  state->err = std::move(err.read);
  state->stderr_limit = options.stderr_limit;
  state->line_limit = options.line_limit;
  for (int fd : {state->in.get(), state->out.get(), state->err.get()})
    fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
  state->exit_fd = OwnedDescriptor(static_cast<int>(syscall(SYS_pidfd_open, pid, 0)));
  if (state->exit_fd.open()) fcntl(state->exit_fd.get(), F_SETFD, FD_CLOEXEC);
  return Subprocess(std::move(state));
}

int Subprocess::pid() const { return state_->pid; }

Status Subprocess::WriteLine(std::string_view line, Duration timeout) {
  const std::string text = std::string(line) + "\n";
  std::string_view left = text;
  const Clock::time_point deadline = DeadlineAfter(timeout);
  const SigpipeGuard guard;
  while (!left.empty()) {
    if (!state_->in.open())
      return Error{ErrorKind::kEnvironment, "cannot write to a process that has ended", ""};
    const ssize_t written = write(state_->in.get(), left.data(), left.size());
    if (written >= 0) {
      left.remove_prefix(static_cast<std::size_t>(written));
      continue;
    }
    if (errno == EINTR) continue;
    if (errno != EAGAIN) return SystemError("cannot write to a process");
    pollfd fd = {state_->in.get(), POLLOUT, 0};
    if (poll(&fd, 1, MillisecondsUntil(deadline)) == 0)
      return Error{ErrorKind::kEnvironment, "process does not read its stdin", ""};
  }
  return Ok{};
}

void Subprocess::CloseStdin() { state_->in.Close(); }

LineRead Subprocess::ReadLine(Duration timeout, int wake_fd) {
  const Clock::time_point deadline = DeadlineAfter(timeout);
  for (;;) {
    while (state_->out.open() && State::ReadSome(state_->out, state_->line_buffer) &&
           state_->line_buffer.size() <= state_->line_limit) {
    }
    if (auto line = state_->TakeLine()) return {LineRead::Kind::kLine, std::move(*line)};
    if (!state_->out.open()) return {LineRead::Kind::kEnd, ""};
    if (state_->Poll(deadline, wake_fd, true)) return {LineRead::Kind::kWoken, ""};
    // A grandchild may hold the pipe open for ever: the end of the process is the end of its lines.
    if (state_->Reap(WNOHANG)) {
      while (State::ReadSome(state_->out, state_->line_buffer)) {
      }
      state_->out.Close();
      continue;
    }
    if (Clock::now() >= deadline) {
      // What arrived in the last instant still counts.
      while (State::ReadSome(state_->out, state_->line_buffer)) {
      }
      if (auto line = state_->TakeLine()) return {LineRead::Kind::kLine, std::move(*line)};
      return {LineRead::Kind::kTimeout, ""};
    }
  }
}

std::optional<ExitStatus> Subprocess::Wait(Duration timeout) {
  const Clock::time_point deadline = DeadlineAfter(timeout);
  while (!state_->Reap(WNOHANG)) {
    if (Clock::now() >= deadline) return std::nullopt;
    state_->Poll(deadline, -1, true);
    std::string dropped;
    while (state_->out.open() && State::ReadSome(state_->out, dropped)) dropped.clear();
  }
  return state_->exit;
}

void Subprocess::Signal(int signal) {
  if (!state_->exit) kill(-state_->pid, signal);
}

ExitStatus Subprocess::Kill() {
  state_->Kill();
  return *state_->exit;
}

const std::string& Subprocess::stderr_tail() const { return state_->stderr_tail; }

Result<Completed> RunToEnd(const SpawnOptions& options, Duration timeout, std::size_t out_limit,
                           int wake_fd) {
  const Clock::time_point deadline = DeadlineAfter(timeout);
  XSP_TRY(Subprocess process, Subprocess::Spawn(options));
  process.CloseStdin();
  Completed result;
  const auto too_late = [&] {
    process.Kill();
    return Error{ErrorKind::kEnvironment,
                 fmt::format("{} was not done after {:.3g} s", options.argv[0],
                             std::chrono::duration<double>(timeout).count()),
                 ""};
  };
  for (;;) {
    LineRead read = process.ReadLine(deadline - Clock::now(), wake_fd);
    if (read.kind == LineRead::Kind::kEnd) break;
    if (read.kind == LineRead::Kind::kTimeout) return too_late();
    if (read.kind == LineRead::Kind::kWoken)
      return Error{ErrorKind::kInterrupted, fmt::format("{} was interrupted", options.argv[0]), ""};
    result.out += read.text;
    result.out += '\n';
    if (result.out.size() > out_limit) {
      process.Kill();
      return Error{ErrorKind::kEnvironment,
                   fmt::format("{} wrote more than {} bytes", options.argv[0], out_limit), ""};
    }
  }
  const std::optional<ExitStatus> exit = process.Wait(deadline - Clock::now());
  if (!exit) return too_late();
  result.exit = *exit;
  result.stderr_tail = process.stderr_tail();
  return result;
}

}  // namespace xsp::os
