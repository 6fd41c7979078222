#ifndef XSP_WORKERS_ONNXRUNTIME_DESCRIBE_H_
#define XSP_WORKERS_ONNXRUNTIME_DESCRIBE_H_

#include <string>

namespace xsp::worker_onnxruntime {

/// What `describe` prints: the devices are the providers that the library has.
std::string Describe();

/// Facts about the library, for the recording.
void RecordBuildFacts();

}  // namespace xsp::worker_onnxruntime

#endif  // XSP_WORKERS_ONNXRUNTIME_DESCRIBE_H_
