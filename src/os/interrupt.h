#ifndef XSP_OS_INTERRUPT_H_
#define XSP_OS_INTERRUPT_H_

#include <atomic>
#include <csignal>

namespace xsp::os {

/// Requests to stop one piece of long work: the first asks to stop and keep what there is, the
/// second to give up at once. Made by who starts the work and read by who does it. Request() and
/// the readers may be called from any thread, Request() from a signal handler, too.
class Interrupts {
 public:
  Interrupts();
  ~Interrupts();
  Interrupts(const Interrupts&) = delete;
  Interrupts& operator=(const Interrupts&) = delete;

  bool stop() const { return count_ >= 1; }     ///< Stop, keep what was measured.
  bool give_up() const { return count_ >= 2; }  ///< Keep nothing.

  /// `signal`: the one that a program of ours shall have for it.
  void Request(int signal = SIGINT);

  /// Of the latest request; SIGINT without one.
  int signal() const { return signal_; }

  /// A descriptor that is readable from a request until Acknowledge(): what waits can be woken by
  /// it.
  int wake_fd() const { return wake_pipe_[0]; }
  void Acknowledge();

 private:
  std::atomic<int> count_ = 0;
  std::atomic<int> signal_ = SIGINT;
  int wake_pipe_[2];
};

/// While it lives, SIGINT and SIGTERM are requests to `target` instead of ending the process; after
/// the second, a third ends it as if nothing had caught it. At most one may live at a time: signals
/// are the process's.
class SignalInterrupts {
 public:
  explicit SignalInterrupts(Interrupts& target);
  ~SignalInterrupts();
  SignalInterrupts(const SignalInterrupts&) = delete;
  SignalInterrupts& operator=(const SignalInterrupts&) = delete;
};

}  // namespace xsp::os

#endif  // XSP_OS_INTERRUPT_H_
