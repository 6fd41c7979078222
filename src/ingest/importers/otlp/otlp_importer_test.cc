#include "ingest/importers/otlp/otlp_importer.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <string>
#include <string_view>

#include "ingest/importers/importer.h"
#include "ingest/importers/importer_testing.h"
#include "source_dir.h"

namespace xsp::importers::otlp {
extern const ImporterSpec kSpec;
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kTrace = "5b8efff798038103d269b633813fc60c";

/// A span as JSON; `more`: further members, each after a comma.
std::string SpanJson(std::string_view id, std::string_view parent, int start, int end,
                     std::string_view more = "", std::string_view trace = kTrace) {
  return fmt::format(R"({{"traceId": "{}", "spanId": "{}", "parentSpanId": "{}", "name": "{}",)"
                     R"("startTimeUnixNano": "{}", "endTimeUnixNano": {}{}}})",
                     trace, id, parent, id, start, end, more);
}

std::string RequestJson(std::string_view spans) {
  return R"({"resourceSpans": [{"resource": {"attributes": [{"key": "service.name", )"
         R"("value": {"stringValue": "s"}}]}, "scopeSpans": [{"spans": [)" +
         std::string(spans) + "]}]}]}\n";
}

const std::string kA = "00000000000000a1", kB = "00000000000000b2", kC = "00000000000000c3";

class OtlpImporterTest : public testing::Test {
 protected:
  bool Import(std::string text) {
    trace::SourceWriter writer(trace_, nullptr, {}, ClockDomain::kEpoch, Role::kTimeline);
    const Status status = ImportOtlpText(std::move(text), writer, 4096);
    writer.Close();
    clock_ = writer.clock();
    return status.ok();
  }
  /// The row of the span `name`.
  std::size_t RowOf(std::string_view name) {
    for (std::size_t i = 0; i < trace_.spans.size(); ++i)
      if (trace_.Text(trace_.spans.name[i]) == name) return i;
    ADD_FAILURE() << "no span " << name;
    return 0;
  }
  trace::SpanId ParentOf(std::string_view name) { return trace_.spans.parent[RowOf(name)]; }
  trace::SpanId IdOf(std::string_view name) { return static_cast<trace::SpanId>(RowOf(name) + 1); }
  std::int64_t CountOf(const std::string& diagnostic) {
    const auto found = trace_.diagnostics.find(diagnostic);
    return found == trace_.diagnostics.end() ? 0 : found->second.count;
  }
  std::map<std::string, std::string> DetailsOf(std::size_t row) {
    std::map<std::string, std::string> details;
    for (std::size_t i = 0; i < trace_.attributes.size(); ++i)
      if (trace_.attributes.span[i] == row + 1)
        details[std::string(trace_.Text(trace_.attributes.key[i]))] =
            trace_.Text(trace_.attributes.value[i]);
    for (std::size_t i = 0; i < trace_.metrics.size(); ++i)
      if (trace_.metrics.span[i] == row + 1)
        details[std::string(trace_.Text(trace_.metrics.name[i]))] =
            fmt::format("{} {}", trace_.metrics.value[i], trace_.Text(trace_.metrics.unit[i]));
    return details;
  }
  static std::string ArgumentsOf(const trace::Trace& trace, std::size_t row) {
    for (std::size_t i = 0; i < trace.arguments.size(); ++i) {
      if (trace.arguments.span(i) != row + 1) continue;
      std::string text;
      trace::ArgumentTable::Cursor(trace.arguments, i).Next(trace.strings, text);
      return text;
    }
    return {};
  }

  trace::Trace trace_;
  ClockDomain clock_ = ClockDomain::kMonotonic;
};

/// The sample in both encodings: the same trace.
TEST_F(OtlpImporterTest, ReadsJsonAndProtobufAlike) {
  for (const char* name : {"agent.otlp.json", "agent.otlp.pb"}) {
    SCOPED_TRACE(name);
    trace_ = {};
    const fs::path sample = fs::path(XSP_SOURCE_DIR) / "src/ingest/importers/otlp/sample" / name;
    ASSERT_TRUE(ImportAll(kSpec, {{sample}}, trace_).ok());
    ASSERT_EQ(trace_.spans.size(), 3u);
    const std::size_t chat = RowOf("chat tiny-llm"), plan = RowOf("POST /plan");
    EXPECT_EQ(trace_.spans.level[chat], trace::Level::kModel);
    EXPECT_EQ(trace_.Text(trace_.spans.type[chat]), "predict");
    EXPECT_EQ(trace_.spans.level[plan], trace::Level::kApplication);
    EXPECT_EQ(trace_.spans.start_ns[chat], 1700000000100000000);
    EXPECT_EQ(trace_.spans.duration_ns[chat], 800000000);
    EXPECT_EQ(trace_.spans.parent[chat], plan + 1);
    EXPECT_EQ(ParentOf("SELECT seat"), plan + 1);
    EXPECT_EQ(DetailsOf(chat)["gen_ai.usage.output_tokens"], "34 token");
    EXPECT_EQ(DetailsOf(plan)["error"], "no seat");
    EXPECT_EQ(DetailsOf(plan)["scope"], "agent 1.2");
    EXPECT_EQ(ArgumentsOf(trace_, plan), R"({"http.route":"/plan","cities":["Ulm",2]})");
    ASSERT_EQ(trace_.marks.size(), 1u);
    EXPECT_EQ(trace_.Text(trace_.marks[0].name), "first token");
    ASSERT_EQ(trace_.links.size(), 1u);
    EXPECT_EQ(trace_.links[0].from, chat + 1);
    EXPECT_EQ(trace_.tracks[0].name, "trip-agent");
    EXPECT_EQ(trace_.tracks[0].process_id, 7);
    EXPECT_EQ(trace_.facts.at("resource.service.name"), "trip-agent");
    EXPECT_TRUE(trace_.diagnostics.empty());
  }
}

TEST_F(OtlpImporterTest, FindsParentsThatComeLaterOrInAnotherBatch) {
  ASSERT_TRUE(Import(RequestJson(SpanJson(kC, kB, 3, 4)) + RequestJson(SpanJson(kA, "", 1, 9)) +
                     RequestJson(SpanJson(kB, kA, 2, 8))));
  EXPECT_EQ(ParentOf(kC), IdOf(kB));
  EXPECT_EQ(ParentOf(kB), IdOf(kA));
  EXPECT_EQ(ParentOf(kA), 0u);
}

TEST_F(OtlpImporterTest, GivesBackWhatXspExported) {
  ASSERT_TRUE(Import(RequestJson(
      SpanJson(kA, "", 10, 20,
               R"(, "attributes": [{"key": "xsp.level", "value": {"stringValue": "kernel"}},
                 {"key": "xsp.type", "value": {"stringValue": "memcpy"}},
                 {"key": "xsp.track", "value": {"stringValue": "stream 7"}},
                 {"key": "xsp.device", "value": {"intValue": "1"}},
                 {"key": "xsp.rank", "value": {"intValue": "3"}},
                 {"key": "xsp.correlation_id", "value": {"intValue": "42"}},
                 {"key": "xsp.never_ended", "value": {"boolValue": true}},
                 {"key": "xsp.flops.float32.vector", "value": {"doubleValue": 1.5}},
                 {"key": "xsp.direction", "value": {"stringValue": "host_to_device"}}])"))));
  ASSERT_EQ(trace_.spans.size(), 1u);
  EXPECT_EQ(trace_.spans.level[0], trace::Level::kKernel);
  EXPECT_EQ(trace_.Text(trace_.spans.type[0]), "memcpy");
  EXPECT_EQ(trace_.spans.duration_ns[0], trace::kNeverEnded);
  EXPECT_EQ(trace_.spans.correlation_id[0], 42);
  EXPECT_EQ(trace_.tracks[0].name, "stream 7");
  EXPECT_EQ(trace_.tracks[0].kind, trace::TrackKind::kStream);
  EXPECT_EQ(trace_.tracks[0].device, 1);
  EXPECT_EQ(trace_.tracks[0].rank, 3);
  const std::map<std::string, std::string> details = {{"flops.float32.vector", "1.5 "},
                                                      {"direction", "host_to_device"}};
  EXPECT_EQ(DetailsOf(0), details);
}

TEST_F(OtlpImporterTest, AnExportMayBeginAtZero) {
  constexpr std::string_view kLayer =
      R"(, "attributes": [{"key": "xsp.level", "value": {"stringValue": "layer"}}])";
  ASSERT_TRUE(
      Import(RequestJson(SpanJson(kA, "", 0, 5, kLayer) + "," + SpanJson(kB, "", 0, 0, kLayer))));
  EXPECT_EQ(trace_.spans.duration_ns[RowOf(kA)], 5);
  EXPECT_EQ(trace_.spans.duration_ns[RowOf(kB)], 0);
  EXPECT_TRUE(trace_.diagnostics.empty());
}

TEST_F(OtlpImporterTest, GivesTracesThatOverlapATrackEach) {
  const std::string other = "0000000000000000000000000000000f";
  const std::string third = "0000000000000000000000000000000e";
  ASSERT_TRUE(
      Import(RequestJson(SpanJson(kA, "", 10, 100) + "," + SpanJson(kB, "", 20, 30, "", other) +
                         "," + SpanJson(kC, "", 100, 110, "", third))));
  EXPECT_NE(trace_.spans.track[RowOf(kA)], trace_.spans.track[RowOf(kB)]);
  EXPECT_EQ(trace_.spans.track[RowOf(kA)], trace_.spans.track[RowOf(kC)]);
  EXPECT_EQ(trace_.tracks[1].name, "s (2)");
}

TEST_F(OtlpImporterTest, CountsWhatItLeavesOut) {
  ASSERT_TRUE(Import(RequestJson(
      SpanJson(kA, "", 1, 2) + "," + SpanJson(kA, "", 1, 2) + "," + SpanJson("a1", "", 1, 2) + "," +
      SpanJson("0000000000000000", "", 1, 2) + "," + SpanJson(kB, "12", 1, 2) + "," +
      SpanJson(kB, "", 1, 2, "", "ff") + "," + SpanJson(kB, "", -5, 2) + "," +
      SpanJson(kB, "", 0, 2) + ", 7, " + SpanJson(kC, "", 9, 3) + "," +
      SpanJson("00000000000000d4", "00000000000000e5", 1, 0))));
  EXPECT_EQ(trace_.spans.size(), 3u);
  EXPECT_EQ(CountOf("otlp_duplicate_span"), 1);
  EXPECT_EQ(CountOf("otlp_bad_id"), 4);
  EXPECT_EQ(CountOf("otlp_bad_time"), 2);
  EXPECT_EQ(CountOf("otlp_damaged"), 1);
  EXPECT_EQ(CountOf("otlp_negative_duration"), 1);
  EXPECT_EQ(CountOf("otlp_missing_parent"), 1);
  EXPECT_EQ(CountOf("otlp_never_ended"), 1);
  EXPECT_EQ(trace_.spans.duration_ns[RowOf(kC)], 0);
}

std::string Message(char tag, std::string_view bytes) {
  return std::string(1, tag) + static_cast<char>(bytes.size()) + std::string(bytes);
}

/// The Collector's protobuf has fields in falling order.
TEST_F(OtlpImporterTest, FindsAResourceAndAScopeBehindTheirSpans) {
  const std::string name = Message(0x0a, "service.name") + Message(0x12, Message(0x0a, "late"));
  const std::string span = Message(0x2a, "n") + Message(0x12, "12345678") +
                           Message(0x0a, "1234567890123456") + "\x39" + std::string(7, '\0') +
                           "\x01";
  const std::string scope_spans = Message(0x12, span) + Message(0x0a, Message(0x0a, "tool"));
  ASSERT_TRUE(
      Import(Message(0x0a, Message(0x12, scope_spans) + Message(0x0a, Message(0x0a, name)))));
  ASSERT_EQ(trace_.spans.size(), 1u);
  EXPECT_EQ(trace_.tracks[0].name, "late");
  EXPECT_EQ(DetailsOf(0)["scope"], "tool");
  const std::string schemas =
      Message(0x0a, Message(0x1a, "https://schema") +
                        Message(0x12, Message(0x1a, "https://schema") + Message(0x12, span)));
  EXPECT_EQ(kSpec.sniff(SniffInput(schemas)), Sniff::kCertain);
}

TEST_F(OtlpImporterTest, CutsCyclesOfParents) {
  ASSERT_TRUE(Import(RequestJson(SpanJson(kA, kB, 1, 9) + "," + SpanJson(kB, kC, 1, 9) + "," +
                                 SpanJson(kC, kA, 1, 9) + "," +
                                 SpanJson("00000000000000d4", "00000000000000d4", 1, 9))));
  EXPECT_EQ(CountOf("otlp_parent_cycle"), 2);
  for (std::size_t i = 0; i < trace_.spans.size(); ++i) {
    trace::SpanId at = static_cast<trace::SpanId>(i + 1);
    for (int step = 0; at != 0 && step < 5; ++step) at = trace_.spans.parent[at - 1];
    EXPECT_EQ(at, 0u);
  }
}

TEST_F(OtlpImporterTest, KeepsWhatCameBeforeAnEndThatIsCutOff) {
  const std::string whole = RequestJson(SpanJson(kA, "", 1, 2) + "," + SpanJson(kB, "", 1, 2));
  ASSERT_TRUE(Import(whole.substr(0, whole.size() - 40)));
  EXPECT_EQ(trace_.spans.size(), 1u);
  EXPECT_EQ(CountOf("otlp_damaged"), 1);
}

TEST_F(OtlpImporterTest, MakesTextOfBytesThatAreNone) {
  ASSERT_TRUE(Import(RequestJson(
      SpanJson(kA, "", 1, 2,
               ", \"attributes\": [{\"key\": \"k\", \"value\": {\"stringValue\": \"\xff\"}}]"))));
  EXPECT_EQ(ArgumentsOf(trace_, 0), "{\"k\":\"\xef\xbf\xbd\"}");
}

TEST_F(OtlpImporterTest, TimesOfAnExportWithAClockOfItsOwnCountFromThat) {
  ASSERT_TRUE(Import(
      R"({"resourceSpans": [{"resource": {"attributes": [{"key": "xsp.clock_origin",
        "value": {"stringValue": "source"}}]}, "scopeSpans": [{"spans": [)" +
      SpanJson(kA, "", 1, 2) + "]}]}]}"));
  EXPECT_EQ(clock_, ClockDomain::kSession);
}

TEST_F(OtlpImporterTest, RefusesWhatIsNoOtlp) {
  EXPECT_FALSE(Import(R"({"resourceMetrics": []})"));
  EXPECT_FALSE(Import("nonsense"));
  EXPECT_EQ(kSpec.sniff(SniffInput(R"({"traceEvents": ["resourceSpans"]})")), Sniff::kNo);
}

}  // namespace
}  // namespace xsp::importers::otlp
