#include "answer/store_findings/experiment_findings.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>
#include <variant>

#include "answer/findings/find_all.h"
#include "answer/findings/focus.h"
#include "store/database.h"

namespace xsp::store_findings {
namespace {

using nlohmann::json;

Result<std::string> PointText(const store::Database& database, std::int64_t point_id) {
  XSP_TRY(const store::Table table,
          database.Query(fmt::format("SELECT backend, device, nullif(precision, 'unknown'), "
                                     "'batch ' || batch "
                                     "FROM point WHERE point_id = {}",
                                     point_id)));
  std::vector<std::string> parts;
  for (const auto& row : table.rows)
    for (const store::Cell& cell : row)
      if (const auto* text = std::get_if<std::string>(&cell); text != nullptr && !text->empty())
        parts.push_back(*text);
  return fmt::format("{}", fmt::join(parts, ", "));
}

json GainJson(const std::optional<KnownGain>& gain) {
  if (!gain) return nullptr;
  return {{"ns", {gain->low_ns, gain->ns, gain->high_ns}},
          {"whole", gain->whole},
          {"whole_ns", gain->whole_ns}};
}

bool IsText(const json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_string();
}

bool IsList(const json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_array();
}

/// Nothing: `gain` does not have the form of GainJson().
std::optional<KnownGain> GainOf(const json& gain) {
  if (!gain.is_object() || !IsText(gain, "whole") || !IsList(gain, "ns")) return std::nullopt;
  const json& ns = gain["ns"];
  const json whole_ns = gain.value("whole_ns", json());
  if (ns.size() != 3 || !whole_ns.is_number() || !(whole_ns.get<double>() > 0)) return std::nullopt;
  for (const json& number : ns)
    if (!number.is_number()) return std::nullopt;
  return KnownGain{
      .low_ns = ns[0], .ns = ns[1], .high_ns = ns[2], .whole_ns = whole_ns, .whole = gain["whole"]};
}

std::optional<KnownFinding> FindingOf(const json& finding) {
  if (!finding.is_object() || !IsText(finding, "id") || !IsText(finding, "sentence"))
    return std::nullopt;
  KnownFinding known{.rule = finding["id"], .sentence = finding["sentence"], .gain = {}};
  const json gain = finding.value("gain", json());
  if (gain.is_null()) return known;
  known.gain = GainOf(gain);
  return known.gain ? std::optional(std::move(known)) : std::nullopt;
}

}  // namespace

Result<ExperimentFindings> Evaluate(const std::filesystem::path& experiment,
                                    const std::vector<findings::Rule>& rules) {
  XSP_TRY(const store::Database database, store::Database::Open({experiment}));
  ExperimentFindings result;
  XSP_TRY(result.point_id, findings::BestPoint(database));
  XSP_TRY(result.point, PointText(database, result.point_id));
  XSP_TRY(const findings::Findings found, findings::FindAll(rules, database, result.point_id));
  for (const findings::Finding& finding : found.found) {
    KnownFinding known{.rule = finding.rule->id, .sentence = finding.sentence, .gain = {}};
    if (const auto& gain = finding.gain)
      known.gain = KnownGain{.low_ns = gain->gain.low_ns,
                             .ns = gain->gain.ns,
                             .high_ns = gain->gain.high_ns,
                             .whole_ns = gain->whole_ns,
                             .whole = gain->whole};
    result.found.push_back(std::move(known));
  }
  for (const findings::Abstention& abstention : found.abstained)
    result.abstained.push_back(abstention.rule->id);
  return result;
}

json ToJson(const ExperimentFindings& findings) {
  json found = json::array();
  for (const KnownFinding& finding : findings.found)
    found.push_back(
        {{"id", finding.rule}, {"sentence", finding.sentence}, {"gain", GainJson(finding.gain)}});
  return {{"point_id", findings.point_id},
          {"point", findings.point},
          {"findings", std::move(found)},
          {"abstained", findings.abstained}};
}

std::optional<ExperimentFindings> ExperimentFindingsOf(const json& document) {
  if (!document.is_object() || !IsText(document, "point") || !IsList(document, "findings") ||
      !IsList(document, "abstained") || !document.value("point_id", json()).is_number_integer())
    return std::nullopt;
  ExperimentFindings findings{
      .point_id = document["point_id"], .point = document["point"], .found = {}, .abstained = {}};
  for (const json& finding : document["findings"]) {
    std::optional<KnownFinding> known = FindingOf(finding);
    if (!known) return std::nullopt;
    findings.found.push_back(*std::move(known));
  }
  for (const json& rule : document["abstained"]) {
    if (!rule.is_string()) return std::nullopt;
    findings.abstained.push_back(rule);
  }
  return findings;
}

}  // namespace xsp::store_findings
