#ifndef XSP_OS_SIGNALS_BLOCKED_H_
#define XSP_OS_SIGNALS_BLOCKED_H_

#include <csignal>

namespace xsp::os {

/// A thread that is made while it lives takes no signal: they are for the program's own threads.
class SignalsBlocked {
 public:
  SignalsBlocked() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  ~SignalsBlocked() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  SignalsBlocked(const SignalsBlocked&) = delete;
  SignalsBlocked& operator=(const SignalsBlocked&) = delete;

 private:
  sigset_t before_;
};

}  // namespace xsp::os

#endif  // XSP_OS_SIGNALS_BLOCKED_H_
