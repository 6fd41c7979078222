#ifndef XSP_WORKERS_HARNESS_WORKER_ERRORS_H_
#define XSP_WORKERS_HARNESS_WORKER_ERRORS_H_

#include <exception>
#include <string>
#include <utility>

#include "core/result.h"
#include "harness/worker.h"

namespace xsp::worker {

/// What a C++ worker throws inside itself; Guarded() turns it into a status.
class WorkerError : public std::exception {
 public:
  explicit WorkerError(Error error) : error_(std::move(error)) {}
  WorkerError(ErrorKind kind, std::string what, std::string hint)
      : error_{kind, std::move(what), std::move(hint)} {}

  const Error& error() const { return error_; }
  const char* what() const noexcept override { return error_.what.c_str(); }

 private:
  Error error_;
};

/// The error that a worker's function reported, or Ok for XSP_WORKER_OK. A status outside the
/// enumeration counts as internal.
Status FromStatus(int status, const xsp_worker_error& reported);

/// Reports `error` as a worker's function does: fills `reported` and returns the status.
int Report(const Error& error, xsp_worker_error* reported);

}  // namespace xsp::worker

#endif  // XSP_WORKERS_HARNESS_WORKER_ERRORS_H_
