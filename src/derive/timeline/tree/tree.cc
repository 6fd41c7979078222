#include "derive/timeline/tree/tree.h"

#include <algorithm>
#include <limits>
#include <map>
#include <string>
#include <tuple>
#include <unordered_map>

#include "derive/timeline/key_index.h"
#include "derive/timeline/parents_first.h"
#include "store/nullable.h"
#include "store/rows/tree_row.h"

namespace xsp::timeline::tree {
namespace {

using trace::Level;
using trace::SpanId;

constexpr std::uint32_t kNone = 0xFFFFFFFF;
constexpr trace::StringId kStepsName = 0xFFFFFFFF;  // No string has it.
/// From here on the names of modules that only an attribute tells.
constexpr trace::StringId kFirstModuleName = 0x80000000;
constexpr std::size_t kMostNodes = 20'000;

/// A call path, and what was summed over its spans. Parents come before children.
struct CallPath {
  std::uint32_t parent = kNone;
  std::uint32_t symbol = kNone;  ///< kNone: above the roots of a rank.
  std::int64_t count = 0, host_ns = 0, host_self_ns = 0;
  std::int64_t work_ns = 0;  ///< Of its own spans on a device.
  std::int64_t device_ns = 0, device_self_ns = 0, kernels = 0;
  std::int64_t first_start_ns = std::numeric_limits<std::int64_t>::max();
  std::int64_t host_self_below_ns = 0;  ///< Its own included.
  std::int64_t count_below = 0;         ///< Likewise.
  std::uint32_t children = 0;
};

/// Merges spans to call paths.
class CallPaths {
 public:
  explicit CallPaths(const Timeline& timeline) : timeline_(timeline), trace_(timeline.trace()) {
    FindTracks();
    FindDeviceRanges();
    FindModules();
    path_of_.assign(trace_.spans.size() + 1, kNone);
    VisitParentsFirst(trace_, [&](SpanId span) { Add(span); });
    SumUp();
  }

  const std::vector<CallPath>& all() const { return paths_; }
  std::int64_t rank(std::uint32_t top) const { return rank_of_top_.at(top); }
  Level level(const CallPath& path) const { return static_cast<Level>(Place(path) >> 1); }
  bool on_device(const CallPath& path) const { return (Place(path) & 1) != 0; }
  std::string_view type(const CallPath& path) const {
    const auto type = static_cast<trace::StringId>(kinds_.key(KindOf(path)) >> 8);
    return type == kFirstModuleName ? trace::type::kModule : trace_.Text(type);
  }
  std::string_view name(const CallPath& path) const {
    const auto name = static_cast<trace::StringId>(symbols_.key(path.symbol) >> 32);
    if (name == kStepsName) return kSteps;
    return name >= kFirstModuleName ? module_names_[name - kFirstModuleName] : trace_.Text(name);
  }

 private:
  std::uint32_t KindOf(const CallPath& path) const {
    return static_cast<std::uint32_t>(symbols_.key(path.symbol));
  }
  std::uint64_t Place(const CallPath& path) const { return kinds_.key(KindOf(path)) & 0xFF; }

  void FindTracks() {
    std::map<std::int64_t, std::uint32_t> tops;
    for (const trace::Track& track : trace_.tracks) {
      const auto [it, is_new] =
          tops.try_emplace(track.rank, static_cast<std::uint32_t>(paths_.size()));
      if (is_new) {
        paths_.emplace_back();
        rank_of_top_[it->second] = track.rank;
      }
      top_of_track_.push_back(it->second);
      on_device_.push_back(OnDevice(track));
    }
    // So that paths and their keys have the same numbers.
    for (std::uint32_t i = 0; i < paths_.size(); ++i) nodes_.Of((std::uint64_t{kNone} << 32) | i);
  }

  /// Ranges and layers on a device's tracks that hold device work.
  void FindDeviceRanges() {
    const trace::SpanTable& spans = trace_.spans;
    holds_work_.assign(spans.size() + 1, false);
    for (SpanId id = 1; id <= spans.size(); ++id) {
      if (spans.level[id - 1] != Level::kKernel) continue;
      for (SpanId at = spans.parent[id - 1];
           at != 0 && on_device_[spans.track[at - 1] - 1] && !holds_work_[at];
           at = spans.parent[at - 1])
        holds_work_[at] = true;
    }
  }

  /// Modules around the layers of replayed graphs, which have no spans of their own.
  void FindModules() {
    const trace::AttributeTable& attributes = trace_.attributes;
    for (std::size_t i = 0; i < attributes.size(); ++i) {
      const SpanId span = attributes.span[i];
      if (on_device_[trace_.spans.track[span - 1] - 1] &&
          trace_.Text(attributes.key[i]) == trace::attribute::kModule)
        modules_.emplace(span, attributes.value[i]);
    }
  }

  /// The path below `above` for the modules "a/b" around `span`.
  std::uint32_t BelowModules(SpanId span, std::uint32_t above) {
    const auto found = modules_.find(span);
    if (found == modules_.end()) return above;
    std::string_view rest = trace_.Text(found->second);
    // A layer in a layer: those that the outer one called on its way.
    const auto outer = modules_.find(trace_.spans.parent[span - 1]);
    if (outer != modules_.end()) {
      const std::string_view around = trace_.Text(outer->second);
      if (!rest.starts_with(around)) return above;
      rest.remove_prefix(around.size());
      if (!rest.empty() && rest.front() != '/') return above;
      rest.remove_prefix(std::min<std::size_t>(rest.size(), 1));
    }
    while (!rest.empty()) {
      const std::string_view module = rest.substr(0, rest.find('/'));
      rest.remove_prefix(std::min(rest.size(), module.size() + 1));
      const auto [it, is_new] = module_ids_.try_emplace(
          module, static_cast<trace::StringId>(kFirstModuleName + module_names_.size()));
      if (is_new) module_names_.push_back(module);
      const std::uint32_t kind = kinds_.Of((std::uint64_t{kFirstModuleName} << 8) |
                                           (static_cast<std::uint64_t>(Level::kLayer) << 1) | 1);
      above = PathOf(above, symbols_.Of((std::uint64_t{it->second} << 32) | kind));
      CallPath& path = paths_[above];
      path.first_start_ns = std::min(path.first_start_ns, trace_.spans.start_ns[span - 1]);
    }
    return above;
  }

  std::uint32_t PathOf(std::uint32_t above, std::uint32_t symbol) {
    const std::uint32_t at = nodes_.Of((std::uint64_t{above} << 32) | symbol);
    if (at == paths_.size()) {
      paths_.emplace_back();
      paths_.back().parent = above;
      paths_.back().symbol = symbol;
    }
    return at;
  }

  void Add(SpanId span) {
    const trace::SpanTable& spans = trace_.spans;
    const std::size_t row = span - 1;
    const trace::TrackId track = spans.track[row];
    const SpanId parent = spans.parent[row];
    const Level level = spans.level[row];
    const bool on_device = on_device_[track - 1];
    if (trace_.tracks[track - 1].is_reference) return;
    std::uint32_t above = top_of_track_[track - 1];
    if (parent != 0 && !trace_.tracks[spans.track[parent - 1] - 1].is_reference) {
      above = path_of_[parent];
      if (above == kNone) return;  // Below what is left out.
    }
    if (level == Level::kModel && std::binary_search(timeline_.uncounted_calls().begin(),
                                                     timeline_.uncounted_calls().end(), span))
      return;
    if (on_device && level != Level::kKernel && !holds_work_[span]) {
      path_of_[span] = above;
      return;
    }
    if (on_device && level == Level::kLayer) above = BelowModules(span, above);
    const std::uint32_t at = PathOf(above, SymbolOf(row, on_device));
    path_of_[span] = at;
    CallPath& path = paths_[at];
    ++path.count;
    path.kernels += level == Level::kKernel;
    path.first_start_ns = std::min(path.first_start_ns, spans.start_ns[row]);
    const std::int64_t duration_ns = std::max<std::int64_t>(spans.duration_ns[row], 0);
    if (on_device) {
      if (level == Level::kKernel) path.work_ns += duration_ns;
      return;
    }
    path.host_ns += duration_ns;
    path.host_self_ns += duration_ns;
    if (parent != 0 && spans.track[parent - 1] == track && spans.duration_ns[parent - 1] >= 0)
      paths_[path_of_[parent]].host_self_ns -= duration_ns;
  }

  std::uint32_t SymbolOf(std::size_t row, bool on_device) {
    const trace::SpanTable& spans = trace_.spans;
    const std::uint64_t place =
        (static_cast<std::uint64_t>(spans.level[row]) << 1) | (on_device ? 1 : 0);
    const std::uint32_t kind = kinds_.Of((std::uint64_t{spans.type[row]} << 8) | place);
    trace::StringId name = spans.name[row];
    if (spans.level[row] == Level::kApplication &&
        trace_.Text(spans.type[row]) == trace::type::kStep &&
        trace_.Text(name).starts_with("ProfilerStep#"))
      name = kStepsName;
    return symbols_.Of((std::uint64_t{name} << 32) | kind);
  }

  void SumUp() {
    for (std::size_t i = paths_.size(); i-- > 0;) {
      CallPath& path = paths_[i];
      path.host_self_below_ns += path.host_self_ns;
      path.count_below += path.count;
      if (path.parent == kNone) continue;
      path.device_ns += path.work_ns;
      if (level(path) == Level::kKernel) {
        path.device_self_ns = path.device_ns;
        for (std::uint32_t at = path.parent; at != kNone; at = paths_[at].parent) {
          if (paths_[at].symbol == kNone) break;
          paths_[at].device_self_ns += path.work_ns;
          if (level(paths_[at]) != Level::kLibrary) break;
        }
      }
      CallPath& parent = paths_[path.parent];
      parent.device_ns += path.device_ns;
      parent.kernels += path.kernels;
      parent.host_self_below_ns += path.host_self_below_ns;
      parent.count_below += path.count_below;
      ++parent.children;
    }
  }

  const Timeline& timeline_;
  const trace::Trace& trace_;
  KeyIndex kinds_;    ///< (type, level, on a device).
  KeyIndex symbols_;  ///< (name, kind).
  KeyIndex nodes_;    ///< (parent, symbol): numbers of paths_.
  std::vector<CallPath> paths_;
  std::map<std::uint32_t, std::int64_t> rank_of_top_;
  std::vector<std::uint32_t> top_of_track_;
  std::unordered_map<SpanId, trace::StringId> modules_;  ///< Of layers on a device's tracks.
  std::unordered_map<std::string_view, trace::StringId> module_ids_;
  std::vector<std::string_view> module_names_;
  std::vector<bool> on_device_;         ///< By track.
  std::vector<bool> holds_work_;        ///< By span id.
  std::vector<std::uint32_t> path_of_;  ///< By span id.
};

/// Which paths stay: those with the most time as far as they and the nodes that stand for the
/// others are `most` at most. A path that stays has a parent that stays.
std::vector<bool> Largest(const std::vector<CallPath>& paths, std::size_t most) {
  // Self times below zero could make a child larger than its parent: a parent is as large.
  std::vector<std::int64_t> time_ns(paths.size());
  for (std::size_t i = paths.size(); i-- > 0;) {
    time_ns[i] = std::max(time_ns[i], paths[i].host_self_below_ns + paths[i].device_ns);
    if (paths[i].parent == kNone) continue;
    std::int64_t& parent = time_ns[paths[i].parent];
    parent = std::max(parent, time_ns[i]);
  }
  std::vector<bool> stays(paths.size(), false);
  std::vector<std::uint32_t> order;
  std::vector<std::uint32_t> missing(paths.size());
  std::size_t nodes = 0;
  for (std::uint32_t i = 0; i < paths.size(); ++i) {
    missing[i] = paths[i].children;
    if (paths[i].parent == kNone) {
      stays[i] = true;
      nodes += missing[i] > 0;
    } else {
      order.push_back(i);
    }
  }
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return std::tuple(-time_ns[a], a) < std::tuple(-time_ns[b], b);
  });
  for (const std::uint32_t i : order) {
    // It comes, with one for its own children; the last of its siblings takes the place of theirs.
    nodes += 1 + (paths[i].children > 0 ? 1 : 0) - (missing[paths[i].parent] == 1 ? 1 : 0);
    if (nodes > most) break;
    stays[i] = true;
    --missing[paths[i].parent];
  }
  return stays;
}

Node NodeOf(const CallPaths& paths, std::uint32_t at) {
  const CallPath& path = paths.all()[at];
  Node node;
  node.level = paths.level(path);
  node.type = paths.type(path);
  node.name = paths.name(path);
  node.count = path.count;
  node.host_ns = path.host_ns;
  node.host_self_ns = path.host_self_ns;
  node.device_ns = path.device_ns;
  node.device_self_ns = path.device_self_ns;
  node.kernels = path.kernels;
  node.first_start_ns = path.first_start_ns;
  return node;
}

/// Adds a path that does not stay to the node that stands for it and its siblings.
void Fold(const CallPath& path, Node& smaller) {
  smaller.count += path.count_below;
  smaller.host_ns += path.host_ns;
  smaller.host_self_ns += path.host_self_below_ns;
  smaller.device_ns += path.device_ns;
  smaller.device_self_ns += path.device_ns;
  smaller.kernels += path.kernels;
}

/// Writes what stays of the paths below one rank, from the top down.
void AddNodes(const CallPaths& paths, std::uint32_t top, const std::vector<bool>& stays,
              const std::vector<std::vector<std::uint32_t>>& children, std::vector<Node>& nodes) {
  struct Open {
    std::uint32_t path;
    std::size_t parent;
    std::int64_t depth;
    bool is_rest;  // Stands for those children of `path` that do not stay.
  };
  std::vector<Open> open = {{top, 0, -1, false}};
  while (!open.empty()) {
    const Open at = open.back();
    open.pop_back();
    Node node;
    if (at.is_rest) {
      node.name = kSmaller;
      std::int64_t most_ns = -1;
      for (const std::uint32_t child : children[at.path]) {
        if (stays[child]) continue;
        const CallPath& path = paths.all()[child];
        if (path.host_ns + path.device_ns > most_ns) node.level = paths.level(path);
        most_ns = std::max(most_ns, path.host_ns + path.device_ns);
        Fold(path, node);
      }
    } else if (at.path != top) {
      node = NodeOf(paths, at.path);
    }
    node.rank = paths.rank(top);
    node.parent = at.parent;
    node.depth = at.depth;
    if (at.depth >= 0) nodes.push_back(node);
    if (at.is_rest) continue;
    const std::size_t here = at.depth >= 0 ? nodes.size() : 0;
    // The last that is put on the stack is taken first.
    std::size_t staying = 0;
    for (const std::uint32_t child : children[at.path]) staying += stays[child];
    if (staying < children[at.path].size()) open.push_back({at.path, here, at.depth + 1, true});
    for (auto child = children[at.path].rbegin(); child != children[at.path].rend(); ++child)
      if (stays[*child]) open.push_back({*child, here, at.depth + 1, false});
  }
}

void AddRows(const Timeline& timeline, ExperimentRows& rows) {
  std::int64_t number = 0;
  for (const Node& node : BuildTree(timeline, kMostNodes)) {
    rows.Add(store::TreeRow{.run_id = rows.run_id(),
                            .rank = ApplicableOrNull(node.rank),
                            .node = ++number,
                            .parent = store::PositiveOrNull(static_cast<std::int64_t>(node.parent)),
                            .depth = node.depth,
                            .level = std::string(ToString(node.level)),
                            .type = std::string(node.type),
                            .name = std::string(node.name),
                            .count = node.count,
                            .host_ns = node.host_ns,
                            .host_self_ns = node.host_self_ns,
                            .device_ns = node.device_ns,
                            .device_self_ns = node.device_self_ns,
                            .kernels = node.kernels});
  }
}

}  // namespace

std::vector<Node> BuildTree(const Timeline& timeline, std::size_t most) {
  const CallPaths paths(timeline);
  const std::vector<CallPath>& all = paths.all();
  const std::vector<bool> stays = Largest(all, most);
  std::vector<std::uint32_t> tops;
  std::vector<std::vector<std::uint32_t>> children(all.size());
  for (std::uint32_t i = 0; i < all.size(); ++i)
    (all[i].parent == kNone ? tops : children[all[i].parent]).push_back(i);
  for (std::vector<std::uint32_t>& siblings : children) {
    std::sort(siblings.begin(), siblings.end(), [&](std::uint32_t a, std::uint32_t b) {
      return std::tuple(all[a].first_start_ns, a) < std::tuple(all[b].first_start_ns, b);
    });
  }
  std::sort(tops.begin(), tops.end(),
            [&](std::uint32_t a, std::uint32_t b) { return paths.rank(a) < paths.rank(b); });
  std::vector<Node> nodes;
  for (const std::uint32_t top : tops) AddNodes(paths, top, stays, children, nodes);
  return nodes;
}

extern const TimelineSpec kSpec;
constinit const TimelineSpec kSpec = {
    .name = "tree",
    .summary = "Time of every chain of modules, operators and kernels, from the top down",
    .add_rows = AddRows,
};

}  // namespace xsp::timeline::tree
