#ifndef XSP_WORKERS_HARNESS_GUARDED_H_
#define XSP_WORKERS_HARNESS_GUARDED_H_

#include <functional>
#include <string>

#include "harness/worker.h"
#include "harness/worker_errors.h"

namespace xsp::worker {

/// Whether a framework's message says that memory ran out.
bool IsOutOfMemory(const std::string& message);

/// The error that a framework's message stands for: the environment's when memory ran out, else bad
/// input, `context` before the message's first line.
Error ErrorOf(const std::string& message, const std::string& context, const std::string& hint);

/// Runs `action`; whatever it throws becomes `error` and a status. What the framework throws
/// counts as ErrorOf() says.
int Guarded(xsp_worker_error* error, const std::string& context, const std::string& hint,
            const std::function<void()>& action);

}  // namespace xsp::worker

#endif  // XSP_WORKERS_HARNESS_GUARDED_H_
