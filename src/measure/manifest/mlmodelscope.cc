#include "measure/manifest/mlmodelscope.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>

#include "core/dtype.h"
#include "measure/manifest/manifest_reader.h"
#include "measure/manifest/version_constraint.h"

namespace xsp::manifest {
namespace {

using nlohmann::json;

/// The frameworks that it had agents for, and the worker that runs their models here.
struct KnownFramework {
  std::string_view theirs;
  std::string_view worker;
};
constexpr std::array<KnownFramework, 5> kFrameworks = {{{"tensorflow", "tensorflow"},
                                                        {"pytorch", "torch"},
                                                        {"mxnet", "mxnet"},
                                                        {"onnxruntime", "onnxruntime"},
                                                        {"tensorrt", "onnxruntime"}}};

std::string Lower(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

bool IsNumberText(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

/// "1.x", "1.15.x", "^1.12", "~1.12", "1.15.0" as our constraints; empty when there is no
/// equivalent.
std::string ConstraintOf(std::string text) {
  if (IsVersionConstraint(text))
    return text.find_first_of("<>=!*") != text.npos ? text : "==" + text;
  if (text.starts_with('^') || text.starts_with('~')) {
    const std::string version = text.substr(1);
    const bool major = text[0] == '^' || std::count(version.begin(), version.end(), '.') == 0;
    const std::size_t first = version.find('.');
    const std::size_t end = major ? first : version.find('.', first + 1);
    const std::string constraint = fmt::format(">={}, =={}.*", version, version.substr(0, end));
    return IsVersionConstraint(constraint) ? constraint : std::string();
  }
  const std::size_t wild = text.find(".x");
  if (wild == std::string::npos) return {};
  const std::string constraint = fmt::format("=={}.*", text.substr(0, wild));
  return IsVersionConstraint(constraint) ? constraint : std::string();
}

/// The last part of a path or address.
std::string LastPart(std::string text) {
  while (text.ends_with('/')) text.pop_back();
  return text.substr(text.rfind('/') + 1);
}

class OldReader {
 public:
  OldReader(const Value& root, Reading& reading)
      : root_(root), manifest_(reading.manifest), problems_(reading.problems) {}

  void Read() {
    manifest_.is_mlmodelscope = true;
    ReadName();
    for (const Member& member : root_.members) ReadMember(member);
    if (root_.Find("model") == nullptr) Error(root_.at, "missing: model");
  }

 private:
  void Note(Position at, std::string what, std::string hint = "") {
    problems_.push_back({at, std::move(what), std::move(hint), false});
  }
  void Error(Position at, std::string what) {
    problems_.push_back({at, std::move(what), "", true});
  }
  void NotMapped(const std::string& path, Position at, std::string hint) {
    Note(at, "not converted: " + path, std::move(hint));
  }

  void ReadName() {
    const Value* name = root_.Find("name");
    if (name == nullptr || name->text.empty()) {
      return Error(name != nullptr ? name->at : root_.at, "missing: name");
    }
    manifest_.title = name->text;
    manifest_.name = name->text;
    for (char& c : manifest_.name)
      if (!IsModelName(std::string("a") + c)) c = '_';
    if (!IsModelName(manifest_.name)) manifest_.name = "model" + manifest_.name;
    if (manifest_.name != name->text)
      Note(name->at, fmt::format("name changed: {} instead of {}", manifest_.name, name->text));
  }

  void ReadMember(const Member& member) {
    const std::string& key = member.key;
    const Value& value = member.value;
    if (key == "name") return;
    if (key == "version") return Take(member, manifest_.version);
    if (key == "description") return Take(member, manifest_.description);
    if (key == "license" || key == "licence") return Take(member, manifest_.licence);
    if (key == "framework") return ReadFramework(value);
    if (key == "references") return ReadReferences(value);
    if (key == "inputs") return ReadInputs(value);
    if (key == "output") return ReadOutput(value, "output");
    if (key == "outputs") return ReadOutputs(value);
    if (key == "model") return ReadModel(value);
    if (key == "attributes") return ReadAttributes(value);
    if (key == "container")
      return NotMapped(key, member.at, "models run in workers, not in containers");
    if (key == "preprocess" || key == "postprocess" || key == "before_preprocess" ||
        key == "after_preprocess" || key == "before_postprocess" || key == "after_postprocess") {
      return NotMapped(key, member.at, "its code is not run; write its steps: docs/pipelines.md");
    }
    NotMapped(key, member.at, "");
  }

  void Take(const Member& member, std::string& target) {
    if (member.value.kind == Value::Kind::kScalar && !member.value.text.empty()) {
      target = member.value.text;
    } else {
      Error(member.value.at, fmt::format("{} is not text: {}", member.key, KindOf(member.value)));
    }
  }

  void ReadFramework(const Value& framework) {
    const Value* name = framework.Find("name");
    if (name == nullptr) return Error(framework.at, "missing: framework.name");
    const std::string theirs = Lower(name->text);
    const auto known =
        std::find_if(kFrameworks.begin(), kFrameworks.end(),
                     [&](const KnownFramework& item) { return item.theirs == theirs; });
    if (known == kFrameworks.end()) {
      NotMapped("framework " + name->text, name->at,
                "no worker reads its files; export the model to ONNX");
    } else {
      manifest_.framework.name = known->worker;
      if (theirs == "tensorrt")
        Note(name->at, "framework TensorRT was replaced by onnxruntime",
             "its TensorRT provider runs ONNX");
    }
    const Value* version = framework.Find("version");
    if (version == nullptr || theirs == "tensorrt") return;
    manifest_.framework.version = ConstraintOf(version->text);
    if (manifest_.framework.version.empty())
      NotMapped("framework.version " + version->text, version->at, "");
  }

  void ReadReferences(const Value& references) {
    for (const Value& item : references.items)
      if (!item.text.empty()) manifest_.reference.push_back(item.text);
    if (!references.text.empty()) manifest_.reference.push_back(references.text);
  }

  void ReadInputs(const Value& inputs) {
    if (!inputs.is_list()) return Error(inputs.at, "inputs is not a list: " + KindOf(inputs));
    for (std::size_t i = 0; i < inputs.items.size(); ++i)
      ReadInput(inputs.items[i], fmt::format("inputs[{}]", i));
  }

  void ReadInput(const Value& input, const std::string& where) {
    const Value* type = input.Find("type");
    const Value* parameters = input.Find("parameters");
    if (type == nullptr || parameters == nullptr || !parameters->is_map())
      return Error(input.at, where + " needs type and parameters");
    if (type->text != "image") {
      return NotMapped(fmt::format("{} of type {}", where, type->text), type->at,
                       "only images map; write the input's name, dtype and shape");
    }
    Tensor tensor;
    tensor.name = NameOfLayer(*parameters, "input_layer", where, "input");
    tensor.dtype = ElementType(*parameters, where);
    ReadImage(*parameters, where, tensor);
    for (const Member& member : parameters->members) {
      static constexpr std::array<std::string_view, 8> kTaken = {
          "element_type", "input_layer", "layer_name", "layout",
          "color_mode",   "dimensions",  "mean",       "scale"};
      if (std::find(kTaken.begin(), kTaken.end(), member.key) == kTaken.end())
        NotMapped(fmt::format("{}.{}", where, member.key), member.at,
                  "write it as a step: docs/pipelines.md");
    }
    manifest_.inputs.push_back(std::move(tensor));
  }

  /// The image's shape, and the steps from a file to it.
  void ReadImage(const Value& parameters, const std::string& where, Tensor& tensor) {
    const Value* layout = parameters.Find("layout");
    std::string axes = layout != nullptr ? layout->text : "CHW";
    if (axes.size() == 4 && axes[0] == 'N') axes.erase(0, 1);
    if (axes != "CHW" && axes != "HWC") {
      NotMapped(fmt::format("{}.layout {}", where, axes), layout->at, "CHW is assumed");
      axes = "CHW";
    }
    const Value* dimensions = parameters.Find("dimensions");
    std::vector<std::int64_t> sizes;
    if (dimensions != nullptr) {
      for (const Value& size : dimensions->items)
        if (size.scalar.is_number_integer()) sizes.push_back(size.scalar.get<std::int64_t>());
    }
    if (sizes.size() == 4) sizes.erase(sizes.begin());
    if (sizes.size() != 3 || *std::min_element(sizes.begin(), sizes.end()) < 1)
      return Error(parameters.at, where + " needs dimensions: three positive numbers");
    // Both orders are found in published manifests, whatever the layout: channels are few.
    const bool channels_first = sizes[0] <= 4 || sizes[2] > 4;
    const std::int64_t channels = channels_first ? sizes[0] : sizes[2];
    const std::int64_t height = channels_first ? sizes[1] : sizes[0];
    const std::int64_t width = channels_first ? sizes[2] : sizes[1];
    tensor.layout = "N" + axes;
    tensor.shape = axes == "CHW" ? std::vector<std::int64_t>{kBatch, channels, height, width}
                                 : std::vector<std::int64_t>{kBatch, height, width, channels};
    if (!manifest_.preprocess.empty()) {
      return NotMapped(where + "'s pre-processing", parameters.at, "a pipeline prepares one image");
    }
    AddStep({{"step", "decode"}, {"colour", channels == 1 ? "grey" : "rgb"}}, parameters.at);
    AddStep({{"step", "resize"}, {"width", width}, {"height", height}}, parameters.at);
    ReadColours(parameters, where);
    ReadNormalisation(parameters, where);
    AddStep({{"step", "layout"}, {"order", axes == "CHW" ? "nchw" : "nhwc"}}, parameters.at);
    if (tensor.dtype != "float32") AddStep({{"step", "cast"}, {"to", tensor.dtype}}, parameters.at);
  }

  void ReadColours(const Value& parameters, const std::string& where) {
    const Value* mode = parameters.Find("color_mode");
    if (mode == nullptr || Lower(mode->text) == "rgb") return;
    if (Lower(mode->text) == "bgr") {
      AddStep({{"step", "colour_order"}, {"order", "bgr"}}, mode->at);
    } else {
      NotMapped(fmt::format("{}.color_mode {}", where, mode->text), mode->at, "");
    }
  }

  /// (value - mean) / scale, of values from 0 to 255.
  void ReadNormalisation(const Value& parameters, const std::string& where) {
    json step = {{"step", "normalise"}};
    Position at = parameters.at;
    for (const auto& [theirs, ours] : {std::pair("mean", "mean"), std::pair("scale", "std")}) {
      const Value* value = parameters.Find(theirs);
      if (value == nullptr) continue;
      const json number = ToJson(*value);
      const bool numbers =
          number.is_number() || (number.is_array() && !number.empty() &&
                                 std::all_of(number.begin(), number.end(),
                                             [](const json& item) { return item.is_number(); }));
      if (!numbers) {
        NotMapped(fmt::format("{}.{}", where, theirs), value->at, "neither a number nor a list");
        continue;
      }
      step[ours] = number;
      at = value->at;
    }
    AddStep(std::move(step), at);
  }

  void AddStep(json step, Position at) {
    const std::string name = step["step"];
    manifest_.preprocess.push_back({name, std::move(step), at});
  }

  std::string ElementType(const Value& parameters, const std::string& where) {
    const Value* type = parameters.Find("element_type");
    if (type == nullptr) return "float32";
    if (std::find(core::kDtypeNames.begin(), core::kDtypeNames.end(), type->text) !=
        core::kDtypeNames.end())
      return type->text;
    Error(type->at, fmt::format("unknown {}.element_type: {}", where, type->text));
    return "float32";
  }

  /// A layer's name; a number counts the model's inputs or outputs, which are taken in order.
  std::string NameOfLayer(const Value& parameters, std::string_view key, const std::string& where,
                          const std::string& otherwise) {
    const Value* layer = parameters.Find(key);
    if (layer == nullptr) layer = parameters.Find("layer_name");
    if (layer == nullptr || layer->text.empty()) return otherwise;
    if (!IsNumberText(layer->text)) return layer->text;
    Note(layer->at, fmt::format("{}.{} is a number: named {}", where, key, otherwise),
         "give the tensor's name if the backend uses names");
    return otherwise;
  }

  void ReadOutputs(const Value& outputs) {
    if (!outputs.is_list()) return ReadOutput(outputs, "outputs");
    for (std::size_t i = 0; i < outputs.items.size(); ++i)
      ReadOutput(outputs.items[i], fmt::format("outputs[{}]", i));
  }

  void ReadOutput(const Value& output, const std::string& where) {
    const Value* type = output.Find("type");
    if (type == nullptr) return Error(output.at, where + " needs a type");
    const std::string kind = Lower(type->text);
    manifest_.task = kind == "boundingbox"                           ? "object detection"
                     : kind == "feature" || kind == "classification" ? "image classification"
                                                                     : type->text;
    const Value* parameters = output.Find("parameters");
    if (parameters == nullptr) return;
    bool named = false;
    for (const Member& member : parameters->members)
      named |= ReadOutputParameter(member, *parameters, where);
    if (!named) return;
    if (kind == "feature" || kind == "classification") {
      manifest_.postprocess.push_back({"top_k", {{"step", "top_k"}, {"k", 5}}, type->at});
    } else {
      NotMapped(fmt::format("{} of type {}", where, type->text), type->at,
                "write its post-processing: docs/pipelines.md");
    }
  }

  /// Whether it names an output tensor.
  bool ReadOutputParameter(const Member& member, const Value& parameters,
                           const std::string& where) {
    const std::string path = fmt::format("{}.{}", where, member.key);
    if (member.key == "element_type") return false;
    if (member.key.ends_with("_layer") || member.key == "layer_name") {
      Tensor tensor;
      const std::string otherwise = manifest_.outputs.empty()
                                        ? "output"
                                        : fmt::format("output{}", manifest_.outputs.size() + 1);
      tensor.name = NameOfLayer(parameters, member.key, where, otherwise);
      if (parameters.Find("element_type") != nullptr) tensor.dtype = ElementType(parameters, where);
      manifest_.outputs.push_back(std::move(tensor));
      return true;
    }
    const bool address = member.key.ends_with("_url");
    NotMapped(path, member.at,
              address ? "download it, and name it as `labels` of the top_k step" : "");
    return false;
  }

  void ReadModel(const Value& model) {
    const Value* graph = model.Find("graph_path");
    if (graph == nullptr || graph->text.empty())
      return Error(model.at, "missing: model.graph_path");
    ModelFile file;
    file.format = FormatOfFramework(manifest_.framework.name.empty() ? WorkerOfRoot()
                                                                     : manifest_.framework.name);
    file.file = LastPart(graph->text);
    for (const Member& member : model.members) {
      const std::string path = "model." + member.key;
      if (member.key == "graph_path" || member.key == "description") continue;
      if (member.key == "graph_checksum" && member.value.text.size() == 64) {
        file.sha256 = Lower(member.value.text);
      } else if (member.key == "base_url") {
        manifest_.source = member.value.text;
        Note(member.at, "not fetched: " + path, "download the file and put it beside the manifest");
      } else if (member.key.ends_with("_checksum")) {
        NotMapped(path, member.at, "XSP uses SHA-256 checksums");
      } else if (member.key == "is_archive") {
        if (member.value.scalar == json(true))
          NotMapped(path, member.at, "unpack the archive beside the manifest");
      } else if (member.key == "weights_path") {
        NotMapped(path, member.at, "put it beside the graph, under the name the framework expects");
      } else {
        NotMapped(path, member.at, "");
      }
    }
    manifest_.files.push_back(std::move(file));
  }

  /// `model` may stand before `framework`.
  std::string WorkerOfRoot() const {
    const Value* framework = root_.Find("framework");
    const Value* name = framework != nullptr ? framework->Find("name") : nullptr;
    for (const KnownFramework& known : kFrameworks)
      if (name != nullptr && Lower(name->text) == known.theirs) return std::string(known.worker);
    return {};
  }

  void ReadAttributes(const Value& attributes) {
    for (const Member& member : attributes.members) {
      if (member.key == "training_dataset" || member.key == "weights_dataset") {
        manifest_.weights = "trained on " + member.value.text;
      } else {
        NotMapped("attributes." + member.key, member.at, "");
      }
    }
  }

  const Value& root_;
  Manifest& manifest_;
  std::vector<Problem>& problems_;
};

bool HasType(const Value* list) {
  if (list == nullptr) return false;
  if (list->is_map()) return list->Find("type") != nullptr;
  return !list->items.empty() && list->items.front().is_map() &&
         list->items.front().Find("type") != nullptr;
}

}  // namespace

bool IsMlModelScope(const Value& root) {
  const Value* model = root.Find("model");
  return (model != nullptr && model->is_map() && model->Find("graph_path") != nullptr) ||
         root.Find("container") != nullptr || root.Find("output") != nullptr ||
         HasType(root.Find("inputs")) || HasType(root.Find("outputs"));
}

void ReadMlModelScope(const Value& root, Reading& reading) { OldReader(root, reading).Read(); }

}  // namespace xsp::manifest
