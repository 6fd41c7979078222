#include "evaluate/monitored.h"

#include <gmock/gmock.h>

namespace xsp::evaluate {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class CallStretchesTest : public testing::Test {
 protected:
  void Add(trace::Level level, std::string_view type, std::int64_t start_ns,
           std::int64_t duration_ns) {
    writer_.AddSpan({.level = level,
                     .type = type,
                     .name = "x",
                     .track = track_,
                     .start_ns = start_ns,
                     .duration_ns = duration_ns});
  }
  std::vector<std::pair<std::int64_t, std::int64_t>> Stretches(bool alone) const {
    std::vector<std::pair<std::int64_t, std::int64_t>> pairs;
    for (const auto& stretch : CallStretches(trace_, alone))
      pairs.emplace_back(stretch.begin_ns, stretch.end_ns);
    return pairs;
  }

  trace::Trace trace_;
  trace::TraceWriter writer_{trace_};
  trace::TrackId track_ = writer_.AddTrack({.kind = trace::TrackKind::kThread, .name = "main"});
};

TEST_F(CallStretchesTest, AreTheModelCallsInOrderAndMerged) {
  Add(trace::Level::kModel, "predict", 500, 100);
  Add(trace::Level::kModel, "predict", 100, 50);
  Add(trace::Level::kModel, "predict", 150, 50);
  Add(trace::Level::kModel, "predict", 160, 10);  // Within another's time: two threads.
  Add(trace::Level::kLayer, "predict", 300, 50);
  Add(trace::Level::kModel, "train", 310, 50);
  Add(trace::Level::kModel, "predict", 900, trace::kNeverEnded);
  EXPECT_THAT(Stretches(false), ElementsAre(std::pair(100, 200), std::pair(500, 600)));
}

TEST_F(CallStretchesTest, OfARunThatTookNoTurnsAreOne) {
  EXPECT_THAT(Stretches(true), IsEmpty());
  Add(trace::Level::kModel, "predict", 500, 100);
  Add(trace::Level::kModel, "predict", 100, 50);
  EXPECT_THAT(Stretches(true), ElementsAre(std::pair(100, 600)));
}

TEST(MonitoredTest, TheCostIsSaidAsAShareOfACore) {
  monitor::Series series;
  series.rate_hz = 10;
  series.cpu_ns = 3'000'000;
  series.wall_ns = 1'000'000'000;
  EXPECT_EQ(CostSentence(series),
            "Beside it the system monitor sampled the machine at 10 Hz, for 0.30 % of a core.");
}

}  // namespace
}  // namespace xsp::evaluate
