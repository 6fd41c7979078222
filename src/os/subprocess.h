#ifndef XSP_OS_SUBPROCESS_H_
#define XSP_OS_SUBPROCESS_H_

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/result.h"

namespace xsp::os {

struct SpawnOptions {
  std::vector<std::string> argv;  ///< argv[0]: a path, or a name that is looked for in $PATH.
  std::vector<std::pair<std::string, std::string>>
      environment;               ///< Added to ours, or replacing it.
  std::filesystem::path folder;  ///< Working directory; empty: ours.
  std::vector<int> cpus;         ///< CPUs it may run on; empty: ours.
  std::filesystem::path cgroup;  ///< A cgroup folder that it joins before it starts; empty: none.
  std::size_t stderr_limit = 1 << 16;  ///< Bytes of stderr to keep: the last ones.
  std::size_t line_limit = 1 << 24;    ///< Bytes of one stdout line; what is beyond is dropped.
};

/// How a process ended and what it used.
struct ExitStatus {
  int code = 0;    ///< Meaningful when signal is 0.
  int signal = 0;  ///< The signal that ended it; 0: it ended by itself.
  std::int64_t user_ns = 0;
  std::int64_t system_ns = 0;
  std::int64_t peak_rss_bytes = 0;
  std::int64_t involuntary_context_switches = 0;

  bool success() const { return signal == 0 && code == 0; }
};

/// "exit status 3", "signal 11 (Segmentation fault)".
std::string ToString(const ExitStatus& status);

/// What waiting for a line came back with.
struct LineRead {
  enum class Kind {
    kLine,
    kEnd,  ///< stdout was closed (usually: the process ended).
    kTimeout,
    kWoken,  ///< `wake_fd` became readable.
  };
  Kind kind;
  std::string text;  ///< kLine: without the newline.
};

/// A child process with pipes for stdin, stdout and stderr, in a process group of its own (so a
/// Ctrl-C of the terminal does not reach it). The destructor kills the whole group and reaps it: no
/// zombie, no orphan. Should this process be killed, the kernel kills the child.
///
/// stderr is drained whenever a member waits. No descriptor leaks into other children (close on
/// exec everywhere); a write to a dead child is an error, not SIGPIPE.
///
/// Threading: one thread at a time; and the thread that spawned it must outlive it.
class Subprocess {
 public:
  using Duration = std::chrono::nanoseconds;

  /// Errors: kBadInput when the program does not exist or cannot be executed, kEnvironment when the
  /// system refuses (processes, descriptors, cgroup).
  static Result<Subprocess> Spawn(const SpawnOptions& options);

  Subprocess(Subprocess&&) noexcept;
  Subprocess& operator=(Subprocess&&) noexcept;
  ~Subprocess();

  int pid() const;

  /// Writes `line` and a newline to its stdin. Errors: kEnvironment when it no longer reads, or
  /// does not read within `timeout`.
  Status WriteLine(std::string_view line, Duration timeout = std::chrono::seconds(10));
  void CloseStdin();

  /// The next line of its stdout (the last one may lack its newline).
  LineRead ReadLine(Duration timeout, int wake_fd = -1);

  /// Waits until it ended, dropping what it still writes to stdout; nothing on timeout. Once it
  /// ended, returns the same status at once.
  std::optional<ExitStatus> Wait(Duration timeout);

  /// Sends `signal` to the whole group. Nothing happens once it was reaped.
  void Signal(int signal);

  /// Kills the group, reaps it and returns its status.
  ExitStatus Kill();

  /// The last bytes of stderr (at most stderr_limit) read so far; complete after Wait() or Kill().
  const std::string& stderr_tail() const;

 private:
  struct State;
  explicit Subprocess(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

struct Completed {
  ExitStatus exit;
  std::string out;  ///< All of stdout.
  std::string stderr_tail;
};

/// Runs a program to its end with an empty stdin. Errors: as Spawn(); kEnvironment when it is not
/// done within `timeout` or writes more than `out_limit` bytes to stdout; kInterrupted when
/// `wake_fd` became readable. It is killed then. An unsuccessful exit is not an error here.
Result<Completed> RunToEnd(const SpawnOptions& options, Subprocess::Duration timeout,
                           std::size_t out_limit = 1 << 24, int wake_fd = -1);

}  // namespace xsp::os

#endif  // XSP_OS_SUBPROCESS_H_
