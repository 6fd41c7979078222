#include <gtest/gtest.h>

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
#include "core/utf8.h"
#include "trace/trace.h"

namespace xsp::trace_formats::chrome {
extern const TraceFormatSpec kSpec;
namespace {

using nlohmann::json;

/// "1.234" as 1234.
std::int64_t Nanoseconds(const json& microseconds) {
  return static_cast<std::int64_t>(microseconds.get<double>() * 1000 + 0.5);
}

TEST(ChromeFormat, WritesASmallRun) {
  EXPECT_EQ(ExportText(kSpec, SmallTrace()),
            R"({"writer": "xsp", "displayTimeUnit": "ns", "traceName": "net/deep", "traceEvents": [
{"ph": "M", "name": "process_name", "pid": 7, "args": {"name": "process 7"}},
{"ph": "M", "name": "process_name", "pid": 1000000000, "args": {"name": "GPU 1"}},
{"ph": "M", "name": "thread_name", "pid": 7, "tid": 9, "args": {"name": "main"}},
{"ph": "M", "name": "thread_name", "pid": 1000000000, "tid": 1000000000, "args": {"name": "stream 3"}},
{"ph": "X", "dur": 9.000, "cat": "model", "name": "a \"model\"", "pid": 7, "tid": 9, "ts": 0.000, "args": {"type": "predict", "span": 1, "parent": 0}},
{"ph": "X", "dur": 5.500, "cat": "layer", "name": "conv;1\n", "pid": 7, "tid": 9, "ts": 1.000, "args": {"type": "conv", "span": 2, "parent": 1, "xsp.flops.float32.vector": 1.5, "xsp.input_shapes": "[[1]]"}},
{"ph": "X", "dur": 0.500, "cat": "library", "name": "launch", "pid": 7, "tid": 9, "ts": 1.500, "args": {"type": "cuda", "span": 3, "parent": 2, "correlation": 42}},
{"ph": "s", "id": "3-4", "cat": "flow", "name": "launch", "pid": 7, "tid": 9, "ts": 1.500},
{"ph": "X", "dur": 2.001, "cat": "kernel", "name": "gemm", "pid": 1000000000, "tid": 1000000000, "ts": 3.000, "args": {"type": "kernel", "span": 4, "parent": 3, "correlation": 42}},
{"ph": "f", "bp": "e", "id": "3-4", "cat": "flow", "name": "launch", "pid": 1000000000, "tid": 1000000000, "ts": 3.000},
{"ph": "C", "name": "main: power", "pid": 7, "tid": 9, "ts": 0.500, "args": {"watt": 20.5}}
]}
)");
}

TEST(ChromeFormat, StatesWhatTimesSince1970CountFrom) {
  trace::Trace trace = SmallTrace();
  trace::TraceWriter(trace).SetClockOrigin(trace::ClockOrigin::kEpoch);
  EXPECT_EQ(core::ParseJson(ExportText(kSpec, trace))["baseTimeNanoseconds"], 1000);
}

TEST(ChromeFormat, IsJsonForAnyName) {
  const std::string text = ExportText(kSpec, HostileTrace());
  EXPECT_TRUE(core::IsCleanUtf8(text));
  const json read = core::ParseJson(text);
  ASSERT_FALSE(read.is_discarded());
  std::vector<std::string> names;
  for (const json& event : read["traceEvents"])
    if (event["ph"] == "X") names.push_back(event["name"]);
  ASSERT_EQ(names.size(), 7u);
  EXPECT_EQ(names[0], "a;b c\n\r\t\"\\");
  EXPECT_EQ(names[2], "\xef\xbf\xbd\xef\xbf\xbd");
  EXPECT_EQ(names[5].size(), std::size_t{1} << 20);
}

TEST(ChromeFormat, KeepsAllTimeOfEachLevelAndNestsInEachThread) {
  for (std::uint32_t seed = 1; seed <= 10; ++seed) {
    const trace::Trace trace = NestedTrace(seed, 300);
    std::map<std::string, std::int64_t> sums;
    std::map<std::pair<int, int>, std::vector<std::int64_t>> open;  // Ends, by thread.
    std::size_t begun = 0;
    const json file = core::ParseJson(ExportText(kSpec, trace));
    for (const json& event : file["traceEvents"]) {
      begun += event["ph"] == "B" ? 1 : 0;
      if (event["ph"] != "X") continue;
      const std::int64_t start = Nanoseconds(event["ts"]);
      const std::int64_t end = start + Nanoseconds(event["dur"]);
      sums[event["cat"]] += end - start;
      auto& ends = open[{event["pid"], event["tid"]}];
      while (!ends.empty() && ends.back() <= start) ends.pop_back();
      EXPECT_TRUE(ends.empty() || end <= ends.back());
      ends.push_back(end);
    }
    EXPECT_EQ(sums["model"], SumOf(trace, trace::Level::kModel));
    EXPECT_EQ(sums["layer"], SumOf(trace, trace::Level::kLayer));
    EXPECT_EQ(sums["kernel"], SumOf(trace, trace::Level::kKernel));
    std::size_t never_ended = 0;
    for (const std::int64_t duration : trace.spans.duration_ns)
      never_ended += duration == trace::kNeverEnded ? 1 : 0;
    EXPECT_EQ(begun, never_ended);
  }
}

}  // namespace
}  // namespace xsp::trace_formats::chrome
