#include "answer/findings/golden_testing.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <utility>

#include "answer/findings/find_all.h"
#include "answer/findings/findings_json.h"
#include "answer/findings/focus.h"

namespace xsp::findings {

namespace fs = std::filesystem;

namespace {

using nlohmann::ordered_json;

std::string GoldenText(const Findings& findings, const std::string& id) {
  ordered_json answer = ordered_json::object();
  for (const Finding& finding : findings.found) {
    if (finding.rule->id != id) continue;
    const ordered_json whole = ToJson(finding);
    answer["found"]["sentence"] = whole["sentence"];
    if (!whole["gain_ns"].is_null()) answer["found"]["gain_ns"] = whole["gain_ns"];
    answer["found"]["rows"] = whole["evidence"]["rows"];
  }
  for (const Abstention& abstention : findings.abstained)
    if (abstention.rule->id == id) answer["abstained"] = abstention.reason;
  return answer.dump(2) + "\n";
}

Result<analyze::GoldenOutcome> RunCase(const std::vector<Rule>& asked, const Rule& rule,
                                       const fs::path& file, bool accept,
                                       analyze::GoldenExperiment& experiment) {
  XSP_TRY(std::string why, experiment.Fill(file));
  const store::Database& database = experiment.database();
  XSP_TRY(const std::int64_t point_id, BestPoint(database));
  XSP_TRY(const Findings findings, FindAll(asked, database, point_id));
  // No answer that could be accepted.
  for (const Abstention& abstention : findings.abstained) {
    if (abstention.rule->id == rule.id && abstention.is_broken)
      return Error{ErrorKind::kBadInput, fmt::format("{}: {}", abstention.reason, file.string()),
                   "findings/README.md describes what evidence.sql and gain.sql return."};
  }
  fs::path expected_file = file;
  expected_file.replace_extension(".json");
  XSP_TRY(std::string difference,
          analyze::CompareOrAccept(expected_file, GoldenText(findings, rule.id), accept));
  return analyze::GoldenOutcome{file.stem().string(), std::move(why), std::move(difference)};
}

}  // namespace

Result<std::vector<analyze::GoldenOutcome>> RunGolden(const std::vector<Rule>& rules,
                                                      const Rule& rule, bool accept,
                                                      analyze::GoldenExperiment& experiment) {
  std::vector<Rule> asked = {rule};
  for (const Rule& other : rules) {
    const auto& ids = rule.withheld_by;
    if (std::find(ids.begin(), ids.end(), other.id) != ids.end()) asked.push_back(other);
  }
  XSP_TRY(const std::vector<fs::path> files, analyze::GoldenFiles(rule.folder));
  std::vector<analyze::GoldenOutcome> outcomes;
  for (const fs::path& file : files) {
    XSP_TRY(analyze::GoldenOutcome outcome, RunCase(asked, rule, file, accept, experiment));
    outcomes.push_back(std::move(outcome));
  }
  return outcomes;
}

}  // namespace xsp::findings
