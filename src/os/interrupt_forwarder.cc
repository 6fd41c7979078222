#include "os/interrupt_forwarder.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <chrono>
#include <csignal>

#include "core/result.h"

namespace xsp::os {

InterruptForwarder::InterruptForwarder(const Interrupts& interrupts, int process_group)
    : interrupts_(interrupts), process_group_(process_group) {
  XSP_CHECK(pipe2(over_pipe_, O_CLOEXEC) == 0);
  thread_ = std::thread([this] { Run(); });
}

InterruptForwarder::~InterruptForwarder() {
  close(over_pipe_[1]);  // What waits for it to be readable wakes up.
  thread_.join();
  close(over_pipe_[0]);
}

bool InterruptForwarder::IsOver(int timeout_ms) const {
  pollfd over = {over_pipe_[0], POLLIN, 0};
  return poll(&over, 1, timeout_ms) > 0;
}

void InterruptForwarder::Run() const {
  while (!interrupts_.stop()) {
    pollfd waits[2] = {{interrupts_.wake_fd(), POLLIN, 0}, {over_pipe_[0], POLLIN, 0}};
    poll(waits, 2, -1);
    if (waits[1].revents != 0) return;
  }
  kill(-process_group_, interrupts_.signal());
  // The second request is looked for: the descriptor is readable from the first one on.
  constexpr int kBetweenLooksMs = 50;
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  while (!interrupts_.give_up() && std::chrono::steady_clock::now() < end)
    if (IsOver(kBetweenLooksMs)) return;
  kill(-process_group_, SIGKILL);
}

}  // namespace xsp::os
