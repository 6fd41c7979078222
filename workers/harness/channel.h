#ifndef XSP_WORKERS_HARNESS_CHANNEL_H_
#define XSP_WORKERS_HARNESS_CHANNEL_H_

#include <optional>
#include <string>

#include "core/result.h"

namespace xsp::worker {

/// The process's real stdout, kept for the protocol. Made first of all in main(): from then on file
/// descriptor 1 leads to stderr, so that nothing a framework prints can get between our lines.
class Channel {
 public:
  Channel();
  ~Channel();
  Channel(const Channel&) = delete;
  Channel& operator=(const Channel&) = delete;

  /// Writes `text` and a line feed at once. False when the reader is gone.
  bool Send(std::string text);

  /// Tells the reader why the worker stops.
  void SendError(const Error& error);

  /// The next line of stdin, without its line feed. Nothing at end of file, on a read error, or
  /// when a signal asked the worker to stop.
  std::optional<std::string> Receive();

 private:
  int output_;
  std::string received_;
};

/// From now on SIGTERM, SIGINT and SIGHUP only set a flag (a second one ends the process), and
/// SIGPIPE does nothing.
void CatchSignals();

/// Whether one of them arrived.
bool StopRequested();

}  // namespace xsp::worker

#endif  // XSP_WORKERS_HARNESS_CHANNEL_H_
