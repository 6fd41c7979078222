#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "answer/trace_formats/trace_format.h"
#include "answer/trace_formats/trace_formats_testing.h"
#include "core/json_text.h"
#include "trace/trace.h"

namespace xsp::trace_formats::otlp {
extern const TraceFormatSpec kSpec;
namespace {

using nlohmann::json;

json SpansOf(const std::string& text) {
  const json request = core::ParseJson(text);
  EXPECT_FALSE(request.is_discarded());
  EXPECT_EQ(request["resourceSpans"].size(), 1u);
  return request["resourceSpans"][0]["scopeSpans"][0]["spans"];
}

std::map<std::string, json> AttributesOf(const json& span) {
  std::map<std::string, json> attributes;
  for (const json& attribute : span["attributes"])
    EXPECT_TRUE(attributes.emplace(attribute["key"], attribute["value"]).second);
  return attributes;
}

TEST(OtlpFormat, WritesASmallRun) {
  const std::string text =
      ExportText(kSpec, SmallTrace(), R"({"started": "1970-01-01T00:00:01Z"})");
  EXPECT_EQ(text, ExportText(kSpec, SmallTrace(), R"({"started": "1970-01-01T00:00:01Z"})"));
  const json spans = SpansOf(text);
  ASSERT_EQ(spans.size(), 4u);
  const std::string trace_id = spans[0]["traceId"];
  EXPECT_EQ(trace_id.size(), 32u);
  EXPECT_EQ(trace_id.find_first_not_of("0123456789abcdef"), std::string::npos);
  EXPECT_FALSE(spans[0].contains("parentSpanId"));
  json layer = spans[1];
  layer.erase("traceId");
  EXPECT_EQ(layer, core::ParseJson(R"({
    "spanId": "0000000000000002", "parentSpanId": "0000000000000001", "name": "conv;1\n", "kind": 1,
    "startTimeUnixNano": "1000001000", "endTimeUnixNano": "1000006500", "attributes": [
      {"key": "xsp.level", "value": {"stringValue": "layer"}},
      {"key": "xsp.type", "value": {"stringValue": "conv"}},
      {"key": "xsp.track", "value": {"stringValue": "main"}},
      {"key": "process.pid", "value": {"intValue": "7"}},
      {"key": "thread.id", "value": {"intValue": "9"}},
      {"key": "xsp.flops.float32.vector", "value": {"doubleValue": 1.5}},
      {"key": "xsp.input_shapes", "value": {"stringValue": "[[1]]"}}]})"));
  // The kernel is linked to its launch.
  EXPECT_EQ(spans[3]["links"][0]["spanId"], spans[2]["spanId"]);
  EXPECT_EQ(spans[3]["links"][0]["traceId"], trace_id);
  EXPECT_EQ(AttributesOf(spans[3])["xsp.correlation_id"]["intValue"], "42");
}

TEST(OtlpFormat, KeepsAllTimeOfEachLevel) {
  const trace::Trace trace = NestedTrace(4, 300);
  std::map<std::string, std::int64_t> sums;
  std::size_t never_ended = 0;
  for (const json& span : SpansOf(ExportText(kSpec, trace))) {
    auto attributes = AttributesOf(span);
    const std::int64_t duration = std::stoll(span["endTimeUnixNano"].get<std::string>()) -
                                  std::stoll(span["startTimeUnixNano"].get<std::string>());
    sums[attributes["xsp.level"]["stringValue"]] += duration;
    never_ended += attributes.contains("xsp.never_ended") ? 1 : 0;
  }
  EXPECT_EQ(sums["model"], SumOf(trace, trace::Level::kModel));
  EXPECT_EQ(sums["layer"], SumOf(trace, trace::Level::kLayer));
  EXPECT_EQ(sums["kernel"], SumOf(trace, trace::Level::kKernel));
  EXPECT_GT(never_ended, 0u);
}

TEST(OtlpFormat, WritesAnyNameAndNumber) {
  EXPECT_EQ(SpansOf(ExportText(kSpec, HostileTrace())).size(), 7u);
  trace::Trace trace = SmallTrace();
  trace::TraceWriter writer(trace);
  writer.AddMetric(1, "nan", std::nan(""), "1", "analytic");
  writer.AddMetric(1, "infinite", -std::numeric_limits<double>::infinity(), "1", "analytic");
  writer.AddMetric(1, "twice", 1, "1", "analytic");
  writer.AddMetric(1, "twice", 2, "1", "analytic");
  auto attributes = AttributesOf(SpansOf(ExportText(kSpec, trace))[0]);
  EXPECT_EQ(attributes["xsp.nan"]["doubleValue"], "NaN");
  EXPECT_EQ(attributes["xsp.infinite"]["doubleValue"], "-Infinity");
  EXPECT_EQ(attributes["xsp.twice"]["doubleValue"], 1.0);
}

}  // namespace
}  // namespace xsp::trace_formats::otlp
