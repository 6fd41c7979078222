#include "measure/manifest/document.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/json_text.h"

namespace xsp::manifest {
namespace {

using nlohmann::json;

std::string Problems(const std::string& text) {
  std::vector<Problem> problems;
  ParseDocument(text, problems);
  std::string all;
  for (const Problem& problem : problems) all += ToString(problem, "f") + "\n";
  return all;
}

TEST(DocumentTest, TypesScalarsByTheCoreSchema) {
  std::vector<Problem> problems;
  const Value value = ParseDocument(
      "{a: 1, b: -2.5, c: 1e3, d: true, e: null, f: ~, g: '1', h: yes, i: [x, 2], j: +7, k: "
      "1.2.3,\n"
      " l: inf, m: , n: \"\"}",
      problems);
  EXPECT_TRUE(problems.empty());
  EXPECT_EQ(ToJson(value),
            core::ParseJson(R"({"a":1,"b":-2.5,"c":1000.0,"d":true,"e":null,"f":null,"g":"1",
      "h":"yes","i":["x",2],"j":7,"k":"1.2.3","l":"inf","m":null,"n":""})"));
  EXPECT_TRUE(value.Find("a")->scalar.is_number_integer());
  EXPECT_EQ(value.Find("nothing"), nullptr);
}

TEST(DocumentTest, KnowsWhereValuesStand) {
  std::vector<Problem> problems;
  const Value value = ParseDocument("a: 1\nlist:\n  - x\n  - {k: v}\n", problems);
  const Value& inner = value.Find("list")->items[1];
  EXPECT_EQ(inner.at.line, 4);
  EXPECT_EQ(inner.at.column, 5);
  EXPECT_EQ(inner.members[0].at.column, 6);
  EXPECT_EQ(inner.members[0].value.at.column, 9);
}

TEST(DocumentTest, SaysWhereTheTextIsNoYaml) {
  EXPECT_EQ(Problems("a: [1\nb: 2\n"), "f:2:2: not YAML: end of sequence flow not found\n");
  EXPECT_EQ(Problems("a: 1\na: 2\n"), "f:2:1: duplicate key: a\n");
  EXPECT_EQ(Problems("[1]: 2\n"), "f:1:1: key is not a word\n");
  EXPECT_EQ(Problems("a: 1\n---\nb: 2\n"), "f:2:1: more than one document\n");
  EXPECT_EQ(Problems(""), "");
}

TEST(DocumentTest, AliasesDoNotMakeAnEndlessDocument) {
  std::string text = "a0: &a0 [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]\n";
  for (int i = 1; i < 12; ++i) {
    text += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [";
    for (int j = 0; j < 10; ++j) text += std::string(j ? ", " : "") + "*a" + std::to_string(i - 1);
    text += "]\n";
  }
  EXPECT_THAT(Problems(text), testing::HasSubstr("is too large"));
  EXPECT_THAT(Problems("a: &a [*a]\n"), testing::HasSubstr("f:1:"));
}

TEST(DocumentTest, AStrayBracketBehindTheDocumentEndsTheReading) {
  for (const char* text : {"a: 1\n]", "[a]]", "{a: 1}}", "a: [1]]\n"})
    EXPECT_NE(Problems(text), "") << text;
}

TEST(DocumentTest, DeepListsAreRefused) {
  EXPECT_NE(Problems("a: " + std::string(100, '[') + std::string(100, ']')), "");
  EXPECT_NE(Problems(std::string(100'000, '[')), "");
}

TEST(DocumentTest, AHintStandsBehindTheProblem) {
  EXPECT_EQ(ToString({{3, 1}, "unknown key: tsak", "Did you mean task?"}, "m.yaml"),
            "m.yaml:3:1: unknown key: tsak (Did you mean task?)");
  EXPECT_EQ(ToString({{}, "empty", "Write it."}, "m.yaml"), "m.yaml: empty (Write it)");
}

}  // namespace
}  // namespace xsp::manifest
