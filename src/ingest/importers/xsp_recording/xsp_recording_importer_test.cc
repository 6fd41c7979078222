#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>
#include <thread>

#include "capture/wire/collected_records.h"
#include "capture/wire/recorder.h"
#include "ingest/importers/importer.h"
#include "ingest/importers/importer_testing.h"
#include "source_dir.h"

namespace xsp::importers::xsp_recording {
extern const ImporterSpec kSpec;
namespace {

namespace fs = std::filesystem;
using trace::PlacedBy;
using trace::SpanId;

constexpr std::int64_t kSampleOriginNs = 1'700'000'000'000'000'000;

class XspRecordingTest : public testing::Test {
 protected:
  void Import(const std::vector<fs::path>& files) {
    std::vector<SourceFile> sources;
    for (const fs::path& file : files) sources.push_back({file});
    const Status status = ImportAll(kSpec, sources, trace_);
    ASSERT_TRUE(status.ok()) << status.error().what;
  }
  std::string Name(SpanId span) const {
    return span == 0 ? "" : std::string(trace_.Text(trace_.spans.name[span - 1]));
  }
  std::map<std::string, std::string> AttributesOf(SpanId span) const {
    std::map<std::string, std::string> found;
    for (std::size_t i = 0; i < trace_.attributes.size(); ++i) {
      if (trace_.attributes.span[i] == span) {
        found.emplace(trace_.Text(trace_.attributes.key[i]),
                      trace_.Text(trace_.attributes.value[i]));
      }
    }
    return found;
  }
  std::map<std::string, double> MetricsOf(SpanId span) const {
    std::map<std::string, double> found;
    for (std::size_t i = 0; i < trace_.metrics.size(); ++i) {
      if (trace_.metrics.span[i] == span) {
        found.emplace(trace_.Text(trace_.metrics.name[i]), trace_.metrics.value[i]);
      }
    }
    return found;
  }
  std::int64_t Counted(std::string_view diagnostic) const {
    const auto it = trace_.diagnostics.find(diagnostic);
    return it == trace_.diagnostics.end() ? 0 : it->second.count;
  }
  void Record(const std::string& path) {
    xsp_options options = {};
    options.size = sizeof options;
    options.block_bytes = 8192;
    options.prepare_bytes = 1;
    ASSERT_EQ(xsp_open(path.c_str(), &options), 0);
  }

  const fs::path sample_ =
      fs::path(XSP_SOURCE_DIR) / "src/ingest/importers/xsp_recording/sample/two_calls.xspr";
  const wire::ScratchFolder folder_;
  trace::Trace trace_;
};

// The sample was written from the format's description, not by the writer.
TEST_F(XspRecordingTest, ReadsTheDescribedFormat) {
  Import({sample_});
  EXPECT_EQ(trace_.facts.at("framework.version"), "2.15.0");
  ASSERT_EQ(trace_.spans.size(), 7u);
  for (SpanId call = 0; call < 2; ++call) {
    const SpanId model = 3 * call + 1, layer = model + 1, kernel = model + 2;
    const std::int64_t at_ns = kSampleOriginNs + 1'000'000 * (call + 1);
    EXPECT_EQ(Name(model), "resnet50");
    EXPECT_EQ(trace_.spans.level[model - 1], trace::Level::kModel);
    EXPECT_EQ(trace_.spans.start_ns[model - 1], at_ns);
    EXPECT_EQ(trace_.spans.duration_ns[model - 1], 900'000);
    EXPECT_EQ(trace_.spans.placed_by[model - 1], PlacedBy::kNone);
    EXPECT_EQ(trace_.spans.parent[layer - 1], model);
    EXPECT_EQ(trace_.spans.placed_by[layer - 1], PlacedBy::kId);
    EXPECT_EQ(trace_.spans.start_ns[layer - 1], at_ns + 100'000);
    EXPECT_EQ(trace_.spans.duration_ns[layer - 1], 400'000);
    EXPECT_EQ(trace_.spans.parent[kernel - 1], layer);
    EXPECT_EQ(trace_.spans.start_ns[kernel - 1], at_ns + 150'000);
    EXPECT_EQ(trace_.spans.duration_ns[kernel - 1], 250'000);
    EXPECT_EQ(MetricsOf(model).at("iteration"), call);
    EXPECT_EQ(trace_.counters.value[call], 1e6 + call);
    EXPECT_EQ(trace_.counters.time_ns[call], at_ns + 900'000);
  }
  EXPECT_EQ(Name(7), "helper");
  EXPECT_EQ(trace_.spans.duration_ns[6], trace::kNeverEnded);
  ASSERT_EQ(trace_.marks.size(), 1u);
  EXPECT_EQ(trace_.marks[0].time_ns, kSampleOriginNs + 50);
  ASSERT_EQ(trace_.tracks.size(), 3u) << "one process, two threads that recorded something";
  EXPECT_EQ(trace_.tracks[0].kind, trace::TrackKind::kProcess);
  EXPECT_EQ(trace_.tracks[0].name, "worker");
  EXPECT_EQ(trace_.tracks[0].process_id, 4001);
  EXPECT_EQ(trace_.tracks[1].name, "main");
  EXPECT_EQ(trace_.tracks[1].thread_id, 4001);
  EXPECT_EQ(trace_.tracks[2].name, "helper");
  EXPECT_NE(trace_.spans.track[6], trace_.spans.track[0]);
  EXPECT_EQ(Counted("xsp_recording_never_ended"), 1);
  EXPECT_EQ(Counted("xsp_recording_dropped"), 2);
  EXPECT_EQ(trace_.diagnostics.size(), 2u);
}

TEST_F(XspRecordingTest, MakesKernelsOfAnnouncedPrimitives) {
  Import({sample_});
  const auto attributes = AttributesOf(3);
  EXPECT_EQ(Name(3), "convolution brg_conv_fwd:avx512_core");
  EXPECT_EQ(attributes.at("primitive_kind"), "convolution");
  EXPECT_EQ(attributes.at("implementation"), "brg_conv_fwd:avx512_core");
  EXPECT_EQ(attributes.at("dtype"), "float32");
  EXPECT_TRUE(attributes.at("raw").starts_with("onednn_verbose"));
  EXPECT_TRUE(attributes.contains("problem"));
  // 2 x 1 x 64 x 112 x 112 x 3 x 7 x 7.
  EXPECT_EQ(MetricsOf(3).at("flops.float32.vector"), 236'027'904.0);
  EXPECT_GT(MetricsOf(3).at("algorithmic_read_bytes"), 4.0 * 3 * 224 * 224);
  EXPECT_EQ(MetricsOf(3).at("algorithmic_write_bytes"), 4.0 * 64 * 112 * 112);
}

TEST_F(XspRecordingTest, CountsPrimitivesItCannotDescribe) {
  const std::string path = folder_ / "p.xspr";
  Record(path);
  const auto announce = [](std::string_view line) {
    const xsp_span span =
        xsp_complete(XSP_LEVEL_KERNEL, XSP_TEXT("primitive"), XSP_TEXT("as named"), 1, 1);
    if (!line.empty()) xsp_attribute(span, XSP_TEXT("raw"), line.data(), line.size());
  };
  announce("what is this");
  announce(
      "onednn_verbose,v1,primitive,exec,cpu,no_such_kind,impl,undef,src_f32::blocked:a::f0,,,8,1."
      "5");
  announce("");
  xsp_close();
  Import({path});
  ASSERT_EQ(trace_.spans.size(), 3u);
  EXPECT_EQ(Name(1), "as named");
  EXPECT_EQ(AttributesOf(1).at("raw"), "what is this");
  EXPECT_EQ(Name(3), "as named");
  EXPECT_EQ(Counted("xsp_recording_unreadable_primitive"), 1);
  EXPECT_EQ(Counted("xsp_recording_unknown_primitive"), 1);
}

// A block may end between a primitive and its line; other threads' records then lie between.
TEST_F(XspRecordingTest, NamesPrimitivesAcrossBlocks) {
  const std::string path = folder_ / "b.xspr";
  Record(path);
  const std::string line =
      "onednn_verbose,v1,primitive,exec,cpu,eltwise,jit:avx512_core,forward_inference,"
      "data_f32::blocked:abcd::f0,,alg:eltwise_relu alpha:0 beta:0,1x64x56x56,0.02";
  std::vector<std::thread> threads;
  for (int t = 0; t < 3; ++t) {
    threads.emplace_back([&line] {
      for (int i = 0; i < 500; ++i) {
        const wire::SpanScope layer(XSP_LEVEL_LAYER, XSP_TEXT("relu"), XSP_TEXT("relu"));
        const xsp_span span =
            xsp_complete(XSP_LEVEL_KERNEL, XSP_TEXT("primitive"), XSP_TEXT("x"), xsp_now_ns(), 1);
        xsp_attribute(span, XSP_TEXT("raw"), line.data(), line.size());
        xsp_metric(span, XSP_TEXT("m"), i, XSP_TEXT("1"), XSP_TEXT("analytic"));
      }
    });
  }
  for (auto& thread : threads) thread.join();
  xsp_close();
  Import({path});
  ASSERT_EQ(trace_.spans.size(), 3000u);
  for (SpanId span = 1; span <= trace_.spans.size(); ++span) {
    if (trace_.spans.level[span - 1] != trace::Level::kKernel) continue;
    ASSERT_EQ(Name(span), "eltwise jit:avx512_core");
    ASSERT_EQ(Name(trace_.spans.parent[span - 1]), "relu");
  }
  EXPECT_TRUE(trace_.diagnostics.empty());
}

TEST_F(XspRecordingTest, KeepsMetricsThatAnotherThreadPutOnASpan) {
  const std::string path = folder_ / "x.xspr";
  Record(path);
  xsp_mark(XSP_TEXT("first"));  // This thread's block comes before the other's.
  xsp_span span = 0;
  std::thread([&] { xsp_end(span = xsp_begin(XSP_LEVEL_MODEL, 0, XSP_TEXT("other"))); }).join();
  xsp_metric(span, XSP_TEXT("m"), 3, XSP_TEXT("1"), XSP_TEXT("analytic"));
  xsp_attribute(span, XSP_TEXT("k"), "v", 1);
  xsp_metric(span + 10, XSP_TEXT("m"), 3, XSP_TEXT("1"), XSP_TEXT("analytic"));
  xsp_close();
  Import({path});
  EXPECT_EQ(MetricsOf(1).at("m"), 3);
  EXPECT_EQ(AttributesOf(1).at("k"), "v");
  EXPECT_EQ(Counted("xsp_recording_lost_span"), 1);
}

TEST_F(XspRecordingTest, ReplacesTextThatIsNotUtf8) {
  const std::string path = folder_ / "u.xspr";
  Record(path);
  const wire::SpanScope* span =
      new wire::SpanScope(XSP_LEVEL_MODEL, XSP_TEXT("t"), wire::Intern("bad \xff name"));
  span->Attribute(XSP_TEXT("k"), "caf\xc3\xa9 \xe9");
  delete span;
  xsp_close();
  Import({path});
  EXPECT_EQ(Name(1), "bad \xef\xbf\xbd name");
  EXPECT_EQ(AttributesOf(1).at("k"), "caf\xc3\xa9 \xef\xbf\xbd");
  EXPECT_EQ(Counted("xsp_recording_not_utf8"), 2);
}

TEST_F(XspRecordingTest, KeepsRangesThatNoThreadHadOpenApart) {
  const std::string path = folder_ / "ranges.xspr";
  Record(path);
  const std::uint64_t now_ns = xsp_now_ns();
  const auto range = [&](std::string_view name, std::uint64_t start_ns, std::uint64_t end_ns) {
    return xsp_complete_in(0, XSP_LEVEL_APPLICATION, XSP_TEXT("range"), wire::Intern(name),
                           now_ns + start_ns, end_ns - start_ns);
  };
  for (const auto& [name, start_ns] : {std::pair("request 1", 0), std::pair("request 2", 50)}) {
    const xsp_span span = range(name, static_cast<std::uint64_t>(start_ns),
                                static_cast<std::uint64_t>(100 + start_ns));
    xsp_attribute(span, XSP_TEXT("range_kind"), "start_end", 9);
    xsp_attribute(span, XSP_TEXT("domain"), "mine", 4);
  }
  const xsp_span timed = range("of the thread", 200, 300);
  xsp_attribute(timed, XSP_TEXT("domain"), "mine", 4);
  xsp_close();
  Import({path});
  ASSERT_EQ(trace_.spans.size(), 3u);
  const auto track = [&](std::size_t row) { return trace_.tracks[trace_.spans.track[row] - 1]; };
  EXPECT_EQ(track(0).kind, trace::TrackKind::kHost);
  EXPECT_EQ(track(0).name, "ranges");
  EXPECT_EQ(trace_.spans.track[1], trace_.spans.track[0]);
  EXPECT_EQ(track(2).kind, trace::TrackKind::kThread);
  EXPECT_EQ(AttributesOf(1).at("domain"), "mine");
  EXPECT_EQ(AttributesOf(2).at("range_kind"), "start_end");
  EXPECT_EQ(AttributesOf(3).size(), 1u);
}

TEST_F(XspRecordingTest, ShowsProblemsOfTheRecorderAndNamesOfThreads) {
  const std::string path = folder_ / "problems.xspr";
  Record(path);
  const auto say = [](std::string_view key, std::string_view text) {
    xsp_attribute(0, wire::Intern(key), text.data(), text.size());
  };
  say("problem.range_pop_without_push", "A range was ended.\nPush it first.");
  say("problem.bare", "No hint");
  say("thread." + std::to_string(gettid()) + ".name", "the loader");
  say("thread.x7.name", "no thread");
  say("thread..name", "none either");
  xsp_mark(XSP_TEXT("go"));
  xsp_close();
  Import({path});
  ASSERT_EQ(Counted("range_pop_without_push"), 1);
  const auto& problem = trace_.diagnostics.find("range_pop_without_push")->second;
  EXPECT_EQ(problem.example, "A range was ended.");
  EXPECT_EQ(problem.hint, "Push it first.");
  EXPECT_EQ(Counted("bare"), 1);
  ASSERT_EQ(trace_.tracks.size(), 2u);
  EXPECT_EQ(trace_.tracks[1].name, "the loader");
  EXPECT_TRUE(trace_.facts.contains("thread.x7.name"));
  EXPECT_TRUE(trace_.facts.contains("thread..name"));
}

TEST_F(XspRecordingTest, SeveralFilesAreTheProcessesOfOneExecution) {
  const std::string path = folder_ / "parent.xspr";
  Record(path);
  const auto fact = [](std::string_view value) {
    xsp_attribute(0, XSP_TEXT("role"), value.data(), value.size());
  };
  fact("parent");
  const xsp_span outer = xsp_begin(XSP_LEVEL_APPLICATION, XSP_TEXT("range"), XSP_TEXT("outer"));
  const pid_t pid = fork();
  if (pid == 0) {
    fact("child");
    xsp_end(xsp_begin(XSP_LEVEL_APPLICATION, XSP_TEXT("range"), XSP_TEXT("inner")));
    xsp_close();
    _exit(0);
  }
  waitpid(pid, nullptr, 0);
  xsp_end(outer);
  xsp_close();
  Import({path, path + "." + std::to_string(pid)});
  ASSERT_EQ(trace_.spans.size(), 2u);
  EXPECT_EQ(trace_.facts.at("role"), "parent");
  EXPECT_EQ(trace_.facts.at("role." + std::to_string(pid)), "child");
  EXPECT_EQ(std::count_if(trace_.tracks.begin(), trace_.tracks.end(),
                          [](const auto& t) { return t.kind == trace::TrackKind::kProcess; }),
            2);
  // One clock for both: what ran inside the other's span lies inside it.
  EXPECT_GT(trace_.spans.start_ns[1], trace_.spans.start_ns[0]);
  EXPECT_LT(trace_.spans.start_ns[1] + trace_.spans.duration_ns[1],
            trace_.spans.start_ns[0] + trace_.spans.duration_ns[0]);
}

TEST_F(XspRecordingTest, AProcessOfAJobSaysItsRank) {
  const std::string path = folder_ / "rank.xspr";
  Record(path);
  xsp_mark(XSP_TEXT("before"));
  xsp_attribute(0, XSP_TEXT("process.rank"), "3", 1);
  xsp_end(xsp_begin(XSP_LEVEL_MODEL, XSP_TEXT("train"), XSP_TEXT("step")));
  xsp_close();
  Import({path});
  ASSERT_EQ(trace_.tracks.size(), 2u);
  for (const trace::Track& track : trace_.tracks) EXPECT_EQ(track.rank, 3);
  EXPECT_TRUE(trace_.facts.empty());
  Import({sample_});
  ASSERT_GT(trace_.tracks.size(), 2u);
  EXPECT_EQ(trace_.tracks.back().rank, trace::kNotApplicable);
}

TEST_F(XspRecordingTest, StackSamplesLieOnTheThreadThatWasSampled) {
  const std::string path = folder_ / "stacks.xspr";
  Record(path);
  xsp_mark(XSP_TEXT("here"));
  const xsp_stack main = xsp_frame(0, XSP_TEXT("main"), XSP_TEXT("app.py"));
  const xsp_stack work = xsp_frame(main, XSP_TEXT("work"), XSP_TEXT("app.py"));
  xsp_sample(XSP_STACK_PYTHON, static_cast<std::uint32_t>(gettid()), work);
  xsp_sample(XSP_STACK_PYTHON, 4'000'001, main);
  xsp_sample(XSP_STACK_PYTHON, 4'000'001, 0);
  xsp_close();
  Import({path});
  ASSERT_EQ(trace_.stack_samples.size(), 3u);
  ASSERT_EQ(trace_.call_stacks.size(), 2u);
  const auto& samples = trace_.stack_samples;
  EXPECT_EQ(samples.track[0], trace_.marks[0].track);
  EXPECT_EQ(trace_.tracks[samples.track[1] - 1].thread_id, 4'000'001);
  EXPECT_EQ(samples.track[1], samples.track[2]);
  EXPECT_EQ(samples.kind[0], trace::StackKind::kPython);
  EXPECT_EQ(trace_.Text(trace_.call_stacks.frame[samples.stack[0] - 1]), "work");
  EXPECT_EQ(trace_.call_stacks.parent[samples.stack[0] - 1], samples.stack[1]);
  EXPECT_EQ(samples.stack[2], 0u);
  EXPECT_LE(std::abs(samples.time_ns[0] - trace_.marks[0].time_ns), 1'000'000'000);
}

// As src/capture/record/cuda tells it: calls of this thread and device work, from a thread of its
// own.
TEST_F(XspRecordingTest, DeviceWorkAndCallsLieOnTheirOwnTracks) {
  const std::string path = folder_ / "device.xspr";
  Record(path);
  const xsp_span layer = xsp_begin(XSP_LEVEL_LAYER, XSP_TEXT("conv"), XSP_TEXT("conv"));
  xsp_captured(xsp_current(), 5);
  const std::uint64_t now_ns = xsp_now_ns();
  const auto tid = static_cast<std::uint32_t>(gettid());
  std::thread([&] {
    const auto add = [](xsp_track track, std::uint64_t correlation, std::uint64_t node,
                        std::uint64_t bytes, xsp_level level, const char* name,
                        std::uint64_t start_ns) {
      const xsp_placement placement = {
          sizeof placement, wire::Intern("a=1\nb=x=y\nnone"), track, correlation, node, bytes, 0};
      xsp_complete_on(&placement, level, wire::Intern(name), wire::Intern(name), start_ns, 10);
    };
    add(xsp_make_track(XSP_TRACK_THREAD, 0, tid, 0), 9, 0, XSP_NO_BYTES, XSP_LEVEL_LIBRARY, "call",
        now_ns);
    const xsp_track stream = xsp_make_track(XSP_TRACK_STREAM, 0, 1, 7);
    add(stream, 9, 5, XSP_NO_BYTES, XSP_LEVEL_KERNEL, "kernel", now_ns + 100);
    add(xsp_make_track(XSP_TRACK_STREAM, 0, 1, 7), 9, 6, 64, XSP_LEVEL_KERNEL, "memcpy",
        now_ns + 200);
    add(xsp_make_track(XSP_TRACK_THREAD, 0, 1, 0), 10, 0, XSP_NO_BYTES, XSP_LEVEL_LIBRARY, "other",
        now_ns);
    xsp_counter_on(stream, XSP_TEXT("power"), now_ns, 3, XSP_TEXT("watt"));
    const std::string_view problem = "nothing was seen: GPU 3\nbuy a GPU";
    xsp_attribute(0, XSP_TEXT("problem.cuda_blind"), problem.data(), problem.size());
  }).join();
  xsp_end(layer);
  xsp_close();
  Import({path});
  ASSERT_EQ(trace_.spans.size(), 5u);
  const auto track = [&](SpanId span) { return trace_.tracks[trace_.spans.track[span - 1] - 1]; };
  const auto span_of = [&](std::string_view name) {
    SpanId span = 1;
    while (Name(span) != name) ++span;
    return span;
  };
  const SpanId kernel = span_of("kernel"), copy = span_of("memcpy");
  EXPECT_EQ(trace_.spans.track[span_of("call") - 1], trace_.spans.track[span_of("conv") - 1]);
  EXPECT_EQ(track(span_of("other")).kind, trace::TrackKind::kThread);
  EXPECT_EQ(track(span_of("other")).thread_id, 1);
  EXPECT_EQ(track(kernel).kind, trace::TrackKind::kStream);
  EXPECT_EQ(track(kernel).device, 1);
  EXPECT_EQ(track(kernel).stream, 7);
  EXPECT_EQ(track(kernel).process_id, getpid());
  EXPECT_EQ(trace_.spans.track[copy - 1], trace_.spans.track[kernel - 1])
      << "made twice, one track";
  EXPECT_EQ(trace_.spans.correlation_id[kernel - 1], 9);
  EXPECT_EQ(trace_.spans.parent[kernel - 1], 0u) << "correlate/ finds it";
  EXPECT_EQ(AttributesOf(kernel).at("a"), "1");
  EXPECT_EQ(AttributesOf(kernel).at("b"), "x=y");
  EXPECT_EQ(AttributesOf(kernel).at("captured_in"), std::to_string(span_of("conv")));
  EXPECT_FALSE(AttributesOf(copy).contains("captured_in")) << "a node that nobody saw captured";
  EXPECT_EQ(MetricsOf(copy).at("bytes"), 64);
  EXPECT_TRUE(MetricsOf(kernel).empty());
  ASSERT_EQ(trace_.counters.size(), 1u);
  EXPECT_EQ(trace_.counters.track[0], trace_.spans.track[kernel - 1]);
  EXPECT_EQ(trace_.diagnostics.at("cuda_blind").example, "nothing was seen: GPU 3");
  EXPECT_EQ(trace_.diagnostics.at("cuda_blind").hint, "buy a GPU");
  EXPECT_FALSE(trace_.facts.contains("problem.cuda_blind"));
}

TEST_F(XspRecordingTest, DatesAreThoseOfTheWall) {
  const std::string path = folder_ / "now.xspr";
  timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  Record(path);
  xsp_mark(XSP_TEXT("now"));
  xsp_close();
  Import({path});
  const std::int64_t before_ns = now.tv_sec * 1'000'000'000 + now.tv_nsec;
  EXPECT_GE(trace_.marks[0].time_ns, before_ns - 1'000'000);
  EXPECT_LT(trace_.marks[0].time_ns, before_ns + 5'000'000'000);
}

}  // namespace
}  // namespace xsp::importers::xsp_recording
