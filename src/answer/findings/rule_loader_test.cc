#include <gmock/gmock.h>

#include "answer/findings/rule.h"
#include "answer/findings/rule_testing.h"

namespace xsp::findings {
namespace {

using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

class RuleLoaderTest : public UserRules {
 protected:
  Error ErrorOf(const std::string& yaml) {
    Add("long_layer", yaml);
    const auto loaded = LoadRules({root_});
    EXPECT_FALSE(loaded.ok());
    return loaded.ok() ? Error{ErrorKind::kInternal, "", ""} : loaded.error();
  }
};

TEST_F(RuleLoaderTest, TheFolderNamesTheRule) {
  const auto loaded = LoadRules({root_});
  ASSERT_TRUE(loaded.ok()) << loaded.error().what;
  ASSERT_EQ(loaded.value().size(), 1U);
  const Rule& rule = loaded.value().front();
  EXPECT_EQ(rule.id, "long_layer");
  EXPECT_EQ(rule.severity, Severity::kNotice);
  EXPECT_TRUE(rule.is_of_point);
  EXPECT_FALSE(rule.is_first);
  EXPECT_EQ(rule.thresholds.at(0).value, 100);
  EXPECT_EQ(rule.columns.at(1).unit, "ns");
}

TEST_F(RuleLoaderTest, AFolderOfOneRuleLoadsAsWell) {
  EXPECT_EQ(LoadRules({root_ / "long_layer"}).value().at(0).id, "long_layer");
}

TEST_F(RuleLoaderTest, AnUnknownKeyIsRefusedWithFileLineAndTheNearestKnownOne) {
  const Error error = ErrorOf(Replaced(kWorkingYaml, "thresholds:", "thresholdd:"));
  EXPECT_THAT(error.what, AllOf(StartsWith("'thresholdd' is not one of"),
                                EndsWith("long_layer/finding.yaml:6")));
  EXPECT_THAT(error.hint, HasSubstr("Did you mean thresholds?"));
}

TEST_F(RuleLoaderTest, WordsMustBeKnown) {
  EXPECT_THAT(ErrorOf(Replaced(kWorkingYaml, "notice", "notise")).hint,
              StartsWith("Did you mean notice?"));
  EXPECT_THAT(ErrorOf(Replaced(kWorkingYaml, "[layer]", "[layers]")).hint,
              StartsWith("Did you mean layer?"));
  EXPECT_THAT(ErrorOf(Replaced(kWorkingYaml, "unit: name", "unit: nome")).what,
              EndsWith("nome: " + (root_ / "long_layer/finding.yaml:9").string()));
  EXPECT_THAT(ErrorOf(Replaced(kWorkingYaml, "scope: point", "scope: model")).what,
              HasSubstr("'scope' is not one of point, experiment: model"));
}

TEST_F(RuleLoaderTest, ConfidenceIsBetweenZeroAndOne) {
  EXPECT_THAT(ErrorOf(Replaced(kWorkingYaml, "value: 1,", "value: 80,")).what,
              HasSubstr("'value' is not between 0 and 1: 80"));
}

TEST_F(RuleLoaderTest, ASentenceNamesColumnsOnly) {
  EXPECT_THAT(ErrorOf(Replaced(kWorkingYaml, "{{latency_ns}}", "{{latency}}")).what,
              HasSubstr("names what is no column: latency (did you mean latency_ns?)"));
}

TEST_F(RuleLoaderTest, SqlNamesThresholdsOnly) {
  Add("long_layer", kWorkingYaml, "SELECT 1\nWHERE x > $long");
  const auto loaded = LoadRules({root_});
  EXPECT_THAT(loaded.error().what, AllOf(StartsWith("$long is neither the point nor a threshold"),
                                         EndsWith("long_layer/evidence.sql:2")));
}

TEST_F(RuleLoaderTest, AGainHasItsSqlAndItsReason) {
  Add("long_layer",
      kWorkingYaml + "gain: {of: program, alternative: true, method: A formula, source: A book}\n");
  AddGain("long_layer", "SELECT $point, $long_ns");
  const auto loaded = LoadRules({root_});
  ASSERT_TRUE(loaded.ok()) << loaded.error().what;
  const GainMethod& gain = loaded.value().front().gain.value();
  EXPECT_FALSE(gain.is_of_call);
  EXPECT_TRUE(gain.is_alternative);
  EXPECT_EQ(gain.method, "A formula");
  EXPECT_EQ(gain.source, "A book");
  EXPECT_EQ(gain.sql, "SELECT $point, $long_ns");
}

TEST_F(RuleLoaderTest, AGainNeedsBothOfItsParts) {
  EXPECT_THAT(ErrorOf(kWorkingYaml + kGainYaml).what, HasSubstr("gain.sql"));
  AddGain("long_layer", "SELECT 1");
  EXPECT_THAT(ErrorOf(kWorkingYaml).what, StartsWith("finding.yaml has no key 'gain' for"));
  EXPECT_THAT(ErrorOf(kWorkingYaml + "gain: {of: call, method: A formula}\n").what,
              HasSubstr("'source'"));
  EXPECT_THAT(ErrorOf(kWorkingYaml + Replaced(kGainYaml, "call", "calls")).hint,
              StartsWith("Did you mean call?"));
  AddGain("long_layer", "SELECT $long_n");
  EXPECT_THAT(ErrorOf(kWorkingYaml + kGainYaml).what, EndsWith("long_layer/gain.sql:1"));
}

TEST_F(RuleLoaderTest, TwoRulesOfOneIdAreRefused) {
  const auto more = root_ / "more";
  Add("more/long_layer", kWorkingYaml);
  EXPECT_THAT(LoadRules({root_ / "long_layer", more}).error().what,
              StartsWith("two findings have the id long_layer"));
}

TEST_F(RuleLoaderTest, AFolderThatIsNoRuleIsRefused) {
  EXPECT_THAT(LoadRules({root_ / "nowhere"}).error().what, StartsWith("no such folder"));
  Add("LongLayer", kWorkingYaml);
  EXPECT_THAT(LoadRules({root_}).error().what, HasSubstr("is not snake_case"));
}

TEST_F(RuleLoaderTest, OnlyRulesThatAreNotWithheldWithholdOthers) {
  Add("other", kWorkingYaml + "withheld_by: [long_layr]\n");
  EXPECT_THAT(LoadRules({root_}).error().hint, StartsWith("Did you mean long_layer?"));
  Add("other", kWorkingYaml + "withheld_by: [long_layer]\n");
  EXPECT_TRUE(LoadRules({root_}).ok());
  Add("third", kWorkingYaml + "withheld_by: [other]\n");
  EXPECT_THAT(LoadRules({root_}).error().what, HasSubstr("always speaks: other"));
}

}  // namespace
}  // namespace xsp::findings
