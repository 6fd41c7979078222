#ifndef XSP_MEASURE_MANIFEST_MANIFEST_H_
#define XSP_MEASURE_MANIFEST_MANIFEST_H_

#include <cstdint>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/result.h"
#include "measure/manifest/document.h"

namespace xsp::manifest {

/// In a shape: as many as the batch has samples.
inline constexpr std::int64_t kBatch = -1;

/// A framework, by the name of its worker ("torch"), and which versions will do.
struct Framework {
  std::string name;
  std::string version;  ///< As measure/manifest/version_constraint.h reads it; empty: any.
};

/// The model in one format.
struct ModelFile {
  std::string format;  ///< "torchscript"; empty where the short form does not tell.
  /// Relative to the manifest, or absolute; of a zoo model, the name it gets in the cache.
  std::string file;
  std::string sha256;  ///< 64 lower-case hexadecimal digits; empty: not known.
};

/// A tensor that goes into the model or comes out of it.
struct Tensor {
  std::string name;
  std::string dtype;                ///< "float32"; of an output it may be empty.
  std::vector<std::int64_t> shape;  ///< Sizes or kBatch; of an output it may be empty.
  std::string layout;               ///< A letter per axis: "NCHW"; may be empty.
  std::optional<std::pair<std::int64_t, std::int64_t>> range;  ///< Of integers; second excluded.
  std::string fill;                                            ///< Synthetic values; may be empty.
  std::optional<double> value;                                 ///< Of an input: everywhere.
};

/// One step of pre- or post-processing (docs/pipelines.md).
struct Step {
  std::string name;
  nlohmann::json parameters;  ///< The step as it stands, its name included.
  Position at;
  std::map<std::string, Position> keys = {};  ///< Of the parameters, where they are known.
};

/// A published figure and who says so.
struct Figure {
  std::int64_t count = 0;
  std::string source;
};

/// What a manifest says of a model; docs/manifests.md describes each field. What it does not say is
/// empty.
struct Manifest {
  std::string name;
  std::string title;
  std::string version;
  std::string task;
  std::string description;
  Framework framework;
  std::vector<ModelFile> files;  ///< In the order of the manifest, which is that of preference.
  std::vector<Tensor> inputs;    ///< In the order of the model's call.
  std::vector<Tensor> outputs;
  std::vector<Step> preprocess;
  std::vector<Step> postprocess;
  std::optional<Figure> parameters;  ///< Trainable numbers.
  std::optional<Figure> flops;       ///< Of one sample, a multiply-add counted as two.
  std::string weights;
  std::string source;
  std::vector<std::string> reference;
  std::string licence;
  std::vector<std::string> needs;  ///< Python modules that the model's code imports.
  bool is_mlmodelscope = false;    ///< It was a manifest of MLModelScope.

  /// The file of a format, or null.
  const ModelFile* FindFile(std::string_view format) const;
};

/// A manifest as far as it could be read, and everything that is wrong with it, in the order of the
/// file.
struct Reading {
  Manifest manifest;
  std::vector<Problem> problems;

  bool ok() const;  ///< Whether none of the problems is an error.
};

/// Reads a manifest's text; one of MLModelScope (docs/manifests.md) is recognised and taken over as
/// far as it maps, the rest becomes problems that are no errors.
Reading ParseManifest(std::string_view text);

/// Whether a file of this name is taken for a manifest.
bool IsManifestName(const std::filesystem::path& path);

/// Reads a manifest's file (at most 1 MiB). Errors: kBadInput, naming every problem with its line
/// and column; as os::ReadFile.
Result<Manifest> ReadManifest(const std::filesystem::path& path);

/// Limit of a manifest's file.
inline constexpr std::uint64_t kManifestLimitBytes = 1 << 20;

/// The inputs as a job file names them (docs/worker-protocol.md); null when there are none.
nlohmann::json InputsForJob(const Manifest& manifest);

/// A list of steps as pipelines are built from: [{"step": NAME, ...}, ...].
nlohmann::json StepsToJson(const std::vector<Step>& steps);

/// The manifest in the long form of today, without empty fields: reading it back gives the
/// same.
nlohmann::json ToJson(const Manifest& manifest);

/// The same as YAML, in the order in which people read it.
std::string ToYaml(const Manifest& manifest);

/// The format of the files that a worker of this name is given when a manifest has the short form
/// (`framework` and `file`).
std::string FormatOfFramework(std::string_view framework);

}  // namespace xsp::manifest

#endif  // XSP_MEASURE_MANIFEST_MANIFEST_H_
