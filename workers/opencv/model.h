#ifndef XSP_WORKERS_OPENCV_MODEL_H_
#define XSP_WORKERS_OPENCV_MODEL_H_

#include <opencv2/dnn.hpp>
#include <optional>
#include <string>
#include <vector>

#include "harness/worker.h"
#include "opencv/layers.h"

namespace xsp::worker_opencv {

/// A backend and target of OpenCV under one name.
struct Device {
  std::string name;  ///< "cpu", "opencl", "cuda", ...
  cv::dnn::Backend backend;
  cv::dnn::Target target;
};

/// Those that this build of OpenCV finds here; the CPU is always the first.
std::vector<Device> Devices();

/// A loaded net that can be called. Everything here throws: cv::Exception or WorkerError.
class Model {
 public:
  explicit Model(const xsp_worker_job& job);

  /// Takes the inputs of every later call: by name, or a single one whatever its name. Their memory
  /// is used where it is. The first call afterwards also allocates and fuses.
  void Bind(const xsp_worker_tensor* inputs, std::size_t count);

  void Call() { net_.forward(outputs_, output_names_); }

  /// Records the layers of the last call; see Layers.
  void RecordLayers(xsp_span call, std::uint64_t start_ns, std::uint64_t end_ns, bool with_details);

  /// The results of the last call; OpenCV names them by their layers.
  const std::vector<cv::Mat>& outputs() const { return outputs_; }
  const std::vector<cv::String>& output_names() const { return output_names_; }

  const std::string& graph() const { return graph_; }
  /// "int8" where the net has quantised layers, else "float32".
  const std::string& precision() const { return precision_; }

 private:
  cv::dnn::Net net_;
  std::string graph_, precision_;
  std::vector<cv::dnn::MatShape> shapes_;  ///< Of the inputs.
  std::vector<cv::String> output_names_;
  std::vector<cv::Mat> outputs_;
  std::optional<Layers> layers_;  ///< Since the last Bind().
};

}  // namespace xsp::worker_opencv

#endif  // XSP_WORKERS_OPENCV_MODEL_H_
