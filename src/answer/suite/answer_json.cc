#include "answer/suite/answer_json.h"

#include <nlohmann/json.hpp>
#include <utility>

#include "core/json_text.h"
#include "store/export.h"

namespace xsp::suite {
namespace {

using nlohmann::json;

/// What every specification is written for: the major version of web/package.json.
constexpr const char* kVegaLite = "https://vega.github.io/schema/vega-lite/v6.json";

json TableJson(const Table& table) {
  json columns = json::array();
  for (const auto& column : table.columns)
    columns.push_back({{"name", column.name},
                       {"unit", column.unit},
                       {"help", column.help},
                       {"provenance", column.provenance}});
  return {{"id", table.id},
          {"title", table.title},
          {"columns", std::move(columns)},
          {"rows", core::ParseJson(store::ToJson(table.rows))}};
}

json OwnJson(const Answer& answer) {
  json tables = json::array();
  for (const Table& table : answer.tables) tables.push_back(TableJson(table));
  return {{"answer", answer.id},
          {"title", answer.title},
          {"sentences", answer.sentences},
          {"method", answer.method},
          {"tables", std::move(tables)}};
}

}  // namespace

json AnswerJson(const Answer& answer) {
  json document = OwnJson(answer);
  for (const Answer& part : answer.parts) document["parts"].push_back(OwnJson(part));
  return document;
}

json PageJson(const Answer& answer) {
  json page = OwnJson(answer);
  json& charts = page["charts"] = json::array();
  for (const Chart& chart : answer.charts) {
    json spec = core::ParseJson(chart.spec);
    if (spec.is_object()) spec["$schema"] = kVegaLite;
    charts.push_back({{"id", chart.id},
                      {"title", chart.title},
                      {"table", chart.table},
                      {"spec", std::move(spec)}});
  }
  return page;
}

}  // namespace xsp::suite
