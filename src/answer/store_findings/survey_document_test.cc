#include "answer/store_findings/survey_document.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

namespace xsp::store_findings {
namespace {

using nlohmann::json;

std::vector<findings::Rule> Rules(int count) {
  std::vector<findings::Rule> rules;
  for (int i = 0; i < count; ++i) {
    findings::Rule& rule = rules.emplace_back();
    rule.id = "rule_" + std::to_string(i);
    rule.title = "Rule " + std::to_string(i);
    rule.severity = static_cast<findings::Severity>(i % 3);
  }
  return rules;
}

SurveyedExperiment Random(std::mt19937& random, int index, std::size_t rules) {
  SurveyedExperiment experiment;
  experiment.stored.name = "e" + std::to_string(index);
  experiment.stored.model = "m" + std::to_string(random() % 3);
  if (random() % 10 == 0) experiment.unreadable = "damaged";
  if (random() % 5 == 0 || !experiment.unreadable.empty()) return experiment;
  experiment.findings.emplace();
  for (std::size_t rule = 0; rule < rules; ++rule) {
    const std::string id = "rule_" + std::to_string(rule);
    if (random() % 4 == 0) {
      experiment.findings->abstained.push_back(id);
    } else if (random() % 2 == 0) {
      KnownFinding& finding = experiment.findings->found.emplace_back();
      finding.rule = id;
      const double ns = static_cast<double>(random() % 100);
      if (random() % 3 != 0)
        finding.gain = KnownGain{.low_ns = 0,
                                 .ns = ns,
                                 .high_ns = ns,
                                 .whole_ns = 128,
                                 .whole = random() % 2 == 0 ? "call" : "program"};
    }
  }
  return experiment;
}

/// What `group` says, counted again from all experiments, one by one.
void ExpectCounted(const json& group, const std::vector<SurveyedExperiment>& experiments) {
  std::size_t holders = 0, abstained = 0, gains = 0;
  double calls_ns = 0, programs_ns = 0, largest = 0;
  for (const SurveyedExperiment& experiment : experiments) {
    if (!experiment.findings) continue;
    for (const std::string& rule : experiment.findings->abstained) abstained += rule == group["id"];
    for (const KnownFinding& finding : experiment.findings->found) {
      if (finding.rule != group["id"]) continue;
      ++holders;
      if (!finding.gain) continue;
      ++gains;
      largest = std::max(largest, finding.gain->ns / 128);
      (finding.gain->whole == "call" ? calls_ns : programs_ns) += finding.gain->ns;
    }
  }
  EXPECT_EQ(group["experiments"], holders);
  EXPECT_EQ(group["abstained"], abstained);
  if (gains == 0) {
    EXPECT_TRUE(group["gain"].is_null());
    return;
  }
  EXPECT_EQ(group["gain"]["experiments"], gains);
  EXPECT_EQ(group["gain"]["largest_share"], largest);
  EXPECT_EQ(group["gain"]["total_ns"], calls_ns);
  EXPECT_EQ(group["gain"]["total_once_ns"], programs_ns);
}

TEST(SurveyDocument, CountsWhatRandomExperimentsHave) {
  std::mt19937 random(20261127);
  const std::vector<findings::Rule> rules = Rules(6);
  for (int round = 0; round < 100; ++round) {
    std::vector<SurveyedExperiment> experiments;
    const int count = static_cast<int>(random() % 12);
    for (int i = 0; i < count; ++i) experiments.push_back(Random(random, i, rules.size()));
    const json document = SurveyDocument(experiments, rules,
                                         {.rules = {}, .severities = {}, .rows = 100, .offset = 0});
    EXPECT_EQ(document["experiments"], count);
    EXPECT_EQ(document["known"].get<std::size_t>() + document["not_known"].get<std::size_t>() +
                  document["unreadable"].size(),
              experiments.size());
    std::size_t before = experiments.size();
    for (const json& group : document["rules"]) {
      ExpectCounted(group, experiments);
      EXPECT_LE(group["experiments"], before);
      before = group["experiments"];
      EXPECT_GT(before, 0U);
      ASSERT_EQ(group["rows"].size(), before);
      double share = 2;
      for (const json& row : group["rows"]) {
        const double next = row["gain_share"].is_null() ? -1 : row["gain_share"].get<double>();
        EXPECT_LE(next, share);
        share = next;
      }
    }
  }
}

TEST(SurveyDocument, LeavesOutFindingsOfRulesThatThereAreNot) {
  SurveyedExperiment experiment;
  experiment.findings.emplace();
  experiment.findings->found.push_back({.rule = "former", .sentence = "", .gain = {}});
  const json document = SurveyDocument({experiment}, Rules(1), {});
  EXPECT_TRUE(document["rules"].empty());
  EXPECT_EQ(document["known"], 1);
}

}  // namespace
}  // namespace xsp::store_findings
