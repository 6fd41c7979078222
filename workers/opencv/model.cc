#include "opencv/model.h"

#include <algorithm>
#include <string_view>

#include "opencv/errors.h"
#include "opencv/model_file.h"

namespace xsp::worker_opencv {
namespace {

constexpr struct {
  const char* name;
  cv::dnn::Backend backend;
  cv::dnn::Target target;
} kKnownDevices[] = {
    {"opencl", cv::dnn::DNN_BACKEND_OPENCV, cv::dnn::DNN_TARGET_OPENCL},
    {"opencl_fp16", cv::dnn::DNN_BACKEND_OPENCV, cv::dnn::DNN_TARGET_OPENCL_FP16},
    {"cuda", cv::dnn::DNN_BACKEND_CUDA, cv::dnn::DNN_TARGET_CUDA},
    {"cuda_fp16", cv::dnn::DNN_BACKEND_CUDA, cv::dnn::DNN_TARGET_CUDA_FP16},
    {"vulkan", cv::dnn::DNN_BACKEND_VKCOM, cv::dnn::DNN_TARGET_VULKAN},
    {"openvino_cpu", cv::dnn::DNN_BACKEND_INFERENCE_ENGINE, cv::dnn::DNN_TARGET_CPU}};

/// The element type of an input as OpenCV takes it; others it would read as something else.
int TypeOf(const xsp_worker_tensor& input) {
  if (input.dtype == XSP_FLOAT32) return CV_32F;
  if (input.dtype == XSP_UINT8) return CV_8U;
  throw WorkerError(ErrorKind::kNotPossible,
                    std::string("OpenCV takes inputs of float32 and uint8 only: ") + input.name +
                        " is " + xsp_worker_dtype_name(input.dtype),
                    "use another backend for this model");
}

bool IsQuantised(cv::dnn::Net& net) {
  std::vector<cv::String> types;
  net.getLayerTypes(types);
  return std::any_of(types.begin(), types.end(), [](const cv::String& type) {
    return std::string_view(type).ends_with("Int8");
  });
}

}  // namespace

std::vector<Device> Devices() {
  std::vector<Device> devices = {{"cpu", cv::dnn::DNN_BACKEND_OPENCV, cv::dnn::DNN_TARGET_CPU}};
  const auto available = cv::dnn::getAvailableBackends();
  for (const auto& known : kKnownDevices) {
    const std::pair<cv::dnn::Backend, cv::dnn::Target> pair(known.backend, known.target);
    if (std::find(available.begin(), available.end(), pair) == available.end()) continue;
    devices.push_back({known.name, known.backend, known.target});
  }
  return devices;
}

Model::Model(const xsp_worker_job& job) {
  const ModelFiles files = FilesOf(job.model_path, xsp_worker_option_value(&job, "config", ""));
  net_ = cv::dnn::readNet(files.model, files.config);
  if (net_.empty()) {
    throw WorkerError(ErrorKind::kBadInput,
                      std::string("the model file holds no layers: ") + files.model,
                      "make it again");
  }
  for (const Device& device : Devices()) {
    if (device.name != job.device) continue;
    net_.setPreferableBackend(device.backend);
    net_.setPreferableTarget(device.target);
  }
  graph_ = std::string_view(job.graph) == "unfused" ? "unfused" : "fused";
  net_.enableFusion(graph_ == "fused");
  precision_ = IsQuantised(net_) ? "int8" : "float32";
  output_names_ = net_.getUnconnectedOutLayersNames();
}

void Model::Bind(const xsp_worker_tensor* inputs, std::size_t count) {
  shapes_.clear();
  layers_.reset();
  for (std::size_t i = 0; i < count; ++i) {
    const std::vector<int> shape(inputs[i].shape, inputs[i].shape + inputs[i].rank);
    const cv::Mat blob(shape, TypeOf(inputs[i]), inputs[i].data);
    net_.setInput(blob, count == 1 ? cv::String() : cv::String(inputs[i].name));
    shapes_.emplace_back(shape.begin(), shape.end());
  }
}

void Model::RecordLayers(xsp_span call, std::uint64_t start_ns, std::uint64_t end_ns,
                         bool with_details) {
  if (!layers_) layers_.emplace(net_, shapes_);
  layers_->Record(net_, call, start_ns, end_ns, with_details);
}

}  // namespace xsp::worker_opencv
