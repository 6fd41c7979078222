#include "answer/findings/find_all.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "answer/findings/findings_json.h"
#include "answer/findings/rule_testing.h"

namespace xsp::findings {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class FindAllTest : public UserRules {
 protected:
  void SetUp() override {
    UserRules::SetUp();
    InsertPoint();
  }
  /// Sentences, then abstentions as "id: reason".
  std::vector<std::string> Answers() {
    auto loaded = LoadRules({root_});
    EXPECT_TRUE(loaded.ok()) << loaded.error().what;
    rules_ = std::move(loaded).value();
    auto found = FindAll(rules_, database_, 1);
    EXPECT_TRUE(found.ok()) << found.error().what;
    findings_ = std::move(found).value();
    std::vector<std::string> answers;
    for (const Finding& finding : findings_.found) answers.push_back(finding.sentence);
    for (const Abstention& abstention : findings_.abstained)
      answers.push_back(abstention.rule->id + ": " + abstention.reason);
    return answers;
  }
  /// A rule that holds always, and says its name.
  void AddConstant(const std::string& name, const std::string& yaml, const std::string& more = "") {
    Add(name, Replaced(yaml, "`{{name}}` takes {{latency_ns}}{{where}}.", name),
        "SELECT '' AS name, 1 AS latency_ns" + more);
  }

  std::vector<Rule> rules_;
  Findings findings_;
};

TEST_F(FindAllTest, ARuleWithEvidenceHolds) {
  InsertLayer(0, "a", 200);
  EXPECT_THAT(Answers(), ElementsAre("`a` takes 200 ns (batch 8)."));
}

TEST_F(FindAllTest, ARuleWithoutEvidenceSaysNothing) {
  InsertLayer(0, "a", 99);
  EXPECT_THAT(Answers(), IsEmpty());
}

TEST_F(FindAllTest, ARuleAbstainsWhereTheExperimentLacksALevel) {
  EXPECT_THAT(Answers(), ElementsAre(HasSubstr("long_layer: There are no layers")));
}

TEST_F(FindAllTest, ARuleThatHasItsLevelsSaysNothingThoughTheExperimentLacksOthers) {
  Add("long_layer", Replaced(kWorkingYaml, "needs: [layer]", "needs: [system]"));
  Insert("run (run_id, point_id, rung, status, path) VALUES (1, 1, 'monitor', 'done', 'a')");
  Insert("system_usage (run_id, seconds, samples, monitor_share) VALUES (1, 4, 40, 0.002)");
  EXPECT_THAT(Answers(), IsEmpty());
}

TEST_F(FindAllTest, ARuleAbstainsForAReasonOfItsEvidence) {
  InsertLayer(0, "a", 200);
  AddConstant("long_layer", kWorkingYaml, ", 'not here' AS abstain");
  EXPECT_THAT(Answers(), ElementsAre("long_layer: not here"));
}

TEST_F(FindAllTest, AFindingWithholdsOthers) {
  InsertLayer(0, "a", 200);
  AddConstant("careful", kWorkingYaml + "withheld_by: [long_layer]\n");
  EXPECT_THAT(Answers(), ElementsAre("`a` takes 200 ns (batch 8).",
                                     HasSubstr("careful: withheld, because another finding holds: "
                                               "long_layer (A long layer)")));
}

TEST_F(FindAllTest, ABrokenRuleLeavesTheOthers) {
  InsertLayer(0, "a", 200);
  Add("broken", kWorkingYaml, "SELECT nothing FROM layer");
  EXPECT_THAT(Answers(),
              ElementsAre("`a` takes 200 ns (batch 8).", HasSubstr("broken/evidence.sql")));
}

TEST_F(FindAllTest, TrustComesFirstThenGainThenRank) {
  InsertLayer(0, "a", 99);
  AddConstant("late", Replaced(kWorkingYaml, "rank: 50", "rank: 90"));
  AddConstant("early", Replaced(kWorkingYaml, "rank: 50", "rank: 10"));
  AddConstant("trust", Replaced(kWorkingYaml, "rank: 50", "rank: 99\nfirst: true"));
  AddConstant("small", kWorkingYaml, ", 5 AS gain_ns");
  AddConstant("large", Replaced(kWorkingYaml, "rank: 50", "rank: 98"), ", 7 AS gain_ns");
  EXPECT_THAT(Answers(), ElementsAre("trust", "large", "small", "early", "late"));
}

TEST_F(FindAllTest, AmongSeveralBackendsASentenceNamesItsOwn) {
  InsertLayer(0, "a", 99);
  Insert(
      "comparison (point_id, against_point_id, ratio, ratio_low, ratio_high, verdict) VALUES "
      "(1, 2, 1, 1, 1, 'slower')");
  AddConstant("of_point", kWorkingYaml);
  AddConstant("of_all", Replaced(kWorkingYaml, "scope: point", "scope: experiment"));
  EXPECT_THAT(Answers(), ElementsAre("of_all", "PyTorch: of_point"));
}

TEST_F(FindAllTest, JsonHasTheWholeFinding) {
  InsertLayer(0, "a", 200);
  AddConstant("gaining", kWorkingYaml + "analysis: A2\n",
              ", 1.0 AS gain_low_ns, 2.0 AS gain_ns, 3.0 AS gain_high_ns");
  Add("broken", kWorkingYaml, "SELECT nothing FROM layer");
  Answers();
  const nlohmann::json document = ToJson(findings_);
  const nlohmann::json expected = nlohmann::json::parse(R"({
    "id": "gaining", "title": "A long layer", "severity": "notice", "sentence": "gaining",
    "gain_ns": [1.0, 2.0, 3.0], "confidence": 1.0, "refuted_by": "Nothing", "see": "layers",
    "threshold": [{"name": "long_ns", "value": 100.0, "unit": "ns", "source": "Chosen"}],
    "evidence": {"analysis": "A2", "rows": [{"name": "", "latency_ns": 1}],
      "columns": [{"name": "name", "unit": "name", "help": "Layer"},
                  {"name": "latency_ns", "unit": "ns", "help": "Its latency"}],
      "sql": "SELECT '' AS name, 1 AS latency_ns, 1.0 AS gain_low_ns, 2.0 AS gain_ns, 3.0 AS gain_high_ns"}})");
  EXPECT_EQ(document["findings"][0], expected);
  EXPECT_TRUE(document["findings"][1]["gain_ns"].is_null());
  EXPECT_FALSE(document["findings"][1]["evidence"].contains("analysis"));
  EXPECT_EQ(document["abstained"][0]["id"], "broken");
}

}  // namespace
}  // namespace xsp::findings
