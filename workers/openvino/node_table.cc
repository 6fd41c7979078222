#include "openvino/node_table.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <utility>

#include "harness/fact.h"
#include "openvino/settings.h"

namespace xsp::worker_openvino {

using worker::Intern;

namespace {

constexpr std::size_t kUnknownOrder = std::numeric_limits<std::size_t>::max();

std::string Info(const ov::Node& node, const char* key) {
  const auto& info = node.get_rt_info();
  const auto found = info.find(key);
  return found != info.end() && found->second.is<std::string>() ? found->second.as<std::string>()
                                                                : "";
}

/// Lists as attributes hold them: "[[1,3,224,224],[64,3,7,7]]" and "[float32,float32]".
struct PortTexts {
  std::string shapes, types;
  bool is_fixed = true;

  void Add(const ov::PartialShape& shape, const ov::element::Type& type) {
    is_fixed = is_fixed && shape.is_static();
    if (!is_fixed) return;
    if (!types.empty()) {
      shapes += ',';
      types += ',';
    }
    shapes += '[';
    for (std::size_t i = 0; i < shape.size(); ++i) {
      shapes += (i > 0 ? "," : "") + std::to_string(shape[i].get_length());
    }
    shapes += ']';
    types += TypeName(type);
  }
};

std::string Listed(const PortTexts& ports, const std::string& list) {
  return ports.is_fixed ? "[" + list + "]" : "";
}

Node NodeOf(const ov::Node& from) {
  Node node;
  node.name = Intern(from.get_friendly_name());
  const std::string type = Info(from, "layerType");
  node.type = Intern(type.empty() ? from.get_type_name() : type);
  node.implementation = Info(from, "primitiveType");
  const std::string precision = Info(from, "runtimePrecision");
  if (!precision.empty()) node.dtype = TypeName(ov::element::Type(precision));
  node.fused_from = Info(from, "originalLayersNames");
  PortTexts inputs, outputs;
  for (const auto& port : from.inputs()) {
    inputs.Add(port.get_partial_shape(), port.get_element_type());
  }
  for (const auto& port : from.outputs()) {
    outputs.Add(port.get_partial_shape(), port.get_element_type());
  }
  node.input_shapes = Listed(inputs, inputs.shapes);
  node.input_types = Listed(inputs, inputs.types);
  node.output_shapes = Listed(outputs, outputs.shapes);
  return node;
}

bool IsProduct(const std::string& type) {
  return type == "Convolution" || type == "Deconvolution" || type == "FullyConnected" ||
         type == "MatMul";
}

struct Keys {
  xsp_string implementation = Intern("implementation");
  xsp_string dtype = Intern("dtype");
  xsp_string fused_from = Intern("fused_from");
  xsp_string input_shapes = Intern("input_shapes");
  xsp_string input_types = Intern("input_types");
  xsp_string output_shapes = Intern("output_shapes");
};

void Attribute(xsp_span span, xsp_string key, const std::string& value) {
  if (span && !value.empty()) xsp_attribute(span, key, value.data(), value.size());
}

}  // namespace

NodeTable::NodeTable(const ov::CompiledModel& compiled) {
  for (const auto& node : compiled.get_runtime_model()->get_ops()) {
    const std::string text = Info(*node, "execOrder");
    std::size_t order = kUnknownOrder;
    std::from_chars(text.data(), text.data() + text.size(), order);
    Placed placed{NodeOf(*node), order};
    if (IsProduct(Info(*node, "layerType"))) {
      ++products_;
      integer_products_ += placed.node.dtype == "int8" || placed.node.dtype == "uint8";
    }
    nodes_.emplace(node->get_friendly_name(), std::move(placed));
  }
  KeepFirstNames();
}

void NodeTable::KeepFirstNames() {
  struct Named {
    std::size_t order;
    xsp_string type, name;
  };
  static std::vector<Named> first;  // Of the first model, in the order of execution.
  std::vector<Placed*> placed;
  for (auto& [name, node] : nodes_) {
    if (node.order != kUnknownOrder) placed.push_back(&node);
  }
  std::ranges::sort(placed, {}, &Placed::order);
  if (first.empty()) {
    for (const Placed* one : placed) first.push_back({one->order, one->node.type, one->node.name});
    return;
  }
  const bool is_same = std::ranges::equal(placed, first, [](const Placed* one, const Named& other) {
    return one->order == other.order && one->node.type == other.type;
  });
  if (!is_same) return;
  for (std::size_t i = 0; i < placed.size(); ++i) placed[i]->node.name = first[i].name;
}

const Node* NodeTable::Find(std::string_view name) const {
  const auto found = nodes_.find(std::string(name));
  return found == nodes_.end() ? nullptr : &found->second.node;
}

std::size_t NodeTable::Order(std::string_view name) const {
  const auto found = nodes_.find(std::string(name));
  return found == nodes_.end() ? kUnknownOrder : found->second.order;
}

std::string NodeTable::FloatingPoint() const {
  std::string found;
  for (const auto& [name, placed] : nodes_) {
    const std::string& dtype = placed.node.dtype;
    if (dtype.find("float") == std::string::npos || dtype == found) continue;
    if (!found.empty()) return "";
    found = dtype;
  }
  return found;
}

bool NodeTable::IsQuantised() const { return 2 * integer_products_ > products_; }

void DescribeLayer(xsp_span span, const Node& node, bool shapes) {
  static const Keys keys;
  Attribute(span, keys.implementation, node.implementation);
  Attribute(span, keys.dtype, node.dtype);
  if (!shapes) return;
  Attribute(span, keys.fused_from, node.fused_from);
  Attribute(span, keys.input_shapes, node.input_shapes);
  Attribute(span, keys.input_types, node.input_types);
  Attribute(span, keys.output_shapes, node.output_shapes);
}

}  // namespace xsp::worker_openvino
