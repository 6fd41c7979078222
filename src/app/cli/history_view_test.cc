#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "app/cli/view.h"
#include "core/json_text.h"

namespace xsp::cli {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

json Entry(const std::string& name, int day, double value, int segment) {
  return {{"experiment", name},
          {"created", "2026-01-0" + std::to_string(day) + "T02:00:00Z"},
          {"point", 1},
          {"value", value},
          {"low", value - 1},
          {"high", nullptr},
          {"processes", 3},
          {"segment", segment},
          {"change", segment == 1 ? json() : json(value / 100 - 1)},
          {"flags", segment == 1 ? json::array() : json::array({"busy"})}};
}

/// Four experiments with a change after the second, one of them with markup in its name.
json Document() {
  return {
      {"model", "net"},
      {"metric", "latency"},
      {"unit", "ns"},
      {"series",
       {{{"title", "PyTorch, cpu"},
         {"backend", "PyTorch"},
         {"device", "cpu"},
         {"precision", "float32"},
         {"batch", 1},
         {"machine", "CPU"},
         {"settings", {{"threads", 2}}},
         {"entries",
          {Entry("a|*b*", 1, 100, 1), Entry("b", 2, 100, 1), Entry("c", 3, 150, 2),
           Entry("d", 4, 150, 2)}},
         {"changes",
          {{{"before", "b"},
            {"after", "c"},
            {"ratio", 1.5},
            {"low", 1.4},
            {"high", 1.6},
            {"verdict", "worse"},
            {"command", "xsp compare b c"},
            {"stack",
             {{{"key", "system.kernel"}, {"before", "6.1"}, {"after", "6.2"}, {"lasts", true}},
              {{"key", "gpu.driver"}, {"before", nullptr}, {"after", "550"}, {"lasts", false}}}}}}},
         {"experiments_missing", 0},
         {"last_two", nullptr}}}}};
}

std::string ShownHistory(const json& document, std::vector<std::string> words) {
  CLI::App app;
  const api::Context context;
  Show show;
  for (const ViewSpec* view : AllViews())
    if (std::string_view(view->operation) == "history") show = view->declare(app, context);
  std::ranges::reverse(words);
  app.parse(words);
  testing::internal::CaptureStdout();
  const auto status = show({.content = document}, Format::kTable);
  EXPECT_TRUE(status.ok());
  return testing::internal::GetCapturedStdout();
}

TEST(HistoryView, ShowsAPictureTheExperimentsAndWhatChanged) {
  const std::string text = ShownHistory(Document(), {});
  EXPECT_THAT(text, StartsWith("PyTorch, cpu\n100 ns ▁▁│██ 150 ns\n"));
  EXPECT_THAT(text, HasSubstr("+50 %"));
  EXPECT_THAT(text, HasSubstr("machine busy"));
  EXPECT_THAT(text, HasSubstr("between b (2026-01-02) and c (2026-01-03): +50 % (95 % interval +40 "
                              "% to +60 %), worse"));
  EXPECT_THAT(text, HasSubstr("\n  changed system.kernel: 6.1 -> 6.2\n"));
  EXPECT_THAT(text, HasSubstr("\n  differs there only: gpu.driver: nothing -> 550\n"));
  EXPECT_THAT(text, HasSubstr("\n  xsp compare b c\n"));
}

TEST(HistoryView, ShowsTheLastRows) {
  const std::string text = ShownHistory(Document(), {"--rows", "1"});
  EXPECT_THAT(text, HasSubstr("3 earlier experiments are not shown"));
  EXPECT_THAT(text, Not(HasSubstr("2026-01-01 02:00")));
}

TEST(HistoryView, TellsHowManyExperimentsAreMissing) {
  json document = Document();
  json& series = document["series"][0];
  series["changes"] = json::array();
  for (json& entry : series["entries"]) entry["segment"] = 1;
  EXPECT_THAT(ShownHistory(document, {}), HasSubstr("no change point was found"));
  series["experiments_missing"] = 4;
  series["last_two"] = {
      {"before", "c"}, {"after", "d"}, {"verdict", "no_difference"},  {"ratio", 1.0},
      {"low", 0.9},    {"high", 1.1},  {"command", "xsp compare c d"}};
  const std::string text = ShownHistory(document, {});
  EXPECT_THAT(text, HasSubstr("4 experiments: 4 more can show a change point"));
  EXPECT_THAT(text, HasSubstr("the last two, c and d: +0 %"));
  EXPECT_THAT(text, HasSubstr("no difference found"));
  series["entries"] = json::array({Entry("a", 1, 100, 1)});
  series["last_two"] = nullptr;
  EXPECT_THAT(ShownHistory(document, {}),
              HasSubstr("one experiment: there is nothing to compare it with"));
}

TEST(HistoryView, SaysWhyAChangeIsNotClaimed) {
  json document = Document();
  document["series"][0]["changes"][0]["verdict"] = "busy";
  document["series"][0]["changes"][0]["stack"] = nullptr;
  const std::string text = ShownHistory(document, {});
  EXPECT_THAT(text, HasSubstr("the machine was busy in every experiment on one side"));
  EXPECT_THAT(text, HasSubstr("the stack of one side is not known"));
}

TEST(HistoryView, WritesCsvOfAllExperiments) {
  const std::string text = ShownHistory(Document(), {"--format", "csv", "--rows", "1"});
  EXPECT_EQ(std::ranges::count(text, '\n'), 5);
  EXPECT_THAT(text, HasSubstr("\r\nPyTorch,cpu,float32,1,\"{\"\"threads\"\":2}\",CPU,"
                              "2026-01-03T02:00:00Z,c,1,latency,ns,150"));
}

TEST(HistoryView, WritesMarkdownInWhichNamesAreNoMarkup) {
  const std::string text = ShownHistory(Document(), {"--format", "markdown"});
  EXPECT_THAT(text, StartsWith("### PyTorch, cpu\n"));
  EXPECT_THAT(text, HasSubstr("| 2026-01-01 02:00 | a\\|\\*b\\* | 100 ns |"));
}

TEST(HistoryView, WritesJsonWhole) {
  EXPECT_EQ(core::ParseJson(ShownHistory(Document(), {"--format", "json"})), Document());
}

}  // namespace
}  // namespace xsp::cli
