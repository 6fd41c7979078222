#include "answer/trace_formats/exported_run.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <string>
#include <tuple>
#include <vector>

#include "answer/trace_formats/trace_formats_testing.h"
#include "os/files.h"
#include "store/store_testing.h"
#include "trace/trace.h"

namespace xsp::trace_formats {
namespace {

using testing::ElementsAre;

using Key = std::tuple<std::int64_t, std::int64_t, std::int64_t, std::int64_t, std::int64_t>;

/// Track, start, minus the duration, level and id of each span, in the order of the export.
std::vector<Key> Order(const ExportedRun& run, std::int64_t slice_spans) {
  std::vector<Key> keys;
  const Status visited = run.EachSpan(
      ExportedRun::Extras::kAll,
      [&](const ExportedSpan& span) -> Status {
        int level = 0;
        while (trace::ToString(static_cast<trace::Level>(level)) != span.level) ++level;
        keys.emplace_back(span.track_id, span.start_ns, -span.EndNs(), level, span.id);
        return Ok{};
      },
      slice_spans);
  EXPECT_TRUE(visited.ok()) << visited.error().what;
  return keys;
}

TEST(ExportedRun, StreamsSpansInOrderWhateverTheSlices) {
  for (std::uint32_t seed = 1; seed <= 3; ++seed) {
    const store::TestFolder store;
    const trace::Trace trace = store::RandomTrace(seed, 60);
    const auto run = ExportedRun::Open(StoreRun(store, trace));
    ASSERT_TRUE(run.ok()) << run.error().what;
    EXPECT_EQ(run.value().span_count(), 60);
    const std::vector<Key> whole = Order(run.value(), 1 << 20);
    EXPECT_EQ(whole.size(), 60u);
    EXPECT_TRUE(std::ranges::is_sorted(whole));
    for (const std::int64_t slice : {1, 7, 59}) EXPECT_EQ(Order(run.value(), slice), whole);
  }
}

TEST(ExportedRun, ReadsSpansOfOneStart) {
  trace::Trace trace;
  trace::TraceWriter writer(trace);
  const auto track = writer.AddTrack({.kind = trace::TrackKind::kThread, .name = "main"});
  for (int i = 0; i < 50; ++i) writer.AddSpan({trace::Level::kLayer, "op", "x", track, 5, i});
  const store::TestFolder store;
  const auto run = ExportedRun::Open(StoreRun(store, trace));
  ASSERT_TRUE(run.ok());
  EXPECT_EQ(Order(run.value(), 10).size(), 50u);
}

TEST(ExportedRun, HasMetricsAttributesAndBothEndsOfFlows) {
  trace::Trace trace = SmallTrace();
  trace::TraceWriter(trace).AddLink(1, 2, trace::LinkKind::kForwardBackward);
  trace::TraceWriter(trace).AddLink(3, 4, trace::LinkKind::kFlow);  // The launch, too.
  const store::TestFolder store;
  const auto run = ExportedRun::Open(StoreRun(store, trace));
  ASSERT_TRUE(run.ok()) << run.error().what;
  for (const std::int64_t slice : {1, 100}) {
    std::vector<std::string> flows, details;
    const Status visited = run.value().EachSpan(
        ExportedRun::Extras::kAll,
        [&](const ExportedSpan& span) -> Status {
          if (span.extras == nullptr) return Ok{};
          const auto text = [&](const char* arrow, const SpanFlow& flow) {
            return std::to_string(span.id) + arrow + std::to_string(flow.other_id) +
                   (flow.is_launch ? " launch" : "");
          };
          for (const SpanFlow& flow : span.extras->flows_out) flows.push_back(text(" > ", flow));
          for (const SpanFlow& flow : span.extras->flows_in) flows.push_back(text(" < ", flow));
          for (const SpanDetail& detail : span.extras->details)
            details.push_back(detail.key + " " +
                              (detail.is_number ? std::to_string(detail.number) : detail.text));
          return Ok{};
        },
        slice);
    ASSERT_TRUE(visited.ok()) << visited.error().what;
    EXPECT_THAT(flows, ElementsAre("1 > 2", "2 < 1", "3 > 4 launch", "4 < 3 launch"));
    EXPECT_THAT(details, ElementsAre("flops.float32.vector 1.500000", "input_shapes [[1]]"));
  }
}

TEST(ExportedRun, PutsTimesOnTheClockOfTheWall) {
  trace::Trace trace = SmallTrace();
  const store::TestFolder store, dated_store, epoch_store;
  const auto undated = ExportedRun::Open(StoreRun(store, trace));
  ASSERT_TRUE(undated.ok());
  EXPECT_EQ(undated.value().first_ns(), 1000);
  EXPECT_EQ(undated.value().SinceEpoch(1007), 7);
  const auto dated =
      ExportedRun::Open(StoreRun(dated_store, trace, R"({"started": "1970-01-02T00:00:01.5Z"})"));
  ASSERT_TRUE(dated.ok());
  EXPECT_EQ(dated.value().SinceEpoch(1007), 86401500000007);
  trace::TraceWriter(trace).SetClockOrigin(trace::ClockOrigin::kEpoch);
  const auto epoch = ExportedRun::Open(StoreRun(epoch_store, trace));
  ASSERT_TRUE(epoch.ok());
  EXPECT_EQ(epoch.value().SinceEpoch(1007), 1007);
}

TEST(ExportedRun, RefusesWhatIsNoRunAndWhatIsDamaged) {
  const store::TestFolder store;
  const auto folder = StoreRun(store, SmallTrace());
  const auto experiment = ExportedRun::Open(folder.parent_path());
  ASSERT_FALSE(experiment.ok());
  EXPECT_EQ(experiment.error().kind, ErrorKind::kBadInput);
  EXPECT_FALSE(ExportedRun::Open(store.path() / "none").ok());
  const std::string bytes = os::ReadFile(folder / "span.parquet").value();
  ASSERT_TRUE(os::WriteFileAtomically(folder / "span.parquet", bytes.substr(0, 40)).ok());
  const auto damaged = ExportedRun::Open(folder);
  ASSERT_FALSE(damaged.ok());
  EXPECT_EQ(damaged.error().kind, ErrorKind::kBadInput);
  EXPECT_THAT(damaged.error().what, testing::HasSubstr("span.parquet"));
}

}  // namespace
}  // namespace xsp::trace_formats
