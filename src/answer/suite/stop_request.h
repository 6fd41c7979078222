#ifndef XSP_ANSWER_SUITE_STOP_REQUEST_H_
#define XSP_ANSWER_SUITE_STOP_REQUEST_H_

#include <csignal>

namespace xsp::suite {

/// While it lives, the first SIGINT or SIGTERM asks long work to stop and to answer with what it
/// has; the second ends the process as if nothing had caught it (programs that it started with
/// os::Subprocess end with it). At most one may live at a time: signals are the process's.
class StopRequest {
 public:
  StopRequest();
  ~StopRequest();
  StopRequest(const StopRequest&) = delete;
  StopRequest& operator=(const StopRequest&) = delete;

  /// Whether a signal came. Any thread.
  bool asked() const { return signal() != 0; }

  /// The signal that came; 0: none. Any thread.
  int signal() const;

  /// Becomes readable when a signal comes, and stays so: what os::Subprocess wakes up by. Ours;
  /// not to be read from. Any thread.
  int descriptor() const { return descriptor_; }

 private:
  int descriptor_;
  struct sigaction previous_int_, previous_term_;
};

}  // namespace xsp::suite

#endif  // XSP_ANSWER_SUITE_STOP_REQUEST_H_
