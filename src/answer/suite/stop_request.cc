#include "answer/suite/stop_request.h"

#include <sys/eventfd.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdint>

#include "core/result.h"

namespace xsp::suite {
namespace {

std::atomic<bool> alive = false;
std::atomic<int> came = 0;
std::atomic<int> wake_fd = -1;
static_assert(std::atomic<int>::is_always_lock_free);

extern "C" void OnSignal(int signal) {
  const int before = errno;
  came = signal;
  const std::uint64_t one = 1;
  // Nothing can be done about a failure inside a signal handler.
  static_cast<void>(!write(wake_fd, &one, sizeof(one)));
  // The second one is not caught, be it the same or the other.
  struct sigaction uncaught = {};
  uncaught.sa_handler = SIG_DFL;
  sigaction(SIGINT, &uncaught, nullptr);
  sigaction(SIGTERM, &uncaught, nullptr);
  errno = before;
}

}  // namespace

StopRequest::StopRequest() : descriptor_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
  XSP_CHECK(!alive.exchange(true));
  came = 0;
  wake_fd = descriptor_;
  struct sigaction action = {};
  action.sa_handler = OnSignal;
  // One at a time, so that the second one finds what the first one left.
  sigemptyset(&action.sa_mask);
  sigaddset(&action.sa_mask, SIGINT);
  sigaddset(&action.sa_mask, SIGTERM);
  sigaction(SIGINT, &action, &previous_int_);
  sigaction(SIGTERM, &action, &previous_term_);
}

StopRequest::~StopRequest() {
  sigaction(SIGINT, &previous_int_, nullptr);
  sigaction(SIGTERM, &previous_term_, nullptr);
  wake_fd = -1;
  close(descriptor_);
  alive = false;
}

int StopRequest::signal() const { return came; }

}  // namespace xsp::suite
