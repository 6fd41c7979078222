#ifndef XSP_MEASURE_MODELS_MODEL_H_
#define XSP_MEASURE_MODELS_MODEL_H_

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/progress.h"
#include "core/result.h"
#include "measure/manifest/manifest.h"
#include "measure/models/zoo.h"

namespace xsp::models {

/// A model file, ready to be measured.
struct Model {
  std::string name;
  std::filesystem::path path;    ///< Absolute; a folder in formats that are one (SavedModel).
  std::string format;            ///< As the manifest names it; empty: not known.
  std::string framework;         ///< A worker's name, if the manifest names one.
  nlohmann::json inputs;         ///< As in a job file; null: not known.
  std::int64_t size_bytes = 0;   ///< Of all files that make it up.
  std::string sha256;            ///< Of the file; of several, over their names and hashes.
  manifest::Manifest manifest;   ///< Empty without one.
  std::filesystem::path folder;  ///< Files that the manifest's steps name are relative to it.
  bool is_made = true;  ///< Else there is no file at `path` yet: size and hash are not known.
};

/// What becomes of a zoo model that was not made yet.
enum class ZooMaking {
  kMake,   ///< It is made, which may take minutes.
  kLeave,  ///< It is described as it will be: Model::is_made is false.
};

/// The model that a user named: a manifest (`.yaml`), a model file, else a name of the zoo, which
/// is made on first use, unless `making` says otherwise.
///
/// `formats` are those wanted, the best first, by name ("onnx") or by the file's extension
/// (".onnx"); workers::FormatsOf() says what a worker takes. Where the manifest has several
/// formats, the first wanted one is taken, and only it is made; without a wish the manifest's
/// first. A file that has no manifest is taken as it is.
///
/// `manifest`: of a file; empty: `model.yaml` beside it, if that speaks of it. Errors: kBadInput
/// (no such file or name, an empty file, a folder that is no model, a bad manifest, a checksum that
/// differs), kNotPossible (none of the formats), and as MakeZooFile.
Result<Model> ResolveModel(const std::string& text, const std::filesystem::path& manifest,
                           const std::vector<std::string>& formats, core::Progress& progress,
                           int wake_fd = -1, ZooMaking making = ZooMaking::kMake);

/// The same in any format.
Result<Model> ResolveModel(const std::string& text, const std::filesystem::path& manifest,
                           core::Progress& progress, int wake_fd = -1);

/// The first of the manifest's files that is of a wanted format (as for ResolveModel; none wanted:
/// the first), or null.
const manifest::ModelFile* ChooseFile(const manifest::Manifest& manifest,
                                      const std::vector<std::string>& formats);

}  // namespace xsp::models

#endif  // XSP_MEASURE_MODELS_MODEL_H_
