#include "measure/evaluate/monitored.h"

#include <fmt/format.h>
#include <poll.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "capture/monitor/condense.h"
#include "capture/monitor/sampler.h"
#include "derive/match/energy.h"
#include "measure/evaluate/clock_text.h"
#include "measure/evaluate/documents.h"
#include "measure/evaluate/interrupt.h"
#include "os/foreground_program.h"
#include "store/schema.h"

namespace xsp::evaluate {

using nlohmann::json;

namespace {

constexpr const char* kMonitorRun = "monitor";
constexpr const char* kWholeMachine = "machine";
constexpr std::size_t kMostStretches = 400;  // schema.sql: system_series

std::string ProgramName(const MonitorRequest& request) {
  if (request.program.empty()) return kWholeMachine;
  const std::string name = std::filesystem::path(request.program.front()).filename().string();
  return name.empty() ? kWholeMachine : name;
}

/// Until the time is over or a signal comes; whether one came.
bool WaitHere(double seconds, const Interrupts& interrupts) {
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

Status WritePointAndRun(const MonitorRequest& request, const std::string& status,
                        store::ExperimentWriter& writer) {
  const json settings = {{"rate_hz", request.rate_hz}};
  const store::Table point{
      {"point_id", "model", "backend", "device", "precision", "settings", "status"},
      {{std::int64_t{1}, ProgramName(request), std::string("monitor"), std::string(kWholeMachine),
        std::string("unknown"), settings.dump(), std::string("done")}}};
  const store::Table run{{"run_id", "point_id", "rung", "status", "path"},
                         {{std::int64_t{1}, std::int64_t{1}, std::string(kMonitorRun), status,
                           std::string(kMonitorRun)}}};
  XSP_RETURN_IF_ERROR(writer.AddTable("point", point));
  return writer.AddTable("run", run);
}

Status WriteEnergy(const trace::Trace& trace, store::ExperimentWriter& writer) {
  store::Table energy;
  for (const store::ColumnSchema& column : store::FindTable("energy")->columns)
    energy.columns.push_back(column.name);
  match::AddRunEnergy(trace, 1, 1, kMonitorRun, energy);
  return energy.rows.empty() ? Status(Ok{}) : writer.AddTable("energy", energy);
}

Result<std::filesystem::path> Store(const MonitorRequest& request, const MonitorOutcome& outcome,
                                    int pid, store::ExperimentWriter& writer) {
  const monitor::Series& series = outcome.series;
  const std::vector<std::size_t> rows = monitor::AllRows(series);
  trace::Trace trace;
  trace::TraceWriter trace_writer(trace);
  trace_writer.SetClockOrigin(trace::ClockOrigin::kEpoch);
  AddProgram(request, outcome, pid, trace_writer);
  monitor::AddToTrace(series, rows, trace_writer);
  monitor::AddHidden(series, trace_writer);
  const std::string status = outcome.interrupted && request.seconds > 0 ? "interrupted" : "done";
  const json run = {{"rung", kMonitorRun},
                    {"status", status},
                    {"program", {{"argv", request.program}, {"exit", ExitJson(outcome.exit)}}},
                    {"stack", CaptureStackJson()}};
  const auto dump = [](const json& document) {
    return document.dump(-1, ' ', false, json::error_handler_t::replace);
  };
  XSP_RETURN_IF_ERROR(writer.AddRun(kMonitorRun, trace, dump(run)));
  XSP_RETURN_IF_ERROR(WritePointAndRun(request, status, writer));
  UsageTables usage;
  usage.Add(1, series, rows);
  XSP_RETURN_IF_ERROR(usage.Write(writer));
  XSP_RETURN_IF_ERROR(WriteEnergy(trace, writer));
  return writer.Commit(dump({{"kind", "monitor"},
                             {"model", ProgramName(request)},
                             {"backend", "monitor"},
                             {"status", status},
                             {"command", request.command},
                             {"xsp_version", XSP_VERSION},
                             {"conditions", json::array({CostSentence(series)})}}));
}

}  // namespace

Result<MonitorOutcome> MonitorMachine(const MonitorRequest& request) {
  // Signals are the program's from here on; threads that are made below must not take them.
  std::optional<os::ForegroundProgram> program;
  // Without one the first asks to stop: from before the samplers are opened until all is stored.
  std::optional<Interrupts> interrupts;
  if (request.program.empty()) {
    interrupts.emplace();
  } else {
    program.emplace();
  }
  const std::string name = request.name.empty()
                               ? fmt::format("{}-{}", ProgramName(request), NowForNames())
                               : request.name;
  XSP_TRY(store::ExperimentWriter writer, store::ExperimentWriter::Create(request.store, name));
  XSP_TRY(const auto monitor,
          monitor::Monitor::Start(monitor::AllSamplers(), {.rate_hz = request.rate_hz}));
  MonitorOutcome outcome;
  if (program) {
    XSP_RETURN_IF_ERROR(program->Start(request.program));
    outcome.exit = program->Wait();
  } else {
    outcome.interrupted = WaitHere(request.seconds, *interrupts);
  }
  outcome.series = monitor->Stop();
  outcome.stored = Store(request, outcome, program ? program->pid() : 0, writer);
  return outcome;
}

UsageTables::UsageTables()
    : usage_{{"run_id", "seconds", "samples", "cpu_pct", "gpu_pct_sum", "system_memory_mb",
              "gpu_memory_mb_sum", "pcie_mbps", "nvlink_mbps", "cpu_pct_most", "gpu_pct_sum_most",
              "system_memory_mb_most", "gpu_memory_mb_sum_most", "monitor_share"},
             {}},
      series_{{"run_id", "name", "part", "unit", "time_ns", "until_ns", "mean", "most"}, {}} {}

void UsageTables::Add(std::int64_t run_id, const monitor::Series& series,
                      std::span<const std::size_t> rows) {
  if (rows.empty()) return;
  const auto cell = [](const std::optional<double>& value) {
    return value ? store::Cell(*value) : store::Cell();
  };
  const monitor::SystemUsage usage = monitor::UsageIn(series, rows);
  usage_.rows.push_back(
      {run_id, usage.seconds, usage.samples, cell(usage.cpu_pct), cell(usage.gpu_pct_sum),
       cell(usage.system_memory_mb), cell(usage.gpu_memory_mb_sum), cell(usage.pcie_mbps),
       cell(usage.nvlink_mbps), cell(usage.cpu_pct_most), cell(usage.gpu_pct_sum_most),
       cell(usage.system_memory_mb_most), cell(usage.gpu_memory_mb_sum_most), series.CostShare()});
  for (const monitor::Condensed& item : monitor::Condense(series, rows, kMostStretches)) {
    series_.rows.push_back({run_id, item.channel->name, monitor::TrackName(*item.channel),
                            item.channel->unit, item.begin_ns + series.realtime_offset_ns,
                            item.end_ns + series.realtime_offset_ns, item.mean, item.most});
  }
}

Status UsageTables::Write(store::ExperimentWriter& writer) const {
  XSP_RETURN_IF_ERROR(writer.AddTable("system_usage", usage_));
  return writer.AddTable("system_series", series_);
}

std::string CostSentence(const monitor::Series& series) {
  return fmt::format(
      "The system monitor sampled the machine at {:g} Hz and used {:.2f} % of a core.",
      series.rate_hz, 100 * series.CostShare());
}

}  // namespace xsp::evaluate
