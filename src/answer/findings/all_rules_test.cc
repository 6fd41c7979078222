// What holds for every rule of findings/, and for those below $XSP_FINDINGS where that is set.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <regex>
#include <set>
#include <string>

#include "answer/analyze/analysis.h"
#include "answer/analyze/golden_case_testing.h"
#include "answer/findings/find_all.h"
#include "answer/findings/gain_claims.h"
#include "answer/findings/golden_testing.h"
#include "answer/findings/rule.h"
#include "os/files.h"
#include "os/paths.h"
#include "source_dir.h"

namespace xsp::findings {
namespace {

namespace fs = std::filesystem;

const std::vector<Rule>& All() {
  static const std::vector<Rule> rules = [] {
    std::vector<fs::path> folders = {fs::path(XSP_SOURCE_DIR) / "findings"};
    if (const auto more = os::Environment("XSP_FINDINGS")) folders.emplace_back(*more);
    auto loaded = LoadRules(folders);
    if (!loaded.ok()) ADD_FAILURE() << loaded.error().what;
    return loaded.ok() ? std::move(loaded).value() : std::vector<Rule>{};
  }();
  return rules;
}

const std::vector<analyze::Analysis>& AllAnalyses() {
  static const auto analyses =
      analyze::LoadAnalyses({fs::path(XSP_SOURCE_DIR) / "analyses"}).value();
  return analyses;
}

/// The anchors of the page: ids of its sections, parts of them, and one for each analysis.
std::set<std::string> PageAnchors() {
  std::set<std::string> anchors;
  const std::string page =
      os::ReadFile(fs::path(XSP_SOURCE_DIR) / "web" / "src" / "report_data.ts").value();
  const std::size_t begin = page.find("kAnchors = [");
  const std::string list = page.substr(begin, page.find(']', begin) - begin);
  const std::regex quoted("'([a-z-]+)'");
  for (std::sregex_iterator it(list.begin(), list.end(), quoted), end; it != end; ++it)
    anchors.insert((*it)[1]);
  for (const analyze::Analysis& analysis : AllAnalyses()) anchors.insert("analysis-" + analysis.id);
  return anchors;
}

// XSP_ACCEPT=1 findings_test --gtest_filter='AllRules.AnswerTheirGoldenCases' takes the answers as
// they are: read the difference that version control then shows.
TEST(AllRules, AnswerTheirGoldenCases) {
  const bool accept = os::Environment("XSP_ACCEPT").has_value();
  ASSERT_FALSE(All().empty());
  auto experiment = analyze::GoldenExperiment::Open();
  ASSERT_TRUE(experiment.ok());
  for (const Rule& rule : All()) {
    const auto outcomes = RunGolden(All(), rule, accept, experiment.value());
    ASSERT_TRUE(outcomes.ok()) << outcomes.error().what;
    EXPECT_GE(outcomes.value().size(), 2U) << rule.id << ": one found, one just below a threshold";
    for (const analyze::GoldenOutcome& outcome : outcomes.value())
      EXPECT_EQ(outcome.difference, "")
          << rule.id << "/golden/" << outcome.name << " (" << outcome.why << ")";
  }
}

// Else the share of a small whole comes before a larger gain of the same program.
TEST(AllRules, GainsOfSlowStepsAndOfTimeBetweenThemAreSharesOfTheSameTime) {
  auto opened = analyze::OpenEmptyExperiment();
  ASSERT_TRUE(opened.ok());
  const store::Database database = std::move(opened).value();
  std::string spans, steps;
  for (int i = 0; i < 5; ++i) {
    const std::string comma = i == 0 ? "" : ", ", at = std::to_string(1000 * i),
                      duration_ns = i == 4 ? "200" : "100", id = std::to_string(i + 1);
    spans += comma + "(1, " + id + ", 0, 'model', 'predict', 'Net', 1, " + at + ", " + duration_ns +
             ", 'nesting')";
    steps += comma + "(1, NULL, " + std::to_string(i) + ", 's', " + at + ", " + duration_ns +
             ", NULL, 0, 0, 0, 0, 0, 0, " + (i == 4 ? "true" : "false") + ", NULL, NULL)";
  }
  for (const std::string& rows :
       {std::string(
            "point (point_id, model, backend, device, precision, settings, latency_ns, status) "
            "VALUES (1, 'm', 'b', 'cpu', 'float32', '{}', 100, 'done')"),
        std::string("run (run_id, point_id, rung, status, path) VALUES "
                    "(1, 1, 'recorded', 'done', 'a')"),
        "span (run_id, id, parent_id, level, type, name, track_id, start_ns, duration_ns, "
        "placed_by) VALUES " +
            spans,
        "step VALUES " + steps}) {
    const auto done = database.Query("INSERT INTO " + rows);
    ASSERT_TRUE(done.ok()) << done.error().what;
  }
  const auto findings = FindAll(All(), database, 1);
  ASSERT_TRUE(findings.ok()) << findings.error().what;
  int compared = 0;
  for (const Finding& finding : findings.value().found) {
    if (finding.rule->id != "slow_steps" && finding.rule->id != "time_between_calls") continue;
    ASSERT_TRUE(finding.gain.has_value()) << finding.rule->id;
    EXPECT_EQ(finding.gain->whole_ns, 4200) << finding.rule->id;
    ++compared;
  }
  EXPECT_EQ(compared, 2);
}

TEST(AllRules, HaveACaseThatIsFoundAndOneThatIsNot) {
  for (const Rule& rule : All()) {
    int found = 0, others = 0;
    for (const auto& entry : fs::directory_iterator(rule.folder / "golden")) {
      if (entry.path().extension() != ".json") continue;
      const std::string answer = os::ReadFile(entry.path()).value();
      ++(answer.find("\"found\"") != std::string::npos ? found : others);
    }
    EXPECT_GE(found, 1) << rule.id;
    EXPECT_GE(others, 1) << rule.id;
  }
}

TEST(AllRules, ExplainThemselves) {
  for (const Rule& rule : All()) {
    EXPECT_GE(rule.text.size(), 300U) << rule.id << "/README.md";
    EXPECT_GE(rule.refuted_by.size(), 20U) << rule.id;
    EXPECT_GE(rule.confidence.reason.size(), 10U) << rule.id;
    for (const Threshold& threshold : rule.thresholds) {
      EXPECT_GE(threshold.source.size(), 20U) << rule.id << ": source of " << threshold.name;
      const std::string sql = rule.sql + (rule.gain ? rule.gain->sql : "");
      EXPECT_NE(sql.find("$" + threshold.name), std::string::npos)
          << rule.id << ": evidence.sql and gain.sql do not use $" << threshold.name;
    }
    for (const Column& column : rule.columns)
      EXPECT_FALSE(column.help.empty()) << rule.id << ": help of " << column.name;
  }
}

TEST(AllRules, ExplainTheirGains) {
  for (const Rule& rule : All()) {
    EXPECT_EQ(rule.gain.has_value(), rule.text.find("\n## Gain\n") != std::string::npos)
        << rule.id << "/README.md";
    if (!rule.gain) continue;
    EXPECT_FALSE(rule.is_first) << rule.id << ": distrust saves no time";
    EXPECT_GE(rule.gain->method.size(), 30U) << rule.id;
    EXPECT_GE(rule.gain->source.size(), 30U) << rule.id;
  }
}

TEST(AllRules, HaveACaseWithTheGainThatTheyEstimate) {
  for (const Rule& rule : All()) {
    bool is_shown = false;
    for (const auto& entry : fs::directory_iterator(rule.folder / "golden"))
      is_shown |= entry.path().extension() == ".json" &&
                  os::ReadFile(entry.path()).value().find("\"gain_ns\"") != std::string::npos;
    EXPECT_EQ(is_shown, rule.gain.has_value()) << rule.id;
  }
}

TEST(AllRules, PointToWhereThereIsMore) {
  const std::set<std::string> anchors = PageAnchors();
  ASSERT_TRUE(anchors.contains("layers"));
  for (const Rule& rule : All()) {
    EXPECT_TRUE(anchors.contains(rule.see)) << rule.id << ": no such anchor: " << rule.see;
    if (rule.analysis.empty()) continue;
    const analyze::Analysis* analysis = analyze::Find(AllAnalyses(), rule.analysis);
    EXPECT_TRUE(analysis != nullptr && analysis->id == rule.analysis)
        << rule.id << ": no such analysis: " << rule.analysis;
  }
}

TEST(AllRules, FindNothingInAnEmptyExperimentAndFailNowhere) {
  const auto database = analyze::OpenEmptyExperiment();
  ASSERT_TRUE(database.ok());
  for (const Rule& rule : All()) {
    const auto evidence = FindEvidence(rule, database.value(), 1);
    ASSERT_TRUE(evidence.ok()) << evidence.error().what;
    EXPECT_TRUE(evidence.value().table.rows.empty()) << rule.id;
    const auto gain = ReadGain(rule, database.value(), 1);
    EXPECT_TRUE(gain.ok()) << gain.error().what;
  }
}

TEST(AllRules, SpeakInSentences) {
  for (const Rule& rule : All()) {
    EXPECT_TRUE(rule.sentence.ends_with('.') || rule.sentence.ends_with("}}")) << rule.id;
    EXPECT_EQ(rule.sentence.find('\n'), std::string::npos) << rule.id << ": use '>-'";
  }
}

}  // namespace
}  // namespace xsp::findings
