#ifndef XSP_DERIVE_MATCH_MATCH_TESTING_H_
#define XSP_DERIVE_MATCH_MATCH_TESTING_H_

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "derive/match/match.h"
#include "store/experiment_writer.h"
#include "store/store_testing.h"
#include "trace/trace.h"

namespace xsp::match {

/// A small trace, written span by span on one thread and one GPU stream.
class Recording {
 public:
  Recording() : writer_(trace_) {
    thread_ = writer_.AddTrack({trace::TrackKind::kThread, "main"});
    stream_ = writer_.AddTrack({trace::TrackKind::kStream, "stream 7"});
  }

  trace::SpanId Call(std::int64_t iteration, std::int64_t start_ns, std::int64_t duration_ns) {
    const auto span = Add(trace::Level::kModel, "predict", "net", start_ns, duration_ns, 0);
    Metric(span, "iteration", static_cast<double>(iteration));
    return span;
  }
  trace::SpanId Layer(trace::SpanId parent, std::string_view type, std::int64_t start_ns,
                      std::int64_t duration_ns, std::string_view name = {}) {
    return Add(trace::Level::kLayer, type, name.empty() ? type : name, start_ns, duration_ns,
               parent);
  }
  trace::SpanId Kernel(trace::SpanId parent, std::string_view name, std::int64_t start_ns,
                       std::int64_t duration_ns, std::string_view type = "primitive") {
    return Add(trace::Level::kKernel, type, name, start_ns, duration_ns, parent);
  }
  trace::SpanId Add(trace::Level level, std::string_view type, std::string_view name,
                    std::int64_t start_ns, std::int64_t duration_ns, trace::SpanId parent) {
    const bool device = level == trace::Level::kKernel && type == "kernel";
    return writer_.AddSpan(
        {level, type, name, device ? stream_ : thread_, start_ns, duration_ns, parent});
  }
  void Metric(trace::SpanId span, std::string_view name, double value,
              std::string_view provenance = "analytic") {
    writer_.AddMetric(span, name, value, "1", provenance);
  }
  void Attribute(trace::SpanId span, std::string_view key, std::string_view value) {
    writer_.AddAttribute(span, key, value);
  }

  trace::Trace& trace() { return trace_; }

 private:
  trace::Trace trace_;
  trace::TraceWriter writer_;
  trace::TrackId thread_, stream_;
};

/// Calls of two layers (conv2d, relu) of `scale` x 40 and `scale` x 10 ns, 10 calls.
inline void AddCalls(Recording& r, std::int64_t scale, bool layers, bool kernels) {
  for (std::int64_t i = 0; i < 10; ++i) {
    const std::int64_t start = i * 1000;
    const auto call = r.Call(i, start, scale * 100);
    if (!layers) continue;
    const auto conv = r.Layer(call, "conv2d", start + scale * 5, scale * 40);
    const auto relu = r.Layer(call, "relu", start + scale * 50, scale * 10);
    if (!kernels) continue;
    const auto brg = r.Kernel(conv, "convolution brg", start + scale * 10, scale * 30);
    r.Metric(brg, "flops.float32.vector", 4000);
    r.Metric(brg, "algorithmic_read_bytes", 300);
    r.Metric(brg, "algorithmic_write_bytes", 200);
    r.Attribute(brg, "implementation", "brg");
    r.Kernel(relu, "relu", start + scale * 50, scale * 8, "native");
  }
}

/// One point whose runs lie in a store of the test.
class TestExperiment {
 public:
  TestExperiment()
      : writer_(std::move(store::ExperimentWriter::Create(folder_.path(), "x")).value()) {
    point_ = {1, "net", "PyTorch 2.15", "cpu", "default", 4, "{}", 100, 2};
  }

  void AddRun(std::string_view rung, Recording& recording, std::string_view status = "done") {
    const std::string name = "run-" + std::to_string(runs_.size() + 1);
    const auto added = writer_.AddRun(name, recording.trace(), "{}");
    EXPECT_TRUE(added.ok()) << added.error().what;
    runs_.push_back({static_cast<std::int64_t>(runs_.size() + 1), 1, std::string(rung),
                     std::string(status), writer_.folder() / name, name, ""});
  }
  void AddFailedRun(std::string_view rung, std::string_view message) {
    runs_.push_back({static_cast<std::int64_t>(runs_.size() + 1), 1, std::string(rung), "failed",
                     "", "", std::string(message)});
  }

  ExperimentTables Match() {
    auto tables = match::Match({point_}, runs_);
    EXPECT_TRUE(tables.ok()) << tables.error().what;
    if (!tables.ok()) return {};
    // What is matched can be stored.
    Store(tables.value().point);
    Store(tables.value().run);
    Store(tables.value().sample);
    Store(tables.value().layer);
    Store(tables.value().kernel);
    Store(tables.value().match);
    Store(tables.value().event_count);
    Store(tables.value().energy);
    return std::move(tables).value();
  }

  PointInput& point() { return point_; }
  RunInput& last_run() { return runs_.back(); }

 private:
  template <typename Row>
  void Store(const std::vector<Row>& rows) {
    const auto added = writer_.AddRows(rows);
    EXPECT_TRUE(added.ok()) << added.error().what;
  }

  store::TestFolder folder_;
  store::ExperimentWriter writer_;
  PointInput point_;
  std::vector<RunInput> runs_;
};

}  // namespace xsp::match

#endif  // XSP_DERIVE_MATCH_MATCH_TESTING_H_
