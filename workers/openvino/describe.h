#ifndef XSP_WORKERS_OPENVINO_DESCRIBE_H_
#define XSP_WORKERS_OPENVINO_DESCRIBE_H_

#include <string>

#include "openvino/model.h"

namespace xsp::worker_openvino {

/// What this worker can do here, as JSON (docs/worker-protocol.md).
std::string Describe();

/// Writes what OpenVINO says of itself, its device and the compiled model into the open recording:
/// openvino.build, openvino.device_name and the properties in force (openvino.num_streams, ...).
void RecordBuildFacts(const std::string& device);
void RecordModelFacts(const ov::CompiledModel& compiled);

}  // namespace xsp::worker_openvino

#endif  // XSP_WORKERS_OPENVINO_DESCRIBE_H_
