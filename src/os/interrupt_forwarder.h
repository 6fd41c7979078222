#ifndef XSP_OS_INTERRUPT_FORWARDER_H_
#define XSP_OS_INTERRUPT_FORWARDER_H_

#include <thread>

#include "os/interrupt.h"

namespace xsp::os {

/// While it lives, the first request to stop goes to a process group as the signal of the request;
/// the group is killed when it has not ended 30 s later, or at a second request. For programs that
/// no terminal reaches.
///
/// To be destroyed as soon as the program has been waited for: its number may then be another's.
class InterruptForwarder {
 public:
  /// `interrupts` is borrowed.
  InterruptForwarder(const Interrupts& interrupts, int process_group);
  ~InterruptForwarder();
  InterruptForwarder(const InterruptForwarder&) = delete;
  InterruptForwarder& operator=(const InterruptForwarder&) = delete;

 private:
  void Run() const;
  /// Whether it is over, which it waits for, `timeout_ms` at most.
  bool IsOver(int timeout_ms) const;

  const Interrupts& interrupts_;
  const int process_group_;
  int over_pipe_[2];
  std::thread thread_;
};

}  // namespace xsp::os

#endif  // XSP_OS_INTERRUPT_FORWARDER_H_
