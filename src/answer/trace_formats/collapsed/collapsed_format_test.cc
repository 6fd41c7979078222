#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "answer/trace_formats/trace_format.h"
#include "answer/trace_formats/trace_formats_testing.h"
#include "core/utf8.h"
#include "trace/trace.h"

namespace xsp::trace_formats::collapsed {
extern const TraceFormatSpec kSpec;
namespace {

using Stacks = std::map<std::string, std::int64_t>;

Stacks Read(const std::string& text) {
  Stacks stacks;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t space = line.rfind(' ');
    EXPECT_NE(space, std::string::npos);
    stacks[line.substr(0, space)] += std::stoll(line.substr(space + 1));
  }
  return stacks;
}

TEST(CollapsedFormat, WritesASmallRun) {
  EXPECT_EQ(ExportText(kSpec, SmallTrace()),
            "main;a \"model\" 3500\n"
            "main;a \"model\";conv:1  5000\n"
            "main;a \"model\";conv:1 ;launch 500\n"
            "stream 3;gemm 2001\n");
}

TEST(CollapsedFormat, HasOneLinePerStackForAnyName) {
  const std::string text = ExportText(kSpec, HostileTrace());
  EXPECT_TRUE(core::IsCleanUtf8(text));
  EXPECT_EQ(std::ranges::count(text, '\n'), 7);
  EXPECT_EQ(std::ranges::count(text, ';'), 7);
  std::int64_t sum = 0;
  for (const auto& [stack, ns] : Read(text)) sum += ns;
  EXPECT_EQ(sum, 70);
}

struct Span {
  std::int64_t start_ns, end_ns;
  std::string name;
};

/// The stacks of spans that nest, for each nanosecond by itself: the open spans, outermost first.
Stacks CountNanoseconds(const std::vector<Span>& spans, std::int64_t end_ns) {
  Stacks stacks;
  for (std::int64_t at = 0; at < end_ns; ++at) {
    std::string stack;
    for (const Span& span : spans)
      if (span.start_ns <= at && at < span.end_ns) stack += ";" + span.name;
    if (!stack.empty()) ++stacks["main" + stack];
  }
  return stacks;
}

/// Fills [start, end) with spans and what lies in them, outer ones first.
void AddNested(std::mt19937& random, std::int64_t start, std::int64_t end, int depth,
               std::vector<Span>& spans) {
  while (depth > 0 && start < end) {
    const auto length = 1 + static_cast<std::int64_t>(random()) % (end - start);
    spans.push_back({start, start + length, "f" + std::to_string(random() % 3)});
    AddNested(random, start + static_cast<std::int64_t>(random() % 3), start + length, depth - 1,
              spans);
    start += length + static_cast<std::int64_t>(random() % 4);
  }
}

TEST(CollapsedFormat, AgreesWithCountingEachNanosecond) {
  std::mt19937 random(11);
  for (int round = 0; round < 30; ++round) {
    std::vector<Span> spans;
    AddNested(random, 0, 300, 5, spans);
    trace::Trace trace;
    trace::TraceWriter writer(trace);
    const auto track = writer.AddTrack({.kind = trace::TrackKind::kThread, .name = "main"});
    for (const Span& span : spans)
      writer.AddSpan({trace::Level::kLayer, "op", span.name, track, span.start_ns,
                      span.end_ns - span.start_ns});
    EXPECT_EQ(Read(ExportText(kSpec, trace)), CountNanoseconds(spans, 400));
  }
}

TEST(CollapsedFormat, AddsUpToTheOutermostSpansOfEachTrack) {
  for (std::uint32_t seed = 1; seed <= 10; ++seed) {
    const trace::Trace trace = NestedTrace(seed, 200);
    const std::string text = ExportText(kSpec, trace);
    // Without overlaps, a track is as long as the union of its spans; with them, it is longer.
    std::int64_t sum = 0;
    for (const auto& [stack, ns] : Read(text)) {
      EXPECT_GT(ns, 0);
      sum += ns;
    }
    std::map<trace::TrackId, std::map<std::int64_t, bool>> busy;
    std::int64_t all = 0, covered = 0;
    for (std::size_t i = 0; i < trace.spans.size(); ++i) {
      const std::int64_t duration = std::max<std::int64_t>(trace.spans.duration_ns[i], 0);
      all += duration;
      for (std::int64_t at = 0; at < duration; ++at)
        if (busy[trace.spans.track[i]].emplace(trace.spans.start_ns[i] + at, true).second)
          ++covered;
    }
    EXPECT_GE(sum, covered);
    EXPECT_LE(sum, all);
  }
}

}  // namespace
}  // namespace xsp::trace_formats::collapsed
