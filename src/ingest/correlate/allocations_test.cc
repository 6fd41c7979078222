#include "ingest/correlate/allocations.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace xsp::correlate {
namespace {

using trace::SpanId;

class AllocationsTest : public testing::Test {
 protected:
  trace::TrackId Track(trace::TrackKind kind, std::int64_t rank = trace::kNotApplicable) {
    return writer_.AddTrack({.kind = kind, .name = "", .rank = rank});
  }
  SpanId Layer(trace::TrackId track, std::int64_t start, std::int64_t duration, SpanId parent = 0) {
    return writer_.AddSpan({.level = trace::Level::kLayer,
                            .type = "aten::mm",
                            .name = "aten::mm",
                            .track = track,
                            .start_ns = start,
                            .duration_ns = duration,
                            .parent = parent});
  }
  void Allocate(trace::TrackId track, std::int64_t time, double bytes) {
    writer_.AddCounter(track, "allocation_bytes", time, bytes, "byte");
  }
  /// By layer: bytes allocated, and at the peak.
  std::map<SpanId, std::pair<double, double>> Found() {
    AddAllocations(trace_);
    std::map<SpanId, std::pair<double, double>> found;
    for (std::size_t i = 0; i < trace_.metrics.size(); ++i) {
      const std::string_view name = trace_.Text(trace_.metrics.name[i]);
      auto& [allocated, peak] = found[trace_.metrics.span[i]];
      if (name == "allocated_bytes") allocated = trace_.metrics.value[i];
      if (name == "peak_bytes") peak = trace_.metrics.value[i];
    }
    return found;
  }
  using Held = std::map<SpanId, std::pair<double, double>>;

  trace::Trace trace_;
  trace::TraceWriter writer_{trace_};
};

TEST_F(AllocationsTest, ALayerHoldsWhatIsAllocatedWhileItRuns) {
  const trace::TrackId thread = Track(trace::TrackKind::kThread);
  const trace::TrackId host = Track(trace::TrackKind::kHost);
  const SpanId first = Layer(thread, 10, 10);
  Layer(thread, 12, 5, first);  // Inside a layer: no layer of its own.
  const SpanId second = Layer(thread, 30, 10);
  const SpanId third = Layer(thread, 50, 10);
  Allocate(host, 5, 1000);  // In none.
  Allocate(host, 11, 100);
  Allocate(host, 13, 50);
  Allocate(host, 14, -50);
  Allocate(host, 20, 20);  // The end is still inside.
  Allocate(host, 31, -100);
  Allocate(host, 32, 40);
  EXPECT_EQ(Found(), (Held{{first, {170, 150}}, {second, {40, 0}}, {third, {0, 0}}}));
}

TEST_F(AllocationsTest, ADevicesAllocationsCountAndNotTheHosts) {
  const trace::TrackId thread = Track(trace::TrackKind::kThread);
  const SpanId layer = Layer(thread, 0, 10);
  Allocate(Track(trace::TrackKind::kHost), 1, 7);
  Allocate(Track(trace::TrackKind::kDevice), 2, 64);
  EXPECT_EQ(Found(), (Held{{layer, {64, 64}}}));
}

TEST_F(AllocationsTest, OfTwoThreadsTheLatestStartedLayerAllocatesAndRanksStayApart) {
  const trace::TrackId main = Track(trace::TrackKind::kThread, 0);
  const trace::TrackId backward = Track(trace::TrackKind::kThread, 0);
  const trace::TrackId other = Track(trace::TrackKind::kThread, 1);
  const SpanId waits = Layer(main, 0, 100);
  const SpanId works = Layer(backward, 10, 10);
  const SpanId elsewhere = Layer(other, 15, 10);
  Allocate(Track(trace::TrackKind::kDevice, 0), 16, 8);
  Allocate(Track(trace::TrackKind::kDevice, 0), 30, 4);
  EXPECT_EQ(Found(), (Held{{waits, {4, 4}}, {works, {8, 8}}}));
  EXPECT_EQ(elsewhere, 3u);
}

TEST_F(AllocationsTest, WhatLayersKnowAlreadyStays) {
  const SpanId layer = Layer(Track(trace::TrackKind::kThread), 0, 10);
  writer_.AddMetric(layer, "allocated_bytes", 3, "byte", "measured:x");
  Allocate(Track(trace::TrackKind::kHost), 1, 7);
  EXPECT_EQ(Found(), (Held{{layer, {3, 0}}}));
}

TEST_F(AllocationsTest, RandomEventsMatchACountOfEachLayerByItself) {
  std::mt19937 random(3);
  const trace::TrackId thread = Track(trace::TrackKind::kThread);
  const trace::TrackId host = Track(trace::TrackKind::kHost);
  struct Interval {
    SpanId span;
    std::int64_t start, end;
  };
  std::vector<Interval> layers;
  for (std::int64_t at = 1; layers.size() < 50; at += 3) {
    const std::int64_t start = at + static_cast<std::int64_t>(random() % 4);
    at = start + static_cast<std::int64_t>(random() % 9);
    layers.push_back({Layer(thread, start, at - start), start, at});
  }
  std::vector<std::pair<std::int64_t, double>> events;
  for (int i = 0; i < 400; ++i)
    events.emplace_back(random() % 400, static_cast<double>(random() % 100) - 30);
  for (const auto& [time, bytes] : events) Allocate(host, time, bytes);
  std::stable_sort(events.begin(), events.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  Held expected;
  for (const Interval& layer : layers) {
    double allocated = 0, level = 0, peak = 0;
    for (const auto& [time, bytes] : events) {
      if (time < layer.start || time > layer.end) continue;
      allocated += bytes > 0 ? bytes : 0;
      level += bytes;
      peak = std::max(peak, level);
    }
    expected[layer.span] = {allocated, peak};
  }
  EXPECT_EQ(Found(), expected);
}

}  // namespace
}  // namespace xsp::correlate
