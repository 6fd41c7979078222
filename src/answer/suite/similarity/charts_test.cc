#include "answer/suite/similarity/charts.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "core/json_text.h"

namespace xsp::suite::similarity {
namespace {

TEST(ChartsTest, NamesThatAreNoUtf8AreDrawnWithAReplacement) {
  DataFrame frame;
  frame.labels = {"a\xff", "b", "c", "d"};
  frame.groups = {"\xfe", "s", "s", "s"};
  frame.metrics = {{"x\xfd", "", ""}};
  frame.values = {{0}, {1}, {10}, {11}};
  Settings settings;
  settings.resamples = 0;
  std::vector<std::string> treatments;
  core::NoProgress nobody;
  const auto study = StudyOf(frame, settings, nobody, &treatments);
  ASSERT_TRUE(study.ok()) << study.error().what;
  for (const Chart& chart : ChartsOf(study.value(), 0, 0))
    EXPECT_TRUE(core::ParseJson(chart.spec).is_object()) << chart.id;
}

}  // namespace
}  // namespace xsp::suite::similarity
