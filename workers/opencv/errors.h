#ifndef XSP_WORKERS_OPENCV_ERRORS_H_
#define XSP_WORKERS_OPENCV_ERRORS_H_

#include <functional>
#include <string>

#include "harness/worker_errors.h"

namespace xsp::worker_opencv {

using worker::WorkerError;

/// The sentence that matters in a message of OpenCV: without version, source line and error number.
std::string Essence(const std::string& message);

/// worker::Guarded(), with the essence of what OpenCV throws; what it has not implemented is not
/// possible, rather than bad input.
int Guarded(xsp_worker_error* error, const std::string& context, const std::string& hint,
            const std::function<void()>& action);

}  // namespace xsp::worker_opencv

#endif  // XSP_WORKERS_OPENCV_ERRORS_H_
