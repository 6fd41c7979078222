#ifndef XSP_WORKERS_OPENCV_DESCRIBE_H_
#define XSP_WORKERS_OPENCV_DESCRIBE_H_

#include <string>

namespace xsp::worker_opencv {

/// What this worker can do here, as JSON (docs/worker-protocol.md).
std::string Describe();

/// Writes what OpenCV says of its build into the open recording: opencv.build (all of it),
/// opencv.parallel and opencv.cpu_features.
void RecordBuildFacts();

}  // namespace xsp::worker_opencv

#endif  // XSP_WORKERS_OPENCV_DESCRIBE_H_
