#include "suite/rooflines/roofline.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace xsp::suite::rooflines {
namespace {

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
constexpr double kAlike = 0.1;

}  // namespace

Place PlaceOf(const Work& work, double peak_flops_per_s, double peak_bytes_per_s) {
  Place place{kUnknown, kUnknown, "", kUnknown};
  if (work.bytes > 0) place.intensity = work.flops / work.bytes;
  if (work.seconds > 0) place.throughput = work.flops / work.seconds;
  const double ridge = peak_flops_per_s / peak_bytes_per_s;
  if (std::isnan(place.intensity) || std::isnan(ridge)) return place;
  const bool memory = place.intensity < ridge;
  place.bound = memory ? "memory" : "compute";
  // In bytes below the ridge: a workload that computes nothing has a roof too.
  place.roof_fraction =
      memory ? work.bytes / work.seconds / peak_bytes_per_s : place.throughput / peak_flops_per_s;
  return place;
}

std::vector<Roof> Merged(const std::vector<Roof>& roofs, std::vector<std::string>* differing) {
  std::vector<Roof> merged;
  std::vector<double> least;
  for (const Roof& roof : roofs) {
    const auto known = std::ranges::find_if(merged, [&roof](const Roof& other) {
      return other.name == roof.name && other.is_bandwidth == roof.is_bandwidth;
    });
    const auto at = static_cast<std::size_t>(known - merged.begin());
    if (known == merged.end()) {
      merged.push_back(roof);
      least.push_back(roof.value);
      continue;
    }
    least[at] = std::min(least[at], roof.value);
    if (roof.value > known->value) *known = roof;
  }
  for (std::size_t i = 0; i < merged.size(); ++i)
    if (least[i] < (1 - kAlike) * merged[i].value) differing->push_back(merged[i].name);
  return merged;
}

std::optional<Roof> Greatest(const std::vector<Roof>& roofs, bool is_bandwidth) {
  std::optional<Roof> greatest;
  for (const Roof& roof : roofs)
    if (roof.is_bandwidth == is_bandwidth && (!greatest || roof.value > greatest->value))
      greatest = roof;
  return greatest;
}

std::optional<Line> LineOf(const Roof& roof, const std::vector<Roof>& roofs, double low,
                           double high) {
  const auto other = Greatest(roofs, !roof.is_bandwidth);
  if (roof.is_bandwidth) {
    const double end = other ? std::min(high, other->value / roof.value) : high;
    if (end <= low) return std::nullopt;
    return Line{low, end, low * roof.value, end * roof.value};
  }
  const double start = other ? std::max(low, roof.value / other->value) : low;
  if (start >= high) return std::nullopt;
  return Line{start, high, roof.value, roof.value};
}

}  // namespace xsp::suite::rooflines
