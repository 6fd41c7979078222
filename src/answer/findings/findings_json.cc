#include "answer/findings/findings_json.h"

#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "store/export.h"

namespace xsp::findings {

using nlohmann::json;

namespace {

json GainJson(const std::optional<Gain>& gain) {
  if (!gain) return nullptr;
  return json::array({gain->low_ns, gain->ns, gain->high_ns});
}

json EvidenceJson(const Finding& finding) {
  json columns = json::array();
  for (const Column& column : finding.rule->columns)
    columns.push_back({{"name", column.name}, {"unit", column.unit}, {"help", column.help}});
  json evidence = {{"sql", finding.evidence.sql},
                   {"columns", std::move(columns)},
                   {"rows", json::parse(store::ToJson(finding.evidence.table), nullptr, false)}};
  if (!finding.rule->analysis.empty()) evidence["analysis"] = finding.rule->analysis;
  return evidence;
}

json ThresholdsJson(const Rule& rule) {
  json thresholds = json::array();
  for (const Threshold& threshold : rule.thresholds)
    thresholds.push_back({{"name", threshold.name},
                          {"value", threshold.value},
                          {"unit", threshold.unit},
                          {"source", threshold.source}});
  return thresholds;
}

}  // namespace

json ToJson(const Finding& finding) {
  const Rule& rule = *finding.rule;
  return {{"id", rule.id},
          {"title", rule.title},
          {"severity", NameOf(rule.severity)},
          {"sentence", finding.sentence},
          {"gain_ns", GainJson(finding.evidence.gain)},
          {"confidence", rule.confidence.value},
          {"evidence", EvidenceJson(finding)},
          {"threshold", ThresholdsJson(rule)},
          {"refuted_by", rule.refuted_by},
          {"see", rule.see}};
}

json ToJson(const Abstention& abstention) {
  return {{"id", abstention.rule->id}, {"reason", abstention.reason}};
}

json ToJson(const Findings& findings) {
  json found = json::array();
  for (const Finding& finding : findings.found) found.push_back(ToJson(finding));
  json abstained = json::array();
  for (const Abstention& abstention : findings.abstained) abstained.push_back(ToJson(abstention));
  return {{"findings", std::move(found)}, {"abstained", std::move(abstained)}};
}

}  // namespace xsp::findings
