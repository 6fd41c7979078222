#ifndef XSP_WORKERS_MXNET_DESCRIBE_H_
#define XSP_WORKERS_MXNET_DESCRIBE_H_

#include <string>

namespace xsp::worker_mxnet {

/// What this worker can do here, as JSON (docs/worker-protocol.md).
std::string Describe();

/// Writes what MXNet says of its build into the open recording: mxnet.features.
void RecordBuildFacts();

}  // namespace xsp::worker_mxnet

#endif  // XSP_WORKERS_MXNET_DESCRIBE_H_
