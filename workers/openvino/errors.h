#ifndef XSP_WORKERS_OPENVINO_ERRORS_H_
#define XSP_WORKERS_OPENVINO_ERRORS_H_

#include <functional>
#include <string>

#include "harness/worker_errors.h"

namespace xsp::worker_openvino {

using worker::WorkerError;

/// The sentence that matters in a message of OpenVINO: without the source lines of its own code and
/// the conditions that did not hold there.
std::string Essence(const std::string& message);

/// worker::Guarded(), with the essence of what OpenVINO throws; an operator that it does not know
/// is not possible, rather than bad input.
int Guarded(xsp_worker_error* error, const std::string& context, const std::string& hint,
            const std::function<void()>& action);

}  // namespace xsp::worker_openvino

#endif  // XSP_WORKERS_OPENVINO_ERRORS_H_
