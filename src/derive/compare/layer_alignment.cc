#include "derive/compare/layer_alignment.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <map>
#include <utility>

#include "core/alignment.h"
#include "store/nullable.h"

namespace xsp::compare {
namespace {

std::string Lower(std::string_view text) {
  std::string lower(text);
  for (char& c : lower)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return lower;
}

bool HasAny(std::string_view text, std::initializer_list<std::string_view> parts) {
  return std::any_of(parts.begin(), parts.end(), [&](std::string_view part) {
    return text.find(part) != std::string_view::npos;
  });
}

core::Token TokenOf(const Segment& segment) {
  std::size_t token = std::hash<std::string_view>()(AnchorKind(segment.type));
  for (const std::int64_t size : SortedDimensions(segment.shape))
    token = token * 1099511628211u + static_cast<std::size_t>(size);
  return token;
}

std::vector<core::Token> TokensOf(const std::vector<Segment>& segments,
                                  const std::vector<std::size_t>& indices) {
  std::vector<core::Token> tokens;
  for (const std::size_t i : indices) tokens.push_back(TokenOf(segments[i]));
  return tokens;
}

constexpr std::size_t kSeveral = 0;

/// The segment of each kind of anchor at each path; kSeveral: more than one is there.
std::map<std::pair<std::string_view, std::string_view>, std::size_t> AnchorsByPath(
    const std::vector<Segment>& segments) {
  std::map<std::pair<std::string_view, std::string_view>, std::size_t> found;
  for (std::size_t i = 1; i < segments.size(); ++i) {
    if (segments[i].path.empty()) continue;
    const auto [it, is_new] =
        found.try_emplace({AnchorKind(segments[i].type), segments[i].path}, i);
    if (!is_new) it->second = kSeveral;
  }
  return found;
}

/// Adds the rows of one point.
void AddRows(std::int64_t reference_id, const MeasuredPoint& point,
             const std::vector<Segment>& segments, std::vector<store::AlignedLayerRow>& rows) {
  for (const Segment& segment : segments) {
    if (segment.layers.empty()) continue;
    double latency_ns = 0;
    for (const std::size_t layer : segment.layers) {
      const double own_ns = point.layers[layer].latency_ns;
      if (!std::isnan(own_ns)) latency_ns += own_ns;
    }
    const bool matched = segment.reference >= 0;
    rows.push_back(
        {.reference_point_id = reference_id,
         .segment_index = matched ? std::optional<std::int64_t>(segment.reference) : std::nullopt,
         .point_id = point.point_id,
         .name = segment.name.empty() ? "(before)" : segment.name,
         .type = segment.type,
         .shape = store::TextOrNull(segment.shape),
         .layer_index = point.layers[segment.layers.front()].index,
         .layers = static_cast<std::int64_t>(segment.layers.size()),
         .latency_ns = latency_ns});
  }
}

}  // namespace

std::string_view AnchorKind(std::string_view layer_type) {
  const std::string type = Lower(layer_type);
  if (HasAny(type, {"convert"})) return {};
  if (HasAny(type, {"conv"})) return "convolution";
  if (HasAny(type, {"gemm", "matmul", "linear", "fullyconnected", "fully_connected", "innerproduct",
                    "inner_product", "addmm", "aten::mm", "aten::bmm", "::dot"}))
    return "product";
  if (HasAny(type, {"lstm", "gru", "rnn"})) return "recurrent";
  if (HasAny(type, {"attention"})) return "attention";
  return {};
}

std::vector<std::int64_t> SortedDimensions(std::string_view shape) {
  std::vector<std::int64_t> sizes;
  std::size_t at = shape.find_first_not_of('[');
  while (at != std::string_view::npos && at < shape.size() && shape[at] != ']') {
    std::int64_t size = 0;
    const auto [end, error] = std::from_chars(shape.data() + at, shape.data() + shape.size(), size);
    if (error != std::errc()) return {};
    if (size != 1) sizes.push_back(size);
    at = static_cast<std::size_t>(end - shape.data());
    at = shape.find_first_not_of(", ", at);
  }
  std::sort(sizes.begin(), sizes.end());
  return sizes;
}

std::vector<Segment> CutIntoSegments(const std::vector<MeasuredLayer>& layers) {
  std::vector<Segment> segments(1);
  for (std::size_t i = 0; i < layers.size(); ++i) {
    if (!AnchorKind(layers[i].type).empty())
      segments.push_back({layers[i].name, layers[i].type, layers[i].shape, {}, -1, layers[i].path});
    segments.back().layers.push_back(i);
  }
  return segments;
}

void MatchSegments(const std::vector<Segment>& reference, std::vector<Segment>& segments) {
  // Segment 0 is what comes before the first anchor, on both sides.
  segments.front().reference = 0;
  std::vector<bool> taken(reference.size(), false);
  const auto pair = [&](std::size_t own, std::size_t wanted) {
    segments[own].reference = static_cast<std::int32_t>(wanted);
    taken[wanted] = true;
  };
  const auto at_reference = AnchorsByPath(reference);
  for (const auto& [place, own] : AnchorsByPath(segments)) {
    const auto it = at_reference.find(place);
    if (own != kSeveral && it != at_reference.end() && it->second != kSeveral)
      pair(own, it->second);
  }
  std::vector<std::size_t> wanted_left, own_left;
  for (std::size_t i = 1; i < reference.size(); ++i)
    if (!taken[i]) wanted_left.push_back(i);
  for (std::size_t i = 1; i < segments.size(); ++i)
    if (segments[i].reference < 0) own_left.push_back(i);
  const core::Alignment alignment =
      core::Align(TokensOf(reference, wanted_left), TokensOf(segments, own_left));
  for (std::size_t i = 0; i < own_left.size(); ++i)
    if (const std::int32_t at = alignment.b_to_a[i]; at >= 0)
      pair(own_left[i], wanted_left[static_cast<std::size_t>(at)]);
  for (const std::size_t own : own_left) {
    if (segments[own].reference >= 0) continue;
    std::size_t nearest = 0;
    const auto distance = [&](std::size_t j) { return j > own ? j - own : own - j; };
    for (const std::size_t j : wanted_left) {
      if (taken[j] || TokenOf(reference[j]) != TokenOf(segments[own])) continue;
      if (nearest == 0 || distance(j) < distance(nearest)) nearest = j;
    }
    if (nearest != 0) pair(own, nearest);
  }
}

std::vector<std::vector<store::AlignedLayerRow>> AlignPoints(const Group& group) {
  const auto reference = std::find_if(group.begin(), group.end(), [](const MeasuredPoint& point) {
    return CutIntoSegments(point.layers).size() > 1;
  });
  if (reference == group.end()) return {};
  const std::vector<Segment> wanted = CutIntoSegments(reference->layers);
  std::vector<std::vector<store::AlignedLayerRow>> rows;
  for (const MeasuredPoint& point : group) {
    std::vector<Segment> segments = CutIntoSegments(point.layers);
    MatchSegments(wanted, segments);
    AddRows(reference->point_id, point, segments, rows.emplace_back());
  }
  return rows;
}

std::vector<store::AlignedLayerRow> AlignLayers(const std::vector<Group>& groups) {
  std::vector<store::AlignedLayerRow> rows;
  for (const Group& group : groups)
    for (const auto& of_point : AlignPoints(group))
      rows.insert(rows.end(), of_point.begin(), of_point.end());
  return rows;
}

}  // namespace xsp::compare
