#include "ingest/importers/kineto/kineto_importer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <random>
#include <sstream>
#include <string>
#include <tuple>
#include <vector>

#include "ingest/importers/importer_testing.h"
#include "ingest/importers/json_text.h"
#include "source_dir.h"

namespace xsp::importers::kineto {
extern const ImporterSpec kSpec;
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using trace::Level;

std::string Slurp(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

const std::string& Sample() {
  static const std::string text =
      Slurp(fs::path(XSP_SOURCE_DIR) / "src/ingest/importers/kineto/sample/two_kernels.json");
  return text;
}

class KinetoTest : public testing::Test {
 protected:
  fs::path Write(std::string_view text, const std::string& name = "trace.json") {
    const fs::path folder =
        fs::path(testing::TempDir()) /
        (std::string("kineto_") + testing::UnitTest::GetInstance()->current_test_info()->name());
    fs::create_directories(folder);
    std::ofstream(folder / name, std::ios::binary) << text;
    return folder / name;
  }

  trace::Trace Import(std::string_view text, std::size_t chunk_bytes = kReadBytes) {
    trace::Trace trace;
    const Status status = ImportAll(kSpec, {{Write(text), chunk_bytes}}, trace);
    EXPECT_TRUE(status.ok()) << status.error().what;
    return trace;
  }
  /// What an import leaves, be it an error or not.
  std::string PrintWhatIsThere(std::string_view text, std::size_t chunk_bytes) {
    trace::Trace trace;
    const Status status = ImportAll(kSpec, {{Write(text), chunk_bytes}}, trace);
    return (status.ok() ? "" : status.error().what) + Print(trace);
  }
  /// A trace of these events.
  trace::Trace ImportEvents(const std::string& events) {
    return Import("{\"schemaVersion\": 1, \"traceEvents\": [" + events + "]}");
  }

  static std::int64_t CountOf(const trace::Trace& trace, std::string_view diagnostic) {
    const auto it = trace.diagnostics.find(diagnostic);
    return it == trace.diagnostics.end() ? 0 : it->second.count;
  }
  static std::string Arguments(const trace::Trace& trace, std::size_t row) {
    std::string text;
    trace::ArgumentTable::Cursor(trace.arguments, row).Next(trace.strings, text);
    return text;
  }
  static std::vector<std::string> Names(const trace::Trace& trace) {
    std::vector<std::string> names;
    for (const trace::StringId name : trace.spans.name) names.emplace_back(trace.Text(name));
    return names;
  }
  /// Everything that a trace holds, as one text.
  static std::string Print(const trace::Trace& trace) {
    std::string out;
    const auto put = [&](auto... values) { ((out += testing::PrintToString(values) + " "), ...); };
    for (std::size_t i = 0; i < trace.spans.size(); ++i)
      put(int(trace.spans.level[i]), trace.Text(trace.spans.type[i]),
          trace.Text(trace.spans.name[i]), trace.spans.track[i], trace.spans.start_ns[i],
          trace.spans.duration_ns[i], trace.spans.correlation_id[i], trace.spans.parent[i], "\n");
    for (std::size_t i = 0; i < trace.arguments.size(); ++i)
      put(trace.arguments.span(i), Arguments(trace, i), "\n");
    for (std::size_t i = 0; i < trace.metrics.size(); ++i)
      put(trace.metrics.span[i], trace.Text(trace.metrics.name[i]), trace.metrics.value[i], "\n");
    for (std::size_t i = 0; i < trace.counters.size(); ++i)
      put(trace.counters.track[i], trace.Text(trace.counters.name[i]), trace.counters.time_ns[i],
          trace.counters.value[i], "\n");
    for (const auto& track : trace.tracks) put(track.name, track.device, track.stream, "\n");
    for (const auto& link : trace.links) put(link.from, link.to, int(link.kind), "\n");
    for (const auto& mark : trace.marks) put(mark.track, mark.time_ns, trace.Text(mark.name), "\n");
    for (const auto& [name, d] : trace.diagnostics) put(name, d.count, d.example, "\n");
    for (const auto& [name, value] : trace.facts) put(name, value, "\n");
    return out;
  }
};

TEST_F(KinetoTest, KeepsEverythingOfItsSample) {
  const trace::Trace trace = Import(Sample());
  EXPECT_THAT(Names(trace), ElementsAre("ProfilerStep#1", "nn.Module: Net_0", "aten::linear",
                                        "aten::addmm", "cudaLaunchKernel", "example_gemm_32x32",
                                        "aten::relu", "cudaLaunchKernel", "example_relu"));
  const trace::SpanTable& spans = trace.spans;
  EXPECT_EQ(trace.Text(spans.type[0]), "step");
  EXPECT_EQ(trace.Text(spans.type[1]), "module");
  EXPECT_EQ(spans.level[1], Level::kLayer);
  EXPECT_EQ(trace.Text(spans.type[2]), "aten::linear");
  EXPECT_EQ(spans.level[4], Level::kLibrary);
  EXPECT_EQ(spans.level[5], Level::kKernel);
  // baseTimeNanoseconds comes after the events.
  EXPECT_EQ(spans.start_ns[2], 1'700'000'000'000'000'000 + 1'010'250);
  EXPECT_EQ(spans.duration_ns[5], 25'004);
  EXPECT_EQ(spans.correlation_id[5], 17);

  const trace::Track& stream = trace.tracks[spans.track[5] - 1];
  EXPECT_EQ(stream.kind, trace::TrackKind::kStream);
  EXPECT_EQ(stream.device, 0);
  EXPECT_EQ(stream.stream, 7);
  EXPECT_EQ(stream.name, "GPU 0 stream 7");
  EXPECT_EQ(trace.tracks[spans.track[0] - 1].name, "python 100 thread 100");

  ASSERT_EQ(trace.links.size(), 1u);
  EXPECT_EQ(trace.links[0].from, 5u);
  EXPECT_EQ(trace.links[0].to, 6u);
  EXPECT_EQ(trace.Text(trace.metrics.name[0]), "occupancy");
  EXPECT_EQ(trace.metrics.value[0], 0.5);
  EXPECT_EQ(trace.Text(trace.attributes.value[0]), "[[4,64],[10,64],[10]]");
  EXPECT_EQ(trace.Text(trace.attributes.value[1]), "[float32,float32,float32]");
  EXPECT_EQ(Arguments(trace, 4), R"({"External id":3,"cbid":211,"correlation":17})");
  ASSERT_EQ(trace.counters.size(), 4u);
  EXPECT_EQ(trace.counters.value[2], 160);
  EXPECT_EQ(trace.facts.at("deviceProperties.0.name"), "Example GPU");
  EXPECT_TRUE(trace.diagnostics.empty());
}

TEST_F(KinetoTest, SecretsOfTheMetadataAreHidden) {
  const trace::Trace trace = Import(R"({"env": {"HF_TOKEN": "x1y2", "OMP_NUM_THREADS": "4"},
        "config": {"lr": NaN, "HF_TOKEN": "x1y2"}, "text": "{\"HF_TOKEN\": \"x1y2\", \"a\": 1}", "traceEvents": [
        {"ph":"X","cat":"cpu_op","name":"f","pid":1,"tid":1,"ts":1,"dur":1}]})");
  EXPECT_EQ(trace.facts.at("env.HF_TOKEN"), "(hidden: it looks like a secret)");
  EXPECT_EQ(trace.facts.at("env.OMP_NUM_THREADS"), "4");
  EXPECT_EQ(trace.facts.at("config"), "(cannot be read)");
  EXPECT_EQ(trace.facts.at("text.HF_TOKEN"), "(hidden: it looks like a secret)");
  EXPECT_EQ(trace.facts.at("text.a"), "1");
}

TEST_F(KinetoTest, MetadataThatIsNestedWithoutEndIsNotRead) {
  const std::string deep = std::string(400'000, '[') + std::string(400'000, ']');
  const trace::Trace trace =
      Import("{\"deep\": " + deep + ", \"traceEvents\": [" +
             R"({"ph":"X","cat":"cpu_op","name":"f","pid":1,"tid":1,"ts":1,"dur":1}]})");
  EXPECT_EQ(trace.facts.at("deep"), "(cannot be read)");
  EXPECT_THAT(Names(trace), ElementsAre("f"));
}

TEST_F(KinetoTest, TheResultDoesNotDependOnTheChunks) {
  const std::string whole = Print(Import(Sample()));
  for (const std::size_t chunk : {1, 2, 3, 7, 64, 1000})
    EXPECT_EQ(Print(Import(Sample(), chunk)), whole) << chunk;
  // Nor where the file is damaged.
  std::mt19937 random(1);
  for (int round = 0; round < 60; ++round) {
    std::string damaged = Sample();
    for (int i = 0; i < 3; ++i)
      damaged[random() % damaged.size()] = "{}[],:\"\\ \nx0"[random() % 12];
    const std::string expected = PrintWhatIsThere(damaged, kReadBytes);
    EXPECT_EQ(PrintWhatIsThere(damaged, 1), expected);
    EXPECT_EQ(PrintWhatIsThere(damaged, 13), expected);
  }
}

TEST_F(KinetoTest, ReadsTheSpellingsOfEveryEra) {
  const trace::Trace trace = ImportEvents(
      R"({"ph":"X","cat":"Operator","name":"aten::add","pid":1,"tid":"1","ts":1623142623460111,"dur":25,"args":{"External id":"5"}},
         {"ph":"X","cat":"Operator","name":"ProfilerStep#3","pid":1,"tid":"1","ts":1623142623460100,"dur":99,"args":{}},
         {"ph":"X","cat":"Runtime","name":"cudaLaunchKernel","pid":1,"tid":"1","ts":1623142623460112,"dur":3,"args":{"correlation":9,"external id":5}},
         {"ph":"X","cat":"Kernel","name":"k","pid":0,"tid":"stream 7","ts":1623142623460120,"dur":2,"args":{"device":0,"stream":7,"correlation":9}},
         {"ph":"X","cat":"Memcpy","name":"Memcpy HtoD","pid":0,"tid":"stream 7","ts":1623142623460130,"dur":2,"args":{"bytes":4096}},
         {"ph":"s","cat":"async","id":9,"name":"launch","pid":1,"tid":1,"ts":1623142623460112},
         {"ph":"f","cat":"async","id":9,"name":"launch","pid":0,"tid":"stream 7","ts":1623142623460120,"bp":"e"},
         {"ph":"X","cat":"cuda_runtime","name":"hipLaunchKernel","pid":1,"tid":1,"ts":1623142623460140,"dur":3,"args":{}})");
  EXPECT_EQ(trace.Text(trace.spans.type[1]), "step");
  EXPECT_EQ(trace.spans.level[1], Level::kApplication);
  // A thread's number is the same in quotes and without.
  EXPECT_EQ(trace.spans.track[0], trace.spans.track[5]);
  EXPECT_EQ(trace.Text(trace.spans.type[4]), "memcpy");
  EXPECT_EQ(trace.Text(trace.spans.type[5]), "hip_runtime");
  EXPECT_EQ(trace.tracks[trace.spans.track[3] - 1].stream, 7);
  ASSERT_EQ(trace.links.size(), 1u);
  EXPECT_EQ(trace.links[0].to, 4u);
}

TEST_F(KinetoTest, RangesOfXspProfileAroundModulesAreModulesNamedByTheirPath) {
  const trace::Trace trace = ImportEvents(
      R"({"ph":"X","cat":"cpu_op","name":"xsp.module: head","pid":1,"tid":1,"ts":900,"dur":25,"args":{"External id":3}},
         {"ph":"X","cat":"user_annotation","name":"xsp.module: body.0","pid":1,"tid":1,"ts":1000,"dur":25,"args":{}},
         {"ph":"X","cat":"user_annotation","name":"xsp.modules","pid":1,"tid":1,"ts":1030,"dur":5,"args":{}},
         {"ph":"X","cat":"gpu_user_annotation","name":"xsp.module: body.0","pid":0,"tid":7,"ts":1010,"dur":9,"args":{"device":0,"stream":7}})");
  EXPECT_THAT(Names(trace), ElementsAre("head", "body.0", "xsp.modules", "body.0"));
  const std::string_view expected[] = {"module", "module", "range", "range"};
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(trace.Text(trace.spans.type[i]), expected[i]) << i;
  EXPECT_EQ(trace.spans.level[0], Level::kLayer);
}

TEST_F(KinetoTest, AProcessAndADeviceOfOneNumberAreTwoTracks) {
  const trace::Trace trace = ImportEvents(
      R"({"ph":"X","cat":"python_function","name":"f","pid":0,"tid":0,"ts":1,"dur":1},
         {"ph":"X","cat":"kernel","name":"k","pid":0,"tid":0,"ts":1,"dur":1,"args":{"device":0,"stream":0}})");
  EXPECT_NE(trace.spans.track[0], trace.spans.track[1]);
}

TEST_F(KinetoTest, AKernelWithoutALaunchGoesToTheOperatorOfItsExternalId) {
  const trace::Trace trace = ImportEvents(
      R"({"ph":"X","cat":"cpu_op","name":"a","pid":1,"tid":1,"ts":1,"dur":9,"args":{"External id":4}},
         {"ph":"X","cat":"kernel","name":"k","pid":0,"tid":7,"ts":2,"dur":1,"args":{"External id":4,"correlation":8}},
         {"ph":"X","cat":"kernel","name":"l","pid":0,"tid":7,"ts":4,"dur":1,"args":{"External id":5,"correlation":9}})");
  EXPECT_THAT(trace.spans.parent, ElementsAre(0, 1, 0));
}

TEST_F(KinetoTest, ConvolutionsKeepTheirValuesAndOtherOperatorsDoNot) {
  const trace::Trace trace = ImportEvents(
      R"({"ph":"X","cat":"cpu_op","name":"aten::mkldnn_convolution","pid":1,"tid":1,"ts":1,"dur":9,"args":{"Concrete Inputs":["", "", "", "[1, 1]", "[2, 2]", "False"]}},
         {"ph":"X","cat":"cpu_op","name":"aten::add","pid":1,"tid":1,"ts":20,"dur":9,"args":{"Concrete Inputs":["", "", "1"]}})");
  ASSERT_EQ(trace.attributes.size(), 1u);
  EXPECT_EQ(trace.Text(trace.attributes.key[0]), "input_values");
  EXPECT_EQ(trace.Text(trace.attributes.value[0]), ";;;[1,1];[2,2];False");
}

TEST_F(KinetoTest, HardwareCountersBecomeFlops) {
  const trace::Trace trace = ImportEvents(
      R"({"ph":"X","cat":"cuda_profiler_range","name":"k","pid":0,"tid":1,"ts":2,"dur":1,"args":{
        "smsp__sass_thread_inst_executed_op_fadd_pred_on.sum": 10, "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum": 100}})");
  std::map<std::string, double> metrics;
  for (std::size_t i = 0; i < trace.metrics.size(); ++i)
    metrics[std::string(trace.Text(trace.metrics.name[i]))] = trace.metrics.value[i];
  EXPECT_EQ(metrics.at("flops.float32.vector"), 210);
  EXPECT_EQ(metrics.size(), 3u);
  EXPECT_TRUE(trace.diagnostics.contains("kineto_counters_without_times"));
}

TEST_F(KinetoTest, TimesOfCountedKernelsMeanNothing) {
  const auto role_of = [](const std::string& events) {
    trace::Trace trace;
    trace::SourceWriter writer(trace, nullptr, {}, kSpec.clock, kSpec.role);
    EXPECT_TRUE(ImportKinetoText("{\"traceEvents\":[" + events + "]}", writer, kReadBytes).ok());
    return writer.role();
  };
  const std::string counted =
      R"({"ph":"X","cat":"cuda_profiler_range","name":"k","pid":0,"tid":1,"ts":2,"dur":1})";
  const std::string timed =
      R"({"ph":"X","cat":"kernel","name":"l","pid":0,"tid":1,"ts":3,"dur":1})";
  EXPECT_EQ(role_of(counted), Role::kKernelMetrics);
  EXPECT_EQ(role_of(timed), Role::kTimeline);
  EXPECT_EQ(role_of(counted + "," + timed), Role::kTimeline);
}

TEST_F(KinetoTest, WithABaseItCountsFrom1970) {
  const std::string event =
      R"({"ph":"X","cat":"cpu_op","name":"a","pid":1,"tid":1,"ts":5,"dur":3})";
  const auto clock_of = [](const std::string& text) {
    trace::Trace trace;
    trace::SourceWriter writer(trace, nullptr, {}, kSpec.clock, kSpec.role);
    EXPECT_TRUE(ImportKinetoText(text, writer, kReadBytes).ok());
    EXPECT_EQ(writer.FirstTime(), trace.spans.start_ns[0]);
    return writer.clock();
  };
  EXPECT_EQ(clock_of("{\"traceEvents\":[" + event + "],\"baseTimeNanoseconds\":2000000}"),
            ClockDomain::kEpoch);
  EXPECT_EQ(clock_of("{\"traceEvents\":[" + event + "]}"), ClockDomain::kSession);
}

// One source of what an instruction computes: what our own recording of kernel metrics counts.
TEST_F(KinetoTest, CountersHaveTheFactorsOfTheTableOfMetrics) {
  std::ifstream table(fs::path(XSP_SOURCE_DIR) / "machine" / "cuda_metrics.csv");
  std::map<std::string, double> factors;
  for (std::string line; std::getline(table, line);) {
    if (line.find("smsp__sass_thread_inst_executed_op_") == std::string::npos ||
        line.starts_with('#'))
      continue;
    std::vector<std::string> cells;
    std::istringstream text(line);
    for (std::string cell; std::getline(text, cell, ',');) cells.push_back(cell);
    ASSERT_EQ(cells.size(), 10u) << line;
    const trace::Trace trace = ImportEvents(
        R"({"ph":"X","cat":"cuda_profiler_range","name":"k","pid":0,"tid":1,"ts":2,"dur":1,"args":{")" +
        cells[7] + R"(": 1}})");
    double flops = 0;
    for (std::size_t i = 0; i < trace.metrics.size(); ++i)
      if (trace.Text(trace.metrics.name[i]) == cells[1]) flops = trace.metrics.value[i];
    EXPECT_EQ(flops, std::stod(cells[8])) << line;
    factors[cells[7]] = flops;
  }
  EXPECT_EQ(factors.size(), 9u);
  EXPECT_EQ(factors["smsp__sass_thread_inst_executed_op_hfma_pred_on.sum"], 4);
}

TEST_F(KinetoTest, EndsOfFlowsThatBeginNowhereAreKept) {
  const trace::Trace trace = ImportEvents(
      R"({"ph":"X","cat":"cuda_runtime","name":"cudaFree","pid":1,"tid":1,"ts":5,"dur":1},
         {"ph":"f","cat":"ac2g","id":3,"name":"ac2g","pid":1,"tid":1,"ts":5,"bp":"e"})");
  EXPECT_TRUE(trace.links.empty());
  EXPECT_EQ(trace.marks.size(), 1u);
  EXPECT_TRUE(trace.diagnostics.empty());
}

TEST_F(KinetoTest, ForwardAndBackwardAreLinked) {
  const trace::Trace trace = ImportEvents(
      R"({"ph":"X","cat":"cpu_op","name":"aten::mm","pid":1,"tid":1,"ts":5,"dur":3},
         {"ph":"X","cat":"cpu_op","name":"MmBackward0","pid":1,"tid":2,"ts":50,"dur":3},
         {"ph":"s","cat":"fwdbwd","id":1,"name":"fwdbwd","pid":1,"tid":1,"ts":5},
         {"ph":"f","cat":"fwdbwd","id":1,"name":"fwdbwd","pid":1,"tid":2,"ts":50,"bp":"e"})");
  ASSERT_EQ(trace.links.size(), 1u);
  EXPECT_EQ(trace.links[0].kind, trace::LinkKind::kForwardBackward);
  EXPECT_EQ(trace.links[0].from, 1u);
  EXPECT_EQ(trace.links[0].to, 2u);
}

TEST_F(KinetoTest, OperatorsRanOnTheCpuWhereNothingTellsOfADevice) {
  const std::string mm =
      R"({"ph":"X","cat":"cpu_op","name":"aten::mm","pid":1,"tid":1,"ts":5,"dur":3})";
  const auto ran_on = [](const trace::Trace& trace) {
    const auto it = trace.facts.find(trace::fact::kOperatorsRanOn);
    return it == trace.facts.end() ? "" : it->second;
  };
  EXPECT_EQ(ran_on(ImportEvents(mm)), "cpu");
  EXPECT_EQ(
      ran_on(ImportEvents(
          mm +
          R"(,{"ph":"X","cat":"cuda_runtime","name":"cudaFree","pid":1,"tid":1,"ts":9,"dur":1})")),
      "");
  // Its kernels were not recorded; its operators may only have launched them.
  EXPECT_EQ(ran_on(Import(R"({"deviceProperties":[{"id":0,"name":"Example GPU"}],"traceEvents":[)" +
                          mm + "]}")),
            "");
  EXPECT_EQ(
      ran_on(ImportEvents(
          R"({"ph":"X","cat":"user_annotation","name":"load","pid":1,"tid":1,"ts":5,"dur":3})")),
      "");
}

TEST_F(KinetoTest, ACutFileGivesAllWholeEvents) {
  const std::size_t events = Import(Sample()).spans.size();
  std::size_t before = 0;
  for (std::size_t size = Sample().find("traceEvents") + 20; size < Sample().size(); size += 7) {
    const trace::Trace trace = Import(std::string_view(Sample()).substr(0, size));
    EXPECT_GE(trace.spans.size(), before);
    EXPECT_EQ(CountOf(trace, "kineto_cut"), 1) << size;
    before = trace.spans.size();
  }
  EXPECT_EQ(before, events);
}

TEST_F(KinetoTest, DamageCostsTheDamagedEvent) {
  const std::string good =
      R"({"ph":"X","cat":"cpu_op","name":"good","pid":1,"tid":1,"ts":5,"dur":3})";
  for (const char* bad : {
           R"({"ph":"X" "cat":"cpu_op"})",
           R"({"ph":"X","ts":})",
           R"({{ "ph":"X"})",
           R"("text")",
           R"(17)",
           R"({"ph":"X","name":"x","ts":"soon","dur":1})",
           R"({"ph":"X","name":"x"})",
           R"({"ph":"X","name":"x","ts":1,"dur":"long"})",
           R"({"name":"x","ts":1})",
           R"({"ph":"X","name":"x","ts":1,"dur":1,"args":{"a" 1}})",
           R"({"ph":"X","name":"x","ts":99999999999999999999,"dur":1})",
           R"({"ph":"Q","name":"x","ts":1})",
       }) {
    const trace::Trace trace = ImportEvents(good + ",\n" + bad + ",\n" + good);
    const auto names = Names(trace);
    EXPECT_EQ(std::count(names.begin(), names.end(), "good"), 2) << bad;
    EXPECT_FALSE(trace.diagnostics.empty()) << bad;
  }
}

TEST_F(KinetoTest, AnEventOfAnyCategoryMayLackItsArguments) {
  for (const char* category :
       {"cpu_op", "user_annotation", "gpu_user_annotation", "python_function", "kernel",
        "gpu_memcpy", "gpu_memset", "cuda_runtime", "cuda_driver", "cuda_sync",
        "cuda_profiler_range", "overhead", "Trace", "ac2g"}) {
    for (const char* arguments : {"", ", \"args\": null", ", \"args\": \"\"", ", \"args\": 1",
                                  ", \"args\": {}", ", \"args\": [}"}) {
      SCOPED_TRACE(std::string(category) + arguments);
      const std::string event = std::string(R"("pid": 1, "tid": 1, "ts": 1, "dur": 1)") + arguments;
      const std::string span = std::string(R"({"ph": "X", "cat": ")") + category + R"(", "name": )";
      const std::string text = R"({"traceEvents": [)" + span + "\"record_param_comms\", " + event +
                               "}, " + span + "\"[memory]\", " + event +
                               R"(}, {"ph": "C", "name": "c", )" + event + "}]}";
      EXPECT_FALSE(PrintWhatIsThere(text, kReadBytes).empty());
    }
  }
}

TEST_F(KinetoTest, ForgivesCommasAndControlCharacters) {
  const std::string event = R"({"ph":"X","cat":"cpu_op","name":"a)"
                            "\x02\x01"
                            R"(b","pid":1,"tid":1,"ts":5,"dur":3,"args":{"x":1,},})";
  const trace::Trace trace =
      Import("{\"schemaVersion\":1,,\"traceEvents\":[," + event + ",," + event + ",],}");
  EXPECT_EQ(trace.spans.size(), 2u);
  EXPECT_TRUE(trace.diagnostics.empty());
  EXPECT_EQ(Names(trace)[0],
            "a\x02\x01"
            "b");
}

TEST_F(KinetoTest, OfEqualKeysTheLastCounts) {
  const trace::Trace trace = ImportEvents(
      R"({"ph":"i","ph":"X","name":"a","name":"b","pid":1,"tid":1,"ts":1,"ts":5,"dur":3,"cat":"cpu_op"})");
  EXPECT_THAT(Names(trace), ElementsAre("b"));
  EXPECT_EQ(trace.spans.start_ns[0], 5000);
}

TEST_F(KinetoTest, BombsOfDepthAndLengthAreJustLong) {
  const std::string deep(2'000'000, '[');
  const std::string event =
      R"({"ph":"X","cat":"cpu_op","name":"a","pid":1,"tid":1,"ts":5,"dur":3,"args":{"x":)";
  EXPECT_EQ(ImportEvents(event + deep + std::string(deep.size(), ']') + "}}").spans.size(), 1u);
  EXPECT_EQ(CountOf(ImportEvents(event + deep), "kineto_cut"), 1);
  EXPECT_EQ(ImportEvents(event + '"' + std::string(3'000'000, 'x') + "\"}}").spans.size(), 1u);
}

TEST_F(KinetoTest, AnEventBeyondAllMeasureIsPassedOver) {
  const std::string good =
      R"({"ph":"X","cat":"cpu_op","name":"good","pid":1,"tid":1,"ts":5,"dur":3})";
  const trace::Trace trace =
      ImportEvents(good + ",\n" + R"({"ph":"X","name":")" +
                   std::string(TextWindow::kMostKept + (4 << 20), 'x') + "\"},\n" + good);
  EXPECT_EQ(trace.spans.size(), 2u);
  EXPECT_EQ(CountOf(trace, "kineto_too_large"), 1);
}

TEST_F(KinetoTest, WithoutEventsItIsAnError) {
  for (const char* text : {"{}", "{\"schemaVersion\": 1}", "hello", "{\"traceEvents\": 5}"}) {
    trace::Trace trace;
    EXPECT_EQ(ImportAll(kSpec, {{Write(text)}}, trace).error().kind, ErrorKind::kBadInput) << text;
  }
}

TEST_F(KinetoTest, RefusesAnExportOfXsp) {
  std::string text = Sample();
  text.insert(text.find('{') + 1, R"("writer": "xsp", )");
  trace::Trace trace;
  const Status status = ImportAll(kSpec, {{Write(text)}}, trace);
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().kind, ErrorKind::kBadInput);
  EXPECT_THAT(status.error().what, HasSubstr("export of XSP"));
  EXPECT_THAT(status.error().hint, HasSubstr("original"));
  EXPECT_EQ(trace.spans.size(), 0u);
}

TEST_F(KinetoTest, KnowsItsOwnByContent) {
  EXPECT_EQ(kSpec.sniff(SniffInput(Sample())), Sniff::kCertain);
  EXPECT_EQ(kSpec.sniff(SniffInput(R"( [{"ph": "X", "cat": "cpu_op")")), Sniff::kCertain);
  // Trace events of another program.
  EXPECT_EQ(kSpec.sniff(SniffInput(R"({"traceEvents": [{"ph": "X", "name": "x")")), Sniff::kNo);
  EXPECT_EQ(kSpec.sniff(SniffInput("{\"nodes\": []}")), Sniff::kNo);
}

TEST_F(KinetoTest, NothingThatIsThrownAtItBreaksIt) {
  std::mt19937 random(9);
  for (int round = 0; round < 3000; ++round) {
    std::string text = Sample();
    for (unsigned i = random() % 8; i > 0; --i) {
      const std::size_t at = random() % text.size();
      switch (random() % 3) {
        case 0:
          text[at] = static_cast<char>(random());
          break;
        case 1:
          text.erase(at, random() % 40);
          break;
        default:
          text.insert(at, text, random() % text.size(), random() % 60);
      }
    }
    trace::Trace trace;
    (void)ImportAll(kSpec, {{Write(text), 1 + random() % 5000}}, trace);
    for (std::size_t i = 0; i < trace.spans.size(); ++i) {
      ASSERT_LE(trace.spans.parent[i], trace.spans.size());
      ASSERT_GE(trace.spans.duration_ns[i], trace::kNeverEnded);
    }
  }
}

TEST_F(KinetoTest, KeepsWhatIsSaidOfACollective) {
  const trace::Trace trace = ImportEvents(
      R"({"ph":"X","cat":"kernel","name":"ncclDevKernel_AllGather_RING_LL","pid":0,"tid":40,)"
      R"("ts":1,"dur":2,"args":{"Collective name":"_allgather_base","In msg nelems":8,)"
      R"("Out msg nelems":16,"Group size":2,"dtype":"BFloat16","Process Group Name":"3",)"
      R"("Process Group Ranks":"[0, 1]"}},)"
      R"({"ph":"X","cat":"cuda_sync","name":"Stream Wait Event","pid":0,"tid":40,"ts":1,"dur":2,)"
      R"("args":{"wait_on_stream":7}})");
  std::map<std::string, std::string> attributes;
  for (std::size_t i = 0; i < trace.attributes.size(); ++i)
    attributes[std::string(trace.Text(trace.attributes.key[i]))] =
        trace.Text(trace.attributes.value[i]);
  EXPECT_EQ(attributes, (std::map<std::string, std::string>{{"collective", "_allgather_base"},
                                                            {"dtype", "bfloat16"},
                                                            {"process_group", "3"},
                                                            {"process_group_ranks", "[0, 1]"},
                                                            {"awaited_stream", "7"}}));
  std::map<std::string, double> metrics;
  for (std::size_t i = 0; i < trace.metrics.size(); ++i)
    metrics[std::string(trace.Text(trace.metrics.name[i]))] = trace.metrics.value[i];
  EXPECT_EQ(metrics, (std::map<std::string, double>{{"group_size", 2.0}, {"message_bytes", 32.0}}));
}

}  // namespace
}  // namespace xsp::importers::kineto
