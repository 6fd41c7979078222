#ifndef XSP_DERIVE_MATCH_MATCH_TESTING_H_
#define XSP_DERIVE_MATCH_MATCH_TESTING_H_

#include <gtest/gtest.h>

#include <cmath>
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
    EXPECT_TRUE(Stored("point", tables.value().point));
    EXPECT_TRUE(Stored("run", tables.value().run));
    EXPECT_TRUE(Stored("sample", tables.value().sample));
    EXPECT_TRUE(Stored("layer", tables.value().layer));
    EXPECT_TRUE(Stored("kernel", tables.value().kernel));
    EXPECT_TRUE(Stored("match", tables.value().match));
    EXPECT_TRUE(Stored("event_count", tables.value().event_count));
    EXPECT_TRUE(Stored("energy", tables.value().energy));
    return std::move(tables).value();
  }

  PointInput& point() { return point_; }
  RunInput& last_run() { return runs_.back(); }

 private:
  bool Stored(std::string_view name, const store::Table& table) {
    const auto added = writer_.AddTable(name, table);
    if (!added.ok()) ADD_FAILURE() << added.error().what;
    return added.ok();
  }

  store::TestFolder folder_;
  store::ExperimentWriter writer_;
  PointInput point_;
  std::vector<RunInput> runs_;
};

inline const store::Cell& At(const store::Table& table, std::size_t row, std::string_view column) {
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    if (table.columns[i] == column) return table.rows.at(row).at(i);
  }
  static const store::Cell none;
  ADD_FAILURE() << "no column " << column;
  return none;
}
/// NaN where the cell is NULL.
inline double Number(const store::Table& table, std::size_t row, std::string_view column) {
  const store::Cell& cell = At(table, row, column);
  if (const auto* integer = std::get_if<std::int64_t>(&cell)) return static_cast<double>(*integer);
  const auto* number = std::get_if<double>(&cell);
  return number != nullptr ? *number : std::nan("");
}
inline std::string Text(const store::Table& table, std::size_t row, std::string_view column) {
  const auto* text = std::get_if<std::string>(&At(table, row, column));
  return text != nullptr ? *text : "NULL";
}

}  // namespace xsp::match

#endif  // XSP_DERIVE_MATCH_MATCH_TESTING_H_
