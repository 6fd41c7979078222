#include "capture/monitor/channel_segments.h"

#include <gtest/gtest.h>

#include "capture/monitor/series_rows.h"

namespace xsp::monitor {
namespace {

/// Five rows of 10 ns; the second channel has a value in the last alone.
Series FiveRows() {
  Series series;
  series.channels = {{"a", "1", ""}, {"b", "byte", "part"}};
  series.end_ns = {10, 20, 30, 40, 50};
  series.values = {1, kUnknown, 3, kUnknown, 5, kUnknown, 6, kUnknown, 9, 7};
  return series;
}

TEST(CondenseTest, GroupsNeighboursIntoMeanAndMost) {
  const Series series = FiveRows();
  const auto condensed = Condense(series, AllRows(series), 3);
  ASSERT_EQ(condensed.size(), 4u);
  EXPECT_EQ(condensed[0].begin_ns, 0);
  EXPECT_EQ(condensed[0].end_ns, 20);
  EXPECT_DOUBLE_EQ(condensed[0].mean, 2);
  EXPECT_DOUBLE_EQ(condensed[0].most, 3);
  EXPECT_DOUBLE_EQ(condensed[1].mean, 5.5);
  EXPECT_EQ(condensed[2].begin_ns, 40);
  EXPECT_DOUBLE_EQ(condensed[2].mean, 9);
  EXPECT_EQ(condensed[3].channel->name, "b");
  EXPECT_DOUBLE_EQ(condensed[3].most, 7);
}

TEST(CondenseTest, FewRowsStayAsTheyAre) {
  const Series series = FiveRows();
  EXPECT_EQ(Condense(series, AllRows(series), 400).size(), 6u);
  EXPECT_TRUE(Condense(series, {}, 400).empty());
}

}  // namespace
}  // namespace xsp::monitor
