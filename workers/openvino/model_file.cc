#include "openvino/model_file.h"

#include <algorithm>
#include <filesystem>
#include <string_view>

#include "openvino/errors.h"

namespace xsp::worker_openvino {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kExtensions[] = {".onnx", ".xml", ".pb", ".tflite", ".pdmodel"};

void CheckFolder(const fs::path& path) {
  if (fs::exists(path / "saved_model.pb")) return;
  throw WorkerError(ErrorKind::kBadInput, "the folder holds no saved_model.pb: " + path.string(),
                    "give the folder of a TensorFlow SavedModel, or a model file itself");
}

}  // namespace

std::string ModelFormats() {
  return R"([
  {"format": "onnx", "extensions": [".onnx"], "levels": ["model", "layer", "kernel"], "note": ""},
  {"format": "openvino", "extensions": [".xml"], "levels": ["model", "layer", "kernel"],
   "note": "OpenVINO's own IR: the .xml, its weights beside it as .bin"},
  {"format": "tensorflow", "extensions": [], "levels": ["model", "layer", "kernel"],
   "note": "a SavedModel's folder"},
  {"format": "frozen_graph", "extensions": [".pb"], "levels": ["model", "layer", "kernel"], "note": ""},
  {"format": "tflite", "extensions": [".tflite"], "levels": ["model", "layer", "kernel"],
   "note": ""},
  {"format": "paddle", "extensions": [".pdmodel"], "levels": ["model", "layer", "kernel"],
   "note": "its weights beside it as .pdiparams"}])";
}

void CheckModelFile(const std::string& text) {
  const fs::path path = text;
  if (fs::is_directory(path)) return CheckFolder(path);
  if (fs::file_size(path) == 0) {
    throw WorkerError(ErrorKind::kBadInput, "the model file is empty: " + text, "make it again");
  }
  const std::string extension = path.extension().string();
  if (std::find(std::begin(kExtensions), std::end(kExtensions), extension) ==
      std::end(kExtensions)) {
    throw WorkerError(ErrorKind::kBadInput, "this is no model file that OpenVINO reads: " + text,
                      "it reads .onnx, .xml (IR), .pb, .tflite and .pdmodel files and folders of "
                      "SavedModels, and tells them by their names");
  }
  if (extension == ".xml" && !fs::exists(fs::path(path).replace_extension(".bin"))) {
    throw WorkerError(
        ErrorKind::kBadInput,
        "the model's weights are missing: " + fs::path(path).replace_extension(".bin").string(),
        "an IR is two files: keep the .bin beside the .xml");
  }
}

}  // namespace xsp::worker_openvino
