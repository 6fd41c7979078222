#ifndef XSP_ANSWER_TRACE_FORMATS_TRACE_FORMATS_TESTING_H_
#define XSP_ANSWER_TRACE_FORMATS_TRACE_FORMATS_TESTING_H_

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <random>
#include <string>
#include <string_view>

#include "answer/trace_formats/exported_run.h"
#include "answer/trace_formats/output_file.h"
#include "answer/trace_formats/trace_format.h"
#include "os/files.h"
#include "store/experiment_writer.h"
#include "store/store_testing.h"
#include "trace/trace.h"

namespace xsp::trace_formats {

/// Stores `trace` as the run "deep" of the experiment "net"; returns the run's folder.
inline std::filesystem::path StoreRun(const store::TestFolder& store, const trace::Trace& trace,
                                      std::string_view run_json = "{}") {
  auto writer = store::ExperimentWriter::Create(store.path(), "net");
  EXPECT_TRUE(writer.ok());
  EXPECT_TRUE(writer.value().AddRun("deep", trace, run_json).ok());
  const auto path = writer.value().Commit("{}");
  EXPECT_TRUE(path.ok());
  return path.value() / "deep";
}

/// What `spec` writes of the run in `folder`.
inline std::string ExportText(const TraceFormatSpec& spec, const std::filesystem::path& folder) {
  const auto run = ExportedRun::Open(folder);
  EXPECT_TRUE(run.ok()) << run.error().what;
  const std::filesystem::path path = folder / "exported";
  auto out = OutputFile::Create(path);
  EXPECT_TRUE(out.ok());
  const Status written = spec.write(run.value(), out.value());
  EXPECT_TRUE(written.ok()) << written.error().what;
  EXPECT_TRUE(out.value().Commit().ok());
  return os::ReadFile(path).value();
}

inline std::string ExportText(const TraceFormatSpec& spec, const trace::Trace& trace,
                              std::string_view run_json = "{}") {
  const store::TestFolder store;
  return ExportText(spec, StoreRun(store, trace, run_json));
}

/// A model call with a layer, a launch and its kernel on a stream, and a counter. Names need
/// quotes.
inline trace::Trace SmallTrace() {
  trace::Trace trace;
  trace::TraceWriter writer(trace);
  const auto thread = writer.AddTrack(
      {.kind = trace::TrackKind::kThread, .name = "main", .process_id = 7, .thread_id = 9});
  const auto stream = writer.AddTrack(
      {.kind = trace::TrackKind::kStream, .name = "stream 3", .device = 1, .stream = 3});
  using trace::Level;
  const auto model = writer.AddSpan({Level::kModel, "predict", "a \"model\"", thread, 1000, 9000});
  const auto layer = writer.AddSpan({Level::kLayer, "conv", "conv;1\n", thread, 2000, 5500, model});
  const auto launch =
      writer.AddSpan({Level::kLibrary, "cuda", "launch", thread, 2500, 500, layer, 42});
  writer.AddSpan({Level::kKernel, "kernel", "gemm", stream, 4000, 2001, launch, 42});
  writer.AddMetric(layer, "flops.float32.vector", 1.5, "flop", "analytic");
  writer.AddAttribute(layer, "input_shapes", "[[1]]");
  writer.AddCounter(thread, "power", 1500, 20.5, "watt");
  return trace;
}

/// A span in a span for each of the first `levels` levels.
inline trace::Trace DeepTrace(int levels) {
  trace::Trace trace;
  trace::TraceWriter writer(trace);
  const auto track = writer.AddTrack({.kind = trace::TrackKind::kThread, .name = "main"});
  for (int i = 0; i < levels; ++i)
    writer.AddSpan({static_cast<trace::Level>(i), "op", "x", track, i, 100 - 2 * i});
  return trace;
}

/// Spans of three levels on three threads, nested, side by side and overlapping, a few of which
/// never ended.
inline trace::Trace NestedTrace(std::uint32_t seed, int spans) {
  std::mt19937 random(seed);
  trace::Trace trace;
  trace::TraceWriter writer(trace);
  for (std::int64_t i = 0; i < 3; ++i)
    writer.AddTrack({.kind = trace::TrackKind::kThread,
                     .name = i == 2 ? "same" : "thread",
                     .process_id = 5,
                     .thread_id = 10 + i});
  constexpr std::array kLevels = {trace::Level::kModel, trace::Level::kLayer,
                                  trace::Level::kKernel};
  for (int i = 0; i < spans; ++i) {
    const auto start = static_cast<std::int64_t>(random() % 400);
    const auto duration = static_cast<std::int64_t>(random() % 60);
    writer.AddSpan({kLevels.at(random() % kLevels.size()), "op",
                    "name " + std::to_string(random() % 5),
                    1 + static_cast<trace::TrackId>(random() % 3), start,
                    random() % 20 == 0 ? trace::kNeverEnded : duration});
  }
  return trace;
}

/// The sum of the durations of the spans of a level.
inline std::int64_t SumOf(const trace::Trace& trace, trace::Level level) {
  std::int64_t sum = 0;
  for (std::size_t i = 0; i < trace.spans.size(); ++i)
    if (trace.spans.level[i] == level) sum += std::max<std::int64_t>(trace.spans.duration_ns[i], 0);
  return sum;
}

/// A trace whose names no format takes as they are.
inline trace::Trace HostileTrace() {
  trace::Trace trace;
  trace::TraceWriter writer(trace);
  const auto track = writer.AddTrack({.kind = trace::TrackKind::kThread, .name = "a;b\n\"\x01"});
  std::string all;
  for (int byte = 0; byte < 256; ++byte) all += static_cast<char>(byte);
  std::int64_t start = 0;
  for (const std::string& name :
       {std::string("a;b c\n\r\t\"\\"), all, std::string("\xff\xfe"), std::string("x\0y", 3),
        std::string(), std::string(1 << 20, 'n'), std::string("\xed\xa0\x80")}) {
    const auto span = writer.AddSpan({trace::Level::kLayer, name, name, track, start, 10});
    writer.AddAttribute(span, name, name);
    writer.AddCounter(track, name, start, 1, name);
    start += 20;
  }
  return trace;
}

}  // namespace xsp::trace_formats

#endif  // XSP_ANSWER_TRACE_FORMATS_TRACE_FORMATS_TESTING_H_
