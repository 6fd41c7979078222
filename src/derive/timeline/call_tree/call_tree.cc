#include "derive/timeline/call_tree/call_tree.h"

#include <algorithm>
#include <charconv>
#include <string>
#include <tuple>
#include <unordered_map>

#include "derive/timeline/call_tree/open_layers.h"
#include "derive/timeline/key_index.h"
#include "derive/timeline/timeline.h"
#include "store/nullable.h"
#include "store/rows/call_tree_layer_row.h"
#include "store/rows/call_tree_row.h"

namespace xsp::timeline::call_tree {
namespace {

constexpr std::size_t kMostNodes = 20'000;

/// A function below the same callers, and its samples.
struct CallPath {
  std::uint32_t parent = 0;
  trace::CallStackId stack = 0;  ///< One that has its names.
  std::int64_t samples = 0, self = 0;
  std::map<LayerName, std::int64_t> self_of_layer;
  std::vector<std::uint32_t> children;
};

/// The samples of one kind by path; 0 is above all roots. Parents come before children.
class CallPaths {
 public:
  CallPaths(const trace::Trace& trace, trace::StackKind kind) : trace_(trace), layers_(trace) {
    paths_.emplace_back();
    const trace::StackSampleTable& samples = trace.stack_samples;
    for (std::size_t i = 0; i < samples.size(); ++i)
      if (samples.kind[i] == kind && samples.stack[i] != 0) Add(i);
    for (std::size_t i = paths_.size(); i-- > 1;) {
      paths_[paths_[i].parent].samples += paths_[i].samples;
      paths_[paths_[i].parent].children.push_back(static_cast<std::uint32_t>(i));
    }
    for (CallPath& path : paths_)
      std::sort(path.children.begin(), path.children.end(), [&](std::uint32_t a, std::uint32_t b) {
        return std::tuple(-paths_[a].samples, a) < std::tuple(-paths_[b].samples, b);
      });
  }

  const std::vector<CallPath>& all() const { return paths_; }

 private:
  void Add(std::size_t row) {
    const trace::StackSampleTable& samples = trace_.stack_samples;
    CallPath& path = paths_[PathOf(samples.stack[row])];
    ++path.samples;
    ++path.self;
    LayerName name;
    if (const auto layer = layers_.At(samples.track[row], samples.time_ns[row]); layer != 0)
      name = {trace_.Text(trace_.spans.name[layer - 1]), trace_.Text(trace_.spans.type[layer - 1])};
    ++path.self_of_layer[name];
  }

  /// Processes have stacks of their own: those of the same functions are one.
  std::uint32_t PathOf(trace::CallStackId stack) {
    const trace::CallStackTable& stacks = trace_.call_stacks;
    std::vector<trace::CallStackId> above;
    std::uint32_t at = 0;
    for (; stack != 0; stack = stacks.parent[stack - 1]) {
      if (const auto known = path_of_.find(stack); known != path_of_.end()) {
        at = known->second;
        break;
      }
      above.push_back(stack);
    }
    for (auto next = above.rbegin(); next != above.rend(); ++next) {
      const std::uint32_t symbol =
          symbols_.Of(std::uint64_t{stacks.frame[*next - 1]} << 32 | stacks.module[*next - 1]);
      const std::uint32_t number = nodes_.Of(std::uint64_t{at} << 32 | symbol);
      if (number + 1 == paths_.size()) {
        paths_.emplace_back();
        paths_.back().parent = at;
        paths_.back().stack = *next;
      }
      at = number + 1;
      path_of_.emplace(*next, at);
    }
    return at;
  }

  const trace::Trace& trace_;
  const OpenLayers layers_;
  KeyIndex symbols_, nodes_;
  std::vector<CallPath> paths_;
  std::unordered_map<trace::CallStackId, std::uint32_t> path_of_;
};

/// The `most` paths with the most samples: a path that stays has a parent that stays.
std::vector<bool> Largest(const std::vector<CallPath>& paths, std::size_t most) {
  std::vector<std::uint32_t> order;
  for (std::uint32_t i = 1; i < paths.size(); ++i) order.push_back(i);
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return std::tuple(-paths[a].samples, a) < std::tuple(-paths[b].samples, b);
  });
  std::vector<bool> stays(paths.size(), false);
  stays[0] = true;
  for (std::size_t i = 0; i < std::min(most, order.size()); ++i) stays[order[i]] = true;
  return stays;
}

/// Adds all samples in and below `from` to a node that stands for them.
void Fold(const std::vector<CallPath>& paths, std::uint32_t from, Node& rest) {
  std::vector<std::uint32_t> open = {from};
  while (!open.empty()) {
    const CallPath& path = paths[open.back()];
    open.pop_back();
    rest.samples += path.self;
    rest.self_samples += path.self;
    for (const auto& [layer, count] : path.self_of_layer) rest.self_of_layer[layer] += count;
    open.insert(open.end(), path.children.begin(), path.children.end());
  }
}

double RateHz(const trace::Trace& trace, trace::StackKind kind) {
  const auto number = [&](std::string_view what, double otherwise) {
    const std::string key = "sampling." + std::string(ToString(kind)) + "." + std::string(what);
    const auto found = trace.facts.find(key);
    if (found == trace.facts.end()) return otherwise;
    double value = otherwise;
    std::from_chars(found->second.data(), found->second.data() + found->second.size(), value);
    return value;
  };
  return number("rate_hz", 0) / std::max(number("kept_every", 1), 1.0);
}

void AddRows(const Timeline& timeline, ExperimentRows& rows) {
  const trace::Trace& trace = timeline.trace();
  if (trace.stack_samples.size() == 0) return;
  std::int64_t first = 0;
  for (int kind_number = 0; kind_number < trace::kStackKindCount; ++kind_number) {
    const auto kind = static_cast<trace::StackKind>(kind_number);
    const std::string kind_name(ToString(kind));
    const double rate_hz = RateHz(trace, kind);
    const std::vector<Node> nodes = BuildCallTree(trace, kind, kMostNodes);
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      const Node& node = nodes[i];
      const std::int64_t number = first + static_cast<std::int64_t>(i) + 1;
      const auto parent = first + static_cast<std::int64_t>(node.parent);
      rows.Add(store::CallTreeRow{.run_id = rows.run_id(),
                                  .kind = kind_name,
                                  .node = number,
                                  .parent = node.parent == 0 ? std::nullopt : std::optional(parent),
                                  .depth = node.depth,
                                  .frame = std::string(node.frame),
                                  .module = std::string(node.module),
                                  .samples = node.samples,
                                  .self_samples = node.self_samples,
                                  .rate_hz = rate_hz > 0 ? std::optional(rate_hz) : std::nullopt});
      for (const auto& [layer, count] : node.self_of_layer)
        rows.Add(store::CallTreeLayerRow{.run_id = rows.run_id(),
                                         .node = number,
                                         .layer_name = store::TextOrNull(layer.first),
                                         .layer_type = store::TextOrNull(layer.second),
                                         .self_samples = count});
    }
    first += static_cast<std::int64_t>(nodes.size());
  }
}

}  // namespace

std::vector<Node> BuildCallTree(const trace::Trace& trace, trace::StackKind kind,
                                std::size_t most) {
  const CallPaths paths(trace, kind);
  const std::vector<CallPath>& all = paths.all();
  const std::vector<bool> stays = Largest(all, most);
  struct Open {
    std::uint32_t path;
    std::size_t parent;
    std::int64_t depth;
    bool is_rest;  ///< Stands for those calls of `path` that do not stay.
  };
  std::vector<Open> open = {{0, 0, -1, false}};
  std::vector<Node> nodes;
  while (!open.empty()) {
    const Open at = open.back();
    open.pop_back();
    const CallPath& path = all[at.path];
    if (at.depth >= 0) {
      Node node;
      node.parent = at.parent;
      node.depth = at.depth;
      if (at.is_rest) {
        node.frame = kSmaller;
        for (const std::uint32_t child : path.children)
          if (!stays[child]) Fold(all, child, node);
      } else {
        node.frame = trace.Text(trace.call_stacks.frame[path.stack - 1]);
        node.module = trace.Text(trace.call_stacks.module[path.stack - 1]);
        node.samples = path.samples;
        node.self_samples = path.self;
        node.self_of_layer = path.self_of_layer;
      }
      nodes.push_back(std::move(node));
    }
    if (at.is_rest) continue;
    // The last that is put on the stack is taken first.
    const std::size_t here = at.depth >= 0 ? nodes.size() : 0;
    const auto& children = path.children;
    if (std::any_of(children.begin(), children.end(), [&](std::uint32_t i) { return !stays[i]; }))
      open.push_back({at.path, here, at.depth + 1, true});
    for (auto child = children.rbegin(); child != children.rend(); ++child)
      if (stays[*child]) open.push_back({*child, here, at.depth + 1, false});
  }
  return nodes;
}

extern const TimelineSpec kSpec;
constinit const TimelineSpec kSpec = {
    .name = "call_tree",
    .summary = "Sampled call stacks as one tree of functions, with the layers they ran in",
    .add_rows = AddRows,
};

}  // namespace xsp::timeline::call_tree
