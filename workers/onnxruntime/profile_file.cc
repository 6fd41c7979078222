#include "onnxruntime/profile_file.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string_view>

#include "core/json_text.h"

namespace xsp::worker_onnxruntime {
namespace {

using nlohmann::json;

constexpr std::string_view kNodeSuffix = "_kernel_time";

std::string TypeName(const std::string& onnx) {
  if (onnx == "float") return "float32";
  if (onnx == "double") return "float64";
  return onnx;
}

/// [{"float":[1,3]},{"int64":[]}] -> "[[1,3],[]]" and "[float32,int64]".
void ReadTensors(const json& tensors, std::string& shapes, std::string* types) {
  if (!tensors.is_array()) return;
  shapes = "[";
  if (types) *types = "[";
  for (const json& tensor : tensors) {
    if (!tensor.is_object() || tensor.empty()) continue;
    const auto& item = *tensor.items().begin();
    if (shapes.size() > 1) shapes += ',';
    shapes += core::JsonText(item.value());
    if (!types) continue;
    if (types->size() > 1) *types += ',';
    *types += TypeName(item.key());
  }
  shapes += ']';
  if (types) *types += ']';
}

/// Arguments are texts, numbers too.
std::optional<double> Number(const json& arguments, const char* key) {
  const auto it = arguments.find(key);
  if (it == arguments.end() || !it->is_string()) return std::nullopt;
  return std::strtod(it->get_ref<const std::string&>().c_str(), nullptr);
}

std::string Text(const json& arguments, const char* key) {
  const auto it = arguments.find(key);
  return it != arguments.end() && it->is_string() ? it->get<std::string>() : "";
}

std::optional<Node> ReadNode(const json& event) {
  const std::string name = event.value("name", "");
  const auto arguments = event.find("args");
  if (!name.ends_with(kNodeSuffix) || arguments == event.end() || !arguments->is_object()) {
    return std::nullopt;
  }
  Node node;
  node.type = Text(*arguments, "op_name");
  if (node.type.empty()) return std::nullopt;
  node.name = name.substr(0, name.size() - kNodeSuffix.size());
  if (node.name.empty()) node.name = node.type + "_" + Text(*arguments, "node_index");
  node.provider = Text(*arguments, "provider");
  node.start_us = event.value("ts", std::int64_t{0});
  node.duration_us = event.value("dur", std::int64_t{0});
  ReadTensors(arguments->value("input_type_shape", json()), node.input_shapes, &node.input_types);
  ReadTensors(arguments->value("output_type_shape", json()), node.output_shapes, nullptr);
  node.allocated_bytes = Number(*arguments, "mem_requested_in_use_delta");
  node.bytes_in_use = Number(*arguments, "mem_bytes_requested_in_use");
  return node;
}

bool HoldsGraphs(const Node& node) {
  return node.type == "If" || node.type == "Loop" || node.type == "Scan";
}

/// Rounding down may put the end of an inner node one microsecond behind the outer one's.
bool Contains(const Node& outer, const Node& inner) {
  return outer.start_us <= inner.start_us && inner.start_us < outer.start_us + outer.duration_us &&
         inner.start_us + inner.duration_us <= outer.start_us + outer.duration_us + 1;
}

void FindParents(std::vector<Node>& nodes) {
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    for (std::size_t j = i; j-- > 0 && !nodes[i].parent;) {
      if (HoldsGraphs(nodes[j]) && Contains(nodes[j], nodes[i])) nodes[i].parent = j;
    }
  }
}

}  // namespace

Profile ReadProfile(const std::filesystem::path& path) {
  Profile profile;
  std::ifstream file(path);
  std::string line;
  bool has_graphs = false;
  while (std::getline(file, line)) {
    if (!line.starts_with('{')) continue;
    if (line.ends_with(',')) line.pop_back();
    const json event = core::ParseJson(line);
    if (!event.is_object()) {
      ++profile.unreadable;
    } else if (auto node = ReadNode(event)) {
      has_graphs |= HoldsGraphs(*node);
      profile.nodes.push_back(std::move(*node));
    }
  }
  std::stable_sort(profile.nodes.begin(), profile.nodes.end(), [](const Node& a, const Node& b) {
    return a.start_us != b.start_us ? a.start_us < b.start_us : a.duration_us > b.duration_us;
  });
  if (has_graphs) FindParents(profile.nodes);
  return profile;
}

}  // namespace xsp::worker_onnxruntime
