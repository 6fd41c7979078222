#include "app/serve/job_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string_view>

#include "measure/live/live_streams.h"

extern char** environ;

namespace xsp::serve {
namespace {

/// $0: the job's folder, by which its process is known again; $1: the lock; then the program. A
/// shell, since it must outlive the server and still know the program's status. The traps keep it
/// alive when the job is interrupted; programs that it starts get the signal as usual. It works in
/// the server's folder: names in the request were checked there.
constexpr const char* kScript = R"(
echo $$ > "$0/process.new" && mv "$0/process.new" "$0/process" || exit 1
trap : INT TERM HUP
exec 9> "$1"
flock 9 || exit 1
shift
"$@" < "$0/request.json" > "$0/result.json" 2>> "$0/log" 9>&-
status=$?
sync -d "$0/result.json" "$0/log"
echo $status > "$0/status.new" && mv "$0/status.new" "$0/status"
)";

Error SystemError(const char* what, int number) {
  return {ErrorKind::kEnvironment, fmt::format("{}: {}", what, std::strerror(number)),
          "The machine may be out of processes or memory."};
}

/// Ours with the variables of `own` in place of its own ones; ends with a null. Points to both.
std::vector<char*> EnvironmentWith(std::vector<std::string>& own) {
  std::vector<char*> environment;
  for (std::string& variable : own) environment.push_back(variable.data());
  for (char** variable = environ; *variable != nullptr; ++variable) {
    const auto has_its_name = [given = std::string_view(*variable)](const std::string& one) {
      return given.starts_with(one.substr(0, one.find('=') + 1));
    };
    if (std::none_of(own.begin(), own.end(), has_its_name)) environment.push_back(*variable);
  }
  environment.push_back(nullptr);
  return environment;
}

}  // namespace

Result<int> StartJob(const JobFolder& folder, const std::vector<std::string>& arguments,
                     const std::filesystem::path& machine_lock) {
  std::error_code error;
  std::filesystem::create_directories(machine_lock.parent_path(), error);
  std::vector<std::string> words = {"/bin/sh", "-c", kScript, folder.path().string(),
                                    machine_lock.string()};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);

  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t none, all;
  sigemptyset(&none);
  sigfillset(&all);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &all);
  posix_spawnattr_setflags(&attributes,
                           POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  const std::string log = (folder.path() / "log").string();
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, log.c_str(),
                                   O_WRONLY | O_CREAT | O_APPEND, 0644);
  posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1);
  // Progress as lines of JSON in the log (app/cli/progress_line.h).
  std::vector<std::string> own = {
      "XSP_PROGRESS=json", fmt::format("{}={}", live::kLevelsVariable, folder.levels().string())};
  const std::vector<char*> environment = EnvironmentWith(own);
  pid_t process = 0;
  const int refused =
      posix_spawn(&process, "/bin/sh", &actions, &attributes, argv.data(), environment.data());
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  if (refused != 0) return SystemError("cannot start the job", refused);
  return static_cast<int>(process);
}

Result<ProcessEnd> ProcessEnd::Of(int process) {
  const long descriptor = syscall(SYS_pidfd_open, process, 0);
  if (descriptor < 0) return SystemError("cannot wait for the job", errno);
  return ProcessEnd(process, static_cast<int>(descriptor));
}

ProcessEnd::ProcessEnd(ProcessEnd&& other) noexcept
    : process_(other.process_), descriptor_(other.descriptor_) {
  other.descriptor_ = -1;
}

ProcessEnd::~ProcessEnd() {
  if (descriptor_ >= 0) close(descriptor_);
}

bool ProcessEnd::Wait(int wake_fd, int milliseconds) const {
  pollfd watched[] = {{descriptor_, POLLIN, 0}, {wake_fd, POLLIN, 0}};
  poll(watched, 2, milliseconds);
  if ((watched[0].revents & POLLIN) == 0) return false;
  waitpid(process_, nullptr, WNOHANG);  // Of a job of an earlier server nothing is to be reaped.
  return true;
}

void SignalJob(int process, int signal) { kill(-process, signal); }

}  // namespace xsp::serve
