#include "tensorflow/step_stats.h"

#include <algorithm>
#include <functional>

#include "protobuf/message.h"

namespace xsp::worker_tensorflow {
namespace {

using protobuf::Field;
using protobuf::MessageReader;

/// Calls `take` with every field of that number that is text, bytes or a message.
void ForEach(std::string_view message, std::uint32_t number,
             const std::function<void(std::string_view)>& take) {
  MessageReader reader(message);
  for (Field field; reader.Next(field);)
    if (field.number == number && field.is_bytes) take(field.bytes);
}

std::int64_t IntegerOf(std::string_view message, std::uint32_t number) {
  MessageReader reader(message);
  for (Field field; reader.Next(field);)
    if (field.number == number) return field.integer();
  return 0;
}

std::vector<std::int64_t> ReadShape(std::string_view message) {
  std::vector<std::int64_t> shape;
  ForEach(message, 2, [&](std::string_view dim) { shape.push_back(IntegerOf(dim, 1)); });
  return shape;
}

NodeOutput ReadOutput(std::string_view message) {
  NodeOutput output;
  output.slot = IntegerOf(message, 1);
  ForEach(message, 3, [&](std::string_view description) {
    output.type = static_cast<TF_DataType>(IntegerOf(description, 1));
    ForEach(description, 2, [&](std::string_view shape) { output.shape = ReadShape(shape); });
  });
  return output;
}

/// One allocator's part in a node.
void ReadMemory(std::string_view message, NodeStats& node) {
  ForEach(message, 6, [&](std::string_view record) {
    node.allocated_bytes += std::max<std::int64_t>(0, IntegerOf(record, 2));
  });
  node.peak_bytes += IntegerOf(message, 3);
}

/// "[mklcpu 3.1MB 3.1MB] name = Type(inputs)".
void ReadLabel(std::string_view label, NodeStats& node) {
  const std::size_t equals = label.find(" = ");
  if (equals == std::string_view::npos) return;
  const std::string_view call = label.substr(equals + 3);
  const std::size_t open = call.find('(');
  node.type = call.substr(0, open);
  if (open == std::string_view::npos) return;
  const std::size_t close = call.rfind(')');
  node.inputs =
      call.substr(open + 1, close == std::string_view::npos || close < open ? std::string_view::npos
                                                                            : close - open - 1);
}

NodeStats ReadNode(std::string_view message) {
  NodeStats node;
  std::int64_t all_start_us = 0, all_start_ns = 0, op_start_us = 0, op_end_us = 0, op_start_ns = 0,
               op_end_ns = 0;
  const std::pair<std::uint32_t, std::int64_t*> numbers[] = {
      {2, &all_start_us},  {3, &op_start_us},  {4, &op_end_us},
      {13, &all_start_ns}, {14, &op_start_ns}, {15, &op_end_ns}};
  MessageReader reader(message);
  for (Field field; reader.Next(field);) {
    if (field.number == 1) node.name = field.bytes;
    if (field.number == 6) ReadMemory(field.bytes, node);
    if (field.number == 7) node.outputs.push_back(ReadOutput(field.bytes));
    if (field.number == 8) ReadLabel(field.bytes, node);
    for (const auto& [number, value] : numbers)
      if (number == field.number) *value = field.integer();
  }
  if (all_start_ns == 0) {  // Versions before 1.13 told microseconds only.
    all_start_ns = all_start_us * 1000;
    op_start_ns = op_start_us * 1000;
    op_end_ns = op_end_us * 1000;
  }
  node.start_ns = all_start_ns + op_start_ns;
  node.end_ns = std::max(node.start_ns, all_start_ns + op_end_ns);
  return node;
}

bool IsDerived(std::string_view device) {
  return device.find("/stream:") != std::string_view::npos ||
         device.find("/memcpy") != std::string_view::npos;
}

void ReadDevice(std::string_view message, std::vector<NodeStats>& nodes) {
  std::string_view name;
  ForEach(message, 1, [&](std::string_view device) { name = device; });
  if (IsDerived(name)) return;
  ForEach(message, 2, [&](std::string_view node) { nodes.push_back(ReadNode(node)); });
}

/// AttrValue.list.s, joined by commas.
std::string ReadTexts(std::string_view value) {
  std::string joined;
  ForEach(value, 1, [&](std::string_view list) {
    ForEach(list, 2, [&](std::string_view text) {
      if (!joined.empty()) joined += ',';
      joined += text;
    });
  });
  return joined;
}

}  // namespace

std::vector<NodeStats> ReadStepStats(std::string_view run_metadata) {
  std::vector<NodeStats> nodes;
  ForEach(run_metadata, 1, [&](std::string_view stats) {
    ForEach(stats, 1, [&](std::string_view device) { ReadDevice(device, nodes); });
  });
  std::stable_sort(nodes.begin(), nodes.end(), [](const NodeStats& a, const NodeStats& b) {
    return a.start_ns != b.start_ns ? a.start_ns < b.start_ns : a.end_ns > b.end_ns;
  });
  return nodes;
}

std::map<std::string, std::string> ReadFusedOperators(std::string_view run_metadata) {
  std::map<std::string, std::string> fused;
  const auto read_node = [&](std::string_view node) {
    std::string name, operators;
    ForEach(node, 1, [&](std::string_view text) { name = text; });
    ForEach(node, 5, [&](std::string_view attribute) {
      bool wanted = false;
      ForEach(attribute, 1, [&](std::string_view key) { wanted = key == "fused_ops"; });
      if (!wanted) return;
      ForEach(attribute, 2, [&](std::string_view value) { operators = ReadTexts(value); });
    });
    if (!operators.empty()) fused[name] = operators;
  };
  ForEach(run_metadata, 3, [&](std::string_view graph) { ForEach(graph, 1, read_node); });
  return fused;
}

}  // namespace xsp::worker_tensorflow
