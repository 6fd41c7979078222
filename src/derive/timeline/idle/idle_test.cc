#include "derive/timeline/idle/idle.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <optional>
#include <random>
#include <tuple>

#include "derive/timeline/timeline_testing.h"

namespace xsp::timeline::idle {
namespace {

const Gaps& Of(const Idle& idle, Cause cause) {
  return idle.by_cause[static_cast<std::size_t>(cause)];
}

class IdleTest : public testing::Test {
 protected:
  std::vector<Idle> Find() {
    timeline_.emplace(recording_.trace());
    return FindIdle(*timeline_, timeline_->devices()[0]);
  }

  Recording recording_;
  trace::TrackId thread_ = recording_.Thread();
  trace::TrackId a_ = recording_.Stream(0, 7), b_ = recording_.Stream(0, 13);
  std::optional<Timeline> timeline_;
};

TEST_F(IdleTest, TheHostIsTheCauseWhereItLaunchedTooLate) {
  const auto first = recording_.Kernel(a_, 100, 100, "gemm", recording_.Launch(thread_, 0));
  const auto second = recording_.Kernel(a_, 300, 50, "relu", recording_.Launch(thread_, 201));
  const auto found = Find();
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].track, 0U);
  EXPECT_EQ(found[1].track, a_);
  for (const Idle& idle : found) {
    EXPECT_EQ(Of(idle, Cause::kHost).count, 1);
    EXPECT_EQ(Of(idle, Cause::kHost).sum_ns, 100);
    EXPECT_EQ(Of(idle, Cause::kHost).after, first);
    EXPECT_EQ(Of(idle, Cause::kHost).before, second);
  }
}

TEST_F(IdleTest, OfWorkLaunchedInTimeTheLengthTellsTheCause) {
  const auto launch = [&] { return recording_.Launch(thread_, 0); };
  recording_.Kernel(a_, 0, 100, "k", launch());
  recording_.Kernel(a_, 100 + 4'999, 1, "k", launch());
  recording_.Kernel(a_, 5'100 + 5'000, 100, "k", launch());
  recording_.Kernel(a_, 10'200 + 29'999, 1, "k", launch());
  recording_.Kernel(a_, 40'200 + 30'000, 1, "k", launch());
  const auto found = Find();
  EXPECT_EQ(Of(found[1], Cause::kKernel).sum_ns, 4'999);
  EXPECT_EQ(Of(found[1], Cause::kLaunch).sum_ns, 5'000 + 29'999);
  EXPECT_EQ(Of(found[1], Cause::kLaunch).longest_ns, 29'999);
  EXPECT_EQ(Of(found[1], Cause::kOther).sum_ns, 30'000);
  EXPECT_EQ(Of(found[1], Cause::kHost).count, 0);
}

TEST_F(IdleTest, GapsInsideAReplayedGraphAreItsOwn) {
  const auto graph = recording_.Launch(thread_, 150, 400);
  recording_.Kernel(a_, 0, 100, "before", recording_.Launch(thread_, 0));
  for (int i = 0; i < 3; ++i) recording_.Kernel(a_, 300 + 20 * i, 10, "node", graph);
  const auto found = Find();
  EXPECT_EQ(Of(found[1], Cause::kHost).count, 1);
  EXPECT_EQ(Of(found[1], Cause::kHost).sum_ns, 200);
  EXPECT_EQ(Of(found[1], Cause::kKernel).count, 2);
  EXPECT_EQ(Of(found[1], Cause::kKernel).sum_ns, 20);
}

TEST_F(IdleTest, OfCountedCallsOnlyTheirOwnTimeCanBeIdle) {
  recording_.CountedCall(thread_, -1, 0, 100);
  recording_.Kernel(a_, 20, 20, "warm-up", recording_.Launch(thread_, 10));
  recording_.CountedCall(thread_, 0, 1000, 100);
  recording_.Kernel(a_, 1030, 30, "k", recording_.Launch(thread_, 1005));
  recording_.Kernel(a_, 1080, 10, "k", recording_.Launch(thread_, 1070));
  // A call for comparison, whose kernels were not recorded, has no iteration.
  recording_.Add(trace::Level::kModel, "predict", "model", thread_, 2000, 100);
  recording_.CountedCall(thread_, 1, 3000, 100);
  const auto last = recording_.Kernel(a_, 3040, 10, "k", recording_.Launch(thread_, 3035));
  for (const Idle& idle : Find()) {
    if (idle.step != -1) continue;
    EXPECT_EQ(Of(idle, Cause::kHost).count, 3);
    EXPECT_EQ(Of(idle, Cause::kHost).sum_ns, 30 + 20 + 40);
    EXPECT_EQ(Of(idle, Cause::kHost).launched_ns, 25 + 10 + 5);
    EXPECT_EQ(Of(idle, Cause::kHost).after, 0U);
    EXPECT_EQ(Of(idle, Cause::kHost).before, last);
  }
}

TEST_F(IdleTest, AnOperatorIsNoLaunch) {
  const auto layer = recording_.Add(trace::Level::kLayer, "aten::mm", "aten::mm", thread_, 150, 10);
  recording_.Kernel(a_, 0, 100);
  recording_.Kernel(a_, 200, 10, "k", layer);
  EXPECT_EQ(Of(Find()[1], Cause::kUnknown).sum_ns, 100);
}

TEST_F(IdleTest, TheDeviceIsIdleWhileNoStreamRuns) {
  recording_.Kernel(a_, 0, 100);
  recording_.Kernel(b_, 50, 100);
  recording_.Kernel(a_, 200, 100);
  const auto found = Find();
  ASSERT_EQ(found.size(), 3U);
  EXPECT_EQ(Of(found[0], Cause::kUnknown).sum_ns, 50);
  EXPECT_EQ(Of(found[1], Cause::kUnknown).sum_ns, 100);
  EXPECT_EQ(Of(found[2], Cause::kUnknown).count, 0);
}

/// The gaps before each piece of work, found by looking at all others; sums by track, step, cause.
using Sums = std::map<std::tuple<trace::TrackId, std::int32_t, Cause>,
                      std::tuple<int, std::int64_t, std::int64_t, std::int64_t>>;

Sums SlowSums(const Timeline& timeline, const Device& device) {
  const trace::SpanTable& spans = timeline.trace().spans;
  Sums sums;
  for (std::size_t i = 0; i < device.spans.size(); ++i) {
    const DeviceSpan& next = device.spans[i];
    for (const trace::TrackId track : {trace::TrackId{0}, spans.track[next.span - 1]}) {
      bool any = false;
      std::int64_t end = 0;
      for (std::size_t j = 0; j < i; ++j) {
        const DeviceSpan& before = device.spans[j];
        if (track != 0 && spans.track[before.span - 1] != track) continue;
        end = any ? std::max(end, before.end_ns) : before.end_ns;
        any = true;
      }
      const std::int64_t gap = next.start_ns - end;
      if (!any || gap <= 0) continue;
      Cause cause = gap < 5'000 ? Cause::kKernel : gap < 30'000 ? Cause::kLaunch : Cause::kOther;
      if (next.launch == 0) {
        cause = Cause::kUnknown;
      } else if (spans.start_ns[next.launch - 1] > end) {
        cause = Cause::kHost;
      }
      const std::int64_t call = next.launch == 0 ? 0 : spans.start_ns[next.launch - 1];
      const std::int64_t since =
          next.launch == 0 ? 0 : std::max<std::int64_t>(next.start_ns - std::max(call, end), 0);
      for (const std::int32_t step : {-1, next.step}) {
        auto& [count, sum, longest, launched] = sums[{track, step, cause}];
        ++count;
        sum += gap;
        launched += since;
        longest = std::max(longest, gap);
        if (next.step < 0) break;
      }
    }
  }
  return sums;
}

TEST(IdlePropertyTest, AgreesWithLookingAtAllWorkBefore) {
  std::mt19937 random(21);
  for (int round = 0; round < 300; ++round) {
    Recording recording;
    FillAtRandom(recording, random, 1 + round % 2);
    trace::SpanTable& spans = recording.trace().spans;
    for (std::size_t i = 0; i < spans.size(); ++i) {
      spans.start_ns[i] *= 80;
      spans.duration_ns[i] *= 80;
    }
    const Timeline timeline(recording.trace());
    for (const Device& device : timeline.devices()) {
      Sums found;
      for (const Idle& idle : FindIdle(timeline, device)) {
        for (int cause = 0; cause < kCauseCount; ++cause) {
          const Gaps& gaps = idle.by_cause[static_cast<std::size_t>(cause)];
          if (gaps.count == 0) continue;
          found[{idle.track, idle.step, static_cast<Cause>(cause)}] = {
              static_cast<int>(gaps.count), gaps.sum_ns, gaps.longest_ns, gaps.launched_ns};
          EXPECT_NE(gaps.after, 0U);
          EXPECT_EQ(spans.start_ns[gaps.before - 1] - spans.start_ns[gaps.after - 1] -
                        spans.duration_ns[gaps.after - 1],
                    gaps.longest_ns);
        }
      }
      ASSERT_EQ(found, SlowSums(timeline, device)) << "round " << round;
    }
  }
}

}  // namespace
}  // namespace xsp::timeline::idle
