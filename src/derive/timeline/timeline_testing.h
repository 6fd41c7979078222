#ifndef XSP_DERIVE_TIMELINE_TIMELINE_TESTING_H_
#define XSP_DERIVE_TIMELINE_TIMELINE_TESTING_H_

#include <cstdint>
#include <random>
#include <string>
#include <string_view>

#include "trace/trace.h"

namespace xsp::timeline {

/// A small trace, written span by span: host threads and device streams of one or more ranks, as
/// correlate/ would leave it.
class Recording {
 public:
  trace::TrackId Thread(std::int64_t rank = trace::kNotApplicable, std::int64_t thread_id = 1) {
    trace::Track track{trace::TrackKind::kThread, "thread"};
    track.rank = rank;
    track.thread_id = thread_id;
    return writer_.AddTrack(track);
  }
  trace::TrackId Stream(std::int64_t device, std::int64_t stream,
                        std::int64_t rank = trace::kNotApplicable) {
    trace::Track track{trace::TrackKind::kStream, "stream"};
    track.device = device;
    track.stream = stream;
    track.rank = rank;
    return writer_.AddTrack(track);
  }
  trace::SpanId Add(trace::Level level, std::string_view type, std::string_view name,
                    trace::TrackId track, std::int64_t start_ns, std::int64_t duration_ns,
                    trace::SpanId parent = 0) {
    return writer_.AddSpan({level, type, name, track, start_ns, duration_ns, parent});
  }
  trace::SpanId Step(trace::TrackId track, std::int64_t number, std::int64_t start_ns,
                     std::int64_t duration_ns) {
    return Add(trace::Level::kApplication, trace::type::kStep,
               "ProfilerStep#" + std::to_string(number), track, start_ns, duration_ns);
  }
  /// A call of a run of ours; `iteration` as trace::metric::kIteration counts: below 0 it warms up.
  trace::SpanId CountedCall(trace::TrackId track, int iteration, std::int64_t start_ns,
                            std::int64_t duration_ns) {
    const trace::SpanId call =
        Add(trace::Level::kModel, "predict", "model", track, start_ns, duration_ns);
    writer_.AddMetric(call, trace::metric::kIteration, iteration, "1", "measured:xsp");
    return call;
  }
  trace::SpanId Launch(trace::TrackId track, std::int64_t start_ns, std::int64_t duration_ns = 1,
                       trace::SpanId parent = 0) {
    return Add(trace::Level::kLibrary, "cuda_runtime", "cudaLaunchKernel", track, start_ns,
               duration_ns, parent);
  }
  trace::SpanId Kernel(trace::TrackId stream, std::int64_t start_ns, std::int64_t duration_ns,
                       std::string_view name = "gemm", trace::SpanId launch = 0) {
    return Add(trace::Level::kKernel, trace::type::kKernel, name, stream, start_ns, duration_ns,
               launch);
  }
  trace::SpanId Copy(trace::TrackId stream, std::int64_t start_ns, std::int64_t duration_ns,
                     trace::SpanId launch = 0) {
    return Add(trace::Level::kKernel, trace::type::kMemcpy, "Memcpy HtoD", stream, start_ns,
               duration_ns, launch);
  }

  trace::Trace& trace() { return trace_; }
  trace::TraceWriter& writer() { return writer_; }

 private:
  trace::Trace trace_;
  trace::TraceWriter writer_{trace_};
};

/// For property tests: steps on a thread of each rank, launches in them, and work of every activity
/// on several streams that starts somewhat after its launch (some without one), times below
/// 2,000 ns so that a brute-force check may look at every nanosecond.
inline void FillAtRandom(Recording& recording, std::mt19937& random, int ranks = 1) {
  const auto below = [&](int n) {
    return static_cast<std::int64_t>(random() % static_cast<unsigned>(n));
  };
  constexpr std::string_view kNames[] = {"gemm", "relu", "ncclDevKernel_AllReduce_Sum_f32_RING_LL"};
  for (int rank = 0; rank < ranks; ++rank) {
    const std::int64_t id = ranks == 1 ? trace::kNotApplicable : rank;
    const trace::TrackId thread = recording.Thread(id);
    const trace::TrackId streams[] = {recording.Stream(0, 7, id), recording.Stream(0, 13, id),
                                      recording.Stream(1, 7, id)};
    std::int64_t at = below(50);
    for (std::int64_t number = below(4), last = number + below(4); number < last; ++number) {
      const std::int64_t duration = 50 + below(400);
      recording.Step(thread, number, at, duration);
      at += duration + below(20);
    }
    for (std::int64_t i = 0, n = 1 + below(60); i < n; ++i) {
      const std::int64_t launched = below(1700);
      const trace::SpanId launch =
          below(8) == 0 ? 0 : recording.Launch(thread, launched, 1 + below(5));
      const trace::TrackId stream = streams[below(3)];
      const std::int64_t start = launched + below(200);
      if (below(4) == 0) {
        recording.Copy(stream, start, below(60), launch);
      } else {
        recording.Kernel(stream, start, below(80), kNames[below(3)], launch);
      }
    }
  }
}

}  // namespace xsp::timeline

#endif  // XSP_DERIVE_TIMELINE_TIMELINE_TESTING_H_
