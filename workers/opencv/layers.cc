#include "opencv/layers.h"

#include <algorithm>
#include <string_view>

#include "harness/fact.h"

namespace xsp::worker_opencv {

using worker::Intern;

namespace {

using cv::dnn::MatShape;

std::string TypeName(int type) {
  switch (CV_MAT_DEPTH(type)) {
    case CV_32F:
      return "float32";
    case CV_64F:
      return "float64";
    case CV_8S:
      return "int8";
    case CV_8U:
      return "uint8";
    case CV_32S:
      return "int32";
    default:
      return "float16";  // CV_16F, and CV_16S, in which older versions keep it.
  }
}

template <typename Sizes>
void AddShape(const Sizes& sizes, std::size_t rank, std::string& list) {
  list += list.empty() ? "[" : ",[";
  for (std::size_t i = 0; i < rank; ++i) list += (i > 0 ? "," : "") + std::to_string(sizes[i]);
  list += "]";
}

void AddType(const std::string& type, std::string& list) {
  list += (list.empty() ? "" : ",") + type;
}

/// The model's own name of a layer: the ONNX importer puts a mark before it.
std::string OwnName(const std::string& name) {
  constexpr std::string_view kMark = "onnx_node!";
  return name.starts_with(kMark) ? name.substr(kMark.size()) : name;
}

struct Keys {
  xsp_string input_shapes = Intern("input_shapes");
  xsp_string input_types = Intern("input_types");
  xsp_string output_shapes = Intern("output_shapes");
  xsp_string fused_from = Intern("fused_from");
  xsp_string placed = Intern("placed");
};

void Attribute(xsp_span span, xsp_string key, std::string_view value) {
  if (span && !value.empty()) xsp_attribute(span, key, value.data(), value.size());
}

}  // namespace

Layers::Layers(cv::dnn::Net& net, const std::vector<MatShape>& inputs) {
  std::vector<int> ids;
  std::vector<std::vector<MatShape>> in, out;
  net.getLayersShapes(inputs, ids, in, out);
  const std::size_t count = net.getLayerNames().size();
  for (std::size_t id = 1; id <= count; ++id) {
    const auto found = net.getLayer(static_cast<int>(id));
    const std::string name = OwnName(found->name);
    Layer layer{name, found->type, Intern(name), Intern(found->type), {}, "", "", ""};
    const bool is_int8 = layer.type.ends_with("Int8");
    for (const auto& input : net.getLayerInputs(static_cast<int>(id))) {
      const int input_id = net.getLayerId(input->name);
      if (input_id > 0) layer.inputs.push_back(static_cast<std::size_t>(input_id) - 1);
    }
    std::string shapes, types, results;
    const auto place = std::find(ids.begin(), ids.end(), static_cast<int>(id));
    if (place != ids.end()) {
      const auto at = static_cast<std::size_t>(place - ids.begin());
      for (const MatShape& shape : in[at]) {
        AddShape(shape, shape.size(), shapes);
        AddType(is_int8 ? "int8" : "float32", types);
      }
      for (const MatShape& shape : out[at]) AddShape(shape, shape.size(), results);
    }
    for (const cv::Mat& weights : found->blobs) {
      AddShape(weights.size, static_cast<std::size_t>(weights.dims), shapes);
      AddType(TypeName(weights.type()), types);
    }
    layer.input_shapes = "[" + shapes + "]";
    layer.input_types = "[" + types + "]";
    layer.output_shapes = "[" + results + "]";
    layers_.push_back(std::move(layer));
  }
}

bool Layers::HasInt8() const {
  return std::any_of(layers_.begin(), layers_.end(),
                     [](const Layer& layer) { return layer.type.ends_with("Int8"); });
}

/// The layer that ran what `layer` stands for: itself, or the last of its inputs that ran.
std::size_t Layers::RunBy(std::size_t layer, const std::vector<double>& ticks) const {
  while (ticks[layer] <= 0 && !layers_[layer].inputs.empty()) {
    const auto& inputs = layers_[layer].inputs;
    const std::size_t last = *std::max_element(inputs.begin(), inputs.end());
    if (last >= layer) break;  // Not in order: the layers are unknown.
    layer = last;
  }
  return layer;
}

void Layers::Record(cv::dnn::Net& net, xsp_span call, std::uint64_t start_ns, std::uint64_t end_ns,
                    bool with_details) const {
  static const Keys keys;
  std::vector<double> ticks;
  net.getPerfProfile(ticks);
  ticks.resize(layers_.size(), 0);
  std::vector<std::string> fused(layers_.size());
  for (std::size_t i = 0; with_details && i < layers_.size(); ++i) {
    const std::size_t by = RunBy(i, ticks);
    if (by != i) fused[by] += "," + layers_[i].name;
  }
  const double ns_per_tick = 1e9 / cv::getTickFrequency();
  std::uint64_t at_ns = start_ns;
  for (std::size_t i = 0; i < layers_.size(); ++i) {
    if (ticks[i] <= 0) continue;
    const Layer& layer = layers_[i];
    const auto took_ns = static_cast<std::uint64_t>(ticks[i] * ns_per_tick);
    const std::uint64_t duration_ns = std::min(took_ns, end_ns - at_ns);
    const xsp_span span =
        xsp_complete_in(call, XSP_LEVEL_LAYER, layer.type_id, layer.name_id, at_ns, duration_ns);
    at_ns += duration_ns;
    if (!with_details) continue;
    Attribute(span, keys.input_shapes, layer.input_shapes);
    Attribute(span, keys.input_types, layer.input_types);
    Attribute(span, keys.output_shapes, layer.output_shapes);
    if (!fused[i].empty()) Attribute(span, keys.fused_from, layer.name + fused[i]);
  }
  Attribute(call, keys.placed, "in sequence");
}

}  // namespace xsp::worker_opencv
