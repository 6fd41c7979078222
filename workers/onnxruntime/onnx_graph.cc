#include "onnxruntime/onnx_graph.h"

#include <cstdint>
#include <utility>

#include "protobuf/mapped_file.h"
#include "protobuf/message.h"

namespace xsp::worker_onnxruntime {
namespace {

using protobuf::Field;
using protobuf::MessageReader;

// Numbers of fields in onnx.proto.
constexpr std::uint32_t kModelGraph = 7;
constexpr std::uint32_t kGraphNode = 1, kGraphInitializer = 5;
constexpr std::uint32_t kNodeInput = 1, kNodeOutput = 2, kNodeName = 3, kNodeType = 4;
constexpr std::uint32_t kNodeAttribute = 5, kNodeDomain = 7, kNodeMetadata = 9;
constexpr std::uint32_t kEntryKey = 1, kEntryValue = 2;
constexpr std::uint32_t kAttributeName = 1, kAttributeInteger = 3, kAttributeTensor = 5;
constexpr std::uint32_t kTensorSizes = 1, kTensorName = 8;

struct Tensor {
  std::string name;
  std::vector<std::int64_t> shape;
};

/// False: damaged.
bool ReadTensor(std::string_view message, Tensor& tensor) {
  MessageReader reader(message);
  for (Field field; reader.Next(field);) {
    if (field.number == kTensorName) tensor.name = field.bytes;
    if (field.number != kTensorSizes) continue;
    if (!field.is_bytes) {
      tensor.shape.push_back(field.integer());
    } else if (!protobuf::ReadPacked(field.bytes, tensor.shape)) {
      return false;
    }
  }
  return !reader.damaged();
}

struct NodeAttribute {
  std::string_view name, tensor;
  std::int64_t integer = 0;
};

/// False: damaged.
bool ReadAttribute(std::string_view message, NodeAttribute& attribute) {
  MessageReader reader(message);
  for (Field field; reader.Next(field);) {
    if (field.number == kAttributeName) attribute.name = field.bytes;
    if (field.number == kAttributeInteger) attribute.integer = field.integer();
    if (field.number == kAttributeTensor) attribute.tensor = field.bytes;
  }
  return !reader.damaged();
}

/// The module of "['', 'layer1', 'layer1.0', 'add']", a list of Python: the modules around a node,
/// from the model itself on, and the node.
std::string_view LastModule(std::string_view scopes) {
  const std::size_t node = scopes.rfind(", '");
  if (node == std::string_view::npos) return {};
  scopes = scopes.substr(0, node);
  const std::size_t start = scopes.rfind(" '") + 1;  // 0: it is the first of the list.
  if (start == 0 || !scopes.ends_with('\'')) return {};
  return scopes.substr(start + 1, scopes.size() - start - 2);
}

/// PyTorch's exporter since 2.5 names nodes by operators and tells modules beside them.
void AddPath(std::string_view entry, GraphNode& node) {
  std::string_view key, value;
  MessageReader reader(entry);
  for (Field field; reader.Next(field);) {
    if (field.number == kEntryKey) key = field.bytes;
    if (field.number == kEntryValue) value = field.bytes;
  }
  if (key == "pkg.torch.onnx.name_scopes") node.path = LastModule(value);
}

/// False: damaged.
bool AddNode(std::string_view message, Graph& graph) {
  GraphNode node;
  Tensor value;  // Of a constant.
  MessageReader reader(message);
  for (Field field; reader.Next(field);) {
    if (field.number == kNodeInput) node.inputs.emplace_back(field.bytes);
    if (field.number == kNodeOutput) node.outputs.emplace_back(field.bytes);
    if (field.number == kNodeName) node.name = field.bytes;
    if (field.number == kNodeType) node.type = field.bytes;
    if (field.number == kNodeMetadata) AddPath(field.bytes, node);
    if (field.number == kNodeDomain) node.domain = field.bytes;
    if (field.number != kNodeAttribute) continue;
    NodeAttribute attribute;
    if (!ReadAttribute(field.bytes, attribute)) return false;
    if (attribute.name == "group") node.groups = attribute.integer;
    if (attribute.name == "value" && !ReadTensor(attribute.tensor, value)) return false;
  }
  if (node.type == "Constant") {
    graph.constants.insert(node.outputs.begin(), node.outputs.end());
    for (const std::string& output : node.outputs) graph.shapes[output] = value.shape;
  } else {
    graph.nodes.push_back(std::move(node));
  }
  return !reader.damaged();
}

bool AddConstant(std::string_view message, Graph& graph) {
  Tensor tensor;
  if (!ReadTensor(message, tensor)) return false;
  if (tensor.name.empty()) return true;
  graph.constants.insert(tensor.name);
  graph.shapes[tensor.name] = std::move(tensor.shape);
  return true;
}

std::optional<Graph> ReadParts(std::string_view message) {
  Graph graph;
  MessageReader reader(message);
  for (Field field; reader.Next(field);) {
    if (field.number == kGraphNode && !AddNode(field.bytes, graph)) return std::nullopt;
    if (field.number == kGraphInitializer && !AddConstant(field.bytes, graph)) return std::nullopt;
  }
  if (reader.damaged()) return std::nullopt;
  return graph;
}

}  // namespace

std::optional<Graph> ReadGraph(std::string_view model) {
  MessageReader reader(model);
  for (Field field; reader.Next(field);) {
    if (field.number == kModelGraph && field.is_bytes) return ReadParts(field.bytes);
  }
  return std::nullopt;
}

std::optional<Graph> ReadGraphFile(const std::filesystem::path& path) {
  const protobuf::MappedFile file(path);
  return ReadGraph(file.text());
}

}  // namespace xsp::worker_onnxruntime
