#include "measure/sessions/run_monitor.h"

#include <gtest/gtest.h>
#include <time.h>

#include "capture/monitor/sampler.h"

namespace xsp::sessions {
namespace {

std::int64_t RealtimeNs() {
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  return std::int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

/// A trace of one call from `start_ns` to `end_ns`, the `iteration`-th.
trace::Trace OneCall(std::int64_t start_ns, std::int64_t end_ns, double iteration) {
  trace::Trace trace;
  trace::TraceWriter writer(trace);
  const trace::TrackId track = writer.AddTrack({.kind = trace::TrackKind::kThread, .name = "t"});
  const trace::SpanId call = writer.AddSpan({.level = trace::Level::kModel,
                                             .type = trace::type::kPredict,
                                             .name = "call",
                                             .track = track,
                                             .start_ns = start_ns,
                                             .duration_ns = end_ns - start_ns});
  writer.AddMetric(call, trace::metric::kIteration, iteration, "1", "measured:xsp");
  return trace;
}

TEST(RunMonitorTest, ARunGetsTheRowsThatItsCallsFill) {
  RunMonitor monitor;
  const std::int64_t start_ns = RealtimeNs();
  // Reads once more at its end: there is a row, however short the run was.
  monitor.Take(monitor::Monitor::Start(monitor::AllSamplers(), {.rate_hz = 100}).value()->Stop());
  const std::int64_t end_ns = RealtimeNs();
  trace::Trace whole = OneCall(start_ns, end_ns, 0);
  monitor.AddTo(1, whole);
  EXPECT_GT(whole.counters.size(), 0U);
  // Warm-up calls are no calls of the run.
  trace::Trace warm_up = OneCall(start_ns, end_ns, -1);
  monitor.AddTo(2, warm_up);
  EXPECT_EQ(warm_up.counters.size(), 0U);
  // Another time.
  trace::Trace later = OneCall(end_ns + 1'000'000'000, end_ns + 2'000'000'000, 0);
  monitor.AddTo(3, later);
  EXPECT_EQ(later.counters.size(), 0U);
  EXPECT_NE(monitor.Sentence().find("100 Hz"), std::string::npos);
  EXPECT_GT(monitor.CostShare(), 0);
}

TEST(RunMonitorTest, WithoutSamplesThereIsNone) {
  RunMonitor monitor;
  monitor.Take({});
  trace::Trace trace = OneCall(1, 2, 0);
  monitor.AddTo(1, trace);
  EXPECT_EQ(trace.counters.size(), 0U);
  EXPECT_EQ(monitor.Sentence(), "");
}

TEST(RunMonitorTest, ARateThatCannotBeIsAMistakeOfUse) {
  for (const double rate : {-1.0, 0.001, 1001.0})
    EXPECT_EQ(RunMonitor::CheckRate(rate).error().kind, ErrorKind::kUsage) << rate;
  for (const double rate : {0.0, 0.01, 10.0, 1000.0}) EXPECT_TRUE(RunMonitor::CheckRate(rate).ok());
}

}  // namespace
}  // namespace xsp::sessions
