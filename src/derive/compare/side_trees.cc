#include "derive/compare/side_trees.h"

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/alignment.h"
#include "derive/compare/call_slowness.h"
#include "derive/match/layer_path.h"
#include "derive/match/run_view.h"
#include "derive/timeline/activity.h"
#include "derive/timeline/timeline.h"

namespace xsp::compare {
namespace {

using trace::SpanId;

std::vector<std::string_view> SegmentsOf(std::string_view path) {
  std::vector<std::string_view> segments;
  while (!path.empty()) {
    const std::size_t end = path.find('.');
    if (end != 0) segments.push_back(path.substr(0, end));
    path.remove_prefix(end == std::string_view::npos ? path.size() : end + 1);
  }
  return segments;
}

NodeKind KindOf(std::string_view type, std::string_view name) {
  if (type == trace::type::kMemset) return NodeKind::kSet;
  switch (timeline::ActivityOf(type, name)) {
    case timeline::Activity::kCopy:
      return NodeKind::kCopy;
    case timeline::Activity::kCommunication:
      return NodeKind::kCommunication;
    case timeline::Activity::kCompute:
      break;
  }
  return NodeKind::kKernel;
}

/// A tree whose nodes are found again in each call. Times are summed up over calls.
class TreeBuilder {
 public:
  std::int32_t Module(std::string_view path) {
    std::int32_t at = 0;
    for (const std::string_view segment : SegmentsOf(path)) {
      const auto [it, is_new] = modules_.try_emplace({at, std::string(segment)}, -1);
      if (is_new) it->second = tree_.Add(at, NodeKind::kModule, segment);
      at = it->second;
    }
    return at;
  }

  std::int32_t Operator(std::string_view path, std::string_view type, std::string_view shape) {
    const std::int32_t parent = Module(path);
    const std::int32_t node = tree_.Add(parent, NodeKind::kOperator, type, shape);
    tree_.SetOccurrence(node, occurrences_[{parent, std::string(type)}]++);
    return node;
  }

  void StartCall() { ++calls_; }
  void KeepCalls() { keeps_calls_ = true; }

  /// The node of a piece of device work: the same in each call for the n-th of its name below
  /// `parent`.
  std::int32_t Work(std::int32_t parent, NodeKind kind, std::string_view name) {
    const std::uint64_t key = Key(parent, name);
    Works& works = works_[key];
    if (works.call != calls_) works = {calls_, 0, std::move(works.nodes)};
    if (works.next == works.nodes.size()) {
      const std::int32_t node = tree_.Add(parent, kind, name);
      tree_.SetOccurrence(node, static_cast<std::int32_t>(works.next));
      works.nodes.push_back(node);
    }
    return works.nodes[works.next++];
  }

  void AddTime(std::int32_t node, std::int64_t time_ns) {
    const auto at = static_cast<std::size_t>(node);
    if (at >= sums_ns_.size()) {
      sums_ns_.resize(tree_.size(), 0);
      has_time_.resize(tree_.size(), false);
    }
    sums_ns_[at] += time_ns;
    has_time_[at] = true;
    if (!keeps_calls_) return;
    calls_ns_.resize(sums_ns_.size());
    calls_ns_[at].resize(calls_, 0);
    calls_ns_[at].back() += static_cast<double>(time_ns);
  }

  ComparisonTree& tree() { return tree_; }

  /// Of the nodes over calls. Empty unless calls are kept.
  TypicalTimes Typical(std::int64_t tick_ns) {
    if (!keeps_calls_) return {};
    calls_ns_.resize(tree_.size());
    std::vector<std::span<const double>> work_ns;
    for (std::size_t i = 0; i < calls_ns_.size(); ++i) {
      if (calls_ns_[i].empty()) continue;
      calls_ns_[i].resize(calls_, 0);
      if (tree_.nodes()[i].kind != NodeKind::kBetween) work_ns.emplace_back(calls_ns_[i]);
    }
    return FindTypicalTimes(calls_ns_, CallSlowness(work_ns), static_cast<double>(tick_ns));
  }

  ComparisonTree Finish() {
    for (std::size_t i = 0; i < sums_ns_.size(); ++i)
      if (has_time_[i])
        tree_.SetTime(static_cast<std::int32_t>(i),
                      static_cast<double>(sums_ns_[i]) / static_cast<double>(calls_));
    return std::move(tree_);
  }

 private:
  struct Works {
    std::size_t call = 0;  ///< The last that had it, from 1.
    std::size_t next = 0;
    std::vector<std::int32_t> nodes;
  };

  std::uint64_t Key(std::int32_t parent, std::string_view name) {
    return (static_cast<std::uint64_t>(parent) << 32) | names_.Intern(name);
  }

  ComparisonTree tree_;
  trace::StringPool names_;
  std::map<std::pair<std::int32_t, std::string>, std::int32_t> modules_, occurrences_;
  std::unordered_map<std::uint64_t, Works> works_;
  std::vector<std::int64_t> sums_ns_;
  std::vector<bool> has_time_;
  std::size_t calls_ = 0;  ///< Begun.
  bool keeps_calls_ = false;
  std::vector<std::vector<double>> calls_ns_;  ///< By node and call, where they are kept.
};

/// What is known of a layer.
struct LayerPlace {
  std::string path, type, shape;
};

class SideReader {
 public:
  SideReader(const trace::Trace& trace, std::span<const store::LayerRow> rows, CallDetail detail)
      : trace_(trace),
        run_({}, trace, names_),
        paths_(run_),
        keeps_calls_(detail == CallDetail::kTypical) {
    if (keeps_calls_) {
      device_.KeepCalls();
      host_.KeepCalls();
    }
    found_.outside = run_.calls.kernels_outside;
    FindPlaces(rows);
  }

  SideTrees Read() {
    AddPlaces();
    for (std::size_t i = 0; i < run_.calls.calls.size(); ++i)
      if (run_.counted[i]) AddCall(i);
    if (found_.calls == 0) return std::move(found_);
    const auto calls = static_cast<double>(found_.calls);
    found_.wall_ns = static_cast<double>(wall_ns_) / calls;
    found_.device_ns = static_cast<double>(device_ns_) / calls;
    found_.busy_ns = static_cast<double>(busy_ns_) / calls;
    found_.devices = static_cast<std::int64_t>(devices_.size());
    found_.device_typical = device_.Typical(found_.device_tick_ns);
    found_.host_typical = host_.Typical(found_.host_tick_ns);
    found_.device = device_.Finish();
    found_.host = host_.Finish();
    return std::move(found_);
  }

 private:
  using Device = std::pair<std::int64_t, std::int64_t>;  ///< Rank and number.

  /// Where the layers of the reference call lie: from the table, where it has the layer.
  void FindPlaces(std::span<const store::LayerRow> rows) {
    if (!run_.layers) return;
    const match::Call& call = run_.calls.calls[run_.layers->call];
    std::vector<core::Token> own, stored;
    const std::hash<std::string_view> hash;
    for (const match::LayerEvent& layer : call.layers) own.push_back(hash(run_.TypeOf(layer.span)));
    for (const store::LayerRow& row : rows) stored.push_back(hash(row.type));
    const core::Alignment aligned = core::Align(own, stored);
    for (std::size_t i = 0; i < call.layers.size(); ++i) {
      const SpanId span = call.layers[i].span;
      LayerPlace& place = places_.emplace_back();
      place.type = run_.TypeOf(span);
      if (aligned.a_to_b[i] >= 0) {
        const store::LayerRow& row = rows[static_cast<std::size_t>(aligned.a_to_b[i])];
        place.path = row.path.value_or("");
        place.shape = row.shape.value_or("");
      }
      if (place.path.empty()) place.path = paths_.Of(span, call);
      // A name of its own: that of the graph's node.
      if (place.path.empty() && run_.NameOf(span) != place.type)
        place.path = match::PathOfNodeName(run_.NameOf(span));
      if (place.shape.empty()) place.shape = run_.ShapesOf(span);
    }
  }

  void AddPlaces() {
    for (const LayerPlace& place : places_) {
      in_device_.push_back(device_.Operator(place.path, place.type, place.shape));
      in_host_.push_back(host_.Operator(place.path, place.type, place.shape));
    }
  }

  void AddCall(std::size_t number) {
    const match::Call& call = run_.calls.calls[number];
    ++found_.calls;
    device_.StartCall();
    host_.StartCall();
    extra_.clear();
    wall_ns_ += call.latency_ns;
    std::int64_t between_ns = call.latency_ns;
    // Nodes of this call's layers.
    std::vector<std::pair<std::int32_t, std::int32_t>> nodes;
    for (std::size_t i = 0; i < call.layers.size(); ++i) {
      nodes.push_back(NodesOf(number, i));
      const std::int64_t own_ns = run_.DurationOf(call.layers[i].span);
      host_.AddTime(nodes.back().second, own_ns);
      if (keeps_calls_) found_.host_tick_ns = std::gcd(found_.host_tick_ns, own_ns);
      between_ns -= own_ns;
      ++found_.layers;
    }
    if (between_ < 0) between_ = host_.tree().Add(0, NodeKind::kBetween, "(between layers)");
    host_.AddTime(between_, between_ns);
    std::map<Device, std::vector<std::pair<std::int64_t, std::int64_t>>> intervals;
    for (const match::KernelEvent& kernel : call.kernels) {
      const std::int32_t layer = kernel.layer;
      AddWork(kernel.span, layer < 0 ? 0 : nodes[static_cast<std::size_t>(layer)].first, intervals);
    }
    for (auto& [device, of_device] : intervals) {
      devices_.insert(device);
      busy_ns_ += UnionNs(of_device);
    }
  }

  /// The nodes of a layer in the tree of the device and in that of the host.
  std::pair<std::int32_t, std::int32_t> NodesOf(std::size_t call, std::size_t layer) {
    const std::int32_t reference = run_.ReferenceLayer(call, static_cast<std::int32_t>(layer));
    if (reference >= 0) {
      const auto at = static_cast<std::size_t>(reference);
      return {in_device_[at], in_host_[at]};
    }
    // Not in most calls: the n-th of its type that the reference lacks.
    const SpanId span = run_.calls.calls[call].layers[layer].span;
    const std::string type(run_.TypeOf(span));
    auto& known = extras_[type];
    const std::size_t n = extra_[type]++;
    if (n == known.size())
      known.emplace_back(device_.Operator("", type, run_.ShapesOf(span)),
                         host_.Operator("", type, run_.ShapesOf(span)));
    return known[n];
  }

  void AddWork(SpanId span, std::int32_t parent,
               std::map<Device, std::vector<std::pair<std::int64_t, std::int64_t>>>& intervals) {
    const trace::Track& track = trace_.tracks[trace_.spans.track[span - 1] - 1];
    if (!timeline::OnDevice(track)) return;
    const std::string_view name = run_.NameOf(span);
    const std::int64_t own_ns = run_.DurationOf(span);
    device_.AddTime(device_.Work(parent, KindOf(run_.TypeOf(span), name), name), own_ns);
    if (keeps_calls_) found_.device_tick_ns = std::gcd(found_.device_tick_ns, own_ns);
    device_ns_ += own_ns;
    ++found_.device_spans;
    const std::int64_t start_ns = run_.StartOf(span);
    intervals[{track.rank, track.device}].emplace_back(start_ns, start_ns + own_ns);
  }

  static std::int64_t UnionNs(std::vector<std::pair<std::int64_t, std::int64_t>>& intervals) {
    std::sort(intervals.begin(), intervals.end());
    std::int64_t union_ns = 0, end_ns = intervals.front().first;
    for (const auto& [from_ns, until_ns] : intervals) {
      union_ns += std::max<std::int64_t>(until_ns - std::max(from_ns, end_ns), 0);
      end_ns = std::max(end_ns, until_ns);
    }
    return union_ns;
  }

  const trace::Trace& trace_;
  match::Names names_;
  match::RunView run_;
  match::LayerPaths paths_;
  bool keeps_calls_;
  SideTrees found_;
  TreeBuilder device_, host_;
  std::vector<LayerPlace> places_;                 ///< Of the reference's layers.
  std::vector<std::int32_t> in_device_, in_host_;  ///< Their nodes.
  std::int32_t between_ = -1;
  /// Layers that the reference lacks, by type.
  std::map<std::string, std::vector<std::pair<std::int32_t, std::int32_t>>> extras_;
  std::map<std::string, std::size_t> extra_;  ///< Of them, seen in this call.
  std::int64_t wall_ns_ = 0, device_ns_ = 0, busy_ns_ = 0;
  std::set<Device> devices_;
};

}  // namespace

SideTrees ReadSideTrees(const trace::Trace& trace, std::span<const store::LayerRow> layers,
                        CallDetail detail) {
  return SideReader(trace, layers, detail).Read();
}

}  // namespace xsp::compare
