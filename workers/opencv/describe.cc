#include "opencv/describe.h"

#include <algorithm>
#include <opencv2/core.hpp>
#include <string_view>

#include "capture/wire/xsp.h"
#include "harness/fact.h"
#include "opencv/model.h"
#include "opencv/model_file.h"

namespace xsp::worker_opencv {

using worker::RecordFact;

namespace {

/// The rest of the line of OpenCV's build information that begins with `mark`.
std::string LineOf(const std::string& information, std::string_view mark) {
  const std::size_t at = information.find(mark);
  if (at == std::string::npos) return "";
  const std::size_t begin = information.find_first_not_of(' ', at + mark.size());
  return information.substr(begin, information.find('\n', begin) - begin);
}

}  // namespace

std::string Describe() {
  std::string devices;
  for (const Device& device : Devices()) {
    devices += (devices.empty() ? "\"" : ", \"") + device.name + "\"";
  }
  return R"json({"framework": {"name": "OpenCV", "version": ")json" + cv::getVersionString() +
         R"json("},
 "models": )json" +
         ModelFormats() + R"json(,
 "devices": [)json" +
         devices + R"json(],
 "graphs": ["fused", "unfused"], "precisions": ["default"],
 "options": [{"name": "config", "type": "path", "default": "beside the model, with its name",
   "meaning": "the file with the graph, where weights are in one of their own (Caffe, Darknet, TensorFlow)"}],
 "rungs": ["model", "layer", "kernel", "details"],
 "switch": {"layer": "process", "kernel": "process"}})json";
}

void RecordBuildFacts() {
  const std::string information = cv::getBuildInformation();
  RecordFact("opencv.build", information);
  RecordFact("opencv.parallel", LineOf(information, "Parallel framework:"));
  RecordFact("opencv.cpu_features", cv::getCPUFeaturesLine());
}

}  // namespace xsp::worker_opencv
