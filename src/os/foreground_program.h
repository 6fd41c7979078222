#ifndef XSP_OS_FOREGROUND_PROGRAM_H_
#define XSP_OS_FOREGROUND_PROGRAM_H_

#include <csignal>
#include <filesystem>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "core/result.h"
#include "os/subprocess.h"

namespace xsp::os {

/// What a program is started with beside its arguments.
struct ProgramStart {
  /// Variables that it has beside ours, or in place of ours.
  std::vector<std::pair<std::string, std::string>> environment = {};
  /// Called, in this process, when the program's process is there and waits to become the program:
  /// for what must watch it from its first instruction.
  std::function<Status(int pid)> before_exec = {};
  /// A file to which its stdout and stderr are appended; its stdin is empty then, and it has a
  /// process group of its own, which no terminal reaches. Empty: as ours.
  std::filesystem::path output = {};
};

/// Runs a program as if it had been started in our place: with our stdin, stdout, stderr, folder,
/// environment and process group, and the signals that are sent to us; or with its output in a
/// file (ProgramStart::output).
///
/// What a terminal sends (Ctrl-C) reaches the whole group, so the program has it already; what
/// another process sends us is sent on. Should we be killed, the program goes on.
///
/// Threading: one thread. While it lives the signals that it sends on are blocked, in that thread
/// and in threads that it makes.
class ForegroundProgram {
 public:
  ForegroundProgram();
  ~ForegroundProgram();
  ForegroundProgram(const ForegroundProgram&) = delete;
  ForegroundProgram& operator=(const ForegroundProgram&) = delete;

  /// `argv[0]`: a path, or a name that is looked for in $PATH. Errors: kBadInput when there is no
  /// such program or it cannot be executed; kEnvironment when its output cannot be written. Once.
  ///
  /// An error of `start.before_exec` ends the process and comes back; the program never ran then.
  Status Start(const std::vector<std::string>& argv, const ProgramStart& start = {});

  int pid() const { return pid_; }

  /// Waits until it has ended; how, and what it used. A signal that is sent to us goes to `take`
  /// first, on this thread: where it says true, the signal was for us and is not sent on.
  ExitStatus Wait(const std::function<bool(int signal)>& take = {});

 private:
  /// In the new process: waits for a byte from `line`, then becomes the program, or sends the errno
  /// that says why not. Ends when `line` does.
  /// `streams`: what becomes its stdin and its stdout and stderr; -1: ours.
  [[noreturn]] void BecomeProgram(char* const* arguments, char* const* environment,
                                  const int streams[2], int line) const;
  void Reap();
  /// Sends a signal on where only we were given it.
  void Forward(const siginfo_t& signal) const;

  sigset_t taken_, before_;
  int pid_ = -1;
};

/// From now on a write to a broken pipe is an error of that write, and no signal; programs that are
/// started have the signal as we were given it. Once, at the start of main().
void IgnoreBrokenPipes();

/// Ends this process by `signal`, as a program that it stands for was ended; no core is written.
/// Returns only where the signal does not end a process.
void EndBySignal(int signal);

}  // namespace xsp::os

#endif  // XSP_OS_FOREGROUND_PROGRAM_H_
