#include "ingest/correlate/launch_order.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <vector>

namespace xsp::correlate {
namespace {

using trace::SpanId;

/// Of one rank.
struct Unpaired {
  std::vector<SpanId> kernels, launches;
};

/// cudaLaunchKernel, cuLaunchKernelEx, hipModuleLaunchKernel, ...: by name, told once for each.
std::vector<bool> LaunchingNames(const trace::Trace& trace) {
  std::vector<bool> launches(trace.strings.size());
  for (std::size_t i = 0; i < launches.size(); ++i) {
    const std::string_view name = trace.Text(static_cast<trace::StringId>(i));
    launches[i] = name.find("Launch") != std::string_view::npos &&
                  name.find("Kernel") != std::string_view::npos;
  }
  return launches;
}

}  // namespace

void PlaceByLaunchOrder(trace::Trace& trace) {
  trace::SpanTable& spans = trace.spans;
  std::map<std::int64_t, Unpaired> by_rank;
  std::vector<bool> has_kernel(spans.size() + 1, false);
  for (std::size_t i = 0; i < spans.size(); ++i) {
    if (spans.level[i] != trace::Level::kKernel) continue;
    const trace::Track& track = trace.tracks[spans.track[i] - 1];
    has_kernel[spans.parent[i]] = true;
    const bool on_device = track.kind != trace::TrackKind::kThread && !track.is_reference;
    if (on_device && spans.parent[i] == 0 && spans.correlation_id[i] == 0)
      by_rank[track.rank].kernels.push_back(static_cast<SpanId>(i + 1));
  }
  if (by_rank.empty()) return;
  const std::vector<bool> launching = LaunchingNames(trace);
  for (std::size_t i = 0; i < spans.size(); ++i) {
    if (spans.level[i] != trace::Level::kLibrary || has_kernel[i + 1] || !launching[spans.name[i]])
      continue;
    const trace::Track& track = trace.tracks[spans.track[i] - 1];
    const auto rank = by_rank.find(track.rank);
    if (rank != by_rank.end() && !track.is_reference)
      rank->second.launches.push_back(static_cast<SpanId>(i + 1));
  }
  const auto before = [&](SpanId a, SpanId b) {
    return std::tie(spans.start_ns[a - 1], a) < std::tie(spans.start_ns[b - 1], b);
  };
  for (auto& [rank, unpaired] : by_rank) {
    if (unpaired.kernels.size() != unpaired.launches.size()) continue;
    std::sort(unpaired.kernels.begin(), unpaired.kernels.end(), before);
    std::sort(unpaired.launches.begin(), unpaired.launches.end(), before);
    for (std::size_t i = 0; i < unpaired.kernels.size(); ++i) {
      spans.parent[unpaired.kernels[i] - 1] = unpaired.launches[i];
      spans.placed_by[unpaired.kernels[i] - 1] = trace::PlacedBy::kSequence;
    }
  }
}

}  // namespace xsp::correlate
