#include "answer/history_page/chart.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "answer/wording/quantity.h"
#include "core/counted.h"
#include "core/json_text.h"

namespace xsp::history_page {
namespace {

using nlohmann::json;

/// `value` as text; what is no UTF-8 in a name becomes U+FFFD, as everywhere on the page.
std::string SpecText(const json& value) { return core::JsonText(value); }

json Across(const char* field, const history::Series& series) {
  json dates = json::array();
  for (const history::Entry& entry : series.entries) dates.push_back(entry.created.substr(0, 10));
  // Places between experiments have no date.
  const std::string label = fmt::format("{}[datum.value - 1] || ''", SpecText(dates));
  return {{"field", field},
          {"type", "quantitative"},
          {"title", "experiments, oldest first"},
          {"scale",
           {{"domain", {0.5, static_cast<double>(series.entries.size()) + 0.5}}, {"nice", false}}},
          {"axis",
           {{"labelExpr", label}, {"tickMinStep", 1}, {"grid", false}, {"labelOverlap", true}}}};
}

json Up(const char* field, const history::Metric& metric, const wording::Scale& scale) {
  return {{"field", field},
          {"type", "quantitative"},
          {"title", fmt::format("{} ({}), not from 0", metric.Name(), scale.unit)},
          {"scale", {{"zero", false}, {"padding", 12}}},
          {"axis", {{"labelExpr", fmt::format("format(datum.value / {}, '~g')", scale.factor)}}}};
}

json Levels(const history::Series& series, const history::Changes& changes,
            const history::Metric& metric, const wording::Scale& scale) {
  json rows = json::array();
  for (const history::Segment& segment : changes.segments)
    rows.push_back({{"from", static_cast<double>(segment.begin) + 0.5},
                    {"to", static_cast<double>(segment.end) + 0.5},
                    {"level", segment.level.centre}});
  return {{"data", {{"values", std::move(rows)}}},
          {"mark", {{"type", "rule"}, {"strokeWidth", 2}, {"opacity", 0.6}, {"tooltip", nullptr}}},
          {"encoding",
           {{"x", Across("from", series)},
            {"x2", {{"field", "to"}}},
            {"y", Up("level", metric, scale)}}}};
}

std::string RuleLabel(const history::Change& change) {
  if (change.verdict == history::ChangeVerdict::kBusy) return "machine busy";
  if (change.verdict == history::ChangeVerdict::kSpread) return "spread";
  std::string label = fmt::format("{:+.3g} %", 100 * (change.ratio.centre - 1));
  // What changed there for good may be the reason.
  if (!change.stack.empty() && change.stack.front().lasts) label += ": " + change.stack.front().key;
  return label;
}

/// Dashed lines at the change points, with their sizes above.
void AddRules(const history::Series& series, const history::Changes& changes, json* layers) {
  json rows = json::array();
  for (const history::Change& change : changes.changes) {
    json row = {{"at", static_cast<double>(change.at) + 0.5},
                {"change", RuleLabel(change)},
                {"after", series.entries[change.at].experiment}};
    if (!change.stack.empty())
      row["stack"] = fmt::format("{}: {} -> {}", change.stack.front().key,
                                 change.stack.front().before, change.stack.front().after);
    rows.push_back(std::move(row));
  }
  const json data = {{"values", std::move(rows)}};
  layers->push_back(
      {{"data", data},
       {"mark", {{"type", "rule"}, {"strokeDash", {4, 3}}, {"tooltip", {{"content", "data"}}}}},
       {"encoding", {{"x", Across("at", series)}}}});
  layers->push_back({{"data", data},
                     {"mark",
                      {{"type", "text"},
                       {"align", "left"},
                       {"baseline", "top"},
                       {"dx", 4},
                       {"tooltip", {{"content", "data"}}}}},
                     {"encoding",
                      {{"x", Across("at", series)},
                       {"y", {{"value", 2}}},
                       {"text", {{"field", "change"}, {"type", "nominal"}}}}}});
}

}  // namespace

suite::Chart ChartOf(const history::AnalysedHistory& analysed, std::size_t index) {
  const history::Series& series = analysed.history.series[index];
  const history::Changes& changes = analysed.changes[index];
  const history::Metric& metric = analysed.history.metric;
  std::vector<double> values;
  for (const history::Entry& entry : series.entries) values.push_back(entry.value);
  const wording::Scale scale = wording::ChooseScale(values, metric.Unit());
  const std::string title = history::TitleOf(series.key);
  const json own = {{{"filter", fmt::format("datum.series === {}", SpecText(json(title)))}}};
  json layers = json::array({Levels(series, changes, metric, scale)});
  if (!changes.changes.empty()) AddRules(series, changes, &layers);
  layers.push_back({{"transform", own},
                    {"mark", {{"type", "rule"}, {"opacity", 0.35}, {"tooltip", nullptr}}},
                    {"encoding",
                     {{"x", Across("number", series)},
                      {"y", Up("low", metric, scale)},
                      {"y2", {{"field", "high"}}}}}});
  layers.push_back(
      {{"transform", own},
       {"mark",
        {{"type", "point"}, {"filled", true}, {"size", 40}, {"tooltip", {{"content", "data"}}}}},
       {"encoding",
        {{"x", Across("number", series)},
         {"y", Up("value", metric, scale)},
         {"color",
          {{"field", "machine"},
           {"type", "nominal"},
           {"title", "the machine was"},
           {"scale", {{"domain", {"quiet", "busy", "not known"}}}}}}}}});
  const json spec = {{"description", fmt::format("{} of {} over time.", metric.Name(), title)},
                     {"data", {{"name", "rows"}}},
                     {"width", "container"},
                     {"height", 260},
                     {"layer", std::move(layers)}};
  return {fmt::format("series_{}", index + 1),
          fmt::format("{}: {}", title, core::Counted(series.entries.size(), "experiment")),
          "experiments", SpecText(spec)};
}

}  // namespace xsp::history_page
