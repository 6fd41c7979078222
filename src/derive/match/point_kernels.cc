#include "derive/match/point_kernels.h"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "store/nullable.h"

namespace xsp::match {

/// The kernels of every call of a run in the order in which they are matched: by layer, then start.
/// Streams that overlap differently from call to call keep their order within each layer.
struct KernelSequences {
  std::vector<std::vector<std::uint32_t>> order;  ///< By call: indices into Call::kernels.
  std::vector<std::vector<std::int32_t>> layers;  ///< By call, in that order: the point's layer.
  std::vector<std::vector<Token>> tokens;
  Reference reference;
};

namespace {

/// Rungs whose kernel times count, best first.
constexpr std::array<std::string_view, 4> kTimedRungs = {"kernel", "imported", "recorded",
                                                         "library"};
constexpr std::string_view kCountedRung = "counters";

/// Rungs that look at kernels at all. The native kernels of shallower ones are operators in which
/// nobody looked for primitives; the times of `counters` are discarded, its metrics are not.
bool HasKernels(const RunView& run) {
  const bool looks =
      run.input.rung == kCountedRung ||
      std::find(kTimedRungs.begin(), kTimedRungs.end(), run.input.rung) != kTimedRungs.end();
  return looks && std::any_of(run.calls.calls.begin(), run.calls.calls.end(),
                              [](const Call& call) { return !call.kernels.empty(); });
}

std::int32_t PointLayerOf(const RunView& run, std::size_t call, const KernelEvent& kernel) {
  if (kernel.layer < 0 || !run.layers) return -1;
  const std::int32_t reference = run.ReferenceLayer(call, kernel.layer);
  return reference < 0 ? -1 : run.to_base[static_cast<std::size_t>(reference)];
}

KernelSequences MakeSequences(const RunView& run, Names& names) {
  KernelSequences sequences;
  for (std::size_t c = 0; c < run.calls.calls.size(); ++c) {
    const std::vector<KernelEvent>& kernels = run.calls.calls[c].kernels;
    std::vector<std::int32_t> layer_of;
    std::vector<std::uint32_t> order;
    layer_of.reserve(kernels.size());
    order.reserve(kernels.size());
    for (std::size_t i = 0; i < kernels.size(); ++i) {
      layer_of.push_back(PointLayerOf(run, c, kernels[i]));
      order.push_back(static_cast<std::uint32_t>(i));
    }
    // Kernels come in order of start; a stable sort keeps that. Those without a layer come last.
    std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
      return static_cast<std::uint32_t>(layer_of[a]) < static_cast<std::uint32_t>(layer_of[b]);
    });
    auto& tokens = sequences.tokens.emplace_back();
    auto& layers = sequences.layers.emplace_back();
    tokens.reserve(kernels.size());
    layers.reserve(kernels.size());
    for (const std::uint32_t i : order) {
      layers.push_back(layer_of[i]);
      tokens.push_back(MixTokens(static_cast<Token>(layer_of[i] + 1),
                                 names.Number(run.NameOf(kernels[i].span))));
    }
    sequences.order.push_back(std::move(order));
  }
  sequences.reference = FindReference(sequences.tokens, run.used);
  return sequences;
}

std::string ExampleOf(const RunView& run, const KernelSequences& sequences) {
  const auto name = [&](std::size_t call, std::size_t index) {
    const std::uint32_t kernel = sequences.order[call][index];
    return std::string(run.NameOf(run.calls.calls[call].kernels[kernel].span));
  };
  for (std::size_t call = 0; call < sequences.reference.calls.size(); ++call) {
    const Alignment& alignment = *sequences.reference.calls[call];
    if (const auto index = alignment.FirstOnlyA()) return name(sequences.reference.call, *index);
    if (const auto index = alignment.FirstOnlyB()) return name(call, *index);
  }
  return {};
}

/// What tied a kernel to its layer; of a replayed one also what told it.
std::string_view PlacedBy(const RunView& run, trace::SpanId kernel) {
  const trace::PlacedBy placed_by = run.trace.spans.placed_by[kernel - 1];
  if (placed_by != trace::PlacedBy::kSequence) return trace::ToString(placed_by);
  const std::string_view told =
      run.values.Attribute(run.trace.spans.parent[kernel - 1], run.replay_reference);
  if (told == trace::reference::kCapture) return "sequence: capture";
  if (told == trace::reference::kEager) return "sequence: eager iteration";
  if (told.starts_with(trace::reference::kRunPrefix)) return "sequence: other run";
  return trace::ToString(placed_by);
}

bool IsMeasured(const std::string& provenance) {
  return !provenance.empty() && ProvenanceRank(provenance) < 2;
}

}  // namespace

std::int64_t UnionNs(std::vector<std::pair<std::int64_t, std::int64_t>>& intervals) {
  std::sort(intervals.begin(), intervals.end());
  std::int64_t total = 0;
  std::int64_t end = std::numeric_limits<std::int64_t>::min();
  for (const auto& [start, duration] : intervals) {
    const std::int64_t stop = start + duration;
    if (stop <= end) continue;
    total += stop - std::max(start, end);
    end = stop;
  }
  return total;
}

PointKernels::PointKernels(const Runs& runs, const PointLayers& layers, std::int64_t point_id,
                           Names& names, std::vector<store::MatchRow>& match)
    : busy_share_(layers.size(), 1.0) {
  const auto look = [&](std::string_view rung) {
    for (const auto& run : runs)
      if (base_ == nullptr && run->input.rung == rung && HasKernels(*run)) base_ = run.get();
  };
  for (const std::string_view rung : kTimedRungs) look(rung);
  look(kCountedRung);
  if (base_ == nullptr) return;
  const KernelSequences sequences = MakeSequences(*base_, names);
  match.push_back(IterationsRow(point_id, "kernel", base_->input.run_id, sequences.reference,
                                ExampleOf(*base_, sequences)));
  MakeKernels(sequences);
  CompleteWork(sequences, layers);
  std::vector<int> found_in(kernels_.size(), 1);
  int shown_by = 1;
  for (const auto& run : runs) {
    if (run.get() == base_ || !HasKernels(*run)) continue;
    ++shown_by;
    MatchRun(*run, sequences, MakeSequences(*run, names), point_id, found_in, match);
  }
  DropMeasured();
  for (std::size_t i = 0; i < kernels_.size(); ++i) {
    kernels_[i].matched = found_in[i] == 1 ? "single" : found_in[i] == shown_by ? "all" : "partial";
  }
  FindBusyShares(layers);
  std::stable_sort(kernels_.begin(), kernels_.end(), [](const auto& a, const auto& b) {
    return a.start_ns != b.start_ns ? a.start_ns < b.start_ns : a.span < b.span;
  });
}

void PointKernels::CompleteWork(const KernelSequences& sequences, const PointLayers& layers) {
  const std::size_t reference = sequences.reference.call;
  const Call& call = base_->calls.calls[reference];
  const bool has_shapes = std::any_of(layers.runs().begin(), layers.runs().end(),
                                      [](const RunView* run) { return run->input_shapes != 0; });
  std::vector<KernelOfOperator> all, on_cpu;
  bool cpu_lacks = false, device_lacks = false;
  for (std::size_t i = 0; i < kernels_.size(); ++i) {
    const std::string_view type = base_->TypeOf(kernels_[i].span);
    const bool is_on_cpu = type == trace::type::kNative || type == trace::type::kPrimitive;
    const bool lacks = !kernels_[i].work.flops;
    cpu_lacks = cpu_lacks || (is_on_cpu && lacks);
    device_lacks = device_lacks || (!is_on_cpu && lacks);
    all.push_back({kernels_[i].span, call.kernels[sequences.order[reference][i]].operator_span,
                   kernels_[i].layer, &kernels_[i].work});
    if (is_on_cpu) on_cpu.push_back(all.back());
  }
  if (!cpu_lacks && !(device_lacks && has_shapes)) return;
  const OperatorWork work(layers, *base_);
  if (cpu_lacks) work.Complete(on_cpu);
  if (device_lacks && has_shapes) shared_ = work.CompleteOnDevice(all);
}

void PointKernels::DropMeasured() {
  std::erase_if(shared_, [](const SharedWork& shared) {
    return std::any_of(shared.kernels.begin(), shared.kernels.end(),
                       [](const KernelWork* work) { return work->flops.has_value(); });
  });
  for (SharedWork& shared : shared_) {
    for (const KernelWork* work : shared.kernels)
      if (work->read_bytes || work->write_bytes)
        shared.cost.read_bytes = shared.cost.write_bytes = 0;
    shared.kernels.clear();
  }
}

void PointKernels::MatchRun(const RunView& run, const KernelSequences& sequences,
                            const KernelSequences& other, std::int64_t point_id,
                            std::vector<int>& found_in, std::vector<store::MatchRow>& match) {
  const Alignment alignment = Align(sequences.reference.tokens, other.reference.tokens);
  const auto& order = other.order[other.reference.call];
  const Call& call = run.calls.calls[other.reference.call];
  for (std::size_t i = 0; i < kernels_.size(); ++i) {
    const std::int32_t j = alignment.a_to_b[i];
    if (j < 0) continue;
    ++found_in[i];
    const KernelEvent& kernel = call.kernels[order[static_cast<std::size_t>(j)]];
    KernelWork work = ReadKernelWork(run.values, kernel.span);
    MeanOfMeasured(run, other, static_cast<std::size_t>(j), work);
    TakeBetter(kernels_[i].work, work);
  }
  std::string example;
  if (const auto missing = alignment.FirstOnlyA()) {
    example = base_->NameOf(kernels_[*missing].span);
  } else if (const auto extra = alignment.FirstOnlyB()) {
    example = run.NameOf(call.kernels[order[*extra]].span);
  }
  match.push_back({.point_id = point_id,
                   .level = "kernel",
                   .run_a = base_->input.run_id,
                   .run_b = run.input.run_id,
                   .matched = alignment.matched,
                   .only_a = alignment.only_a(),
                   .only_b = alignment.only_b(),
                   .example = store::TextOrNull(example)});
}

void PointKernels::MakeKernels(const KernelSequences& sequences) {
  const Reference& reference = sequences.reference;
  const Call& call = base_->calls.calls[reference.call];
  for (std::size_t i = 0; i < reference.tokens.size(); ++i) {
    const KernelEvent& event = call.kernels[sequences.order[reference.call][i]];
    PointKernel kernel;
    kernel.layer = sequences.layers[reference.call][i];
    kernel.span = event.span;
    kernel.start_ns = base_->StartOf(event.span);
    if (kernel.layer >= 0) {
      kernel.confidence = event.confidence;
      kernel.placed_by = PlacedBy(*base_, event.span);
    }
    kernel.duration_ns = MeanOverCalls(*base_, reference, i, [&](std::size_t c, std::size_t k) {
      const KernelEvent& of_call = base_->calls.calls[c].kernels[sequences.order[c][k]];
      return base_->input.rung == kCountedRung
                 ? std::nullopt
                 : std::optional(static_cast<double>(base_->DurationOf(of_call.span)));
    });
    kernel.work = ReadKernelWork(base_->values, event.span);
    if (kernel.work.dtype.empty()) {
      kernel.work.dtype = base_->values.Attribute(event.span, base_->dtype);
    }
    MeanOfMeasured(*base_, sequences, i, kernel.work);
    kernels_.push_back(std::move(kernel));
  }
}

void PointKernels::MeanOfMeasured(const RunView& run, const KernelSequences& sequences,
                                  std::size_t index, KernelWork& work) {
  if (!IsMeasured(work.flops_provenance) && !IsMeasured(work.traffic_provenance) &&
      !work.occupancy) {
    return;  // What is counted from the problem is the same in every call.
  }
  const auto mean = [&](std::optional<double> KernelWork::*member) {
    if (!(work.*member)) return;
    work.*member =
        MeanOverCalls(run, sequences.reference, index, [&](std::size_t c, std::size_t k) {
          const KernelEvent& event = run.calls.calls[c].kernels[sequences.order[c][k]];
          return ReadKernelWork(run.values, event.span).*member;
        });
  };
  mean(&KernelWork::flops);
  mean(&KernelWork::read_bytes);
  mean(&KernelWork::write_bytes);
  mean(&KernelWork::occupancy);
}

void PointKernels::FindBusyShares(const PointLayers& layers) {
  std::vector<std::vector<double>> shares(layers.size());
  std::vector<std::vector<std::pair<std::int64_t, std::int64_t>>> intervals(layers.size());
  for (std::size_t c = 0; c < base_->calls.calls.size(); ++c) {
    if (!base_->used[c]) continue;
    for (auto& of_layer : intervals) of_layer.clear();
    for (const KernelEvent& kernel : base_->calls.calls[c].kernels) {
      const std::int32_t layer = PointLayerOf(*base_, c, kernel);
      if (layer < 0) continue;
      intervals[static_cast<std::size_t>(layer)].emplace_back(base_->StartOf(kernel.span),
                                                              base_->DurationOf(kernel.span));
    }
    for (std::size_t i = 0; i < intervals.size(); ++i) {
      std::int64_t sum = 0;
      for (const auto& interval : intervals[i]) sum += interval.second;
      if (sum > 0) {
        shares[i].push_back(static_cast<double>(UnionNs(intervals[i])) / static_cast<double>(sum));
      }
    }
  }
  for (std::size_t i = 0; i < shares.size(); ++i) {
    if (!shares[i].empty()) busy_share_[i] = core::TrimmedMean(shares[i]);
  }
}

}  // namespace xsp::match
