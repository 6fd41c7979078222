#include "measure/sessions/run_monitor.h"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "capture/monitor/series_rows.h"

namespace xsp::sessions {

namespace {

/// When the calls of a run were made, after warm-up, its own and those of its baseline: ns since
/// 1970, as the run's spans have it.
std::vector<monitor::Segment> CallsOf(const trace::Trace& trace) {
  std::vector<monitor::Segment> calls;
  for (std::size_t i = 0; i < trace.metrics.size(); ++i) {
    const std::string_view name = trace.Text(trace.metrics.name[i]);
    const bool is_call =
        name == trace::metric::kIteration || name == trace::metric::kBaselineIteration;
    if (!is_call || trace.metrics.value[i] < 0) continue;
    const auto span = static_cast<std::size_t>(trace.metrics.span[i]) - 1;
    const std::int64_t duration_ns = trace.spans.duration_ns[span];
    if (duration_ns <= 0) continue;  // It never ended.
    calls.push_back({trace.spans.start_ns[span], trace.spans.start_ns[span] + duration_ns});
  }
  return calls;
}

}  // namespace

Status RunMonitor::CheckRate(double rate_hz) {
  constexpr double kLeastHz = 0.01, kMostHz = 1000;
  if (rate_hz == 0 || (rate_hz >= kLeastHz && rate_hz <= kMostHz)) return Ok{};
  return Error{ErrorKind::kUsage, fmt::format("the monitor cannot sample at {:g} Hz", rate_hz),
               "--monitor-rate is 0.01 to 1000, or 0 for no monitor"};
}

void RunMonitor::Take(monitor::Series series) {
  series_ = std::move(series);
  if (series_.rows() == 0) return;
  cost_.rate_hz = series_.rate_hz;
  cost_.cpu_ns += series_.cpu_ns;
  cost_.wall_ns += series_.wall_ns;
}

void RunMonitor::AddTo(std::int64_t run_id, trace::Trace& trace) {
  if (series_.rows() == 0) return;
  trace::TraceWriter writer(trace);
  if (!std::exchange(said_what_is_hidden_, true)) monitor::AddHidden(series_, writer);
  const std::vector<std::size_t> rows = monitor::RowsFilledBy(series_, CallsOf(trace));
  if (rows.empty()) {
    writer.Count(
        {"monitor_no_row",
         "No sample of the system monitor overlaps calls of this run by at least half: the calls "
         "are too few or too short. Use more --iterations or a higher --monitor-rate.",
         trace::DiagnosticKind::kNote});
    return;
  }
  monitor::AddToTrace(series_, rows, writer);
  tables_.Add(run_id, series_, rows);
  has_rows_ = true;
}

Status RunMonitor::Write(store::ExperimentWriter& writer) const {
  return has_rows_ ? tables_.Write(writer) : Status(Ok{});
}

std::string RunMonitor::Sentence() const {
  return cost_.wall_ns > 0 ? CostSentence(cost_) : std::string();
}

}  // namespace xsp::sessions
