#include "answer/analyze/chart_check_testing.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace xsp::analyze {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::vector<std::string> Check(std::string body) {
  Analysis analysis;
  analysis.columns = {{"batch", "1", "", ""}, {"latency_ns", "ns", "", ""}};
  analysis.chart = R"({"description": "d", "data": {"name": "rows"}, )" + body + "}";
  return CheckChart(analysis);
}

TEST(CheckChart, AcceptsFieldsThatAreColumnsOrComputed) {
  EXPECT_THAT(Check(R"("transform": [{"calculate": "datum.latency_ns / 1e9", "as": "latency_s"},
                                     {"fold": ["batch", "latency_s"]}],
                       "encoding": {"x": {"field": "key"}, "detail": {"field": "latency_s"},
                         "y": {"field": "value", "type": "quantitative", "title": "time"}})"),
              IsEmpty());
}

TEST(CheckChart, FindsAFieldThatNobodyYields) {
  EXPECT_THAT(Check(R"("encoding": {"x": {"field": "latency_s"}})"),
              ElementsAre("uses a field that is no column: latency_s"));
  EXPECT_THAT(Check(R"("transform": [{"filter": "datum.colour > 1 && datum['shape'] > 2"}])"),
              ElementsAre(HasSubstr("colour"), HasSubstr("shape")));
}

TEST(CheckChart, WantsTitlesAndZero) {
  EXPECT_THAT(Check(R"("encoding": {"x": {"field": "batch", "type": "quantitative"}})"),
              ElementsAre(HasSubstr("no title")));
  EXPECT_THAT(Check(R"("encoding": {"y": {"field": "batch", "type": "quantitative", "title": "b",
                                          "scale": {"zero": false}}})"),
              ElementsAre(HasSubstr("zero")));
}

TEST(CheckChart, LeavesColoursAndDataToThePage) {
  EXPECT_THAT(Check(R"("mark": {"color": "#ff0000"})"), ElementsAre(HasSubstr("#ff0000")));
  EXPECT_THAT(Check(R"("layer": [{"data": {"url": "http://x"}}])"), ElementsAre(HasSubstr("url")));
}

TEST(CheckChart, WantsJsonThatReadsRows) {
  Analysis analysis;
  EXPECT_THAT(CheckChart(analysis), IsEmpty());
  analysis.chart = "{";
  EXPECT_THAT(CheckChart(analysis), ElementsAre("is not a JSON object"));
  analysis.chart = R"({"description": "d", "data": {"name": "table"}})";
  EXPECT_THAT(CheckChart(analysis), ElementsAre(HasSubstr("named \"rows\"")));
}

}  // namespace
}  // namespace xsp::analyze
