#include "answer/store_findings/findings_cache.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace xsp::store_findings {
namespace {

/// Raised when the files change their form.
constexpr int kFormat = 1;

/// What of a rule decides whether it holds, and what its sentence and gain are.
std::string TextOf(const findings::Rule& rule) {
  std::string text = fmt::format("\n{}\n{} {} {} {}", rule.id, rule.rank, rule.is_first,
                                 rule.is_of_point, findings::NameOf(rule.severity));
  for (const std::string& need : rule.needs) text += " " + need;
  for (const std::string& other : rule.withheld_by) text += " -" + other;
  for (const findings::Threshold& threshold : rule.thresholds)
    text += fmt::format(" {}={}", threshold.name, threshold.value);
  for (const findings::Column& column : rule.columns) text += " " + column.name + ":" + column.unit;
  text += "\n" + rule.sentence + "\n" + rule.sql;
  if (rule.gain)
    text += fmt::format("\n{} {}\n{}", rule.gain->is_of_call, rule.gain->is_alternative,
                        rule.gain->sql);
  return text;
}

std::string TextOf(const std::vector<findings::Rule>& rules) {
  std::string text = fmt::to_string(kFormat);
  for (const findings::Rule& rule : rules) text += TextOf(rule);
  return text;
}

}  // namespace

FindingsCache::FindingsCache(const std::vector<findings::Rule>& rules)
    : kept_("findings", TextOf(rules)) {}

std::optional<ExperimentFindings> FindingsCache::Find(const std::string& fingerprint) const {
  return ExperimentFindingsOf(kept_.Find(fingerprint));
}

Status FindingsCache::Keep(const std::string& fingerprint,
                           const ExperimentFindings& findings) const {
  return kept_.Keep(fingerprint, ToJson(findings));
}

}  // namespace xsp::store_findings
