#include "measure/sessions/monitor_session.h"

#include <fmt/format.h>
#include <poll.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "capture/monitor/channel_segments.h"
#include "capture/monitor/sampler.h"
#include "core/clock_text.h"
#include "core/json_text.h"
#include "derive/experiments/experiment_builder.h"
#include "measure/executors/captured_stack.h"
#include "os/foreground_program.h"
#include "os/interrupt.h"

namespace xsp::sessions {

using nlohmann::json;

namespace {

constexpr const char* kMonitorRun = "monitor";
constexpr const char* kWholeMachine = "machine";
constexpr std::size_t kMaxSegments = 400;  // schema.sql: system_series

std::string ProgramName(const MonitorRequest& request) {
  if (request.program.empty()) return kWholeMachine;
  const std::string name = std::filesystem::path(request.program.front()).filename().string();
  return name.empty() ? kWholeMachine : name;
}

/// Until the time is over or it is asked to stop; whether it was.
bool WaitHere(double seconds, const os::Interrupts& interrupts) {
  using Clock = std::chrono::steady_clock;
  const auto end = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                      std::chrono::duration<double>(seconds));
  while (!interrupts.stop()) {
    const double left_ms = std::chrono::duration<double, std::milli>(end - Clock::now()).count();
    if (seconds > 0 && left_ms <= 0) return false;
    pollfd wait = {interrupts.wake_fd(), POLLIN, 0};
    constexpr double kLongestMs = 60'000;
    poll(&wait, 1, seconds > 0 ? static_cast<int>(std::ceil(std::min(left_ms, kLongestMs))) : -1);
  }
  return true;
}

/// The program as a span, so that a run says what ran when.
void AddProgram(const MonitorRequest& request, const MonitorOutcome& outcome, int pid,
                trace::TraceWriter& writer) {
  const monitor::Series& series = outcome.series;
  const trace::TrackId track = writer.AddTrack(
      {.kind = trace::TrackKind::kProcess,
       .name = ProgramName(request),
       .process_id = request.program.empty() ? trace::kNotApplicable : std::int64_t{pid}});
  const std::int64_t end_ns = series.end_ns.empty() ? series.start_ns : series.end_ns.back();
  writer.AddSpan({.level = trace::Level::kApplication,
                  .type = trace::type::kRange,
                  .name = ProgramName(request),
                  .track = track,
                  .start_ns = series.start_ns + series.realtime_offset_ns,
                  .duration_ns = end_ns - series.start_ns});
}

json ExitJson(const std::optional<os::ExitStatus>& exit) {
  if (!exit) return nullptr;
  return {{"exit_code", exit->code},
          {"signal", exit->signal},
          {"user_ns", exit->user_ns},
          {"system_ns", exit->system_ns},
          {"peak_rss_bytes", exit->peak_rss_bytes}};
}

match::PointInput PointOf(const MonitorRequest& request) {
  match::PointInput point;
  point.point_id = 1;
  point.model = ProgramName(request);
  point.backend = "monitor";
  point.device = kWholeMachine;
  point.precision = "unknown";
  point.settings = core::JsonText(json{{"rate_hz", request.rate_hz}});
  return point;
}

Result<std::filesystem::path> Store(const MonitorRequest& request, const MonitorOutcome& outcome,
                                    int pid, experiments::ExperimentBuilder& builder) {
  const monitor::Series& series = outcome.series;
  const std::vector<std::size_t> rows = monitor::AllRows(series);
  trace::Trace trace;
  trace::TraceWriter trace_writer(trace);
  trace_writer.SetClockOrigin(trace::ClockOrigin::kEpoch);
  AddProgram(request, outcome, pid, trace_writer);
  monitor::AddToTrace(series, rows, trace_writer);
  monitor::AddHidden(series, trace_writer);
  const match::PointInput point = PointOf(request);
  match::RunInput run;
  run.point_id = point.point_id;
  run.rung = kMonitorRun;
  run.status = outcome.interrupted && request.seconds > 0 ? "interrupted" : "done";
  run.path = kMonitorRun;
  XSP_RETURN_IF_ERROR(builder.TakeRun(
      run,
      {.stack = executors::CaptureStackJson(),
       .details = {{"program", {{"argv", request.program}, {"exit", ExitJson(outcome.exit)}}}}},
      std::move(trace)));
  XSP_RETURN_IF_ERROR(builder.MakeTables({point}));
  UsageTables usage;
  usage.Add(1, series, rows);
  XSP_RETURN_IF_ERROR(usage.Write(builder.writer()));
  return builder.Commit({.kind = "monitor",
                         .model = point.model,
                         .backend = point.backend,
                         .status = run.status,
                         .command = request.command,
                         .conditions = {CostSentence(series)}});
}

}  // namespace

Result<MonitorOutcome> MonitorMachine(const MonitorRequest& request) {
  // Signals are the program's from here on; threads that are made below must not take them.
  std::optional<os::ForegroundProgram> program;
  if (!request.program.empty()) program.emplace();
  const os::Interrupts nobody;
  const std::string name = request.name.empty()
                               ? fmt::format("{}-{}", ProgramName(request), core::NowForNames())
                               : request.name;
  XSP_TRY(auto builder, experiments::ExperimentBuilder::Create(request.store, name));
  XSP_TRY(const auto monitor,
          monitor::Monitor::Start(monitor::AllSamplers(), {.rate_hz = request.rate_hz}));
  MonitorOutcome outcome;
  if (program) {
    XSP_RETURN_IF_ERROR(program->Start(request.program));
    outcome.exit = program->Wait();
  } else {
    if (request.progress != nullptr) request.progress->Step("sampling the machine", -1, -1);
    outcome.interrupted =
        WaitHere(request.seconds, request.interrupts ? *request.interrupts : nobody);
  }
  outcome.series = monitor->Stop();
  outcome.stored = Store(request, outcome, program ? program->pid() : 0, builder);
  return outcome;
}

void UsageTables::Add(std::int64_t run_id, const monitor::Series& series,
                      std::span<const std::size_t> rows) {
  if (rows.empty()) return;
  const monitor::SystemUsage usage = monitor::UsageIn(series, rows);
  usage_.push_back({.run_id = run_id,
                    .seconds = usage.seconds,
                    .samples = usage.samples,
                    .cpu_pct = usage.cpu_pct,
                    .gpu_pct_sum = usage.gpu_pct_sum,
                    .system_memory_mb = usage.system_memory_mb,
                    .gpu_memory_mb_sum = usage.gpu_memory_mb_sum,
                    .pcie_mbps = usage.pcie_mbps,
                    .nvlink_mbps = usage.nvlink_mbps,
                    .cpu_pct_most = usage.cpu_pct_most,
                    .gpu_pct_sum_most = usage.gpu_pct_sum_most,
                    .system_memory_mb_most = usage.system_memory_mb_most,
                    .gpu_memory_mb_sum_most = usage.gpu_memory_mb_sum_most,
                    .monitor_share = series.CostShare()});
  for (const monitor::ChannelSegment& item : monitor::Condense(series, rows, kMaxSegments)) {
    series_.push_back({.run_id = run_id,
                       .name = item.channel->name,
                       .part = monitor::TrackName(*item.channel),
                       .unit = item.channel->unit,
                       .time_ns = item.begin_ns + series.realtime_offset_ns,
                       .until_ns = item.end_ns + series.realtime_offset_ns,
                       .mean = item.mean,
                       .most = item.most});
  }
}

Status UsageTables::Write(store::ExperimentWriter& writer) const {
  XSP_RETURN_IF_ERROR(writer.AddRows(usage_));
  return writer.AddRows(series_);
}

std::string CostSentence(const monitor::Series& series) {
  return fmt::format(
      "The system monitor sampled the machine at {:g} Hz and used {:.2f} % of a core.",
      series.rate_hz, 100 * series.CostShare());
}

}  // namespace xsp::sessions
