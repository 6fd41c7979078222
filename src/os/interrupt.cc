#include "os/interrupt.h"

#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>

#include "core/result.h"

namespace xsp::os {

namespace {

std::atomic<bool> alive = false;
std::atomic<int> signals = 0;
int wake_pipe[2] = {-1, -1};
struct sigaction previous_int, previous_term;

void OnSignal(int signal) {
  const int saved_errno = errno;
  if (++signals >= 2) {
    struct sigaction standard = {};
    standard.sa_handler = SIG_DFL;
    sigaction(signal, &standard, nullptr);
  }
  // Full, it is readable all the same.
  [[maybe_unused]] const ssize_t written = write(wake_pipe[1], "", 1);
  errno = saved_errno;
}

}  // namespace

Interrupts::Interrupts() {
  XSP_CHECK(!alive.exchange(true));
  signals = 0;
  XSP_CHECK(pipe2(wake_pipe, O_CLOEXEC | O_NONBLOCK) == 0);
  struct sigaction action = {};
  action.sa_handler = OnSignal;
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, &previous_int);
  sigaction(SIGTERM, &action, &previous_term);
}

Interrupts::~Interrupts() {
  sigaction(SIGINT, &previous_int, nullptr);
  sigaction(SIGTERM, &previous_term, nullptr);
  for (int& fd : wake_pipe) {
    close(fd);
    fd = -1;
  }
  alive = false;
}

int Interrupts::count() { return signals; }
int Interrupts::wake_fd() const { return wake_pipe[0]; }

void Interrupts::Acknowledge() {
  char dropped[64];
  while (read(wake_pipe[0], dropped, sizeof(dropped)) > 0) {
  }
}

}  // namespace xsp::os
