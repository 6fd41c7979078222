#include "os/interrupt.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>

#include "core/result.h"

namespace xsp::os {

namespace {

std::atomic<Interrupts*> target_of_signals = nullptr;
struct sigaction previous_int, previous_term;

void OnSignal(int signal) {
  const int saved_errno = errno;
  if (Interrupts* const target = target_of_signals) {
    target->Request(signal);
    if (target->give_up()) {
      struct sigaction standard = {};
      standard.sa_handler = SIG_DFL;
      sigaction(signal, &standard, nullptr);
    }
  }
  errno = saved_errno;
}

}  // namespace

Interrupts::Interrupts() { XSP_CHECK(pipe2(wake_pipe_, O_CLOEXEC | O_NONBLOCK) == 0); }

Interrupts::~Interrupts() {
  for (const int fd : wake_pipe_) close(fd);
}

void Interrupts::Request(int signal) {
  signal_ = signal;
  ++count_;
  // Full, it is readable all the same.
  [[maybe_unused]] const ssize_t written = write(wake_pipe_[1], "", 1);
}

void Interrupts::Acknowledge() {
  char dropped[64];
  while (read(wake_pipe_[0], dropped, sizeof(dropped)) > 0) {
  }
}

SignalInterrupts::SignalInterrupts(Interrupts& target) {
  XSP_CHECK(target_of_signals.exchange(&target) == nullptr);
  struct sigaction action = {};
  action.sa_handler = OnSignal;
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, &previous_int);
  sigaction(SIGTERM, &action, &previous_term);
}

SignalInterrupts::~SignalInterrupts() {
  sigaction(SIGINT, &previous_int, nullptr);
  sigaction(SIGTERM, &previous_term, nullptr);
  target_of_signals = nullptr;
}

}  // namespace xsp::os
