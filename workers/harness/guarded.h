#ifndef XSP_WORKERS_HARNESS_GUARDED_H_
#define XSP_WORKERS_HARNESS_GUARDED_H_

#include <exception>
#include <functional>
#include <string>
#include <utility>

#include "harness/failure.h"
#include "harness/worker.h"

namespace xsp::worker {

/// What a C++ worker throws inside itself; Guarded() turns it into a status.
class WorkerError : public std::exception {
 public:
  explicit WorkerError(Failure failure) : failure_(std::move(failure)) {}
  WorkerError(xsp_worker_status status, std::string what, std::string hint)
      : failure_{status, std::move(what), std::move(hint)} {}

  const Failure& failure() const { return failure_; }
  const char* what() const noexcept override { return failure_.what.c_str(); }

 private:
  Failure failure_;
};

/// Whether a framework's message says that memory ran out.
bool IsOutOfMemory(const std::string& message);

/// The failure that a framework's message stands for: the environment's when memory ran out, else
/// bad input, `context` before the message's first line.
Failure FailureOf(const std::string& message, const std::string& context, const std::string& hint);

/// Runs `action`; whatever it throws becomes `error` and a status. What the framework throws
/// counts as FailureOf() says.
int Guarded(xsp_worker_error* error, const std::string& context, const std::string& hint,
            const std::function<void()>& action);

}  // namespace xsp::worker

#endif  // XSP_WORKERS_HARNESS_GUARDED_H_
