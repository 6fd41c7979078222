#ifndef XSP_MEASURE_MODELS_MODEL_FORMAT_H_
#define XSP_MEASURE_MODELS_MODEL_FORMAT_H_

#include <filesystem>
#include <string>

namespace xsp::models {

/// What a model file is, by its first bytes and, of archives, its members; by its ending where
/// content does not tell.
struct ModelFormat {
  /// As workers and manifests name it: "onnx", "torchscript", "tensorflow" (a SavedModel's folder),
  /// "frozen_graph"; empty: not known, or a format that no worker runs.
  std::string name;
  /// The worker that comes first where several take it: the format's own framework.
  std::string own_worker;
  /// Of a format that no worker runs: what it is, and how to get one that they run. Else empty.
  std::string what, advice;
};

/// Reads a few kilobytes. A folder or file that cannot be read has no format.
ModelFormat FormatOfModel(const std::filesystem::path& path);

/// The absolute path that a model is run by: a SavedModel may be named by its saved_model.pb, or
/// with a slash at its end, and is its folder.
std::filesystem::path ModelPath(const std::filesystem::path& named);

}  // namespace xsp::models

#endif  // XSP_MEASURE_MODELS_MODEL_FORMAT_H_
