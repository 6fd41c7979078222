// Rules that every family of timeline tables keeps. A new one is checked here without being named.

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "core/snake_case_testing.h"
#include "derive/timeline/timeline.h"

namespace xsp::timeline {
namespace {

TEST(EveryTimelineTest, HasAUniqueNameAndSaysNothingOfNothing) {
  EXPECT_FALSE(AllTimelines().empty());
  std::set<std::string_view> names;
  const trace::Trace empty;
  for (const TimelineSpec* spec : AllTimelines()) {
    SCOPED_TRACE(spec->name);
    EXPECT_TRUE(names.insert(spec->name).second);
    EXPECT_TRUE(core::IsSnakeCase(spec->name));
    EXPECT_FALSE(spec->summary.empty() || spec->summary.ends_with('.'));
    ExperimentRows rows;
    spec->add_rows(Timeline(empty), rows);
    EXPECT_TRUE(rows.tables().empty());
  }
}

}  // namespace
}  // namespace xsp::timeline
