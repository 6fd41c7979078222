#include "onnxruntime/fused_nodes.h"

#include <algorithm>
#include <string_view>
#include <unordered_set>
#include <utility>

namespace xsp::worker_onnxruntime {
namespace {

constexpr std::size_t kNone = static_cast<std::size_t>(-1);

using Index = std::unordered_map<std::string_view, std::size_t>;

std::size_t Find(const Index& index, std::string_view key) {
  const auto found = index.find(key);
  return found == index.end() ? kNone : found->second;
}

/// By value: the node that computes it.
Index Producers(const Graph& graph) {
  Index producers;
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    for (const std::string& output : graph.nodes[i].outputs) {
      if (!output.empty()) producers.emplace(output, i);
    }
  }
  return producers;
}

/// By name: the node, where only one has it.
Index Names(const Graph& graph) {
  Index names;
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    const auto [place, fresh] = names.emplace(graph.nodes[i].name, i);
    if (!fresh) place->second = kNone;
  }
  names.erase("");
  return names;
}

/// "X_token_12" -> "X": ONNX Runtime makes names unique so.
std::string_view WithoutToken(std::string_view name) {
  constexpr std::string_view kMark = "_token_";
  const std::size_t mark = name.rfind(kMark);
  if (mark == std::string_view::npos) return name;
  const std::string_view digits = name.substr(mark + kMark.size());
  const bool is_number = !digits.empty() && digits.find_first_not_of("0123456789") == digits.npos;
  return is_number ? name.substr(0, mark) : name;
}

/// The value that a node of ONNX Runtime's blocked layout is named by; empty: it is none.
std::string_view ValueOfBlockedNode(std::string_view name) {
  for (const std::string_view suffix : {"_bn_nchwc", "_nchwc"}) {
    if (name.ends_with(suffix)) return name.substr(0, name.size() - suffix.size());
  }
  return {};
}

/// Whether an optimiser puts such nodes in to change layout, type or place of a value.
bool IsOfConverter(std::string_view type) {
  constexpr std::string_view kTypes[] = {"ReorderInput", "ReorderOutput",    "Transpose",
                                         "Cast",         "DequantizeLinear", "QuantizeLinear",
                                         "Reshape",      "Squeeze",          "MemcpyFromHost",
                                         "MemcpyToHost", "Unsqueeze"};
  return std::find(std::begin(kTypes), std::end(kTypes), type) != std::end(kTypes);
}

class Matcher {
 public:
  Matcher(const Graph& before, const Graph& after)
      : before_(before.nodes),
        after_(after.nodes),
        constants_(after.constants),
        weights_(before.constants),
        made_before_(Producers(before)),
        made_after_(Producers(after)),
        owner_(before_.size(), kNone),
        anchor_(after_.size(), kNone),
        is_hidden_(after_.size()) {
    found_.parts.resize(after_.size());
  }

  NodeParts Run(const Index& names_before, const Index& names_after) {
    FindAnchors(names_before, names_after);
    FindEnds();
    ExtendForwards();
    for (std::size_t node = 0; node < after_.size(); ++node) {
      if (!found_.parts[node].empty()) WalkBack(node);
    }
    for (auto& parts : found_.parts) std::sort(parts.begin(), parts.end());
    return std::move(found_);
  }

 private:
  bool IsKnown(std::string_view value) const {
    return made_after_.contains(value) || constants_.contains(std::string(value));
  }

  void Take(std::size_t node, std::size_t part) {
    auto& parts = found_.parts[node];
    if (std::find(parts.begin(), parts.end(), part) == parts.end()) parts.push_back(part);
    if (owner_[part] == kNone) owner_[part] = node;
  }

  std::size_t AnchorOf(const GraphNode& node, const Index& names_before,
                       const Index& names_after) const {
    const std::size_t same = Find(names_before, node.name);
    if (same != kNone) return same;
    const std::string_view name = WithoutToken(node.name);
    const std::size_t value = Find(made_before_, ValueOfBlockedNode(name));
    if (value != kNone) return value;
    // An inserted node may be named like one that is still there.
    return names_after.contains(name) ? kNone : Find(names_before, name);
  }

  /// Which node of `before` a node's name stands for.
  void FindAnchors(const Index& names_before, const Index& names_after) {
    for (std::size_t node = 0; node < after_.size(); ++node) {
      const auto& outputs = after_[node].outputs;
      is_hidden_[node] = std::none_of(outputs.begin(), outputs.end(), [&](const auto& output) {
        return made_before_.contains(output);
      });
      anchor_[node] = AnchorOf(after_[node], names_before, names_after);
      if (anchor_[node] != kNone && is_hidden_[node]) Take(node, anchor_[node]);
    }
  }

  /// Whether a node only brings the value `part` of a node with hidden results back into its old
  /// form.
  bool IsBringingBack(std::size_t node, std::size_t part) const {
    const GraphNode& converter = after_[node];
    if (anchor_[node] != kNone || !IsOfConverter(converter.type)) return false;
    if (before_[part].type == converter.type) return false;
    const std::size_t maker =
        converter.inputs.empty() ? kNone : Find(made_after_, converter.inputs.front());
    return maker != kNone && is_hidden_[maker];
  }

  /// The nodes of `before` whose results a node has under their names.
  void FindEnds() {
    for (std::size_t node = 0; node < after_.size(); ++node) {
      bool has_end = false;
      for (const std::string& output : after_[node].outputs) {
        const std::size_t part = Find(made_before_, output);
        if (part == kNone || owner_[part] != kNone || IsBringingBack(node, part)) continue;
        Take(node, part);
        has_end = true;
      }
      const std::size_t anchor = anchor_[node];
      if (has_end && anchor != kNone && owner_[anchor] == kNone) Take(node, anchor);
    }
  }

  /// Whether nothing is known of a node, and it is none that an optimiser puts in.
  bool IsUnexplained(std::size_t node) const {
    return found_.parts[node].empty() && !IsOfConverter(after_[node].type);
  }

  /// The values that a node of `after` reads, and the nodes that made them: what the optimiser put
  /// in between is looked through.
  struct Sources {
    std::unordered_set<std::string_view> values;
    std::unordered_set<std::size_t> nodes;
  };

  Sources SourcesOf(std::size_t node) const {
    Sources sources;
    std::vector<std::size_t> open = {node};
    while (!open.empty()) {
      const std::size_t reader = open.back();
      open.pop_back();
      for (const std::string& value : after_[reader].inputs) {
        if (!sources.values.insert(value).second) continue;
        const std::size_t maker = Find(made_after_, value);
        if (maker == kNone) continue;
        if (found_.parts[maker].empty() && !IsUnexplained(maker)) {
          open.push_back(maker);
        } else {
          sources.nodes.insert(maker);
        }
      }
    }
    return sources;
  }

  /// Gives nodes of `before` that follow one with hidden results, and are nobody's, to it; not
  /// where one that is not explained follows it, too, which they could be.
  void ExtendForwards() {
    std::vector<bool> is_followed(after_.size());
    for (std::size_t node = 0; node < after_.size(); ++node) {
      if (!IsUnexplained(node)) continue;
      for (const std::size_t source : SourcesOf(node).nodes) is_followed[source] = true;
    }
    for (std::size_t part = 0; part < before_.size(); ++part) {
      if (owner_[part] != kNone) continue;
      std::vector<std::size_t> candidates;
      for (const std::string& input : before_[part].inputs) {
        const std::size_t maker = IsKnown(input) ? kNone : Find(made_before_, input);
        const std::size_t owner = maker == kNone ? kNone : owner_[maker];
        if (owner == kNone || !is_hidden_[owner] || is_followed[owner]) continue;
        if (std::find(candidates.begin(), candidates.end(), owner) == candidates.end()) {
          candidates.push_back(owner);
        }
      }
      const std::size_t taker = TakerAmong(candidates);
      if (taker != kNone) Take(taker, part);
    }
  }

  std::size_t TakerAmong(const std::vector<std::size_t>& candidates) const {
    if (candidates.size() < 2) return candidates.empty() ? kNone : candidates.front();
    std::size_t taker = kNone;
    for (const std::size_t candidate : candidates) {
      const Sources sources = SourcesOf(candidate);
      const bool reads_all = std::all_of(
          candidates.begin(), candidates.end(),
          [&](std::size_t other) { return other == candidate || sources.nodes.contains(other); });
      if (!reads_all) continue;
      if (taker != kNone) return kNone;
      taker = candidate;
    }
    return taker;
  }

  /// Adds what lies in `before` between a node's parts and its inputs.
  void WalkBack(std::size_t node) {
    std::vector<std::size_t> parts = found_.parts[node];
    std::unordered_set<std::size_t> seen(parts.begin(), parts.end());
    const Sources sources = SourcesOf(node);
    for (std::size_t i = 0; i < parts.size(); ++i) {
      for (const std::string& value : before_[parts[i]].inputs) {
        if (value.empty() || constants_.contains(value) || weights_.contains(value)) continue;
        const std::size_t maker = Find(made_before_, value);
        if (maker != kNone && seen.contains(maker)) continue;
        const std::size_t owner = maker == kNone ? kNone : owner_[maker];
        const bool is_boundary = maker == kNone || owner != kNone || made_after_.contains(value);
        if (!is_boundary) {
          parts.push_back(maker);
          seen.insert(maker);
        } else if (!sources.values.contains(value) && !sources.nodes.contains(owner)) {
          ++found_.uncertain;
          return;
        }
      }
    }
    found_.parts[node] = std::move(parts);
  }

  const std::vector<GraphNode>&before_, &after_;
  const std::unordered_set<std::string>&constants_, &weights_;  // Of `after`, of `before`.
  const Index made_before_, made_after_;
  std::vector<std::size_t> owner_;   // By node of `before`: which node of `after` was found first.
  std::vector<std::size_t> anchor_;  // By node of `after`.
  std::vector<bool> is_hidden_;      // By node of `after`: no result has a name of `before`.
  NodeParts found_;
};

/// Calls `with` for each node that has parts and a name of its own.
template <typename With>
void ForEachNamed(const Graph& graph, const NodeParts& parts, With with) {
  const Index names = Names(graph);
  for (std::size_t node = 0; node < graph.nodes.size(); ++node)
    if (!parts.parts[node].empty() && Find(names, graph.nodes[node].name) == node)
      with(graph.nodes[node].name, parts.parts[node]);
}

}  // namespace

NodeParts FindParts(const Graph& before, const Graph& after) {
  return Matcher(before, after).Run(Names(before), Names(after));
}

NodeParts Compose(const NodeParts& inner, const NodeParts& outer) {
  NodeParts composed;
  composed.uncertain = inner.uncertain + outer.uncertain;
  for (const auto& middle : outer.parts) {
    std::vector<std::size_t>& parts = composed.parts.emplace_back();
    for (const std::size_t node : middle) {
      parts.insert(parts.end(), inner.parts[node].begin(), inner.parts[node].end());
    }
    std::sort(parts.begin(), parts.end());
    parts.erase(std::unique(parts.begin(), parts.end()), parts.end());
  }
  return composed;
}

std::unordered_map<std::string, std::string> NamesOfParts(const Graph& before, const Graph& after,
                                                          const NodeParts& parts) {
  std::unordered_map<std::string, std::string> texts;
  ForEachNamed(after, parts, [&](const std::string& name, const std::vector<std::size_t>& indices) {
    std::string& text = texts[name];
    for (const std::size_t index : indices) {
      const GraphNode& part = before.nodes[index];
      const bool is_unnamed = part.name.empty() && !part.outputs.empty();
      text += (text.empty() ? "" : ",") + (is_unnamed ? part.outputs.front() : part.name);
    }
  });
  return texts;
}

std::unordered_map<std::string, std::string> PathsOfParts(const Graph& before, const Graph& after,
                                                          const NodeParts& parts) {
  std::unordered_map<std::string, std::string> paths;
  ForEachNamed(after, parts, [&](const std::string& name, const std::vector<std::size_t>& indices) {
    for (const std::size_t index : indices)
      if (!before.nodes[index].path.empty() && paths.emplace(name, before.nodes[index].path).second)
        break;
  });
  return paths;
}

}  // namespace xsp::worker_onnxruntime
