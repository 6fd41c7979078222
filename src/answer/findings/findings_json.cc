#include "answer/findings/findings_json.h"

#include <nlohmann/json.hpp>
#include <utility>

#include "answer/findings/gain_text.h"
#include "core/json_text.h"
#include "store/export.h"

namespace xsp::findings {

using nlohmann::json;

namespace {

json NumbersOf(const Gain& gain) { return json::array({gain.low_ns, gain.ns, gain.high_ns}); }

json GainJson(const Finding& finding) {
  if (!finding.gain) return nullptr;
  const FoundGain& gain = *finding.gain;
  json overlaps = json::array();
  for (const Overlap& overlap : gain.overlaps)
    overlaps.push_back({{"id", overlap.id}, {"ns", overlap.ns}});
  return {{"text", GainText(gain)},
          {"whole", gain.whole},
          {"whole_ns", gain.whole_ns},
          {"adds_up", gain.adds_up},
          {"alone_ns", NumbersOf(gain.alone)},
          {"overlaps", std::move(overlaps)},
          {"method", finding.rule->gain->method},
          {"source", finding.rule->gain->source}};
}

json EvidenceJson(const Finding& finding) {
  json columns = json::array();
  for (const Column& column : finding.rule->columns)
    columns.push_back({{"name", column.name}, {"unit", column.unit}, {"help", column.help}});
  json evidence = {{"sql", finding.evidence.sql},
                   {"columns", std::move(columns)},
                   {"rows", core::ParseJson(store::ToJson(finding.evidence.table))}};
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
          {"gain_ns", finding.gain ? NumbersOf(finding.gain->gain) : json(nullptr)},
          {"gain_share", finding.gain ? json(finding.gain->share()) : json(nullptr)},
          {"gain", GainJson(finding)},
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
