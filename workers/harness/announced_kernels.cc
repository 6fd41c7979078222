#include "harness/announced_kernels.h"

#include <algorithm>
#include <cstring>
#include <mutex>
#include <numeric>

#include "capture/record/cpu_capture.h"

namespace xsp::worker {
namespace {

struct KernelLog {
  std::mutex mutex;
  std::vector<AnnouncedKernel> kernels;
  bool keep = false;
  std::uint64_t ambiguous = 0, outside_layers = 0;
};

KernelLog& TheKernelLog() {
  static KernelLog& log =
      *new KernelLog;  // Never destroyed: a framework's threads may print until the end.
  return log;
}

void Take(const record::CapturedKernel& kernel) {
  KernelLog& log = TheKernelLog();
  const std::lock_guard lock(log.mutex);
  if (!log.keep) return;
  log.kernels.push_back({kernel.kind, kernel.start_ns, kernel.start_ns + kernel.duration_ns,
                         std::string(kernel.line)});
}

std::uint64_t SharedNs(const AnnouncedKernel& kernel, const RecordedLayer& layer) {
  const std::uint64_t from = std::max(kernel.start_ns, layer.start_ns);
  const std::uint64_t to = std::min(kernel.end_ns, layer.end_ns);
  return to > from ? to - from : 0;
}

bool MayHold(const RecordedLayer& layer, const AnnouncedKernel& kernel) {
  if (kernel.end_ns == kernel.start_ns)
    return layer.start_ns <= kernel.end_ns && kernel.end_ns <= layer.end_ns;
  return 2 * SharedNs(kernel, layer) >= kernel.end_ns - kernel.start_ns;
}

/// Layers by start, and for each the latest end so far: where to stop looking back.
struct SortedLayers {
  explicit SortedLayers(std::span<const RecordedLayer> layers)
      : order(layers.size()), latest_end_ns(layers.size()) {
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return layers[a].start_ns < layers[b].start_ns;
    });
    std::uint64_t latest = 0;
    for (std::size_t i = 0; i < order.size(); ++i) {
      latest = std::max(latest, layers[order[i]].end_ns);
      latest_end_ns[i] = latest;
    }
  }

  std::vector<std::size_t> order;
  std::vector<std::uint64_t> latest_end_ns;
};

Placement Place(const AnnouncedKernel& kernel, std::span<const RecordedLayer> layers,
                const SortedLayers& sorted) {
  const auto after = std::upper_bound(
      sorted.order.begin(), sorted.order.end(), kernel.end_ns,
      [&](std::uint64_t end_ns, std::size_t i) { return end_ns < layers[i].start_ns; });
  Placement placement;
  std::uint64_t least_left_ns = 0;
  for (auto at = static_cast<std::size_t>(after - sorted.order.begin()); at > 0; --at) {
    if (sorted.latest_end_ns[at - 1] < kernel.start_ns) break;
    const RecordedLayer& layer = layers[sorted.order[at - 1]];
    if (!MayHold(layer, kernel)) continue;
    const std::uint64_t left_ns = layer.end_ns - layer.start_ns - SharedNs(kernel, layer);
    placement.ambiguous = placement.layer != kNoLayer;
    if (placement.layer != kNoLayer && left_ns >= least_left_ns) continue;
    placement.layer = sorted.order[at - 1];
    least_left_ns = left_ns;
  }
  return placement;
}

xsp_string Id(const char* text) { return xsp_intern(text, std::strlen(text)); }

void Fact(const char* key, std::uint64_t value) {
  const std::string text = std::to_string(value);
  xsp_attribute(0, Id(key), text.data(), text.size());
}

}  // namespace

std::vector<Placement> PlaceKernels(std::span<const AnnouncedKernel> kernels,
                                    std::span<const RecordedLayer> layers) {
  const SortedLayers sorted(layers);
  std::vector<Placement> placements;
  placements.reserve(kernels.size());
  for (const AnnouncedKernel& kernel : kernels) placements.push_back(Place(kernel, layers, sorted));
  return placements;
}

void AnnouncedKernels::Start() {
  record::SetKernelSink(Take);
  record::StartCpuCapture();
}

void AnnouncedKernels::Keep(bool keep) {
  KernelLog& log = TheKernelLog();
  const std::lock_guard lock(log.mutex);
  log.keep = keep;
  log.kernels.clear();
}

void AnnouncedKernels::File(xsp_span call, std::span<const RecordedLayer> layers) {
  static const xsp_string primitive = Id("primitive"), raw = Id("raw"), placement = Id("placement");
  KernelLog& log = TheKernelLog();
  std::vector<AnnouncedKernel> kernels;
  {
    const std::lock_guard lock(log.mutex);
    kernels.swap(log.kernels);
  }
  const auto placements = PlaceKernels(kernels, layers);
  for (std::size_t i = 0; i < kernels.size(); ++i) {
    const AnnouncedKernel& kernel = kernels[i];
    const bool inside = placements[i].layer != kNoLayer;
    const xsp_span span =
        xsp_complete_in(inside ? layers[placements[i].layer].span : call, XSP_LEVEL_KERNEL,
                        primitive, kernel.kind, kernel.start_ns, kernel.end_ns - kernel.start_ns);
    log.outside_layers += !inside;
    log.ambiguous += placements[i].ambiguous;
    if (!span) continue;
    xsp_attribute(span, raw, kernel.line.data(), kernel.line.size());
    if (placements[i].ambiguous) xsp_attribute(span, placement, "ambiguous", 9);
  }
}

void AnnouncedKernels::RecordFacts() {
  const record::CpuCaptureCounts counts = record::CpuCaptureCountsSoFar();
  Fact("cpu_capture.kernels", counts.kernels);
  Fact("cpu_capture.other_lines", counts.other_lines);
  Fact("cpu_capture.truncated_lines", counts.truncated_lines);
  Fact("cpu_capture.ambiguous", TheKernelLog().ambiguous);
  Fact("cpu_capture.outside_layers", TheKernelLog().outside_layers);
}

}  // namespace xsp::worker
