#include "harness/channel.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <nlohmann/json.hpp>

#include "core/json_text.h"
#include "core/worker_error_kinds.h"

namespace xsp::worker {
namespace {

volatile std::sig_atomic_t stop_requested = 0;

/// A second Ctrl-C ends the worker at once. SIGTERM may come twice for one wish to stop: from the
/// scheduler of a cluster, which signals all processes of a job, and from xsp.
void OnStop(int signal) {
  if (stop_requested && signal == SIGINT) _exit(128 + signal);
  stop_requested = 1;
}

}  // namespace

Channel::Channel() : output_(fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3)) {
  dup2(STDERR_FILENO, STDOUT_FILENO);
}

Channel::~Channel() {
  if (output_ >= 0) close(output_);
}

bool Channel::Send(std::string text) {
  text += '\n';
  std::size_t written = 0;
  while (written < text.size()) {
    const ssize_t n = write(output_, text.data() + written, text.size() - written);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    written += static_cast<std::size_t>(n);
  }
  return true;
}

void Channel::SendError(const Error& error) {
  const nlohmann::json line = {{"event", "error"},
                               {"kind", core::WorkerErrorName(error.kind)},
                               {"what", error.what},
                               {"hint", error.hint}};
  Send(core::AsciiJsonText(line));
}

std::optional<std::string> Channel::Receive() {
  for (;;) {
    if (const auto end = received_.find('\n'); end != std::string::npos) {
      std::string line = received_.substr(0, end);
      received_.erase(0, end + 1);
      return line;
    }
    std::array<char, 512> chunk;
    const ssize_t n = read(STDIN_FILENO, chunk.data(), chunk.size());
    if (n < 0 && errno == EINTR && !StopRequested()) continue;
    if (n <= 0) return std::nullopt;
    received_.append(chunk.data(), static_cast<std::size_t>(n));
  }
}

void CatchSignals() {
  struct sigaction action = {};
  action.sa_handler = OnStop;  // Without SA_RESTART: a waiting read() must return.
  sigemptyset(&action.sa_mask);
  for (const int signal : {SIGTERM, SIGINT, SIGHUP}) sigaction(signal, &action, nullptr);
  std::signal(SIGPIPE, SIG_IGN);
}

bool StopRequested() { return stop_requested != 0; }

}  // namespace xsp::worker
