#include "answer/suite/rooflines/roofline.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <limits>
#include <string_view>
#include <utility>

namespace xsp::suite::rooflines {
namespace {

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
constexpr double kAlike = 0.1;
constexpr const char* kUsualType = "float32";

/// Those of the kind that the user gave, or all where there are none.
std::vector<Roof> GivenFirst(const std::vector<Roof>& roofs, bool is_bandwidth) {
  std::vector<Roof> of_kind, given;
  for (const Roof& roof : roofs) {
    if (roof.is_bandwidth != is_bandwidth) continue;
    of_kind.push_back(roof);
    if (roof.provenance == kGivenRoof) given.push_back(roof);
  }
  return given.empty() ? of_kind : given;
}

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

std::string DataTypeOf(const std::string& word) {
  std::string name = word;
  for (char& c : name) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  constexpr std::array<std::pair<std::string_view, std::string_view>, 13> kNames = {
      {{"fp32", "float32"},
       {"f32", "float32"},
       {"float", "float32"},
       {"single", "float32"},
       {"fp16", "float16"},
       {"f16", "float16"},
       {"half", "float16"},
       {"bf16", "bfloat16"},
       {"fp64", "float64"},
       {"f64", "float64"},
       {"double", "float64"},
       {"i8", "int8"},
       {"s8", "int8"}}};
  const auto known = std::ranges::find(kNames, name, [](const auto& pair) { return pair.first; });
  return known == kNames.end() ? name : std::string(known->second);
}

std::optional<Roof> CeilingFor(const std::vector<Roof>& roofs, const std::string& dtype) {
  const std::vector<Roof> ceilings = GivenFirst(roofs, false);
  std::vector<Roof> of_type;
  for (const Roof& roof : ceilings)
    if (roof.dtype.empty() || roof.dtype == (dtype.empty() ? kUsualType : dtype))
      of_type.push_back(roof);
  return Greatest(of_type.empty() && dtype.empty() ? ceilings : of_type, false);
}

std::optional<Roof> SlopeFor(const std::vector<Roof>& roofs) {
  return Greatest(GivenFirst(roofs, true), true);
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
