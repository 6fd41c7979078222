#include "ingest/align/align.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

namespace xsp::align {
namespace {

using testing::ElementsAre;
using trace::ClockDomain;
using trace::Role;
using trace::SourceWriter;

constexpr std::int64_t kSecondNs = 1'000'000'000;
constexpr std::int64_t kNow = 1'700'000'000 * kSecondNs;

constexpr importers::DiagnosticSpec kOwnOrigin = {"own_unaligned", "Words."};
constexpr ImporterSpec kWithout = {.name = "without",
                                   .summary = "",
                                   .clock = ClockDomain::kSession,
                                   .role = Role::kTimeline,
                                   .priority = 0,
                                   .diagnostics = {},
                                   .sniff = nullptr,
                                   .import = nullptr};
constexpr ImporterSpec kWithOwn = {.name = "with_own",
                                   .summary = "",
                                   .clock = ClockDomain::kSession,
                                   .role = Role::kTimeline,
                                   .priority = 0,
                                   .diagnostics = {},
                                   .assumed_start = &kOwnOrigin,
                                   .sniff = nullptr,
                                   .import = nullptr};

class AlignTest : public testing::Test {
 protected:
  /// A file with a sample at each of these times.
  SourceWriter& Add(ClockDomain clock, const std::vector<std::int64_t>& times_ns,
                    Role role = Role::kTimeline, const ImporterSpec& importer = kWithout) {
    SourceWriter& writer = writers_.emplace_back(
        trace_, nullptr, SourceWriter::Place{writers_.size(), 0, 1}, clock, role);
    const trace::TrackId track = writer.AddTrack({trace::TrackKind::kHost, "host"});
    for (const std::int64_t time_ns : times_ns) writer.AddCounter(track, "c", time_ns, 1, "1");
    writer.Close();
    sources_.push_back({&importer, &writer});
    return writer;
  }
  const trace::Column<std::int64_t>& Times() {
    Align(sources_, trace_);
    return trace_.counters.time_ns;
  }
  std::int64_t Counted(const std::string& name) const {
    const auto it = trace_.diagnostics.find(name);
    return it == trace_.diagnostics.end() ? 0 : it->second.count;
  }

  trace::Trace trace_;
  std::deque<SourceWriter> writers_;
  std::vector<Source> sources_;
};

TEST_F(AlignTest, AFileThatIsAloneStays) {
  Add(ClockDomain::kSession, {70});
  EXPECT_THAT(Times(), ElementsAre(70));
  EXPECT_EQ(trace_.clock_origin, trace::ClockOrigin::kSource);
  EXPECT_TRUE(trace_.diagnostics.empty());
}

TEST_F(AlignTest, FilesThatCountFrom1970StayAndTheOthersStartWithTheirFirst) {
  Add(ClockDomain::kEpoch, {kNow + 50, kNow + 20});
  Add(ClockDomain::kSession, {7, 9});
  Add(ClockDomain::kSession, {3}, Role::kTimeline, kWithOwn);
  EXPECT_THAT(Times(), ElementsAre(kNow + 50, kNow + 20, kNow + 20, kNow + 22, kNow + 20));
  EXPECT_EQ(trace_.clock_origin, trace::ClockOrigin::kEpoch);
  EXPECT_EQ(Counted("align_assumed_start"), 1);
  EXPECT_EQ(Counted("own_unaligned"), 1);
}

TEST_F(AlignTest, TimesPast2001CountFrom1970) {
  Add(ClockDomain::kSession, {kNow});
  Add(ClockDomain::kMonotonic, {kNow + 5});
  EXPECT_THAT(Times(), ElementsAre(kNow, kNow + 5));
  EXPECT_EQ(trace_.clock_origin, trace::ClockOrigin::kEpoch);
  EXPECT_TRUE(trace_.diagnostics.empty());
}

TEST_F(AlignTest, ATimelineIsWhereTheOthersStartNotTheSeriesAroundIt) {
  Add(ClockDomain::kEpoch, {kNow, kNow + 100}, Role::kCounters);
  Add(ClockDomain::kEpoch, {kNow + 40});
  Add(ClockDomain::kSession, {0});
  EXPECT_THAT(Times(), ElementsAre(kNow, kNow + 100, kNow + 40, kNow + 40));
}

TEST_F(AlignTest, FilesWithoutAKnownOriginStartTogether) {
  Add(ClockDomain::kSession, {70});
  Add(ClockDomain::kSession, {30, 31});
  EXPECT_THAT(Times(), ElementsAre(0, 0, 1));
  EXPECT_EQ(Counted("align_assumed_start"), 2);
}

TEST_F(AlignTest, MonotonicFilesMoveTogether) {
  Add(ClockDomain::kMonotonic, {50});
  Add(ClockDomain::kMonotonic, {80});
  EXPECT_THAT(Times(), ElementsAre(50, 80));
  EXPECT_TRUE(trace_.diagnostics.empty());
  Add(ClockDomain::kSession, {4});
  EXPECT_THAT(Times(), ElementsAre(50, 80, 50));
  Add(ClockDomain::kEpoch, {kNow});
  EXPECT_THAT(Times(), ElementsAre(kNow, kNow + 30, kNow, kNow));
}

TEST_F(AlignTest, FilesOfOneBootHaveOneOffset) {
  Add(ClockDomain::kEpoch, {kNow}).SetBoot("a", 1000);
  Add(ClockDomain::kEpoch, {kNow}).SetBoot("a", 1003);
  Add(ClockDomain::kEpoch, {kNow}).SetBoot("b", 1003);
  Add(ClockDomain::kEpoch, {kNow}).SetBoot("", 7);
  EXPECT_THAT(Times(), ElementsAre(kNow, kNow - 3, kNow, kNow));
}

TEST_F(AlignTest, AnAssumedZoneGivesWayToTheOnlyOneThatOverlaps) {
  const std::int64_t hour_ns = 3600 * kSecondNs;
  Add(ClockDomain::kEpoch, {kNow, kNow + kSecondNs / 2});
  Add(ClockDomain::kEpoch, {kNow - 2 * hour_ns - kSecondNs, kNow - 2 * hour_ns + kSecondNs})
      .SetAssumedZone();
  EXPECT_THAT(Times(), ElementsAre(kNow, kNow + kSecondNs / 2, kNow - kSecondNs, kNow + kSecondNs));
  EXPECT_EQ(Counted("align_other_zone"), 1);
  EXPECT_EQ(trace_.diagnostics.at("align_other_zone").example, "7200");
}

TEST_F(AlignTest, AnAssumedZoneStaysWhereItOverlapsOrNoneIsSurer) {
  Add(ClockDomain::kEpoch, {kNow, kNow + kSecondNs / 2});
  // The last sample of whole seconds may be up to a second later than it states.
  Add(ClockDomain::kEpoch, {kNow - kSecondNs}).SetAssumedZone();
  Times();
  EXPECT_TRUE(trace_.diagnostics.empty());
  // Three hours that end two hours before: several zones would do.
  const std::int64_t hour_ns = 3600 * kSecondNs;
  Add(ClockDomain::kEpoch, {kNow - 5 * hour_ns, kNow - 2 * hour_ns}).SetAssumedZone();
  EXPECT_EQ(Times()[3], kNow - 5 * hour_ns);
  EXPECT_EQ(Counted("align_no_overlap"), 1);
}

TEST_F(AlignTest, DamagedTimesMoveNothing) {
  Add(ClockDomain::kEpoch, {INT64_MAX});
  Add(ClockDomain::kSession, {INT64_MIN});
  Add(ClockDomain::kEpoch, {INT64_MIN, INT64_MAX}).SetAssumedZone();
  EXPECT_EQ(Times()[1], INT64_MIN);
}

}  // namespace
}  // namespace xsp::align
