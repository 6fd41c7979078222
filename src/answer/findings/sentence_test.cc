#include "answer/findings/sentence.h"

#include <gtest/gtest.h>

namespace xsp::findings {
namespace {

Rule RuleOf(std::string sentence, std::vector<Column> columns) {
  Rule rule;
  rule.sentence = std::move(sentence);
  rule.columns = std::move(columns);
  return rule;
}

store::Table TableOf(const Rule& rule, std::vector<std::vector<store::Cell>> rows) {
  store::Table table;
  for (const Column& column : rule.columns) table.columns.push_back(column.name);
  table.rows = std::move(rows);
  return table;
}

std::string TextOf(const Rule& rule, std::vector<std::vector<store::Cell>> rows,
                   const Focus& focus = {}) {
  const auto text = MakeSentence(rule, TableOf(rule, std::move(rows)), focus);
  EXPECT_TRUE(text.ok()) << text.error().what;
  return text.ok() ? text.value() : "";
}

TEST(SentenceTest, UnitsDecideHowAColumnIsWritten) {
  const Rule rule =
      RuleOf("{{time}}|{{bytes}}|{{ratio}}|{{part}}|{{number}}|{{name}}|{{shape}}|{{text}}",
             {{"time", "ns", ""},
              {"bytes", "byte", ""},
              {"ratio", "1", ""},
              {"part", "share", ""},
              {"number", "count", ""},
              {"name", "name", ""},
              {"shape", "shape", ""},
              {"text", "", ""}});
  EXPECT_EQ(TextOf(rule, {{39.6e6, std::int64_t{8'180'000}, 2.0816, 0.392, std::int64_t{12345},
                           std::string("void at::native::f<int>(int*)"),
                           std::string("[[4,197],[768]]"), std::string("a < b & \"c\"")}}),
            "39.6 ms|8.18 MB|2.08|39.2 %|12345|f<int>|[4, 197], [768]|a < b & \"c\"");
}

TEST(SentenceTest, NullFalseAndEmptyTextLeaveTheirSectionOut) {
  const Rule rule = RuleOf("x{{#a}} a{{a}}{{/a}}{{#flag}} flag{{/flag}}{{^flag}} none{{/flag}}",
                           {{"a", "", ""}, {"flag", "", ""}});
  EXPECT_EQ(TextOf(rule, {{std::string("1"), true}}), "x a1 flag");
  EXPECT_EQ(TextOf(rule, {{std::string(), false}}), "x none");
  EXPECT_EQ(TextOf(rule, {{std::monostate(), std::monostate()}}), "x none");
}

TEST(SentenceTest, RowsRepeat) {
  const Rule rule = RuleOf(
      "{{name}}:{{#rows}} {{name}}{{^last}},{{/last}}{{/rows}}{{#rest}} {{#first}}and "
      "{{/first}}{{name}}{{#note}} ({{note}}){{/note}}{{/rest}}",
      {{"name", "", ""}, {"note", "", ""}});
  const std::string a = "a", b = "b", c = "c";
  EXPECT_EQ(TextOf(rule, {{a, a}, {b, std::monostate()}, {c, c}}), "a: a, b, c and b c (c)");
  EXPECT_EQ(TextOf(rule, {{a, a}}), "a: a");
}

TEST(SentenceTest, TheFocusIsAtHand) {
  const Rule rule =
      RuleOf("{{name}}{{where}}{{of}}{{#backend}} in {{backend}}{{/backend}}", {{"name", "", ""}});
  EXPECT_EQ(TextOf(rule, {{std::string("a")}}, {1, " (b, batch 8)", " of b", "b"}),
            "a (b, batch 8) of b in b");
  EXPECT_EQ(TextOf(rule, {{std::string("a")}}), "a");
}

TEST(SentenceTest, AnUnknownNameIsRefused) {
  EXPECT_FALSE(CheckSentence(RuleOf("{{label}}", {{"name", "", ""}})).ok());
  EXPECT_FALSE(CheckSentence(RuleOf("{{#name}}x", {{"name", "", ""}})).ok());
  EXPECT_TRUE(CheckSentence(RuleOf("{{{name}}} {{& name}}", {{"name", "", ""}})).ok());
}

}  // namespace
}  // namespace xsp::findings
