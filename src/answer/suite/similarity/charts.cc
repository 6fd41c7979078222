#include "answer/suite/similarity/charts.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "answer/suite/similarity/hull.h"
#include "core/json_text.h"

namespace xsp::suite::similarity {
namespace {

using nlohmann::json;

constexpr int kRowHeight = 20;

/// A picture's height holds its legend and its axis, too.
constexpr int kFrameHeight = 90;

/// `value` as text; what is no UTF-8 in a name becomes U+FFFD, as everywhere on the page.
std::string SpecText(const json& value) { return core::JsonText(value); }

json Spec(const std::string& description) {
  return {{"description", description}, {"data", {{"name", "rows"}}}, {"width", "container"}};
}

Chart Scree() {
  json spec = Spec("How much of the variance each component explains, and all up to it.");
  spec["height"] = 260;
  const json x = {{"field", "component"},
                  {"type", "nominal"},
                  {"sort", nullptr},
                  {"title", "component"},
                  {"axis", {{"labelAngle", 0}}}};
  const auto y = [](const char* field) {
    return json{{"field", field},
                {"type", "quantitative"},
                {"title", "explained variance (%)"},
                {"axis", {{"format", "%"}}},
                {"scale", {{"domain", {0, 1}}}}};
  };
  spec["encoding"] = {{"x", x}};
  spec["layer"] = {
      {{"mark", {{"type", "bar"}, {"tooltip", {{"content", "data"}}}}},
       {"encoding", {{"y", y("share")}}}},
      {{"mark", {{"type", "text"}, {"dy", -7}}},
       {"encoding",
        {{"y", y("share")},
         {"text", {{"field", "share"}, {"type", "quantitative"}, {"format", ".0%"}}}}}},
      {{"mark", {{"type", "line"}, {"point", true}, {"strokeDash", {4, 3}}}},
       {"encoding", {{"y", y("accumulated_share")}}}}};
  return {"scree", "Explained variance (bars) and all up to it (line)", "components",
          SpecText(spec)};
}

Chart Loadings() {
  json spec = Spec("Weight of each metric in each component.");
  spec["height"] = {{"step", kRowHeight + 4}};
  spec["encoding"] = {
      {"x",
       {{"field", "component"},
        {"type", "nominal"},
        {"sort", nullptr},
        {"title", "component"},
        {"axis", {{"labelAngle", 0}}}}},
      {"y", {{"field", "metric"}, {"type", "nominal"}, {"sort", nullptr}, {"title", nullptr}}}};
  spec["layer"] = {{{"mark", {{"type", "rect"}, {"tooltip", {{"content", "data"}}}}},
                    {"encoding",
                     {{"color",
                       {{"field", "weight"},
                        {"type", "quantitative"},
                        {"title", "weight"},
                        {"scale", {{"scheme", "blueorange"}, {"domain", {-1, 1}}}}}}}}},
                   {{"mark", {{"type", "text"}}},
                    {"encoding",
                     {{"text", {{"field", "weight"}, {"type", "quantitative"}, {"format", ".2f"}}},
                      // The cells have the same colours whatever the page's theme is.
                      {"color",
                       {{"condition", {{"test", "abs(datum.weight) > 0.7"}, {"value", "#ffffff"}}},
                        {"value", "#1a1a1a"}}}}}}};
  return {"loadings", "Weights of the metrics in the components", "loadings", SpecText(spec)};
}

bool HasGroups(const DataFrame& frame) {
  return std::ranges::any_of(frame.groups, [](const auto& group) { return !group.empty(); });
}

/// The corners of the hull of each colour, in order, the first again at the end.
json Hulls(const Study& study, std::size_t across, std::size_t up, bool grouped) {
  std::map<std::string, std::vector<Point>> points;
  for (std::size_t i = 0; i < study.frame.rows(); ++i) {
    const auto& score = study.components.scores[i];
    points[grouped ? study.frame.groups[i] : std::to_string(study.clusters[i])].push_back(
        {score[across], score[up]});
  }
  json rows = json::array();
  for (const auto& [colour, of_colour] : points) {
    std::vector<Point> corners = ConvexHull(of_colour);
    if (corners.size() < 2) continue;
    corners.push_back(corners.front());
    for (std::size_t i = 0; i < corners.size(); ++i)
      rows.push_back(
          {{"colour", colour}, {"corner", i}, {"across", corners[i][0]}, {"up", corners[i][1]}});
  }
  return rows;
}

json ScoreAxis(const Study& study, std::size_t component, const std::string& field) {
  return {{"field", field},
          {"type", "quantitative"},
          {"title", fmt::format("PC{} ({:.0f} % of the variance, most weight: {})", component + 1,
                                100 * study.components.share[component],
                                study.frame.metrics[study.components.dominant[component]].name)},
          {"scale", {{"zero", false}, {"nice", true}}}};
}

/// The numbers of the clusters, as the pictures write them.
json Clusters(const Study& study) {
  json numbers = json::array();
  for (std::size_t i = 1; i <= study.count; ++i) numbers.push_back(std::to_string(i));
  return numbers;
}

/// Names of the workloads that stand for their clusters.
json Representatives(const Study& study) {
  json names = json::array();
  for (const std::size_t i : study.representatives) names.push_back(study.frame.labels[i]);
  return names;
}

Chart Scatter(const Study& study, std::size_t across, std::size_t up) {
  const bool grouped = HasGroups(study.frame);
  const std::string title = grouped ? "suite" : "cluster";
  json spec = Spec("Workloads on two components; lines are the hulls of what has one colour.");
  spec["height"] = 420;
  json colour = {{"type", "nominal"}, {"title", title}, {"legend", {{"orient", "top"}}}};
  if (!grouped) colour["scale"] = {{"domain", Clusters(study)}};
  json of_hull = colour;
  of_hull["field"] = "colour";
  json of_point = colour;
  of_point["field"] = grouped ? "suite" : "_cluster";
  const json hull_axes = {{"x", ScoreAxis(study, across, "across")},
                          {"y", ScoreAxis(study, up, "up")},
                          {"order", {{"field", "corner"}, {"type", "quantitative"}}},
                          {"color", of_hull}};
  const json point_axes = {{"x", ScoreAxis(study, across, fmt::format("PC{}", across + 1))},
                           {"y", ScoreAxis(study, up, fmt::format("PC{}", up + 1))},
                           {"color", of_point}};
  json labels = {{"x", point_axes["x"]},
                 {"y", point_axes["y"]},
                 {"order", {{"field", "_first"}, {"type", "quantitative"}, {"sort", "descending"}}},
                 {"text", {{"field", "workload"}, {"type", "nominal"}}}};
  const json chosen = Representatives(study);
  spec["transform"] = {
      {{"calculate", fmt::format("indexof({}, datum.workload) >= 0", SpecText(chosen))},
       {"as", "_representative"}},
      {{"calculate", "toString(datum.cluster)"}, {"as", "_cluster"}},
      // Which names have a place where not all have: representatives, then what lies furthest out.
      {{"calculate",
        fmt::format("(datum._representative ? 1e6 : 0) + pow(datum.PC{}, 2) + pow(datum.PC{}, 2)",
                    across + 1, up + 1)},
       {"as", "_first"}}};
  spec["layer"] = {
      {{"data", {{"values", Hulls(study, across, up, grouped)}}},
       {"mark", {{"type", "line"}, {"opacity", 0.5}, {"tooltip", nullptr}}},
       {"encoding", hull_axes}},
      {{"name", "rings"},
       {"transform", {{{"filter", "datum._representative"}}}},
       {"mark",
        {{"type", "point"},
         {"size", 190},
         {"filled", false},
         {"strokeWidth", 1.5},
         {"color", "currentColor"},
         {"tooltip", nullptr}}},
       {"encoding", {{"x", point_axes["x"]}, {"y", point_axes["y"]}}}},
      {{"name", "workloads"},
       {"mark",
        {{"type", "point"}, {"filled", true}, {"size", 60}, {"tooltip", {{"content", "data"}}}}},
       {"encoding", point_axes}},
      {{"mark", {{"type", "text"}, {"style", {"beside", "of-workloads"}}, {"dy", -10}}},
       {"encoding", labels}}};
  return {"components",
          fmt::format("Workloads on components {} and {}; a ring is around what stands for its "
                      "cluster",
                      across + 1, up + 1),
          "scores", SpecText(spec)};
}

/// Where each cluster lies across the leaves: a workload at its place, a merge between its two.
std::vector<double> Places(const Study& study, const std::vector<std::size_t>& order) {
  std::vector<double> place(study.frame.rows());
  for (std::size_t i = 0; i < order.size(); ++i) place[order[i]] = static_cast<double>(i);
  for (const Merge& merge : study.merges)
    place.push_back((place[merge.first] + place[merge.second]) / 2);
  return place;
}

/// Each merge as three lines: out of its first cluster, out of its second, and across.
json Branches(const Study& study, const std::vector<double>& place) {
  const std::size_t n = study.frame.rows();
  std::vector<std::size_t> cluster = study.clusters;
  json rows = json::array();
  for (const Merge& merge : study.merges) {
    cluster.push_back(cluster[merge.first] == cluster[merge.second] ? cluster[merge.first] : 0);
    const auto line = [&](std::size_t of, double from, double to, double y, double y2) {
      rows.push_back({{"cluster", cluster[of] == 0 ? "above the cut" : std::to_string(cluster[of])},
                      {"from", from},
                      {"to", to},
                      {"place", y},
                      {"place_to", y2}});
    };
    for (const std::size_t side : {merge.first, merge.second}) {
      const double start = side < n ? 0 : study.merges[side - n].height;
      line(side, start, merge.height, place[side], place[side]);
    }
    line(cluster.size() - 1, merge.height, merge.height, place[merge.first], place[merge.second]);
  }
  return rows;
}

Chart Dendrogram(const Study& study) {
  const std::vector<std::size_t> order = LeafOrder(study.merges);
  const std::vector<double> place = Places(study, order);
  const double most = study.merges.back().height;
  json names = json::array();
  json places = json::array();
  for (std::size_t i = 0; i < order.size(); ++i) {
    names.push_back(study.frame.labels[order[i]]);
    places.push_back(i);
  }
  json leaves = json::array();
  for (const std::size_t i : study.representatives)
    leaves.push_back(
        {{"place", place[i]}, {"cluster", std::to_string(study.clusters[i])}, {"from", 0}});
  json spec = Spec("Which workloads become one cluster at which distance; the dashed line cuts.");
  spec.erase("data");
  spec["height"] = kFrameHeight + kRowHeight * static_cast<int>(study.frame.rows());
  const json x = {
      {"field", "from"},
      {"type", "quantitative"},
      {"title", "distance (standard deviations)"},
      {"scale", {{"domain", {0, 1.03 * std::max(most, study.cut_height)}}, {"nice", false}}},
      // Beside long names a narrow page leaves the title no room.
      {"axis", {{"format", ".2~f"}, {"titleAnchor", "end"}}}};
  const json y = {{"field", "place"},
                  {"type", "quantitative"},
                  {"title", nullptr},
                  {"axis",
                   {{"values", places},
                    {"labelExpr", fmt::format("{}[datum.value]", SpecText(names))},
                    {"labelLimit", 240},
                    {"labelOpacity", 1},
                    {"labelOverlap", false},
                    {"labelPadding", 10},
                    {"grid", false},
                    {"ticks", false},
                    {"domain", false}}},
                  {"scale",
                   {{"domain", {-0.6, static_cast<double>(order.size()) - 0.4}},
                    {"nice", false},
                    {"reverse", true}}}};
  // What is above the cut is of no cluster, and is drawn like the line that cuts.
  const json colour = {{"condition",
                        {{"test", "datum.cluster !== 'above the cut'"},
                         {"field", "cluster"},
                         {"type", "nominal"},
                         {"scale", {{"domain", Clusters(study)}}},
                         {"title", "cluster"},
                         {"legend", {{"orient", "top"}}}}},
                       {"value", "#888888"}};
  const json cut = {{"values", {{{"from", study.cut_height}, {"place", -0.6}}}}};
  spec["layer"] = {
      {{"data", {{"values", Branches(study, place)}}},
       {"mark", {{"type", "rule"}, {"strokeWidth", 1.5}, {"tooltip", nullptr}}},
       {"encoding",
        {{"x", x},
         {"x2", {{"field", "to"}}},
         {"y", y},
         {"y2", {{"field", "place_to"}}},
         {"color", colour}}}},
      {{"data", {{"values", leaves}}},
       {"mark", {{"type", "point"}, {"filled", true}, {"size", 45}, {"tooltip", nullptr}}},
       {"encoding", {{"x", x}, {"y", y}, {"color", colour}}}},
      {{"data", cut},
       {"mark", {{"type", "rule"}, {"strokeDash", {6, 4}}, {"tooltip", nullptr}}},
       {"encoding", {{"x", x}}}},
      {{"data", cut},
       {"mark",
        {{"type", "text"},
         {"align", study.cut_height > most / 2 ? "right" : "left"},
         {"dx", study.cut_height > most / 2 ? -5 : 5},
         {"dy", 8},
         {"text", fmt::format("cut at {:.3g}", study.cut_height)}}},
       {"encoding", {{"x", x}, {"y", y}}}}};
  return {"dendrogram",
          fmt::format("Dendrogram, cut into {} cluster{}; a dot is at what stands for its cluster",
                      study.count, study.count == 1 ? "" : "s"),
          "", SpecText(spec)};
}

}  // namespace

std::vector<Chart> ChartsOf(const Study& study, std::size_t across, std::size_t up) {
  return {Dendrogram(study), Scatter(study, across, up), Scree(), Loadings()};
}

}  // namespace xsp::suite::similarity
