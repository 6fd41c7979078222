#include "api/operations/compare_document.h"

#include <fmt/format.h>

#include <cmath>
#include <optional>
#include <string>
#include <utility>

namespace xsp::api {
namespace {

using compare::Basis;
using nlohmann::json;

template <typename Value>
json ValueOrNull(const std::optional<Value>& value) {
  return value ? json(*value) : json();
}

json FiniteOrNull(double value) { return std::isfinite(value) ? json(value) : json(); }

json TimeDocument(const std::optional<compare::DeviceTime>& time) {
  if (!time) return {};
  return {{"steps", time->steps},
          {"total_ns", time->total_ns},
          {"compute_ns", time->compute_ns},
          {"communication_ns", time->communication_ns},
          {"exposed_communication_ns", time->exposed_communication_ns},
          {"copy_ns", time->copy_ns},
          {"idle_ns", time->idle_ns}};
}

json SideDocument(const compare::Side& side, double total_ns) {
  const bool has_device = side.trees.device_spans > 0;
  return {{"name", side.source.name},
          {"total_ns", total_ns},
          {"device_ns", has_device ? json(side.trees.device_ns) : json()},
          {"busy_ns", has_device ? json(side.trees.busy_ns) : json()},
          {"wall_ns", side.trees.wall_ns},
          {"calls", side.trees.calls},
          {"model", side.point.model},
          {"backend", side.point.backend},
          {"device", side.point.device},
          {"precision", side.point.precision},
          {"batch", ValueOrNull(side.point.batch)},
          {"point", side.point.point_id},
          {"run", side.run.path},
          {"processes", side.calls.size()},
          {"kernels_outside", side.trees.outside},
          {"device_time", TimeDocument(side.device_time)}};
}

json ComparableDocument(const compare::Comparability& comparable) {
  json differences = json::array();
  for (const compare::SideDifference& difference : comparable.differences)
    differences.push_back({{"what", difference.what},
                           {"a", difference.a},
                           {"b", difference.b},
                           {"matters", difference.matters}});
  const std::string& without_layers = comparable.without_layers;
  return {{"verdict", compare::ToString(comparable.verdict)},
          {"without_layers", without_layers.empty() ? json() : json(without_layers)},
          {"differences", std::move(differences)}};
}

void AddRatio(const compare::NodeRatio& ratio, json::object_t& object) {
  object.emplace("ratio", FiniteOrNull(ratio.ratio));
  object.emplace("low", FiniteOrNull(ratio.low));
  object.emplace("high", FiniteOrNull(ratio.high));
}

json SessionsDocument(const std::optional<compare::SessionNoise>& sessions) {
  if (!sessions) return {};
  return {{"others", sessions->sessions},
          {"spread", FiniteOrNull(sessions->spread)},
          {"included", sessions->IsKnown()}};
}

/// There may be a million: members are moved, not copied from a list.
json RowDocument(const compare::ComparedNode& node, const compare::NodeVerdict& verdict) {
  json::object_t row;
  row.emplace("path", node.path);
  row.emplace("kind", compare::ToString(node.kind));
  row.emplace("leaf", node.is_leaf);
  row.emplace("a_ns", ValueOrNull(node.a_ns));
  row.emplace("b_ns", ValueOrNull(node.b_ns));
  row.emplace("difference_ns", node.difference_ns);
  row.emplace("verdict", compare::ToString(verdict.verdict));
  if (verdict.times) AddRatio(*verdict.times, row);
  if (verdict.relative) {
    json::object_t relative;
    AddRatio(*verdict.relative, relative);
    row.emplace("relative", std::move(relative));
  }
  if (!node.b_path.empty()) row.emplace("b_path", node.b_path);
  return row;
}

void NoteOutside(const compare::Side& side, std::vector<std::string>& notes) {
  if (side.trees.outside > 0)
    notes.push_back(fmt::format(
        "{}: {} kernels and copies lie outside of its model calls and steps, and are not "
        "compared",
        side.source.name, side.trees.outside));
}

}  // namespace

void NoteComparison(const compare::Sides& sides, const compare::ComparedSides& compared,
                    std::vector<std::string>& notes) {
  if (const std::string& note = compared.comparable.without_layers; !note.empty())
    notes.push_back(note);
  NoteOutside(sides.a, notes);
  NoteOutside(sides.b, notes);
}

json CompareDocument(const compare::Sides& sides, const compare::ComparedSides& compared) {
  json::array_t rows;
  rows.reserve(compared.trees.nodes.size());
  for (std::size_t i = 0; i < compared.trees.nodes.size(); ++i)
    rows.push_back(RowDocument(compared.trees.nodes[i], compared.node_verdicts[i]));
  return {{"sides", json::array({SideDocument(sides.a, compared.a_total_ns),
                                 SideDocument(sides.b, compared.b_total_ns)})},
          {"basis", sides.basis == Basis::kDevice ? "device" : "host"},
          {"comparable", ComparableDocument(compared.comparable)},
          {"verdict", compare::ToString(compared.verdict)},
          {"reason", compared.reason.empty() ? json() : json(compared.reason)},
          {"ratio", ValueOrNull(compared.ratio)},
          {"low", ValueOrNull(compared.low)},
          {"high", ValueOrNull(compared.high)},
          {"sessions", SessionsDocument(compared.sessions)},
          {"ratio_of", compared.is_ratio_of_latencies ? "latency" : "total"},
          {"rows", std::move(rows)},
          {"difference_ns", compared.b_total_ns - compared.a_total_ns},
          {"residual_ns", compared.residual_ns},
          {"aligned_share", FiniteOrNull(compared.trees.aligned_share)}};
}

}  // namespace xsp::api
