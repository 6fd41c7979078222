#ifndef XSP_WORKERS_TORCH_ERRORS_H_
#define XSP_WORKERS_TORCH_ERRORS_H_

#include <functional>
#include <string>

#include "harness/guarded.h"
#include "harness/worker_errors.h"

namespace xsp::worker_torch {

using worker::IsOutOfMemory;
using worker::WorkerError;

/// The sentence that matters in a message of PyTorch: without C++ stack and TorchScript traceback.
std::string Essence(const std::string& message);

/// worker::Guarded(), with the essence of what PyTorch throws.
int Guarded(xsp_worker_error* error, const std::string& context, const std::string& hint,
            const std::function<void()>& action);

}  // namespace xsp::worker_torch

#endif  // XSP_WORKERS_TORCH_ERRORS_H_
