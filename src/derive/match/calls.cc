#include "derive/match/calls.h"

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "store/schema.h"
#include "trace/kind_time.h"

namespace xsp::match {
namespace {

using trace::Level;
using trace::SpanId;
using trace::StringId;
using trace::Trace;

/// A call is disturbed when it lost more than this share of its latency to others: less is noise of
/// any machine, and far less than what sets the width of an interval.
constexpr double kLostShare = 0.05;

double Confidence(trace::PlacedBy placed_by) {
  for (const auto& entry : store::kPlacementConfidence) {
    if (entry.placed_by == trace::ToString(placed_by)) return entry.confidence;
  }
  return 0;
}

/// A call or a warm-up call, before its layers are known.
struct Root {
  SpanId span;
  std::int64_t start_ns, end_ns;
  std::int64_t iteration;
  bool finished = true;
  bool baseline = false;
  bool of_another_kind = false;  ///< See RunCalls::other_kinds.
};

/// In place of a process's number; no process has it.
constexpr std::int64_t kAnyProcess = -2;

/// Of root_at_: no root surrounds the span; it was not looked at yet; the spans above it are.
constexpr std::int32_t kNoRoot = -1, kNew = -2, kOpen = -3;

class CallFinder {
 public:
  explicit CallFinder(const SpanValues& values)
      : values_(values),
        trace_(values.trace()),
        module_(values.Find(trace::type::kModule)),
        function_(values.Find(trace::type::kFunction)),
        step_(values.Find(trace::type::kStep)),
        iteration_(values.Find(trace::metric::kIteration)),
        baseline_(values.Find(trace::metric::kBaselineIteration)),
        rung_(values.Find("rung")),
        run_queue_(values.Find(trace::metric::kRunQueueWaitNs)),
        steal_(values.Find(trace::metric::kStealNs)),
        system_(values.Find(trace::metric::kSystemNs)),
        page_faults_(values.Find(trace::metric::kPageFaults)),
        queue_(values.Find(trace::metric::kQueueNs)),
        block_(values.Find(trace::metric::kBlock)),
        pair_(values.Find(trace::metric::kPair)),
        said_confidence_(values.Find(trace::metric::kConfidence)) {
    for (int i = 0; i < trace::kPlacedByCount; ++i) {
      confidence_.push_back(Confidence(static_cast<trace::PlacedBy>(i)));
    }
  }

  RunCalls Find() {
    FindRoots();
    PlaceAll();
    MakeCalls();
    Distribute();
    root_at_ = {};
    for (Call& call : found_.calls) Finish(call);
    return std::move(found_);
  }

 private:
  std::size_t size() const { return trace_.spans.size(); }
  bool Ended(std::size_t i) const { return trace_.spans.duration_ns[i] != trace::kNeverEnded; }
  std::int64_t End(std::size_t i) const {
    return trace_.spans.start_ns[i] + trace_.spans.duration_ns[i];
  }
  bool OnReference(std::size_t i) const {
    const trace::TrackId track = trace_.spans.track[i];
    return track >= 1 && track <= trace_.tracks.size() && trace_.tracks[track - 1].is_reference;
  }
  bool Operator(std::size_t i) const {
    return trace_.spans.level[i] == Level::kLayer && trace_.spans.type[i] != module_ &&
           trace_.spans.type[i] != function_;
  }

  /// Model spans, else steps, else one root for everything.
  void FindRoots() {
    const auto collect = [&](auto is_root) {
      for (std::size_t i = 0; i < size(); ++i) {
        if (is_root(i) && !OnReference(i)) AddRoot(static_cast<SpanId>(i + 1));
      }
      return !roots_.empty();
    };
    const bool any =
        collect([&](std::size_t i) { return trace_.spans.level[i] == Level::kModel; }) ||
        (step_ != 0 && collect([&](std::size_t i) {
           return trace_.spans.level[i] == Level::kApplication && trace_.spans.type[i] == step_;
         }));
    if (!any) AddWholeTrace();
    std::sort(roots_.begin(), roots_.end(), [](const Root& a, const Root& b) {
      return a.start_ns != b.start_ns ? a.start_ns < b.start_ns : a.span < b.span;
    });
    DropNestedRoots();
    if (!numbered_) MarkOtherKinds();
    is_root_.assign(size() + 1, false);
    for (std::size_t i = 0; i < roots_.size(); ++i) {
      is_root_[roots_[i].span] = true;
      root_of_[roots_[i].span] = static_cast<std::int32_t>(i);
      if (roots_[i].span == 0) continue;
      const auto owner = OwnerOf(roots_[i].span);
      roots_of_[owner].push_back(static_cast<std::int32_t>(i));
      if (owner.second != kAnyProcess)
        roots_of_[{owner.first, kAnyProcess}].push_back(static_cast<std::int32_t>(i));
    }
  }

  void AddRoot(SpanId span) {
    const auto iteration = values_.Metric(span, iteration_);
    // A call that never ended (its process died) holds what started after it, and is no sample.
    const bool ended = Ended(span - 1);
    roots_.push_back({span, trace_.spans.start_ns[span - 1],
                      ended ? End(span - 1) : std::numeric_limits<std::int64_t>::max(),
                      static_cast<std::int64_t>(iteration.value_or(0)), ended,
                      values_.Metric(span, baseline_).has_value()});
    numbered_ = numbered_ || iteration.has_value();
  }

  void AddWholeTrace() {
    Root root{0, std::numeric_limits<std::int64_t>::max(), std::numeric_limits<std::int64_t>::min(),
              0};
    for (std::size_t i = 0; i < size(); ++i) {
      const bool inside =
          trace_.spans.level[i] != Level::kApplication && Ended(i) && !OnReference(i);
      if (!inside) continue;
      root.start_ns = std::min(root.start_ns, trace_.spans.start_ns[i]);
      root.end_ns = std::max(root.end_ns, End(i));
    }
    if (root.start_ns <= root.end_ns) roots_.push_back(root);
  }

  /// A model span inside another is part of that call.
  void DropNestedRoots() {
    std::vector<bool> is_root(size() + 1, false);
    for (const Root& root : roots_) is_root[root.span] = true;
    std::erase_if(roots_, [&](const Root& root) {
      if (root.span == 0) return false;
      SpanId above = trace_.spans.parent[root.span - 1];
      for (std::size_t steps = 0; above != 0 && steps < size(); ++steps) {
        if (is_root[above]) return true;
        above = trace_.spans.parent[above - 1];
      }
      return false;
    });
  }

  /// Where model spans are of several kinds (type and name: a training step, an evaluation), those
  /// count that took most time (trace::KindTime): one layer of the mean of different models says
  /// nothing.
  void MarkOtherKinds() {
    using Kind = std::pair<StringId, StringId>;
    const auto kind_of = [&](const Root& root) {
      return Kind{trace_.spans.type[root.span - 1], trace_.spans.name[root.span - 1]};
    };
    std::map<Kind, trace::KindTime> times;
    for (const Root& root : roots_) {
      if (root.span == 0 || trace_.spans.level[root.span - 1] != Level::kModel) return;
      trace::KindTime& time = times[kind_of(root)];
      if (root.finished) time.Add(root.end_ns - root.start_ns);
    }
    if (times.size() < 2) return;
    const auto most = std::max_element(
        times.begin(), times.end(),
        [](const auto& a, const auto& b) { return a.second.total_ns() < b.second.total_ns(); });
    for (Root& root : roots_) root.of_another_kind = kind_of(root) != most->first;
    found_.kind = std::string(trace_.Text(most->first.first)) + " " +
                  std::string(trace_.Text(most->first.second));
  }

  /// The rank and process whose calls what lies on the track of a span may belong to. Work of a
  /// device says no process of the host's.
  std::pair<std::int64_t, std::int64_t> OwnerOf(SpanId span) const {
    const trace::TrackId track = trace_.spans.track[span - 1];
    if (track < 1 || track > trace_.tracks.size()) return {trace::kNotApplicable, kAnyProcess};
    const trace::Track& of = trace_.tracks[track - 1];
    const bool on_host =
        of.kind == trace::TrackKind::kThread || of.kind == trace::TrackKind::kProcess;
    return {of.rank,
            on_host && of.process_id != trace::kNotApplicable ? of.process_id : kAnyProcess};
  }

  /// The root that runs when the span starts, of its own rank and process; -1: none.
  std::int32_t RootAt(SpanId span) const {
    const auto of = roots_of_.find(OwnerOf(span));
    if (of == roots_of_.end()) return -1;
    const std::int64_t time_ns = trace_.spans.start_ns[span - 1];
    const auto after = std::upper_bound(
        of->second.begin(), of->second.end(), time_ns, [&](std::int64_t time, std::int32_t root) {
          return time < roots_[static_cast<std::size_t>(root)].start_ns;
        });
    if (after == of->second.begin()) return -1;
    const std::int32_t at = *(after - 1);
    return time_ns <= roots_[static_cast<std::size_t>(at)].end_ns ? at : -1;
  }

  /// Parents before children, without recursion; a cycle is cut where it closes.
  void PlaceAll() {
    found_.outermost.resize(size() + 1);
    root_at_.resize(size() + 1, kNew);
    root_at_[0] = roots_.size() == 1 && roots_[0].span == 0 ? 0 : kNoRoot;
    std::vector<SpanId> path;
    for (SpanId span = 1; span <= size(); ++span) {
      for (SpanId at = span; root_at_[at] == kNew; at = trace_.spans.parent[at - 1]) {
        root_at_[at] = kOpen;
        path.push_back(at);
      }
      for (; !path.empty(); path.pop_back()) {
        const SpanId parent = trace_.spans.parent[path.back() - 1];
        const bool closes_circle = root_at_[parent] == kOpen;
        if (closes_circle) cut_.insert(path.back());
        PlaceOne(path.back(), closes_circle ? 0 : parent);
      }
    }
  }

  void PlaceOne(SpanId span, SpanId parent) {
    std::int32_t root = root_at_[parent];
    SpanId outermost = found_.outermost[parent];
    const std::size_t i = span - 1;
    if (is_root_[span]) {
      root = root_of_.at(span);
      outermost = 0;
    } else if (outermost == 0 && Operator(i)) {
      outermost = span;
    }
    if (root == kNoRoot && trace_.spans.level[i] >= Level::kLayer) {
      root = RootAt(span);
    }
    root_at_[span] = root;
    found_.outermost[span] = outermost;
  }

  /// The innermost operator above a kernel, and how sure the least sure step up to it is.
  std::pair<SpanId, double> OperatorAbove(SpanId kernel) const {
    double confidence = 1;
    if (found_.outermost[kernel] == 0) return {0, 0};
    for (SpanId at = kernel; at != 0 && !is_root_[at];
         at = cut_.contains(at) ? 0 : trace_.spans.parent[at - 1]) {
      if (Operator(at - 1)) return {at, confidence};
      confidence = std::min(confidence, ConfidenceOf(at));
    }
    return {0, 0};
  }

  /// How sure it is that the span belongs to its parent.
  double ConfidenceOf(SpanId span) const {
    const trace::PlacedBy placed_by = trace_.spans.placed_by[span - 1];
    const double usual = confidence_[static_cast<std::size_t>(placed_by)];
    if (placed_by != trace::PlacedBy::kSequence) return usual;
    return values_.Metric(span, said_confidence_).value_or(usual);
  }

  void MakeCalls() {
    call_of_root_.assign(roots_.size(), -1);
    for (std::size_t i = 0; i < roots_.size(); ++i) {
      Root& root = roots_[i];
      if (!numbered_) root.iteration = static_cast<std::int64_t>(i);
      if (!root.finished || root.iteration < 0) {
        ++(root.finished ? found_.warmup : found_.unfinished);
        continue;
      }
      if (root.of_another_kind) {
        ++found_.other_kinds;
        continue;
      }
      if (root.baseline) {
        found_.baseline.push_back(Timed(root));
        found_.baseline.back().iteration =
            static_cast<std::int64_t>(*values_.Metric(root.span, baseline_));
        found_.baseline_rung = values_.Attribute(root.span, rung_);
        continue;
      }
      call_of_root_[i] = static_cast<std::int32_t>(found_.calls.size());
      Call call;
      static_cast<TimedCall&>(call) = Timed(root);
      call.root = root.span;
      call.start_ns = root.start_ns;
      found_.calls.push_back(std::move(call));
    }
  }

  TimedCall Timed(const Root& root) const {
    TimedCall call;
    call.iteration = root.iteration;
    call.latency_ns = root.end_ns - root.start_ns;
    if (root.span == 0) return call;
    const auto count = [&](StringId name) {
      const auto value = values_.Metric(root.span, name);
      return value ? std::optional(static_cast<std::int64_t>(*value)) : std::nullopt;
    };
    call.waited_ns = values_.Metric(root.span, run_queue_);
    call.system_ns = values_.Metric(root.span, system_);
    call.page_faults = values_.Metric(root.span, page_faults_);
    call.queue_ns = values_.Metric(root.span, queue_);
    call.block = count(block_);
    call.pair = count(pair_);
    call.disturbed_by = DisturbedBy(root.span, call.latency_ns);
    return call;
  }

  /// What took more than kLostShare of the call, alone or together.
  std::string DisturbedBy(SpanId root, std::int64_t latency_ns) const {
    const double limit_ns = kLostShare * static_cast<double>(latency_ns);
    const double waited_ns = values_.Metric(root, run_queue_).value_or(0);
    const double stolen_ns = values_.Metric(root, steal_).value_or(0);
    if (waited_ns + stolen_ns <= limit_ns) return {};
    // Where neither does it alone, the larger is named.
    const bool waited = waited_ns > limit_ns || waited_ns >= stolen_ns;
    const bool stolen = stolen_ns > limit_ns || stolen_ns > waited_ns;
    return waited && stolen ? "run queue, steal" : waited ? "run queue" : "steal";
  }

  /// Calls `visit(call, root, span, is_layer)` for each layer and kernel; -1: no sample, no root.
  template <typename Visit>
  void ForEachEvent(Visit visit) const {
    const trace::SpanTable& spans = trace_.spans;
    for (SpanId span = 1; span <= size(); ++span) {
      const std::size_t i = span - 1;
      const bool layer = found_.outermost[span] == span;
      const bool kernel = spans.level[i] == Level::kKernel;
      if ((!layer && !kernel) || !Ended(i) || OnReference(i)) continue;
      const std::int32_t root = root_at_[span];
      visit(root < 0 ? -1 : call_of_root_[static_cast<std::size_t>(root)], root, span, layer);
    }
  }

  /// Gives each layer and kernel to its call.
  void Distribute() {
    std::vector<std::size_t> layers(found_.calls.size()), kernels(found_.calls.size());
    ForEachEvent([&](std::int32_t call, std::int32_t root, SpanId, bool layer) {
      if (root < 0) ++(layer ? found_.layers_outside : found_.kernels_outside);
      // Else it is of a warm-up call, or of the baseline.
      if (call >= 0) ++(layer ? layers : kernels)[static_cast<std::size_t>(call)];
    });
    for (std::size_t i = 0; i < found_.calls.size(); ++i) {
      found_.calls[i].layers.reserve(layers[i]);
      found_.calls[i].kernels.reserve(kernels[i]);
    }
    ForEachEvent([&](std::int32_t call, std::int32_t, SpanId span, bool layer) {
      if (call < 0) return;
      Call& of = found_.calls[static_cast<std::size_t>(call)];
      if (layer) {
        of.layers.push_back({span, 0});
        return;
      }
      // The outermost operator stands in for the layer's index until layers are in order.
      const auto [operator_span, confidence] = OperatorAbove(span);
      of.kernels.push_back(
          {span, static_cast<std::int32_t>(found_.outermost[span]), operator_span, confidence});
    });
  }

  void Finish(Call& call) const {
    const trace::SpanTable& spans = trace_.spans;
    const auto earlier = [&](SpanId a, SpanId b) {
      return std::pair(spans.start_ns[a - 1], a) < std::pair(spans.start_ns[b - 1], b);
    };
    const auto by_start = [&](const auto& a, const auto& b) { return earlier(a.span, b.span); };
    std::sort(call.layers.begin(), call.layers.end(), by_start);
    std::sort(call.kernels.begin(), call.kernels.end(), by_start);
    std::int64_t end_ns = call.start_ns;
    for (LayerEvent& layer : call.layers) {
      layer.gap_before_ns = spans.start_ns[layer.span - 1] - end_ns;
      end_ns = std::max(end_ns, End(layer.span - 1));
    }
    call.tail_ns = call.start_ns + call.latency_ns - end_ns;
    for (KernelEvent& kernel : call.kernels) {
      const auto outermost = static_cast<SpanId>(kernel.layer);
      kernel.layer = -1;
      if (outermost != 0) {
        const auto it = std::lower_bound(
            call.layers.begin(), call.layers.end(), outermost,
            [&](const LayerEvent& layer, SpanId span) { return earlier(layer.span, span); });
        // An operator that never ended is no layer; its kernels stay, unattributed.
        if (it != call.layers.end() && it->span == outermost)
          kernel.layer = static_cast<std::int32_t>(it - call.layers.begin());
      }
      if (kernel.layer < 0) kernel.confidence = 0;
    }
  }

  const SpanValues& values_;
  const Trace& trace_;
  StringId module_, function_, step_, iteration_, baseline_, rung_, run_queue_, steal_;
  StringId system_, page_faults_, queue_, block_, pair_, said_confidence_;
  std::vector<double> confidence_;
  std::vector<Root> roots_;
  bool numbered_ = false;
  std::vector<bool> is_root_;  ///< By span.
  std::unordered_map<SpanId, std::int32_t> root_of_;
  /// By rank and process (kAnyProcess: all of the rank): indexes of roots_, in order of start.
  std::map<std::pair<std::int64_t, std::int64_t>, std::vector<std::int32_t>> roots_of_;
  std::vector<std::int32_t> call_of_root_;  ///< -1: no sample.
  /// By span, the index of the root that surrounds it, or what stands for none; 0: above all spans.
  trace::Column<std::int32_t> root_at_;
  std::unordered_set<SpanId> cut_;  ///< Spans that a circle of parents is cut above.
  RunCalls found_;
};

}  // namespace

RunCalls FindCalls(const SpanValues& values) { return CallFinder(values).Find(); }

bool IsOperator(const Trace& trace, SpanId span) {
  const std::string_view type = trace.Text(trace.spans.type[span - 1]);
  return trace.spans.level[span - 1] == Level::kLayer && type != trace::type::kModule &&
         type != trace::type::kFunction;
}

}  // namespace xsp::match
