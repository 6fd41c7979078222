#include "capture/wire/xsp.h"

#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "capture/wire/collected_records.h"

namespace xsp::wire {
namespace {

xsp_string Id(std::string_view text) { return xsp_intern(text.data(), text.size()); }

class XspTest : public testing::Test {
 protected:
  void Open(xsp_options options = {}) {
    options.size = sizeof options;
    if (options.prepare_bytes == 0) options.prepare_bytes = 1;
    ASSERT_EQ(xsp_open(path_.c_str(), &options), 0);
  }
  std::unique_ptr<CollectedRecords> CloseAndRead() {
    xsp_close();
    return ReadRecording(path_);
  }
  void TearDown() override { xsp_close(); }

  ScratchFolder folder_;
  const std::string path_ = folder_ / "r.xspr";
};

TEST_F(XspTest, PutsATimedSpanIntoAnEndedOne) {
  Open();
  const xsp_span call = xsp_begin(XSP_LEVEL_MODEL, Id("predict"), Id("resnet50"));
  xsp_end(call);
  const xsp_span inside = xsp_complete_in(call, XSP_LEVEL_LAYER, Id("Conv"), Id("conv1"), 5, 7);
  xsp_complete_in(inside, XSP_LEVEL_KERNEL, Id("primitive"), Id("gemm"), 6, 1);
  xsp_complete_in(0, XSP_LEVEL_LAYER, Id("Conv"), Id("of none"), 5, 7);
  const auto read = CloseAndRead();
  ASSERT_EQ(read->spans.size(), 4u);
  EXPECT_EQ(read->spans[1].parent, read->spans[0].id);
  EXPECT_EQ(read->spans[2].parent, read->spans[1].id);
  EXPECT_EQ(read->spans[3].parent, 0u);
}

TEST_F(XspTest, KeepsCallStacksThatShareTheirCallers) {
  Open();
  const std::uint64_t before_ns = xsp_now_ns();
  const xsp_stack main = xsp_frame(0, Id("main"), Id("app.py"));
  const xsp_stack work = xsp_frame(main, Id("work"), Id("work.py"));
  ASSERT_NE(work, 0u);
  xsp_sample(XSP_STACK_PYTHON, 77, work);
  xsp_sample(XSP_STACK_NATIVE, 78, 0);
  const std::uint64_t after_ns = xsp_now_ns();
  const auto read = CloseAndRead();
  ASSERT_EQ(read->frames.size(), 2u);
  EXPECT_EQ(read->frames[0].function, "main");
  EXPECT_EQ(read->frames[0].module, "app.py");
  EXPECT_EQ(read->frames[0].caller, 0u);
  EXPECT_EQ(read->frames[1].caller, read->frames[0].id);
  ASSERT_EQ(read->stack_samples.size(), 2u);
  EXPECT_EQ(read->stack_samples[0].thread_id, 77u);
  EXPECT_EQ(read->stack_samples[0].frame, read->frames[1].id);
  EXPECT_EQ(read->stack_samples[0].kind, XSP_STACK_PYTHON);
  EXPECT_GE(read->stack_samples[0].time_ns, static_cast<std::int64_t>(before_ns) - 1000);
  EXPECT_LE(read->stack_samples[0].time_ns, static_cast<std::int64_t>(after_ns) + 1000);
  EXPECT_EQ(read->stack_samples[1].kind, XSP_STACK_NATIVE);
  EXPECT_EQ(read->stack_samples[1].frame, 0u);
}

TEST_F(XspTest, AStackOfAnEarlierRecordingIsOfNoUse) {
  Open();
  const xsp_stack stale = xsp_frame(0, Id("main"), Id("app.py"));
  xsp_close();
  EXPECT_EQ(xsp_frame(0, Id("main"), 0), 0u);
  xsp_sample(XSP_STACK_PYTHON, 1, 0);
  Open();
  EXPECT_EQ(xsp_frame(stale, Id("work"), 0), 0u);
  xsp_sample(XSP_STACK_PYTHON, 1, stale);
  const auto read = CloseAndRead();
  EXPECT_TRUE(read->frames.empty());
  EXPECT_TRUE(read->stack_samples.empty());
}

TEST_F(XspTest, KeepsWhatWasRecorded) {
  Open();
  const std::uint64_t before_ns = xsp_now_ns();
  const xsp_span outer = xsp_begin(XSP_LEVEL_MODEL, Id("predict"), Id("resnet50"));
  const xsp_span inner = xsp_begin(XSP_LEVEL_LAYER, Id("conv2d"), Id("layer1"));
  const xsp_span timed =
      xsp_complete(XSP_LEVEL_KERNEL, Id("primitive"), Id("convolution"), before_ns + 5, 1000);
  xsp_metric(outer, Id("iteration"), -3, Id("1"), Id("measured:worker"));
  xsp_attribute(timed, Id("raw"), "onednn_verbose", 14);
  xsp_attribute(0, Id("torch.version"), "2.15.0", 6);
  xsp_mark(Id("go"));
  xsp_counter(Id("memory"), 42.5, Id("byte"));
  xsp_end(inner);
  xsp_end(outer);
  const std::uint64_t after_ns = xsp_now_ns();
  const auto read = CloseAndRead();

  ASSERT_TRUE(read->is_readable) << read->error.what;
  ASSERT_EQ(read->spans.size(), 3u);
  const auto& [model, layer, kernel] = std::tie(read->spans[0], read->spans[1], read->spans[2]);
  EXPECT_EQ(model.name, "resnet50");
  EXPECT_EQ(model.type, "predict");
  EXPECT_EQ(model.level, XSP_LEVEL_MODEL);
  EXPECT_EQ(model.parent, 0u);
  EXPECT_EQ(layer.parent, model.id);
  EXPECT_EQ(kernel.parent, layer.id);
  EXPECT_EQ(kernel.start_ns, static_cast<std::int64_t>(before_ns + 5));
  EXPECT_EQ(kernel.end_ns - kernel.start_ns, 1000);
  EXPECT_LE(model.start_ns, layer.start_ns);
  EXPECT_LE(layer.end_ns, model.end_ns);
  EXPECT_GE(model.start_ns + 1000, static_cast<std::int64_t>(before_ns)) << "within 1 us";
  EXPECT_LE(model.end_ns - 1000, static_cast<std::int64_t>(after_ns));
  ASSERT_EQ(read->metrics.size(), 1u);
  EXPECT_EQ(read->metrics[0].span, model.id);
  EXPECT_EQ(read->metrics[0].value, -3);
  EXPECT_EQ(read->metrics[0].provenance, "measured:worker");
  ASSERT_EQ(read->attributes.size(), 2u);
  EXPECT_EQ(read->attributes[0].span, kernel.id);
  EXPECT_EQ(read->attributes[0].value, "onednn_verbose");
  EXPECT_EQ(read->attributes[1].span, 0u);
  EXPECT_EQ(read->attributes[1].value, "2.15.0");
  ASSERT_EQ(read->marks.size(), 1u);
  EXPECT_EQ(read->marks[0].name, "go");
  ASSERT_EQ(read->counters.size(), 1u);
  EXPECT_EQ(read->counters[0].value, 42.5);
  EXPECT_EQ(read->counters[0].unit, "byte");
  EXPECT_EQ(read->info.process_id, static_cast<std::uint32_t>(getpid()));
  EXPECT_FALSE(read->losses.is_unclosed);
  EXPECT_EQ(read->losses.dropped + read->losses.open_spans + read->losses.damaged_blocks +
                read->losses.torn_records + read->losses.unknown_texts + read->losses.bad_times,
            0u);
}

TEST_F(XspTest, PutsSpansAndCountersOnTracksOfTheirOwn) {
  Open();
  const xsp_track stream = xsp_make_track(XSP_TRACK_STREAM, Id("compute"), 1, -3);
  const xsp_track thread = xsp_make_track(XSP_TRACK_THREAD, 0, 4711, 0);
  ASSERT_NE(stream, 0u);
  const xsp_span around = xsp_begin(XSP_LEVEL_LAYER, Id("conv"), Id("conv"));
  xsp_placement placement = {};
  placement.size = sizeof placement;
  placement.track = stream;
  placement.details = Id("grid=[1,2,3]\nregisters=32");
  placement.correlation_id = 77;
  placement.graph_node = 0x1'0000'0002;
  placement.bytes = 4096;
  EXPECT_NE(xsp_complete_on(&placement, XSP_LEVEL_KERNEL, Id("kernel"), Id("gemm"), 500, 20), 0u);
  placement = {};
  placement.size = sizeof placement;
  placement.track = thread;
  placement.bytes = XSP_NO_BYTES;
  EXPECT_NE(xsp_complete_on(&placement, XSP_LEVEL_LIBRARY, 0, Id("cudaLaunchKernel"), 480, 5), 0u);
  placement.track = 0;
  EXPECT_EQ(xsp_complete_on(&placement, XSP_LEVEL_LIBRARY, 0, 0, 480, 5), 0u) << "nowhere";
  EXPECT_EQ(xsp_current(), around);
  xsp_captured(xsp_current(), 9);
  xsp_end(around);
  EXPECT_EQ(xsp_current(), 0u);
  xsp_counter_on(stream, Id("allocated_bytes"), 600, 12.5, Id("byte"));
  const auto read = CloseAndRead();
  ASSERT_EQ(read->tracks.size(), 2u);
  EXPECT_EQ(read->tracks[0].kind, XSP_TRACK_STREAM);
  EXPECT_EQ(read->tracks[0].name, "compute");
  EXPECT_EQ(read->tracks[0].owner, 1u);
  EXPECT_EQ(read->tracks[0].stream, -3);
  EXPECT_EQ(read->tracks[1].owner, 4711u);
  ASSERT_EQ(read->spans.size(), 3u);
  const auto& kernel = read->spans[1];
  EXPECT_EQ(kernel.track, 1u);
  EXPECT_EQ(kernel.parent, 0u) << "not what was open on the thread that told of it";
  EXPECT_EQ(kernel.start_ns, 500);
  EXPECT_EQ(kernel.end_ns, 520);
  EXPECT_EQ(kernel.correlation_id, 77u);
  EXPECT_EQ(kernel.graph_node, 0x1'0000'0002u);
  EXPECT_EQ(kernel.bytes, 4096u);
  EXPECT_EQ(kernel.details, "grid=[1,2,3]\nregisters=32");
  EXPECT_EQ(read->spans[2].track, 2u);
  EXPECT_EQ(read->spans[2].bytes, kNoBytes);
  ASSERT_EQ(read->captures.size(), 1u);
  EXPECT_EQ(read->captures[0].span, read->spans[0].id);
  EXPECT_EQ(read->captures[0].graph_node, 9u);
  ASSERT_EQ(read->counters.size(), 1u);
  EXPECT_EQ(read->counters[0].track, 1u);
  EXPECT_EQ(read->counters[0].time_ns, 600);
  EXPECT_EQ(read->losses.unknown_records + read->losses.unknown_tracks, 0u);
}

TEST_F(XspTest, DoesNothingWithoutARecordingButNameTexts) {
  EXPECT_EQ(xsp_begin(XSP_LEVEL_MODEL, 1, 1), 0u);
  EXPECT_EQ(xsp_complete(XSP_LEVEL_MODEL, 1, 1, 1, 1), 0u);
  EXPECT_EQ(xsp_set_levels(1), 0u);
  EXPECT_EQ(xsp_levels(), 0u);
  EXPECT_EQ(xsp_dropped(), 0u);
  EXPECT_EQ(xsp_path(nullptr, 0), 0u);
  EXPECT_FALSE(xsp_enabled(XSP_LEVEL_MODEL));
  xsp_end(77);
  xsp_metric(77, 1, 1, 1, 1);
  xsp_attribute(0, 1, "x", 1);
  xsp_mark(1);
  xsp_counter(1, 1, 1);
  EXPECT_EQ(xsp_current(), 0u);
  EXPECT_EQ(xsp_make_track(XSP_TRACK_DEVICE, 1, 0, 0), 0u);
  xsp_captured(77, 1);
  xsp_counter_on(77, 1, 1, 1, 1);
  xsp_close();
  const xsp_string early = Id("named before any recording");
  EXPECT_NE(early, 0u);
  Open();
  EXPECT_EQ(Id("named before any recording"), early);
  xsp_mark(early);
  const auto read = CloseAndRead();
  ASSERT_EQ(read->marks.size(), 1u);
  EXPECT_EQ(read->marks[0].name, "named before any recording");
}

TEST_F(XspTest, SwitchesLevelsAtRunTime) {
  Open({.size = 0,
        .levels = XSP_LEVEL_BIT(XSP_LEVEL_MODEL),
        .capacity_bytes = 0,
        .flags = 0,
        .block_bytes = 0,
        .prepare_bytes = 0});
  EXPECT_TRUE(xsp_enabled(XSP_LEVEL_MODEL));
  EXPECT_FALSE(xsp_enabled(XSP_LEVEL_LAYER));
  const xsp_span model = xsp_begin(XSP_LEVEL_MODEL, Id("predict"), Id("m"));
  EXPECT_EQ(xsp_begin(XSP_LEVEL_LAYER, Id("relu"), Id("off")), 0u);
  EXPECT_EQ(xsp_set_levels(XSP_LEVEL_BIT(XSP_LEVEL_KERNEL)), XSP_LEVEL_BIT(XSP_LEVEL_MODEL));
  const xsp_span kernel = xsp_begin(XSP_LEVEL_KERNEL, Id("kernel"), Id("on"));
  xsp_end(kernel);
  xsp_set_levels(0);
  EXPECT_EQ(xsp_begin(XSP_LEVEL_KERNEL, Id("kernel"), Id("off again")), 0u);
  EXPECT_EQ(xsp_begin(static_cast<xsp_level>(31), 1, 1), 0u) << "no such level";
  EXPECT_EQ(xsp_begin(static_cast<xsp_level>(33), 1, 1), 0u);
  xsp_mark(Id("a mark has no level"));
  xsp_end(model);
  const auto read = CloseAndRead();
  ASSERT_EQ(read->spans.size(), 2u);
  EXPECT_FALSE(read->spans[0].is_open()) << "begun while on, so it ends";
  EXPECT_EQ(read->spans[1].parent, read->spans[0].id);
  EXPECT_EQ(read->marks.size(), 1u);
}

TEST_F(XspTest, RecordsOnlyWhileNothingHolds) {
  constexpr std::uint32_t kModel = XSP_LEVEL_BIT(XSP_LEVEL_MODEL);
  xsp_hold(XSP_HOLD_PROGRAM, 1);  // Without a recording: forgotten.
  xsp_options options = {};
  options.levels = kModel;
  options.flags = XSP_START_HELD;
  Open(options);
  EXPECT_EQ(xsp_levels(), 0u);
  xsp_hold(XSP_HOLD_RANGE, -1);
  EXPECT_EQ(xsp_levels(), kModel) << "what was asked for at opening";
  xsp_hold(XSP_HOLD_RANGE, -1);  // A second range inside.
  xsp_hold(XSP_HOLD_RANGE, 1);
  EXPECT_EQ(xsp_levels(), kModel);
  xsp_hold(XSP_HOLD_PROGRAM, 1);
  EXPECT_EQ(xsp_levels(), 0u) << "one reason is enough, whatever another one counts";
  EXPECT_EQ(xsp_set_levels(XSP_LEVELS_ALL), 0u);
  EXPECT_EQ(xsp_levels(), 0u) << "for afterwards";
  xsp_hold(XSP_HOLD_PROGRAM, -1);
  EXPECT_EQ(xsp_levels(), XSP_LEVELS_ALL);
  xsp_hold(static_cast<xsp_hold_reason>(77), 1);
  EXPECT_EQ(xsp_levels(), XSP_LEVELS_ALL) << "no such reason";
  xsp_hold(XSP_HOLD_RANGE, 1);
  EXPECT_EQ(xsp_begin(XSP_LEVEL_MODEL, Id("predict"), Id("held")), 0u);
  xsp_close();
  Open();
  EXPECT_EQ(xsp_levels(), XSP_LEVELS_ALL) << "a new recording is held by nothing";
}

TEST_F(XspTest, EndingASpanLeavesThoseInsideOpen) {
  Open();
  const xsp_span a = xsp_begin(XSP_LEVEL_MODEL, 0, Id("a"));
  const xsp_span b = xsp_begin(XSP_LEVEL_LAYER, 0, Id("b"));
  const xsp_span c = xsp_begin(XSP_LEVEL_LAYER, 0, Id("c"));
  xsp_end(b);  // c stays open; what follows is inside a.
  const xsp_span d = xsp_begin(XSP_LEVEL_LAYER, 0, Id("d"));
  xsp_end(c);  // Late, but it ends; d is still the innermost.
  const xsp_span e = xsp_begin(XSP_LEVEL_LAYER, 0, Id("e"));
  xsp_end(e);
  xsp_end(e);  // Twice.
  xsp_end(d);
  xsp_end(0xffffffffffffffffu);
  xsp_end(a);
  xsp_begin(XSP_LEVEL_MODEL, 0, Id("never"));
  const auto read = CloseAndRead();
  ASSERT_EQ(read->spans.size(), 6u);
  std::vector<std::string> parents;
  for (const auto& span : read->spans) {
    std::string parent;
    for (const auto& other : read->spans)
      if (other.id == span.parent) parent = other.name;
    parents.push_back(span.name + "<" + parent);
  }
  EXPECT_EQ(parents, (std::vector<std::string>{"a<", "b<a", "c<b", "d<a", "e<d", "never<"}));
  EXPECT_EQ(read->losses.open_spans, 1u);
  EXPECT_TRUE(read->spans[5].is_open());
}

TEST_F(XspTest, RefusesASecondRecordingAndBadOptions) {
  xsp_options bad = {};
  EXPECT_EQ(xsp_open(path_.c_str(), &bad), EINVAL) << "size not set";
  bad.size = sizeof bad;
  bad.block_bytes = 12345;
  EXPECT_EQ(xsp_open(path_.c_str(), &bad), EINVAL);
  bad.block_bytes = 0;
  bad.capacity_bytes = 100;
  EXPECT_EQ(xsp_open(path_.c_str(), &bad), EINVAL) << "no room for a block";
  EXPECT_EQ(xsp_open("", nullptr), EINVAL);
  EXPECT_EQ(xsp_open(folder_.path().c_str(), nullptr), EISDIR);
  EXPECT_EQ(xsp_open((folder_ / "no/such/folder").c_str(), nullptr), ENOENT);
  Open();
  EXPECT_EQ(xsp_open((folder_ / "other").c_str(), nullptr), EEXIST);
  EXPECT_FALSE(std::filesystem::exists(folder_ / "other"));
}

TEST_F(XspTest, ANewRecordingReplacesAnOldOneAndForgetsItsSpans) {
  Open();
  const xsp_span old = xsp_begin(XSP_LEVEL_MODEL, 0, Id("old"));
  xsp_close();
  Open();
  const xsp_span fresh = xsp_begin(XSP_LEVEL_MODEL, 0, Id("fresh"));
  EXPECT_NE(old, fresh);
  xsp_end(old);
  xsp_metric(old, Id("m"), 1, 0, 0);
  xsp_attribute(old, Id("k"), "v", 1);
  const auto read = CloseAndRead();
  ASSERT_EQ(read->spans.size(), 1u);
  EXPECT_EQ(read->spans[0].name, "fresh");
  EXPECT_EQ(read->spans[0].parent, 0u);
  EXPECT_TRUE(read->spans[0].is_open());
  EXPECT_TRUE(read->metrics.empty());
  EXPECT_TRUE(read->attributes.empty());
}

TEST_F(XspTest, KeepsAnExistingRecordingWhenAsked) {
  Open();
  xsp_mark(Id("first"));
  xsp_close();
  Open({.size = 0,
        .levels = 0,
        .capacity_bytes = 0,
        .flags = XSP_KEEP_EXISTING,
        .block_bytes = 0,
        .prepare_bytes = 0});
  char taken[4096];
  ASSERT_GT(xsp_path(taken, sizeof taken), 0u);
  EXPECT_EQ(taken, path_ + "." + std::to_string(getpid()));
  xsp_mark(Id("second"));
  xsp_close();
  EXPECT_EQ(ReadRecording(path_)->marks.at(0).name, "first");
  EXPECT_EQ(ReadRecording(taken)->marks.at(0).name, "second");
}

TEST_F(XspTest, CutsTextsThatAreTooLong) {
  Open({.size = 0,
        .levels = 0,
        .capacity_bytes = 0,
        .flags = 0,
        .block_bytes = 8192,
        .prepare_bytes = 0});
  const std::string name(5000, 'n');
  const std::string value(20'000, 'v');
  xsp_attribute(0, Id(name), value.data(), value.size());
  xsp_attribute(0, Id("whole"), value.data(), 8192 - 2 * 32 - 16);
  const auto read = CloseAndRead();
  ASSERT_EQ(read->attributes.size(), 2u);
  EXPECT_EQ(read->attributes[0].key, name.substr(0, 4000));
  EXPECT_EQ(read->attributes[0].value, value.substr(0, 8192 - 2 * 32 - 16));
  EXPECT_EQ(read->attributes[1].value, read->attributes[0].value);
  EXPECT_EQ(read->losses.cut_texts, 1u);
}

TEST_F(XspTest, TimesStayWithinAMicrosecondOfTheMonotonicClock) {
  Open();
  std::vector<std::pair<std::uint64_t, std::uint64_t>> around;
  // Over three of the intervals at which the clocks are read together.
  const std::uint64_t until_ns = xsp_now_ns() + 800'000'000;
  while (xsp_now_ns() < until_ns) {
    const std::uint64_t before_ns = xsp_now_ns();
    xsp_mark(Id("tick"));
    around.emplace_back(before_ns, xsp_now_ns());
    usleep(1000);
  }
  const auto read = CloseAndRead();
  ASSERT_EQ(read->marks.size(), around.size());
  std::size_t off = 0;
  for (std::size_t i = 0; i < around.size(); ++i) {
    const auto time_ns = static_cast<std::uint64_t>(read->marks[i].time_ns);
    if (time_ns + 1000 < around[i].first || time_ns > around[i].second + 1000) ++off;
  }
  EXPECT_EQ(off, 0u) << "of " << around.size();
  EXPECT_EQ(read->losses.bad_times, 0u);
}

// Whatever is recorded comes back: random trees with metrics and attributes against a plain list.
TEST_F(XspTest, RoundTripsRandomTrees) {
  std::mt19937_64 random(20180618);
  for (int round = 0; round < 20; ++round) {
    Open({.size = 0,
          .levels = 0,
          .capacity_bytes = 0,
          .flags = 0,
          .block_bytes = 8192u << random() % 4,
          .prepare_bytes = 0});
    struct Expected {
      std::string name, value;
      int parent;
      bool is_ended;
    };
    std::vector<Expected> expected;
    std::vector<std::pair<xsp_span, int>> open;
    for (int step = 0; step < 3000; ++step) {
      const auto dice = random() % 8;
      if (dice < 4 && open.size() < 40) {
        const std::string name = "n" + std::to_string(random() % 300);
        const int parent = open.empty() ? -1 : open.back().second;
        const xsp_span span = xsp_begin(XSP_LEVEL_LAYER, Id("t"), Id(name));
        const std::string value(random() % 500, static_cast<char>('a' + random() % 26));
        xsp_attribute(span, Id("value"), value.data(), value.size());
        open.emplace_back(span, static_cast<int>(expected.size()));
        expected.push_back({name, value, parent, false});
      } else if (dice < 7 && !open.empty()) {
        expected[static_cast<std::size_t>(open.back().second)].is_ended = true;
        xsp_end(open.back().first);
        open.pop_back();
      }
    }
    const auto read = CloseAndRead();
    ASSERT_EQ(read->spans.size(), expected.size());
    ASSERT_EQ(read->attributes.size(), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
      const auto& span = read->spans[i];
      EXPECT_EQ(span.name, expected[i].name);
      EXPECT_EQ(span.parent, expected[i].parent < 0
                                 ? 0
                                 : read->spans[static_cast<std::size_t>(expected[i].parent)].id);
      EXPECT_EQ(span.is_open(), !expected[i].is_ended);
      EXPECT_EQ(read->attributes[i].value, expected[i].value);
      EXPECT_EQ(read->attributes[i].span, span.id);
    }
    EXPECT_EQ(read->losses.damaged_blocks + read->losses.torn_records, 0u);
  }
}

}  // namespace
}  // namespace xsp::wire
