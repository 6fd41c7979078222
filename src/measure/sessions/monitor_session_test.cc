#include "measure/sessions/monitor_session.h"

#include <gtest/gtest.h>

namespace xsp::sessions {
namespace {

TEST(MonitoredTest, TheCostIsSaidAsAShareOfACore) {
  monitor::Series series;
  series.rate_hz = 10;
  series.cpu_ns = 3'000'000;
  series.wall_ns = 1'000'000'000;
  EXPECT_EQ(CostSentence(series),
            "The system monitor sampled the machine at 10 Hz and used 0.30 % of a core.");
}

}  // namespace
}  // namespace xsp::sessions
