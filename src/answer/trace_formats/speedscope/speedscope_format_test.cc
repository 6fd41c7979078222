#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "answer/trace_formats/trace_format.h"
#include "answer/trace_formats/trace_formats_testing.h"
#include "core/json_text.h"
#include "trace/trace.h"

namespace xsp::trace_formats::speedscope {
extern const TraceFormatSpec kSpec;
namespace {

using nlohmann::json;

TEST(SpeedscopeFormat, WritesASmallRun) {
  EXPECT_EQ(core::ParseJson(ExportText(kSpec, SmallTrace())), core::ParseJson(R"({
    "$schema": "https://www.speedscope.app/file-format-schema.json", "exporter": "xsp",
    "name": "net/deep",
    "shared": {"frames": [
      {"name": "a \"model\""}, {"name": "conv;1\n"}, {"name": "launch"}, {"name": "gemm"}]},
    "profiles": [
      {"type": "evented", "name": "main", "unit": "nanoseconds", "startValue": 0, "endValue": 9000,
       "events": [
         {"type": "O", "frame": 0, "at": 0}, {"type": "O", "frame": 1, "at": 1000},
         {"type": "O", "frame": 2, "at": 1500}, {"type": "C", "frame": 2, "at": 2000},
         {"type": "C", "frame": 1, "at": 6500}, {"type": "C", "frame": 0, "at": 9000}]},
      {"type": "evented", "name": "stream 3", "unit": "nanoseconds", "startValue": 0,
       "endValue": 5001,
       "events": [{"type": "O", "frame": 3, "at": 3000}, {"type": "C", "frame": 3, "at": 5001}]}
    ]})"));
}

TEST(SpeedscopeFormat, PutsOverlappingSpansIntoAProfileOfTheirOwn) {
  trace::Trace trace;
  trace::TraceWriter writer(trace);
  const auto track = writer.AddTrack({.kind = trace::TrackKind::kThread, .name = "main"});
  writer.AddSpan({trace::Level::kLayer, "op", "a", track, 0, 10});
  writer.AddSpan({trace::Level::kLayer, "op", "b", track, 5, 10});
  writer.AddSpan({trace::Level::kLayer, "op", "open", track, 20});
  const json read = core::ParseJson(ExportText(kSpec, trace));
  ASSERT_EQ(read["profiles"].size(), 2u);
  EXPECT_EQ(read["profiles"][0]["name"], "main");
  EXPECT_EQ(read["profiles"][1]["name"], "main (2)");
  EXPECT_EQ(read["profiles"][1]["events"][1]["at"], 15);
  // What never ended is closed at the end of the track.
  EXPECT_EQ(read["profiles"][0]["events"][3]["at"], 20);
}

/// The time in each frame, when every event is as speedscope wants it.
std::map<std::string, std::int64_t> TimesOf(const json& file) {
  std::map<std::string, std::int64_t> times;
  for (const json& profile : file["profiles"]) {
    std::vector<std::pair<int, std::int64_t>> open;
    std::int64_t last = profile["startValue"];
    for (const json& event : profile["events"]) {
      const std::int64_t at = event["at"];
      EXPECT_GE(at, last);
      last = at;
      if (event["type"] == "O") {
        open.emplace_back(event["frame"], at);
        continue;
      }
      EXPECT_FALSE(open.empty());
      EXPECT_EQ(open.back().first, event["frame"].get<int>());
      times[file["shared"]["frames"][static_cast<std::size_t>(open.back().first)]["name"]] +=
          at - open.back().second;
      open.pop_back();
    }
    EXPECT_TRUE(open.empty());
    EXPECT_LE(last, profile["endValue"].get<std::int64_t>());
  }
  return times;
}

TEST(SpeedscopeFormat, IsBalancedAndKeepsAllTimeOfEachName) {
  for (std::uint32_t seed = 1; seed <= 10; ++seed) {
    trace::Trace trace = NestedTrace(seed, 300);
    for (std::int64_t& duration : trace.spans.duration_ns)
      duration = std::max<std::int64_t>(duration, 0);
    std::map<std::string, std::int64_t> expected;
    for (std::size_t i = 0; i < trace.spans.size(); ++i)
      expected[std::string(trace.Text(trace.spans.name[i]))] += trace.spans.duration_ns[i];
    EXPECT_EQ(TimesOf(core::ParseJson(ExportText(kSpec, trace))), expected);
  }
}

TEST(SpeedscopeFormat, IsJsonForAnyName) {
  const json read = core::ParseJson(ExportText(kSpec, HostileTrace()));
  ASSERT_FALSE(read.is_discarded());
  EXPECT_EQ(read["shared"]["frames"].size(), 7u);
}

}  // namespace
}  // namespace xsp::trace_formats::speedscope
