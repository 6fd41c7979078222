#include "answer/suite/rooflines/chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "core/json_text.h"

namespace xsp::suite::rooflines {
namespace {

using nlohmann::json;

/// Labels and lines at the powers of ten, and none between.
json LogAxis(const char* field, const char* title, const char* format) {
  const std::string power = "abs(log(datum.value) / LN10 - round(log(datum.value) / LN10)) < 0.001";
  const auto there = [&power](double opacity) {
    return json{{"condition", {{"test", power}, {"value", opacity}}}, {"value", 0}};
  };
  return {{"field", field},
          {"type", "quantitative"},
          {"title", title},
          {"scale", {{"type", "log"}, {"nice", false}, {"padding", 20}}},
          {"axis",
           {{"labelExpr", fmt::format("{} ? format(datum.value, '{}') : ''", power, format)},
            {"labelOverlap", false},
            {"tickCount", 8},
            {"gridOpacity", there(0.1)},
            {"tickOpacity", there(0.4)}}}};
}

json Across(const char* field) { return LogAxis(field, "intensity (FLOP/byte)", "~g"); }

json Up(const char* field) { return LogAxis(field, "throughput (FLOP/s)", "~s"); }

/// "1.23 TFLOP/s"
std::string Quantity(double value, const char* unit) {
  constexpr std::array<const char*, 6> kPrefixes = {"", "k", "M", "G", "T", "P"};
  std::size_t prefix = 0;
  for (; value >= 999.5 && prefix + 1 < kPrefixes.size(); ++prefix) value /= 1000;
  return fmt::format("{:.3g} {}{}", value, kPrefixes[prefix], unit);
}

/// Each roof's line over the intensities of the workloads and the ridge.
json Lines(const Suite& suite) {
  double low = kMissing;
  double high = kMissing;
  const auto widen = [&](double x) { low = std::fmin(low, x), high = std::fmax(high, x); };
  for (const Workload& workload : suite.workloads)
    if (CanBeDrawn(workload)) widen(workload.place.intensity);
  const auto peak = Greatest(suite.roofs, false);
  const auto bandwidth = Greatest(suite.roofs, true);
  if (peak && bandwidth) widen(peak->value / bandwidth->value);
  json rows = json::array();
  for (const Roof& roof : suite.roofs) {
    const auto line = LineOf(roof, suite.roofs, low / 2, high * 2);
    if (!line) continue;
    const char* unit = roof.is_bandwidth ? "B/s" : "FLOP/s";
    rows.push_back({{"roof", fmt::format("{}: {}", roof.name, Quantity(roof.value, unit))},
                    {"slope", roof.is_bandwidth},
                    {"value", roof.value},
                    {"provenance", roof.provenance},
                    {"intensity", line->from_intensity},
                    {"intensity_to", line->to_intensity},
                    {"throughput", line->from_throughput},
                    {"throughput_to", line->to_throughput}});
  }
  return rows;
}

/// Of ceilings above their right ends, where there is room; the greatest first, as it counts.
void AddCeilingNames(const json& lines, json* layers) {
  const json ends = {{"x", Across("intensity_to")}, {"y", Up("throughput_to")}};
  const json ceilings = {{{"filter", "!datum.slope"}}};
  layers->push_back({{"name", "ceilings"},
                     {"data", lines},
                     {"transform", ceilings},
                     {"mark", {{"type", "point"}, {"size", 0}, {"tooltip", nullptr}}},
                     {"encoding", ends}});
  json names = ends;
  names["order"] = {{"field", "value"}, {"type", "quantitative"}, {"sort", "descending"}};
  names["text"] = {{"field", "roof"}, {"type", "nominal"}};
  layers->push_back({{"data", lines},
                     {"transform", ceilings},
                     {"mark",
                      {{"type", "text"},
                       {"style", {"beside", "of-ceilings", "before-above"}},
                       {"align", "right"},
                       {"dy", -8}}},
                     {"encoding", names}});
}

/// Of slopes along their lines, from the left; near to another, further up.
void AddSlopeNames(const json& lines, json* layers) {
  constexpr const char* kAngle =
      "atan2(scale('y', datum.throughput_to) - scale('y', datum.throughput), "
      "scale('x', datum.intensity_to) - scale('x', datum.intensity)) * 180 / PI";
  constexpr double kNear = 2.5;  // Times as fast: lines of less room than two names need.
  constexpr int kNameLength = 190;
  std::vector<double> values;
  for (const json& line : lines["values"])
    if (line["slope"] == true) values.push_back(line["value"]);
  std::ranges::sort(values, std::greater<>());
  int places = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    places = i > 0 && values[i - 1] / values[i] < kNear ? places + 1 : 0;
    layers->push_back({{"data", lines},
                       {"transform",
                        {{{"filter", fmt::format("datum.slope && datum.value === {}",
                                                 core::JsonText(json(values[i])))}}}},
                       {"mark",
                        {{"type", "text"},
                         {"align", "left"},
                         {"angle", {{"expr", kAngle}}},
                         {"dx", 8 + kNameLength * places},
                         {"dy", -7},
                         {"tooltip", nullptr}}},
                       {"encoding",
                        {{"x", Across("intensity")},
                         {"y", Up("throughput")},
                         {"text", {{"field", "roof"}, {"type", "nominal"}}}}}});
  }
}

/// Whether the workloads are of more than one group: else a colour says nothing.
bool HasGroups(const Suite& suite) {
  std::set<std::string> groups;
  for (const Workload& workload : suite.workloads) groups.insert(workload.group);
  return groups.size() > 1;
}

}  // namespace

bool CanBeDrawn(const Workload& workload) {
  return workload.place.intensity > 0 && workload.place.throughput > 0;
}

Chart ChartOf(const Suite& suite) {
  const json drawn = {
      {{"filter", "datum.intensity_flops_per_byte > 0 && datum.throughput_flops_per_s > 0"}}};
  const json x = Across("intensity_flops_per_byte");
  const json y = Up("throughput_flops_per_s");
  json points = {{"x", x}, {"y", y}};
  if (HasGroups(suite))
    points["color"] = {{"field", "group"},
                       {"type", "nominal"},
                       {"title", suite.grouped_by},
                       {"legend", {{"orient", "top"}}}};
  const json lines = {{"values", Lines(suite)}};
  json layers = json::array();
  layers.push_back({{"data", lines},
                    {"mark", {{"type", "rule"}, {"opacity", 0.5}, {"tooltip", nullptr}}},
                    {"encoding",
                     {{"x", Across("intensity")},
                      {"y", Up("throughput")},
                      {"x2", {{"field", "intensity_to"}}},
                      {"y2", {{"field", "throughput_to"}}}}}});
  layers.push_back(
      {{"name", "workloads"},
       {"transform", drawn},
       {"mark",
        {{"type", "point"}, {"filled", true}, {"size", 70}, {"tooltip", {{"content", "data"}}}}},
       {"encoding", points}});
  AddCeilingNames(lines, &layers);
  AddSlopeNames(lines, &layers);
  // Where not all names have room, those of the workloads that take the most time have it.
  layers.push_back(
      {{"transform", drawn},
       {"mark", {{"type", "text"}, {"style", {"beside", "of-workloads"}}, {"dy", 12}}},
       {"encoding",
        {{"x", x},
         {"y", y},
         {"order", {{"field", "kernel_ns"}, {"type", "quantitative"}, {"sort", "descending"}}},
         {"text", {{"field", "workload"}, {"type", "nominal"}}}}}});
  const json spec = {{"description", "All workloads under the roofs of the machine."},
                     {"data", {{"name", "rows"}}},
                     {"width", "container"},
                     {"height", 460},
                     {"layer", layers}};
  return {"rooflines", "All workloads on one roofline", "workloads", core::JsonText(spec)};
}

}  // namespace xsp::suite::rooflines
