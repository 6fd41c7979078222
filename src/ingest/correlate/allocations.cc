#include "ingest/correlate/allocations.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <string_view>
#include <tuple>
#include <vector>

#include "ingest/correlate/layers.h"

namespace xsp::correlate {
namespace {

using trace::SpanId;

struct Allocation {
  std::int64_t time_ns;
  double bytes;
};
using ByRank = std::map<std::int64_t, std::vector<Allocation>>;

ByRank FindAllocations(const trace::Trace& trace) {
  ByRank of_devices, of_host;
  const trace::CounterTable& counters = trace.counters;
  trace::StringId known = 0;
  for (std::size_t i = 0; i < counters.size(); ++i) {
    if (counters.name[i] != known && trace.Text(counters.name[i]) != "allocation_bytes") continue;
    known = counters.name[i];
    const trace::Track& track = trace.tracks[counters.track[i] - 1];
    if (track.is_reference) continue;
    const bool on_device = track.kind == trace::TrackKind::kDevice;
    (on_device ? of_devices : of_host)[track.rank].push_back(
        {counters.time_ns[i], counters.value[i]});
  }
  ByRank& found = of_devices.empty() ? of_host : of_devices;
  for (auto& [rank, allocations] : found)
    std::stable_sort(
        allocations.begin(), allocations.end(),
        [](const Allocation& a, const Allocation& b) { return a.time_ns < b.time_ns; });
  return std::move(found);
}

bool HasLayerMetrics(const trace::Trace& trace) {
  return std::any_of(
      trace.metrics.name.begin(), trace.metrics.name.end(),
      [&](trace::StringId name) { return trace.Text(name) == trace::metric::kAllocatedBytes; });
}

/// The layers of host threads, by rank and start.
std::map<std::int64_t, std::vector<SpanId>> LayersByRank(const trace::Trace& trace) {
  const trace::SpanTable& spans = trace.spans;
  const LayerMap map = FindLayers(trace, ParentsFirst(trace));
  std::map<std::int64_t, std::vector<SpanId>> layers;
  for (SpanId span = 1; span <= spans.size(); ++span) {
    const trace::Track& track = trace.tracks[spans.track[span - 1] - 1];
    if (map.outermost_layer[span - 1] != span || spans.duration_ns[span - 1] < 0 ||
        track.kind != trace::TrackKind::kThread || track.is_reference)
      continue;
    layers[track.rank].push_back(span);
  }
  for (auto& [rank, of] : layers)
    std::sort(of.begin(), of.end(), [&](SpanId a, SpanId b) {
      return std::tuple(spans.start_ns[a - 1], a) < std::tuple(spans.start_ns[b - 1], b);
    });
  return layers;
}

struct Held {
  double allocated = 0, level = 0, peak = 0;
};

/// What each of `layers` allocated, in their order.
std::vector<Held> HoldingsOf(const trace::SpanTable& spans, const std::vector<SpanId>& layers,
                             const std::vector<Allocation>& allocations) {
  std::vector<Held> held(layers.size());
  std::vector<std::size_t> running;  // The latest started on top; what has ended goes when seen.
  std::size_t next = 0;
  for (const Allocation& at : allocations) {
    for (; next < layers.size() && spans.start_ns[layers[next] - 1] <= at.time_ns; ++next)
      running.push_back(next);
    const auto ended = [&](std::size_t layer) {
      const SpanId span = layers[layer];
      return spans.start_ns[span - 1] + spans.duration_ns[span - 1] < at.time_ns;
    };
    while (!running.empty() && ended(running.back())) running.pop_back();
    if (running.empty()) continue;
    Held& of = held[running.back()];
    of.allocated += std::max(0.0, at.bytes);
    of.level += at.bytes;
    of.peak = std::max(of.peak, of.level);
  }
  return held;
}

}  // namespace

void AddAllocations(trace::Trace& trace) {
  const ByRank allocations = FindAllocations(trace);
  if (allocations.empty() || HasLayerMetrics(trace)) return;
  trace::TraceWriter writer(trace);
  for (const auto& [rank, layers] : LayersByRank(trace)) {
    const auto of_rank = allocations.find(rank);
    if (of_rank == allocations.end()) continue;
    const std::vector<Held> held = HoldingsOf(trace.spans, layers, of_rank->second);
    for (std::size_t i = 0; i < layers.size(); ++i) {
      writer.AddMetric(layers[i], trace::metric::kAllocatedBytes, held[i].allocated, "byte",
                       trace::provenance::kAnalytic);
      writer.AddMetric(layers[i], trace::metric::kPeakBytes, held[i].peak, "byte",
                       trace::provenance::kAnalytic);
    }
  }
}

}  // namespace xsp::correlate
