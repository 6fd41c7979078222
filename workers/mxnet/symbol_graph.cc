#include "mxnet/symbol_graph.h"

#include <cstdlib>
#include <nlohmann/json.hpp>

#include "core/json_text.h"

namespace xsp::worker_mxnet {
namespace {

using nlohmann::json;

/// The symbol's nodes; an empty list when it is damaged.
json NodesOf(const json& symbol) {
  const auto nodes = symbol.is_object() ? symbol.find("nodes") : symbol.end();
  return symbol.is_object() && nodes != symbol.end() && nodes->is_array() ? *nodes : json::array();
}

std::string TextOf(const json& node, const char* key) {
  const auto found = node.find(key);
  return found != node.end() && found->is_string() ? found->get<std::string>() : "";
}

bool IsOperator(const json& node) { return node.is_object() && TextOf(node, "op") != "null"; }

/// "(1, 3, 224, 224)" or "[1, 3]"; -1 of newer versions is 0 of older ones.
std::vector<std::int64_t> ParseShape(const std::string& text) {
  std::vector<std::int64_t> shape;
  for (const char* at = text.c_str(); *at;) {
    char* end = nullptr;
    const long long size = std::strtoll(at, &end, 10);
    if (end == at) {
      ++at;
      continue;
    }
    shape.push_back(size > 0 ? size : 0);
    at = end;
  }
  return shape;
}

}  // namespace

std::vector<Operator> OperatorsOf(const std::string& symbol_json) {
  std::vector<Operator> operators;
  for (const json& node : NodesOf(core::ParseJson(symbol_json))) {
    if (!IsOperator(node)) continue;
    Operator added = {TextOf(node, "name"), TextOf(node, "op"), {}};
    for (const json& subgraph : node.value("subgraphs", json::array()))
      for (const json& part : NodesOf(subgraph))
        if (IsOperator(part)) added.fused_from.push_back(TextOf(part, "name"));
    operators.push_back(std::move(added));
  }
  return operators;
}

std::map<std::string, std::vector<std::int64_t>> ShapesOf(const std::string& symbol_json) {
  std::map<std::string, std::vector<std::int64_t>> shapes;
  for (const json& node : NodesOf(core::ParseJson(symbol_json))) {
    if (!node.is_object() || IsOperator(node)) continue;
    const auto attributes = node.find("attrs");
    if (attributes == node.end() || !attributes->is_object()) continue;
    const std::string shape = TextOf(*attributes, "__shape__");
    if (!shape.empty()) shapes[TextOf(node, "name")] = ParseShape(shape);
  }
  return shapes;
}

}  // namespace xsp::worker_mxnet
