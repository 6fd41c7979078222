// Runs pipelines for tests/pipeline_reference_test.py: one JSON request per line of stdin, one JSON
// answer per line of stdout.
//   {"prepare": STEPS, "file": PATH | "text", "second_text", "out": PATH}
//     -> {"tensors": [{"name", "dtype", "shape", "file"}], "placement": [...]}, the bytes in files
//   {"post": STEPS, "outputs": [{"name", "dtype", "shape", "file"}], "placements": [[8 numbers]]}
//     -> {"predictions": [...]}
//   {"words": [TEXT, ...]} -> {"words": [[WORD, ...], ...]}
// An error is {"error", "hint"}. Arguments: the folder of labels and vocabularies.
#include <cstdio>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>

#include "core/json_text.h"
#include "pipeline/base/text_file.h"
#include "pipeline/steps/postprocessing.h"
#include "pipeline/steps/preprocessing.h"
#include "pipeline/text/vocabulary.h"

namespace xsp::pipeline {
namespace {

using nlohmann::json;

constexpr std::size_t kMost = std::size_t{1} << 30;

json ErrorJson(const Error& error) { return {{"error", error.what}, {"hint", error.hint}}; }

json Prepare(const json& request, const std::string& folder) {
  PreProcessing steps;
  if (const Status status = PreProcessing::Build(request["prepare"], folder, steps); !status.ok())
    return ErrorJson(status.error());
  std::string bytes;
  if (request.contains("file")) {
    if (const Status status = ReadFile(request["file"], kMost, bytes); !status.ok())
      return ErrorJson(status.error());
  }
  const std::string text = request.value("text", "");
  const std::string second_text = request.value("second_text", "");
  Prepared prepared;
  if (const Status status = steps.Run({bytes, text, second_text}, prepared); !status.ok())
    return ErrorJson(status.error());
  json answer = {{"tensors", json::array()}};
  for (const Tensor& tensor : prepared.tensors) {
    const std::string path =
        request["out"].get<std::string>() + std::to_string(answer["tensors"].size());
    std::ofstream(path, std::ios::binary)
        .write(reinterpret_cast<const char*>(tensor.data.data()),
               static_cast<std::streamsize>(tensor.data.size()));
    answer["tensors"].push_back({{"name", tensor.name},
                                 {"dtype", xsp::core::DtypeName(tensor.dtype)},
                                 {"shape", tensor.shape},
                                 {"file", path}});
  }
  const Placement& p = prepared.placement;
  answer["placement"] = {p.original_width, p.original_height, p.input_width, p.input_height,
                         p.scale_x,        p.scale_y,         p.offset_x,    p.offset_y};
  return answer;
}

json PostProcess(const json& request, const std::string& folder) {
  PostProcessing steps;
  if (const Status status = PostProcessing::Build(request["post"], folder, steps); !status.ok())
    return ErrorJson(status.error());
  std::vector<Tensor> tensors;
  for (const json& output : request["outputs"]) {
    Tensor tensor{output["name"],
                  *xsp::core::DtypeNamed(output["dtype"].get<std::string>()),
                  output["shape"],
                  {}};
    std::string bytes;
    if (const Status status = ReadFile(output["file"], kMost, bytes); !status.ok())
      return ErrorJson(status.error());
    tensor.data.assign(bytes.begin(), bytes.end());
    tensors.push_back(std::move(tensor));
  }
  std::vector<TensorView> views;
  for (const Tensor& tensor : tensors) views.push_back(ViewOf(tensor));
  std::vector<Placement> placements;
  for (const json& p : request["placements"]) {
    placements.push_back({p[0], p[1], p[2], p[3], p[4], p[5], p[6], p[7]});
  }
  std::vector<Prediction> predictions;
  if (const Status status = steps.Run(views, placements, predictions); !status.ok())
    return ErrorJson(status.error());
  json answer = {{"predictions", json::array()}};
  for (const Prediction& prediction : predictions) {
    answer["predictions"].push_back(ToJson(prediction));
  }
  return answer;
}

json Words(const json& request) {
  json answer = {{"words", json::array()}};
  for (const json& text : request["words"]) {
    answer["words"].push_back(BertWords(text.get<std::string>(), {}));
  }
  return answer;
}

}  // namespace
}  // namespace xsp::pipeline

int main(int argc, char** argv) {
  using namespace xsp::pipeline;
  const std::string folder = argc > 1 ? argv[1] : ".";
  std::string line;
  while (std::getline(std::cin, line)) {
    const nlohmann::json request = xsp::core::ParseJson(line);
    const nlohmann::json answer = request.contains("prepare") ? Prepare(request, folder)
                                  : request.contains("post")  ? PostProcess(request, folder)
                                                              : Words(request);
    std::cout << xsp::core::JsonText(answer) << std::endl;
  }
}
