#ifndef XSP_WORKERS_TENSORFLOW_DESCRIBE_H_
#define XSP_WORKERS_TENSORFLOW_DESCRIBE_H_

#include <string>

namespace xsp::worker_tensorflow {

/// What this worker can do here, as JSON (docs/worker-protocol.md).
std::string Describe();

}  // namespace xsp::worker_tensorflow

#endif  // XSP_WORKERS_TENSORFLOW_DESCRIBE_H_
