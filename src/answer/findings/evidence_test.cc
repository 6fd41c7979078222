#include "answer/findings/evidence.h"

#include <gmock/gmock.h>

#include "answer/findings/rule_testing.h"

namespace xsp::findings {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;

class EvidenceTest : public UserRules {
 protected:
  void SetUp() override {
    UserRules::SetUp();
    InsertPoint();
    InsertLayer(0, "short", 99);
    InsertLayer(1, "long", 200);
  }
  Rule RuleWith(const std::string& sql) {
    Rule rule = LoadRules({root_}).value().at(0);
    rule.sql = sql;
    return rule;
  }
};

TEST_F(EvidenceTest, NumbersStandInPlaceOfTheirNames) {
  const auto evidence =
      FindEvidence(RuleWith("SELECT name, latency_ns FROM layer WHERE point_id = $point AND "
                            "latency_ns >= $long_ns AND regexp_matches(name, '^l.*$')"),
                   database_, 1);
  ASSERT_TRUE(evidence.ok()) << evidence.error().what;
  EXPECT_THAT(evidence.value().sql,
              HasSubstr("point_id = 1 AND latency_ns >= 100 AND regexp_matches(name, '^l.*$')"));
  ASSERT_EQ(evidence.value().table.rows.size(), 1U);
  EXPECT_FALSE(evidence.value().abstain.has_value());
}

TEST_F(EvidenceTest, AnAbstentionIsNoColumn) {
  const auto evidence = FindEvidence(
      RuleWith("SELECT name, latency_ns, 'because' AS abstain FROM layer"), database_, 1);
  ASSERT_TRUE(evidence.ok()) << evidence.error().what;
  EXPECT_THAT(evidence.value().table.columns, ElementsAre("name", "latency_ns"));
  EXPECT_EQ(evidence.value().table.rows.at(1).size(), 2U);
  EXPECT_EQ(evidence.value().abstain, "because");
}

TEST_F(EvidenceTest, AnAbstentionThatIsNullIsNone) {
  const auto evidence =
      FindEvidence(RuleWith("SELECT name, latency_ns, NULL AS abstain FROM layer"), database_, 1);
  ASSERT_TRUE(evidence.ok()) << evidence.error().what;
  EXPECT_FALSE(evidence.value().abstain.has_value());
}

TEST_F(EvidenceTest, SqlThatFailsNamesItsFile) {
  EXPECT_THAT(FindEvidence(RuleWith("SELECT nothing FROM layer"), database_, 1).error().what,
              EndsWith("long_layer/evidence.sql"));
}

TEST_F(EvidenceTest, OtherColumnsThanDeclaredAreAnError) {
  EXPECT_THAT(
      FindEvidence(RuleWith("SELECT latency_ns, name FROM layer"), database_, 1).error().what,
      AllOf(HasSubstr("has latency_ns, name; declared are name, latency_ns"),
            HasSubstr("long_layer/evidence.sql")));
}

}  // namespace
}  // namespace xsp::findings
