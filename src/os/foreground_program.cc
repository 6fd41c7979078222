#include "os/foreground_program.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <string_view>
#include <system_error>

namespace xsp::os {

namespace {

/// Not those that stop and wake: they do so to us as well, which is right.
constexpr int kForwarded[] = {SIGHUP,  SIGINT,  SIGQUIT, SIGTERM,
                              SIGUSR1, SIGUSR2, SIGALRM, SIGWINCH};

bool ignores_broken_pipes = false;
void (*given_pipe_handler)(int) = SIG_DFL;

std::int64_t Ns(const timeval& time) {
  return (std::int64_t{time.tv_sec} * 1'000'000 + time.tv_usec) * 1000;
}

/// As exec takes them; they point into `texts`.
std::vector<char*> Pointers(const std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (const std::string& text : texts) pointers.push_back(const_cast<char*>(text.c_str()));
  pointers.push_back(nullptr);
  return pointers;
}

/// Our environment with `changes` made.
std::vector<std::string> EnvironmentWith(
    const std::vector<std::pair<std::string, std::string>>& changes) {
  std::vector<std::string> variables;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    const std::string_view text(*variable);
    const std::string_view name = text.substr(0, text.find('='));
    const bool changed = std::any_of(changes.begin(), changes.end(),
                                     [&](const auto& change) { return change.first == name; });
    if (!changed) variables.emplace_back(text);
  }
  for (const auto& [name, value] : changes) variables.push_back(name + "=" + value);
  return variables;
}

/// What a program reads and writes in place of our own streams.
class Streams {
 public:
  Streams() = default;
  ~Streams() {
    for (const int fd : fds_)
      if (fd >= 0) close(fd);
  }
  Streams(const Streams&) = delete;
  Streams& operator=(const Streams&) = delete;

  Status Open(const std::filesystem::path& output) {
    if (output.empty()) return Ok{};
    fds_[0] = open("/dev/null", O_RDONLY | O_CLOEXEC);
    fds_[1] = open(output.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (fds_[0] >= 0 && fds_[1] >= 0) return Ok{};
    return Error{ErrorKind::kEnvironment,
                 fmt::format("output of the program cannot be written: {}: {}", output.string(),
                             std::generic_category().message(errno)),
                 ""};
  }

  const int* fds() const { return fds_; }

 private:
  int fds_[2] = {-1, -1};
};

}  // namespace

ForegroundProgram::ForegroundProgram() {
  sigemptyset(&taken_);
  for (const int signal : kForwarded) sigaddset(&taken_, signal);
  sigaddset(&taken_, SIGCHLD);
  pthread_sigmask(SIG_BLOCK, &taken_, &before_);
}

ForegroundProgram::~ForegroundProgram() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

Status ForegroundProgram::Start(const std::vector<std::string>& argv, const ProgramStart& start) {
  const std::vector<char*> arguments = Pointers(argv);
  const std::vector<std::string> variables = EnvironmentWith(start.environment);
  const std::vector<char*> environment = Pointers(variables);
  Streams streams;
  XSP_RETURN_IF_ERROR(streams.Open(start.output));
  int line[2];  // To the new process, and back.
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, line) != 0)
    return Error{ErrorKind::kEnvironment, "no socket to start a program with", ""};
  pid_ = fork();
  if (pid_ == 0) {
    close(line[0]);  // Else it would not see that we are gone.
    BecomeProgram(arguments.data(), environment.data(), streams.fds(), line[1]);
  }
  int failed = pid_ < 0 ? errno : 0;
  close(line[1]);
  if (pid_ > 0 && !start.output.empty()) setpgid(pid_, pid_);  // Who waits may signal it at once.
  Status held = Ok{};
  if (pid_ > 0 && start.before_exec) held = start.before_exec(pid_);
  if (pid_ > 0 && held.ok()) {
    const char go = 0;
    send(line[0], &go, 1, MSG_NOSIGNAL);
    // Closed without a word: it is the program now.
    if (recv(line[0], &failed, sizeof(failed), MSG_WAITALL) != sizeof(failed)) failed = 0;
  }
  close(line[0]);
  if (pid_ > 0 && (failed != 0 || !held.ok())) Reap();
  XSP_RETURN_IF_ERROR(held);
  if (failed == 0) return Ok{};
  return Error{ErrorKind::kBadInput,
               fmt::format("program cannot be started: {}: {}", argv.front(),
                           std::generic_category().message(failed)),
               ""};
}

void ForegroundProgram::BecomeProgram(char* const* arguments, char* const* environment,
                                      const int streams[2], int line) const {
  // Between fork and exec of a process with threads: only what is safe in a signal handler. glibc's
  // execvpe allocates nothing.
  char go = 0;
  if (recv(line, &go, 1, 0) != 1) _exit(127);
  if (streams[1] >= 0) {
    dup2(streams[0], STDIN_FILENO);
    dup2(streams[1], STDOUT_FILENO);
    dup2(streams[1], STDERR_FILENO);
  }
  // Our handlers are not to run there. What this program ignores for itself goes back to what is
  // usual; the rest is inherited as it came to us.
  for (int number = 1; number < NSIG; ++number) {
    struct sigaction action {};
    const bool known = sigaction(number, nullptr, &action) == 0;
    if (known && action.sa_handler != SIG_IGN) std::signal(number, SIG_DFL);
  }
  if (ignores_broken_pipes) std::signal(SIGPIPE, given_pipe_handler);
  pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  execvpe(arguments[0], arguments, environment);
  const int error = errno;
  send(line, &error, sizeof(error), MSG_NOSIGNAL);
  _exit(127);
}

void ForegroundProgram::Reap() {
  while (waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
  }
  pid_ = -1;
}

ExitStatus ForegroundProgram::Wait(const std::function<bool(int signal)>& take) {
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
    if (sigwaitinfo(&taken_, &signal) <= 0 || signal.si_signo == SIGCHLD) continue;
    if (!take || !take(signal.si_signo)) Forward(signal);
  }
}

void ForegroundProgram::Forward(const siginfo_t& signal) const {
  const bool from_terminal = signal.si_code == SI_KERNEL;
  // A program that sends a signal to its whole group has told itself.
  if (from_terminal || signal.si_pid == pid_) return;
  kill(pid_, signal.si_signo);
}

void IgnoreBrokenPipes() {
  given_pipe_handler = std::signal(SIGPIPE, SIG_IGN);
  ignores_broken_pipes = true;
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

}  // namespace xsp::os
