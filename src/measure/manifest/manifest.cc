#include "measure/manifest/manifest.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "measure/manifest/manifest_reader.h"
#include "measure/manifest/mlmodelscope.h"
#include "os/files.h"

namespace xsp::manifest {

using nlohmann::json;

namespace {

json ShapeToJson(const std::vector<std::int64_t>& shape) {
  json list = json::array();
  for (const std::int64_t size : shape) {
    if (size == kBatch) {
      list.push_back("batch");
    } else {
      list.push_back(size);
    }
  }
  return list;
}

void Put(json& object, const char* key, const std::string& text) {
  if (!text.empty()) object[key] = text;
}

/// An input of a single number has a shape, too: without axes.
json TensorToJson(const Tensor& tensor, bool shape_always) {
  json object = {{"name", tensor.name}};
  Put(object, "dtype", tensor.dtype);
  if (shape_always || !tensor.shape.empty()) object["shape"] = ShapeToJson(tensor.shape);
  Put(object, "layout", tensor.layout);
  if (tensor.range) object["range"] = {tensor.range->first, tensor.range->second};
  Put(object, "fill", tensor.fill);
  if (tensor.value) object["value"] = *tensor.value;
  return object;
}

void PutTensors(json& object, const char* key, const std::vector<Tensor>& tensors,
                bool shape_always) {
  for (const Tensor& tensor : tensors) object[key].push_back(TensorToJson(tensor, shape_always));
}

void PutFigure(json& object, const char* key, const std::optional<Figure>& figure) {
  if (!figure) return;
  object[key] = {{"count", figure->count}};
  Put(object[key], "source", figure->source);
}

void PutFiles(json& object, const Manifest& manifest) {
  for (const ModelFile& file : manifest.files) {
    json item = {{"file", file.file}};
    Put(item, "sha256", file.sha256);
    if (file.format.empty()) {
      object.update(item);
    } else {
      object["files"][file.format] = std::move(item);
    }
  }
}

}  // namespace

const ModelFile* Manifest::FindFile(std::string_view format) const {
  for (const ModelFile& file : files)
    if (file.format == format) return &file;
  return nullptr;
}

bool Reading::ok() const {
  return std::none_of(problems.begin(), problems.end(),
                      [](const Problem& problem) { return problem.error; });
}

Reading ParseManifest(std::string_view text) {
  Reading reading;
  const Value root = ParseDocument(text, reading.problems);
  if (!reading.ok()) return reading;
  if (!root.is_map()) {
    reading.problems.push_back({root.at, fmt::format("not a map of keys: {}", KindOf(root)), ""});
  } else if (IsMlModelScope(root)) {
    ReadMlModelScope(root, reading);
  } else {
    ReadOwnManifest(root, reading);
  }
  SortByPosition(reading.problems);
  return reading;
}

bool IsManifestName(const std::filesystem::path& path) {
  return path.extension() == ".yaml" || path.extension() == ".yml";
}

Result<Manifest> ReadManifest(const std::filesystem::path& path) {
  XSP_TRY(const std::string text, os::ReadFile(path, kManifestLimitBytes));
  Reading reading = ParseManifest(text);
  if (reading.ok()) return std::move(reading.manifest);
  std::vector<std::string> lines;
  for (const Problem& problem : reading.problems)
    if (problem.error) lines.push_back(ToString(problem, path.string()));
  return Error{ErrorKind::kBadInput, fmt::format("manifest is wrong: {}", fmt::join(lines, "; ")),
               "docs/manifests.md describes manifests; `xsp model check` checks one."};
}

json InputsForJob(const Manifest& manifest) {
  json inputs;
  for (const Tensor& tensor : manifest.inputs) {
    json input = TensorToJson(tensor, true);
    // Workers do not know it: it says how to read the axes, not what to allocate.
    input.erase("layout");
    inputs.push_back(std::move(input));
  }
  return inputs;
}

json StepsToJson(const std::vector<Step>& steps) {
  json list = json::array();
  for (const Step& step : steps) list.push_back(step.parameters);
  return list;
}

json ToJson(const Manifest& manifest) {
  json object = {{"name", manifest.name}};
  Put(object, "title", manifest.title);
  Put(object, "version", manifest.version);
  Put(object, "task", manifest.task);
  Put(object, "description", manifest.description);
  if (!manifest.framework.name.empty()) {
    object["framework"] = {{"name", manifest.framework.name}};
    Put(object["framework"], "version", manifest.framework.version);
  }
  PutFiles(object, manifest);
  PutTensors(object, "inputs", manifest.inputs, true);
  PutTensors(object, "outputs", manifest.outputs, false);
  if (!manifest.preprocess.empty()) object["preprocess"] = StepsToJson(manifest.preprocess);
  if (!manifest.postprocess.empty()) object["postprocess"] = StepsToJson(manifest.postprocess);
  PutFigure(object, "parameters", manifest.parameters);
  PutFigure(object, "flops", manifest.flops);
  Put(object, "weights", manifest.weights);
  Put(object, "source", manifest.source);
  if (!manifest.reference.empty()) object["reference"] = manifest.reference;
  Put(object, "licence", manifest.licence);
  if (!manifest.needs.empty()) object["needs"] = manifest.needs;
  return object;
}

std::string FormatOfFramework(std::string_view framework) {
  if (framework == "torch") return "torchscript";
  if (framework == "onnxruntime" || framework == "openvino") return "onnx";
  return std::string(framework);
}

}  // namespace xsp::manifest
