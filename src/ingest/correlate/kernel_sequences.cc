#include "ingest/correlate/kernel_sequences.h"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace xsp::correlate {
namespace {

using trace::Level;
using trace::SpanId;
using trace::SpanTable;
using trace::StringId;
using trace::Trace;

/// Whether a call begins or ends the capture of a stream into a graph, on CUDA or HIP.
bool IsCaptureBorder(std::string_view name) {
  return name.find("StreamBeginCapture") != std::string_view::npos ||
         name.find("StreamEndCapture") != std::string_view::npos;
}

void SortByStart(const SpanTable& spans, std::vector<SpanId>& ids) {
  std::sort(ids.begin(), ids.end(), [&](SpanId a, SpanId b) {
    return spans.start_ns[a - 1] != spans.start_ns[b - 1]
               ? spans.start_ns[a - 1] < spans.start_ns[b - 1]
               : a < b;
  });
}

bool IsLaunchedKernel(const SpanTable& spans, std::size_t i) {
  return spans.level[i] == Level::kKernel && spans.placed_by[i] == trace::PlacedBy::kLaunch;
}

class SequenceFinder {
 public:
  SequenceFinder(Trace& trace, const std::vector<SpanId>& parents_first, const LayerMap& map)
      : trace_(trace), map_(map) {
    FindEnclosingSpans(parents_first);
    const StringId shapes = trace_.strings.Intern(trace::attribute::kInputShapes);
    const StringId launched = trace_.strings.Intern(trace::attribute::kLaunchedKernel);
    const trace::AttributeTable& attributes = trace_.attributes;
    for (std::size_t i = 0; i < attributes.size(); ++i) {
      if (attributes.key[i] == shapes) shapes_.emplace(attributes.span[i], attributes.value[i]);
      if (attributes.key[i] == launched) named_.emplace(attributes.span[i], attributes.value[i]);
    }
  }

  KernelSequences Find(const LaunchedKernels& launched) {
    FindCaptures();
    FindEager(launched.singles);
    return std::move(found_);
  }

 private:
  /// Of every span the step or model call at or above it, and the modules above it.
  void FindEnclosingSpans(const std::vector<SpanId>& parents_first) {
    const SpanTable& spans = trace_.spans;
    const StringId step = trace_.strings.Intern(trace::type::kStep);
    const StringId module = trace_.strings.Intern(trace::type::kModule);
    step_.assign(spans.size() + 1, 0);
    modules_.assign(spans.size() + 1, 0);
    std::map<std::pair<StringId, StringId>, StringId> paths;
    const auto longer = [&](StringId path, StringId name) {
      const auto [it, is_new] = paths.try_emplace({path, name}, 0);
      if (is_new) {
        std::string text(trace_.Text(path));
        if (!text.empty()) text += '/';
        it->second = trace_.strings.Intern(text.append(trace_.Text(name)));
      }
      return it->second;
    };
    for (const SpanId id : parents_first) {
      const std::size_t i = id - 1;
      const SpanId parent = spans.parent[i];
      const bool is_step = spans.level[i] == Level::kModel ||
                           (spans.level[i] == Level::kApplication && spans.type[i] == step);
      step_[id] = is_step ? id : step_[parent];
      if (parent == 0) continue;
      const bool in_module =
          spans.level[parent - 1] == Level::kLayer && spans.type[parent - 1] == module;
      modules_[id] =
          in_module ? longer(modules_[parent], spans.name[parent - 1]) : modules_[parent];
    }
  }

  void Append(KernelSequence& sequence, StringId kernel, SpanId launched_by) {
    const SpanId inner = map_.innermost_operator[launched_by - 1];
    sequence.names.push_back(kernel);
    sequence.outer.push_back(CallOf(sequence, map_.outermost_layer[launched_by - 1]));
    sequence.inner.push_back(CallOf(sequence, inner));
  }

  std::int32_t CallOf(KernelSequence& sequence, SpanId span) {
    if (span == 0) return -1;
    const auto [it, is_new] = call_of_.try_emplace(span, sequence.calls.size());
    if (is_new) {
      const auto shapes = shapes_.find(span);
      sequence.calls.push_back({trace_.spans.type[span - 1], trace_.spans.name[span - 1],
                                shapes == shapes_.end() ? 0 : shapes->second, modules_[span]});
    }
    return static_cast<std::int32_t>(it->second);
  }

  void Keep(KernelSequence& sequence) {
    const bool says_something = std::any_of(sequence.inner.begin(), sequence.inner.end(),
                                            [](std::int32_t call) { return call >= 0; });
    if (says_something) found_.list.push_back(std::move(sequence));
    sequence = {};
    call_of_.clear();
  }

  void FindCaptures() {
    const SpanTable& spans = trace_.spans;
    if (named_.empty()) return;
    // What ran was no capture.
    for (std::size_t i = 0; i < spans.size(); ++i)
      if (spans.level[i] == Level::kKernel && spans.parent[i] != 0) named_.erase(spans.parent[i]);
    std::vector<SpanId> calls;
    for (std::size_t i = 0; i < spans.size(); ++i) {
      const auto id = static_cast<SpanId>(i + 1);
      if (spans.level[i] == Level::kLibrary &&
          (named_.contains(id) || IsCaptureBorder(trace_.Text(spans.name[i]))))
        calls.push_back(id);
    }
    SortByStart(spans, calls);
    std::stable_sort(calls.begin(), calls.end(),
                     [&](SpanId a, SpanId b) { return spans.track[a - 1] < spans.track[b - 1]; });
    KernelSequence sequence;
    for (std::size_t i = 0; i < calls.size(); ++i) {
      const trace::TrackId track = spans.track[calls[i] - 1];
      const auto kernel = named_.find(calls[i]);
      if (kernel != named_.end()) Append(sequence, kernel->second, calls[i]);
      const bool last = i + 1 == calls.size() || spans.track[calls[i + 1] - 1] != track;
      if (last) found_.capturing.push_back(track);
      if (kernel == named_.end() || last) Keep(sequence);
    }
  }

  /// Kernels with a launch of their own, by step, and by device: several ranks run side by side.
  void FindEager(const std::vector<SpanId>& kernels) {
    const SpanTable& spans = trace_.spans;
    std::map<std::pair<std::int64_t, std::int64_t>, std::uint64_t> devices;
    std::vector<std::uint64_t> device_of;
    for (const trace::Track& track : trace_.tracks)
      device_of.push_back(
          devices.try_emplace({track.process_id, track.device}, devices.size()).first->second);
    std::unordered_map<std::uint64_t, std::vector<SpanId>> groups;
    for (const SpanId id : kernels)
      groups[std::uint64_t{step_[id]} << 32 | device_of[spans.track[id - 1] - 1]].push_back(id);
    // By id, whatever order a hash table has.
    std::vector<std::uint64_t> order;
    for (const auto& [key, group] : groups) order.push_back(key);
    std::sort(order.begin(), order.end());
    for (const std::uint64_t key : order) {
      std::vector<SpanId>& group = groups[key];
      SortByStart(spans, group);
      KernelSequence sequence;
      sequence.source = SequenceSource::kEager;
      for (const SpanId kernel : group)
        Append(sequence, spans.name[kernel - 1], spans.parent[kernel - 1]);
      Keep(sequence);
    }
  }

  Trace& trace_;
  const LayerMap& map_;
  std::vector<SpanId> step_;       ///< By span; 0: none.
  std::vector<StringId> modules_;  ///< By span.
  std::unordered_map<SpanId, StringId> shapes_;
  std::unordered_map<SpanId, StringId> named_;       ///< Launches that name their kernel.
  std::unordered_map<SpanId, std::size_t> call_of_;  ///< In the sequence at hand.
  KernelSequences found_;
};

}  // namespace

LaunchedKernels FindLaunchedKernels(const Trace& trace, bool singles_alone) {
  const SpanTable& spans = trace.spans;
  LaunchedKernels found;
  std::vector<std::uint32_t> kernels_of;
  std::uint32_t most = 0;
  for (std::size_t i = 0; i < spans.size(); ++i) {
    if (!IsLaunchedKernel(spans, i)) continue;
    if (kernels_of.empty()) kernels_of.assign(spans.size() + 1, 0);
    most = std::max(most, ++kernels_of[spans.parent[i]]);
  }
  if (most < 2 && !(singles_alone && most == 1)) return found;
  std::unordered_map<SpanId, std::size_t> index;
  for (std::size_t i = 0; i < spans.size(); ++i) {
    if (!IsLaunchedKernel(spans, i)) continue;
    const SpanId launch = spans.parent[i];
    const auto id = static_cast<SpanId>(i + 1);
    if (kernels_of[launch] < 2) {
      found.singles.push_back(id);
      continue;
    }
    const auto [it, is_new] = index.try_emplace(launch, found.replays.size());
    if (is_new) found.replays.push_back({launch, {}});
    found.replays[it->second].kernels.push_back(id);
  }
  for (Replay& replay : found.replays) SortByStart(spans, replay.kernels);
  return found;
}

KernelSequences FindKernelSequences(Trace& trace, const LaunchedKernels& launched,
                                    const std::vector<SpanId>& parents_first, const LayerMap& map) {
  return SequenceFinder(trace, parents_first, map).Find(launched);
}

void AddForeignSequences(Trace& trace, const std::string& run, ForeignSequences& sequences) {
  const std::vector<SpanId> order = ParentsFirst(trace);
  const LayerMap map = FindLayers(trace, order);
  const KernelSequences found =
      FindKernelSequences(trace, FindLaunchedKernels(trace, true), order, map);
  // Iterations are alike: a run of a thousand of them says one thing.
  const auto key = [](const KernelSequence& of) {
    std::vector<std::tuple<StringId, StringId, StringId, StringId>> calls;
    for (const OperatorCall& call : of.calls)
      calls.emplace_back(call.type, call.name, call.input_shapes, call.modules);
    return std::tuple(of.source, of.names, of.inner, of.outer, std::move(calls));
  };
  std::set<decltype(key(found.list.front()))> known;
  for (const KernelSequence& sequence : found.list) {
    if (!known.insert(key(sequence)).second) continue;
    sequences.list.push_back(Translated(sequence, trace.strings, sequences.strings));
    sequences.list.back().run = run;
  }
}

KernelSequence Translated(const KernelSequence& sequence, const trace::StringPool& from,
                          trace::StringPool& to) {
  std::unordered_map<StringId, StringId> ids;
  const auto translate = [&](StringId id) {
    const auto [it, is_new] = ids.try_emplace(id, 0);
    if (is_new) it->second = to.Intern(from.Get(id));
    return it->second;
  };
  KernelSequence result = sequence;
  for (core::Token& name : result.names) name = translate(static_cast<StringId>(name));
  for (OperatorCall& call : result.calls)
    call = {translate(call.type), translate(call.name), translate(call.input_shapes),
            translate(call.modules)};
  return result;
}

}  // namespace xsp::correlate
