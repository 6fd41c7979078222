#include "answer/findings/find_all.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "answer/findings/findings_json.h"
#include "answer/findings/rule_testing.h"
#include "core/json_text.h"

namespace xsp::findings {
namespace {

using testing::AllOf;
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

  /// One that holds always and claims `select`: a piece, low, expected and high.
  void AddGaining(const std::string& name, const std::string& rank, const std::string& select) {
    AddConstant(name, Replaced(kWorkingYaml, "rank: 50", rank) + kGainYaml);
    AddGain(name, "SELECT * FROM (SELECT " + select + ") AS claimed(piece, low_ns, ns, high_ns)");
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

TEST_F(FindAllTest, ARuleWithoutItsLevelsIsNotAsked) {
  Add("long_layer", kWorkingYaml, "SELECT error('asked')");
  EXPECT_THAT(Answers(), ElementsAre(HasSubstr("long_layer: There are no layers")));
}

TEST_F(FindAllTest, ARuleThatNeedsNoLevelIsAskedOfEveryExperiment) {
  AddConstant("long_layer", Replaced(kWorkingYaml, "needs: [layer]", "needs: []"));
  EXPECT_THAT(Answers(), ElementsAre("long_layer"));
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
  AddGaining("small", "rank: 1", "'layer:0' AS piece, 5, 5, 5");
  AddGaining("large", "rank: 98", "'layer:0' AS piece, 7, 7, 7");
  AddGaining("negligible", "rank: 91", "'between' AS piece, 0.9, 0.9, 0.9");
  AddGaining("at_most", "rank: 92", "'between' AS piece, 0, 0, 800");
  EXPECT_THAT(Answers(),
              ElementsAre("trust", "large", "small", "early", "late", "negligible", "at_most"));
}

TEST_F(FindAllTest, GainsOfFindingsShareTheCall) {
  InsertLayer(0, "a", 99);
  AddGaining("large", "rank: 1", "'layer:0' AS piece, 10, 60, 80");
  AddGaining("small", "rank: 2", "* FROM (VALUES ('layer:0', 0, 50, 60), ('between', 0, 1, 2))");
  EXPECT_THAT(Answers(), ElementsAre("large", "small"));
  const FoundGain& large = findings_.found[0].gain.value();
  EXPECT_EQ(large.gain, (Gain{10, 60, 60})) << "what is only possible comes last";
  EXPECT_EQ(large.whole_ns, 1000);
  EXPECT_EQ(large.whole, "call");
  EXPECT_TRUE(large.adds_up);
  const FoundGain& small = findings_.found[1].gain.value();
  EXPECT_NEAR(small.gain.ns, 40, 1e-9);
  EXPECT_EQ(small.alone, (Gain{0, 51, 62}));
  ASSERT_EQ(small.overlaps.size(), 1U);
  EXPECT_EQ(small.overlaps[0].id, "large");
  EXPECT_NEAR(small.overlaps[0].ns, 11, 1e-9);
}

TEST_F(FindAllTest, GainsOfAProgramAndAlternativesClaimNoTimeOfTheCall) {
  InsertLayer(0, "a", 99);
  const std::string alternative = Replaced(kGainYaml, "of: call", "of: call, alternative: true");
  const std::string program = Replaced(kGainYaml, "of: call", "of: program");
  AddConstant("other_way", kWorkingYaml + alternative);
  AddGain("other_way", "SELECT NULL AS whole_ns, 1 AS low_ns, 2000 AS ns, 2000 AS high_ns");
  AddConstant("start", kWorkingYaml + program);
  AddGain("start", "SELECT 5000 AS whole_ns, 1 AS low_ns, 2000 AS ns, 2500 AS high_ns");
  AddGaining("claiming", "rank: 1", "'layer:0' AS piece, 99, 99, 99");
  EXPECT_THAT(Answers(), ElementsAre("other_way", "start", "claiming"));
  const FoundGain& other_way = findings_.found[0].gain.value();
  EXPECT_EQ(other_way.gain, (Gain{1, 1000, 1000})) << "no more than the call";
  EXPECT_EQ(other_way.whole, "call");
  EXPECT_FALSE(other_way.adds_up);
  const FoundGain& start = findings_.found[1].gain.value();
  EXPECT_EQ(start.whole, "program");
  EXPECT_EQ(start.share(), 0.4);
  EXPECT_FALSE(start.adds_up);
  EXPECT_EQ(findings_.found[2].gain.value().gain.ns, 99);
}

TEST_F(FindAllTest, AGainIsNotKnownWithoutRowsOrWithoutACall) {
  InsertLayer(0, "a", 99);
  AddGaining("no_row", "rank: 1", "'layer:0' AS piece, 1, 1, 1 WHERE false");
  AddGaining("no_number", "rank: 2", "'layer:0' AS piece, NULL, NULL, NULL");
  AddGaining("off_path", "rank: 3", "NULL AS piece, 0, 0, 0");
  EXPECT_THAT(Answers(), ElementsAre("no_row", "no_number", "off_path"));
  EXPECT_FALSE(findings_.found[0].gain.has_value());
  EXPECT_FALSE(findings_.found[1].gain.has_value());
  EXPECT_EQ(findings_.found[2].gain.value().gain, Gain()) << "known to be nothing";
  ASSERT_TRUE(database_.Query("UPDATE point SET latency_ns = NULL").ok());
  ASSERT_TRUE(database_.Query("UPDATE layer SET latency_ns = 0").ok());
  Answers();
  EXPECT_FALSE(findings_.found[2].gain.has_value());
}

TEST_F(FindAllTest, APathWithoutWaitingCallsDoesNotShowThatWorkOffItDelaysNothing) {
  InsertLayer(0, "a", 99);
  Insert("run (run_id, point_id, rung, status, path) VALUES (1, 1, 'imported', 'done', 'a')");
  Insert("device_time VALUES (1, NULL, 0, NULL, 0, 1000, 500, 500, 0, 0, 0, 0, 0, 0, 9)");
  Insert("critical_path VALUES (1, NULL, NULL, 'host', 'op', 1, 1000)");
  AddGaining("off_path", "rank: 1", "NULL AS piece, 0, 0, 0");
  AddGaining("on_path", "rank: 2", "'host:op' AS piece, 5, 5, 5");
  EXPECT_THAT(Answers(), ElementsAre("on_path", "off_path"));
  EXPECT_FALSE(findings_.found[1].gain.has_value());
  Insert("critical_path VALUES (1, NULL, NULL, 'synchronisation', 'wait', 1, 1)");
  EXPECT_THAT(Answers(), ElementsAre("on_path", "off_path"));
  EXPECT_EQ(findings_.found[1].gain.value().gain, Gain());
}

TEST_F(FindAllTest, ARuleWhoseGainFailsAbstains) {
  InsertLayer(0, "a", 99);
  AddGaining("negative", "rank: 1", "'layer:0' AS piece, -1, 1, 1");
  AddGaining("disordered", "rank: 2", "'layer:0' AS piece, 1, 3, 2");
  AddGaining("failing", "rank: 3", "nothing AS piece, 1, 3, 2 FROM layer");
  AddConstant("columns", Replaced(kWorkingYaml, "rank: 50", "rank: 4") + kGainYaml);
  AddGain("columns", "SELECT 'layer:0' AS piece, 1 AS gain");
  EXPECT_THAT(
      Answers(),
      ElementsAre(AllOf(HasSubstr("gain is not 0 <= low_ns"), HasSubstr("negative/gain.sql")),
                  AllOf(HasSubstr("gain is not 0 <= low_ns"), HasSubstr("disordered/gain.sql")),
                  HasSubstr("failing/gain.sql"),
                  AllOf(HasSubstr("other columns than piece, low_ns, ns, high_ns: piece, gain"),
                        HasSubstr("columns/gain.sql"))));
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
  AddConstant("gaining", kWorkingYaml + "analysis: A2\n" + kGainYaml);
  AddGain("gaining", "SELECT 'layer:0' AS piece, 10 AS low_ns, 20 AS ns, 30 AS high_ns");
  Add("broken", kWorkingYaml, "SELECT nothing FROM layer");
  Answers();
  const nlohmann::json document = ToJson(findings_);
  const nlohmann::json expected = core::ParseJson(R"({
    "id": "gaining", "title": "A long layer", "severity": "notice", "sentence": "gaining",
    "gain_ns": [10.0, 20.0, 30.0], "gain_share": 0.02,
    "gain": {"text": "20.0 ns (10.0 ns to 30.0 ns), 2.00 % of the call", "whole": "call", "whole_ns": 1000.0,
             "adds_up": true, "alone_ns": [10.0, 20.0, 30.0], "overlaps": [], "method": "A formula",
             "source": "A book"},
    "confidence": 1.0, "refuted_by": "Nothing", "see": "layers",
    "threshold": [{"name": "long_ns", "value": 100.0, "unit": "ns", "source": "Chosen"}],
    "evidence": {"analysis": "A2", "rows": [{"name": "", "latency_ns": 1}],
      "columns": [{"name": "name", "unit": "name", "help": "Layer"},
                  {"name": "latency_ns", "unit": "ns", "help": "Its latency"}],
      "sql": "SELECT '' AS name, 1 AS latency_ns"}})");
  EXPECT_EQ(document["findings"][0], expected);
  EXPECT_TRUE(document["findings"][1]["gain_ns"].is_null());
  EXPECT_TRUE(document["findings"][1]["gain"].is_null());
  EXPECT_FALSE(document["findings"][1]["evidence"].contains("analysis"));
  EXPECT_EQ(document["abstained"][0]["id"], "broken");
}

}  // namespace
}  // namespace xsp::findings
