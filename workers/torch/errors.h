#ifndef XSP_WORKERS_TORCH_ERRORS_H_
#define XSP_WORKERS_TORCH_ERRORS_H_

#include <exception>
#include <functional>
#include <string>

#include "harness/failure.h"
#include "harness/worker.h"

namespace xsp::worker_torch {

/// What this worker throws inside itself; Guarded() turns it into a status.
class WorkerError : public std::exception {
 public:
  explicit WorkerError(worker::Failure failure) : failure_(std::move(failure)) {}
  WorkerError(xsp_worker_status status, std::string what, std::string hint)
      : failure_{status, std::move(what), std::move(hint)} {}

  const worker::Failure& failure() const { return failure_; }
  const char* what() const noexcept override { return failure_.what.c_str(); }

 private:
  worker::Failure failure_;
};

/// The sentence that matters in a message of PyTorch: without C++ stack and TorchScript traceback.
std::string Essence(const std::string& message);

/// Whether PyTorch's message says that memory ran out.
bool IsOutOfMemory(const std::string& message);

/// Runs `action`; whatever it throws becomes `error` and a status. What PyTorch throws counts as
/// bad input with `context` before its message and `hint`, but for memory, which is the
/// environment's.
int Guarded(xsp_worker_error* error, const std::string& context, const std::string& hint,
            const std::function<void()>& action);

}  // namespace xsp::worker_torch

#endif  // XSP_WORKERS_TORCH_ERRORS_H_
