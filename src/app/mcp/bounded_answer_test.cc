#include "app/mcp/bounded_answer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>

#include "app/mcp/shortened_json.h"
#include "core/json_text.h"

namespace xsp::mcp {
namespace {

using nlohmann::json;
using testing::HasSubstr;

constexpr RowsInDocument kRows = {.pointers = {"/rows", "/pairs"}};

json Answer(const json& document, const AnswerPage& page = {},
            const RowsInDocument& where = kRows) {
  const auto answer = BoundedAnswer(document, {}, where, page);
  return answer.ok() ? answer.value() : json(answer.error().what);
}

json Numbered(int count) {
  json rows = json::array();
  for (int i = 0; i < count; ++i)
    rows.push_back({{"number", i}, {"name", "kernel " + std::to_string(i)}});
  return rows;
}

TEST(BoundedAnswerTest, ASmallDocumentIsWhole) {
  const json answer = Answer({{"rows", Numbered(2)}, {"run", "mine"}});
  EXPECT_EQ(answer, core::ParseJson(R"({"about": {"run": "mine"}, "total": 2, "shown": 2,
      "truncated": false, "cursor": null, "shortened": false,
      "rows": [{"number": 0, "name": "kernel 0"}, {"number": 1, "name": "kernel 1"}]})"));
}

TEST(BoundedAnswerTest, LongTextsAreWholeWhereAllRowsFit) {
  json rows = Numbered(3);
  rows[1]["name"] = std::string(3000, 'n');
  const json whole = Answer({{"rows", rows}}, {.max_tokens = 4000});
  EXPECT_EQ(whole["rows"], rows);
  EXPECT_FALSE(whole["shortened"]);
  rows = Numbered(500);
  rows[1]["name"] = std::string(3000, 'n');
  const json cut = Answer({{"rows", rows}}, {.max_tokens = 4000});
  EXPECT_TRUE(cut["shortened"]) << "a long name does not push other rows out of the page";
  EXPECT_TRUE(cut["truncated"]);
}

TEST(BoundedAnswerTest, AListIsItsRows) {
  const json answer = Answer(Numbered(3));
  EXPECT_EQ(answer["total"], 3);
  EXPECT_FALSE(answer.contains("about"));
}

TEST(BoundedAnswerTest, TheFirstListThatIsThereHasTheRows) {
  EXPECT_EQ(Answer({{"pairs", Numbered(4)}})["total"], 4);
  EXPECT_EQ(Answer({{"other", Numbered(4)}})["total"], 0);
}

TEST(BoundedAnswerTest, RowsInsideOfARowCanBeThePage) {
  const RowsInDocument layers = {.pointers = {"/points/0/layers"}};
  const json point = {{"batch", 8}, {"layers", Numbered(5)}};
  const json answer = Answer({{"points", json::array({point})}}, {}, layers);
  EXPECT_EQ(answer["total"], 5);
  EXPECT_EQ(answer["about"], core::ParseJson(R"({"points": [{"batch": 8}]})"));
}

TEST(BoundedAnswerTest, RowsComeInTheOrderAskedFor) {
  RowsInDocument by_number = kRows;
  by_number.order_by = "number";
  json rows = Numbered(3);
  rows[1]["number"] = -7;
  rows.push_back({{"name", "without a number"}});
  const json answer = Answer(rows, {}, by_number);
  EXPECT_EQ(answer["rows"][0]["number"], -7);
  EXPECT_EQ(answer["rows"][1]["number"], 2);
}

TEST(BoundedAnswerTest, WideRowsKeepAllTheirColumns) {
  json row = json::object();
  for (int i = 0; i < 50; ++i) row["column_" + std::to_string(i)] = i;
  row["name"] = std::string(100'000, 'x');
  json rows = json::array();
  for (int i = 0; i < 20; ++i) rows.push_back(row);
  const json answer = Answer(rows);
  ASSERT_GT(answer["shown"].get<int>(), 0);
  EXPECT_EQ(answer["rows"][0].size(), row.size());
  EXPECT_EQ(answer["shortened"], true);
}

TEST(BoundedAnswerTest, WhatVeryWideRowsLackIsNamed) {
  json row = json::object();
  for (int i = 1000; i < 1200; ++i) row["column_" + std::to_string(i)] = i;
  const json rows = json::array({row, row});
  const json answer = Answer(rows, {.max_tokens = kMinTokens});
  const json& left_out = answer["members_left_out"];
  ASSERT_GT(left_out.size(), 2u);
  const std::string first = left_out[0];
  EXPECT_TRUE(row.contains(first));
  EXPECT_FALSE(answer["rows"][0].contains(first));
  const std::size_t shown = answer["rows"][0].size(), named = left_out.size() - 1;
  EXPECT_EQ(left_out.back(), "and " + std::to_string(row.size() - shown - named) + " more");
  EXPECT_FALSE(Answer(rows, {.max_tokens = kMaxTokens}).contains("members_left_out"));
}

TEST(BoundedAnswerTest, NotesAndAboutAreAtTheBeginningOnly) {
  AnswerPage page;
  const json document = {{"rows", Numbered(1000)}, {"run", "mine"}};
  const auto first = BoundedAnswer(document, {"left out: one"}, kRows, page);
  ASSERT_TRUE(first.ok());
  EXPECT_EQ(first.value()["notes"], json::array({"left out: one"}));
  page.cursor = first.value()["cursor"].get<std::string>();
  const auto next = BoundedAnswer(document, {"left out: one"}, kRows, page);
  ASSERT_TRUE(next.ok());
  EXPECT_FALSE(next.value().contains("notes"));
  EXPECT_FALSE(next.value().contains("about"));
}

TEST(BoundedAnswerTest, ACursorOfAnotherRequestIsRefused) {
  AnswerPage page;
  page.request = "query one";
  const json rows = Numbered(1000);
  page.cursor = Answer(rows, page)["cursor"].get<std::string>();
  EXPECT_TRUE(Answer(rows, page).is_object());
  const AnswerPage other{.cursor = page.cursor, .request = "query two"};
  EXPECT_THAT(Answer(rows, other).get<std::string>(), HasSubstr("another request"));
  EXPECT_THAT(Answer(Numbered(999), page).get<std::string>(), HasSubstr("has changed"));
  for (const char* wrong : {"nonsense", ".", "3", "-1.0", "ffffffffffffffffff.0", "0x1.2"}) {
    page.cursor = wrong;
    EXPECT_TRUE(Answer(rows, page).is_string()) << wrong;
  }
}

TEST(BoundedAnswerTest, ACursorGoesOnWithAnotherBudget) {
  AnswerPage page;
  const json rows = Numbered(1000);
  const json first = Answer(rows, page);
  page.cursor = first["cursor"].get<std::string>();
  page.max_tokens = kMaxTokens;
  EXPECT_EQ(Answer(rows, page)["rows"][0]["number"], first["shown"]);
}

/// Any JSON: deep, wide, long, with keys and texts of every kind.
class RandomJson {
 public:
  explicit RandomJson(std::uint32_t seed) : random_(seed) {}

  std::uint32_t Below(std::uint32_t n) { return static_cast<std::uint32_t>(random_() % n); }

  std::string Text() {
    static const std::string parts[] = {"a", "\"",   "\\",           "\n",      "\x1b[31m",
                                        "ä", "\xff", "\xe2\x80\xae", "kernel<", "{\"rows\": []}"};
    const std::uint32_t length = Below(20) == 0 ? Below(1500) : Below(12);
    std::string text;
    for (std::uint32_t i = 0; i < length; ++i) text += parts[Below(10)];
    return text;
  }

  json Value(int depth) {
    switch (Below(depth > 4 ? 4 : 7)) {
      case 0:
        return Text();
      case 1:
        return static_cast<double>(Below(1'000'000)) / 7;
      case 2:
        return Below(2) == 0;
      case 3:
        return nullptr;
      case 4:
      case 5: {
        json object = json::object();
        const std::uint32_t size = Below(30) == 0 ? Below(200) : Below(5);
        for (std::uint32_t i = 0; i < size; ++i) object[Text()] = Value(depth + 1);
        return object;
      }
      default: {
        json array = json::array();
        const std::uint32_t size = Below(30) == 0 ? Below(200) : Below(5);
        for (std::uint32_t i = 0; i < size; ++i) array.push_back(Value(depth + 1));
        return array;
      }
    }
  }

 private:
  std::mt19937 random_;
};

TEST(BoundedAnswerTest, AnyDocumentFitsAnyBudgetAndCursorsGiveEveryRowOnce) {
  for (std::uint32_t seed = 0; seed < 40; ++seed) {
    RandomJson random(seed);
    json document = {{"rows", json::array()}};
    const std::uint32_t count = random.Below(40);
    for (std::uint32_t i = 0; i < count; ++i) {
      json row = random.Value(1);
      // "" sorts before every other name: it is what remains of a row that is cut to one member.
      if (row.is_object()) row[""] = i;
      document["rows"].push_back(std::move(row));
    }
    for (std::uint32_t i = random.Below(20); i > 0; --i)
      document[random.Text() + "+"] = random.Value(1);
    AnswerPage page{.request = "any"};
    std::uint32_t seen = 0;
    do {
      page.max_tokens = kMinTokens + static_cast<int>(random.Below(kMaxTokens - kMinTokens + 1));
      const auto answer = BoundedAnswer(document, {random.Text()}, kRows, page);
      ASSERT_TRUE(answer.ok()) << answer.error().what;
      const json& part = answer.value();
      ASSERT_LE(CompactText(part).size(),
                static_cast<std::size_t>(page.max_tokens * kBytesPerToken))
          << seed;
      ASSERT_EQ(part["total"], count);
      ASSERT_EQ(part["shown"], part["rows"].size());
      for (const json& row : part["rows"]) {
        const json number = row.is_object() ? row.at("") : json(seen);
        ASSERT_EQ(number, seen);
        ++seen;
      }
      ASSERT_TRUE(part["shown"] > 0 || count == 0) << seed;
      page.cursor = part["truncated"] == true ? part["cursor"].get<std::string>() : "";
    } while (!page.cursor.empty());
    EXPECT_EQ(seen, count) << seed;
  }
}

}  // namespace
}  // namespace xsp::mcp
