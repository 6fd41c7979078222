#include "measure/sessions/record_session.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <thread>

#include "capture/monitor/series_rows.h"
#include "core/clock_text.h"
#include "derive/experiments/device_roofs.h"
#include "derive/experiments/experiment_builder.h"
#include "derive/experiments/trace_point.h"
#include "ingest/trace_files/trace_loader.h"
#include "measure/executors/captured_stack.h"
#include "measure/roof_loops/gpu_roofs.h"
#include "measure/roof_loops/measured_roofs.h"
#include "measure/sessions/metrics_run.h"
#include "measure/sessions/monitor_session.h"
#include "measure/sessions/program_runs.h"
#include "os/interrupt.h"
#include "os/scratch_folder.h"

namespace xsp::sessions {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

constexpr const char* kRecordedRun = "recorded";
constexpr const char* kRung = "recorded";
constexpr const char* kImporter = "xsp_recording";

std::vector<trace_files::RecognisedFile> RecordingsIn(const fs::path& folder) {
  std::vector<trace_files::RecognisedFile> files;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error))
    if (entry.path().filename().string().find(".xspr") != std::string::npos)
      files.push_back({entry.path(), kImporter});
  std::sort(files.begin(), files.end(),
            [](const auto& a, const auto& b) { return a.file < b.file; });
  return files;
}

std::vector<std::pair<std::string, std::int64_t>> CountSpans(const trace::Trace& trace) {
  std::int64_t counts[trace::kLevelCount] = {};
  for (const trace::Level level : trace.spans.level) ++counts[static_cast<int>(level)];
  std::vector<std::pair<std::string, std::int64_t>> spans;
  for (int level = 0; level < trace::kLevelCount; ++level)
    spans.emplace_back(trace::ToString(static_cast<trace::Level>(level)), counts[level]);
  return spans;
}

json ExitJson(const os::ExitStatus& exit) {
  return {{"exit_code", exit.code},
          {"signal", exit.signal},
          {"user_ns", exit.user_ns},
          {"system_ns", exit.system_ns},
          {"peak_rss_bytes", exit.peak_rss_bytes}};
}

std::string StacksSentence(const sampling::StackSamples& stacks) {
  return fmt::format(
      "Call stacks were sampled at {:g} Hz of each thread's CPU time ({} samples; unwinding them "
      "took {:.2f} % of a core).",
      stacks.rate_hz, stacks.samples.size(), 100 * stacks.CostShare());
}

/// Stores what one recorded execution left.
class Storing {
 public:
  Storing(const RecordRequest& request, const Execution& execution,
          experiments::ExperimentBuilder& builder, RecordOutcome& outcome,
          const MetricsRun* metrics, const live::LiveOutcome& live)
      : request_(request),
        execution_(execution),
        builder_(builder),
        outcome_(outcome),
        metrics_(metrics),
        live_(live) {}

  Result<fs::path> Store(const std::vector<trace_files::RecognisedFile>& recordings) {
    outcome_.processes = static_cast<int>(recordings.size());
    if (recordings.empty())
      outcome_.notes.push_back(
          "No process of the program left a recording: a statically linked or "
          "set-user-id program cannot be entered.");
    trace::Trace trace;
    if (!recordings.empty()) {
      XSP_TRY(trace, trace_files::LoadTrace(recordings));
    }
    outcome_.spans = CountSpans(trace);
    NoteLosses(trace);
    live_.AddTo(kRecordedRun, trace);
    std::vector<std::size_t> rows;
    if (request_.monitor_rate_hz > 0) {
      rows = monitor::AllRows(execution_.series);
      trace::TraceWriter monitor_writer(trace);
      monitor_writer.SetClockOrigin(trace::ClockOrigin::kEpoch);
      monitor::AddToTrace(execution_.series, rows, monitor_writer);
      monitor::AddHidden(execution_.series, monitor_writer);
      outcome_.notes.push_back(CostSentence(execution_.series));
    }
    if (execution_.stacks) {
      trace::TraceWriter sample_writer(trace);
      sample_writer.SetClockOrigin(trace::ClockOrigin::kEpoch);
      sampling::AddToTrace(*execution_.stacks, sample_writer);
      outcome_.notes.push_back(StacksSentence(*execution_.stacks));
    }
    const bool has_kernels = HasKernels(trace);
    if (experiments::HasDeviceKernels(trace)) devices_ = experiments::DeviceNames(trace);
    XSP_RETURN_IF_ERROR(StoreRuns(std::move(trace)));
    UsageTables usage;
    usage.Add(1, execution_.series, rows);
    XSP_RETURN_IF_ERROR(usage.Write(builder_.writer()));
    if (has_kernels) XSP_RETURN_IF_ERROR(StoreRoofs());
    return builder_.Commit(Metadata());
  }

 private:
  void NoteLosses(const trace::Trace& trace) {
    const auto dropped = trace.diagnostics.find("xsp_recording_dropped");
    if (dropped == trace.diagnostics.end()) return;
    outcome_.notes.push_back(fmt::format("{} records are missing at the end. {}",
                                         dropped->second.count, dropped->second.hint));
  }

  static bool HasKernels(const trace::Trace& trace) {
    const auto& levels = trace.spans.level;
    return std::find(levels.begin(), levels.end(), trace::Level::kKernel) != levels.end();
  }

  json ProgramJson(const os::ExitStatus& exit) const {
    return {{"argv", request_.program}, {"exit", ExitJson(exit)}};
  }

  Status StoreRuns(trace::Trace trace) {
    point_ = experiments::PointOf(trace, NameOfProgram(request_.program), "program");
    if (point_.cores == 0) point_.cores = std::thread::hardware_concurrency();
    match::RunInput run;
    run.point_id = point_.point_id;
    run.rung = kRung;
    run.status = "done";
    run.path = kRecordedRun;
    run.peak_resident_bytes = execution_.exit.peak_rss_bytes;
    if (const auto& overhead = outcome_.overhead)
      run.whole_cost = {1e9 * core::TrimmedMean(overhead->bare_s), overhead->ratio,
                        overhead->interval.low, overhead->interval.high};
    const json stack = executors::CaptureStackJson();
    json details = {{"program", ProgramJson(execution_.exit)}};
    live_.AddTo(kRecordedRun, details);
    XSP_RETURN_IF_ERROR(
        builder_.TakeRun(run, {.stack = stack, .details = std::move(details)}, std::move(trace)));
    if (metrics_ != nullptr) {
      match::RunInput metrics_run;
      metrics_run.point_id = point_.point_id;
      metrics_run.rung = kMetricsRung;
      metrics_run.status = metrics_->exit.success() ? "done" : "failed";
      metrics_run.path = kMetricsRung;
      XSP_RETURN_IF_ERROR(builder_.AddRun(
          metrics_run, {.stack = stack, .details = {{"program", ProgramJson(metrics_->exit)}}},
          metrics_->trace, false));
    }
    return builder_.MakeTables({point_});
  }

  Status StoreRoofs() {
    if (!request_.roofs) return Ok{};
    if (!devices_.empty()) {
      if (devices_.size() == 1) {
        const auto measured = roof_loops::MeasuredRoofsOfGpu(*devices_.begin(), {});
        if (measured.ok()) return builder_.AddRoofs(measured.value());
      }
      const auto of_device = experiments::RoofsOfDevice(devices_);
      if (of_device.ok()) return builder_.AddRoofs(of_device.value());
      outcome_.notes.push_back("The device's roofs are not known: " + of_device.error().what + ".");
      return Ok{};
    }
    const auto roofs = roof_loops::MeasuredRoofs(
        {.cores = static_cast<int>(point_.cores), .again = false, .progress = {}});
    if (roofs.ok()) return builder_.AddRoofs(roofs.value());
    outcome_.notes.push_back("The machine's roofs are not known: " + roofs.error().what + ".");
    return Ok{};
  }

  store::ExperimentMetadata Metadata() const {
    return {.kind = "record",
            .model = point_.model,
            .backend = point_.backend,
            .status = "done",
            .command = request_.command,
            .conditions = outcome_.notes,
            .details = {{"depth", request_.depth},
                        {"program", request_.program},
                        {"program_exit", ExitJson(execution_.exit)},
                        {"overhead", outcome_.overhead ? OverheadJson(*outcome_.overhead) : json()},
                        {"cuda_metrics", request_.cuda_metrics}}};
  }

  const RecordRequest& request_;
  const Execution& execution_;
  experiments::ExperimentBuilder& builder_;
  RecordOutcome& outcome_;
  const MetricsRun* const metrics_;  ///< Null: there was none.
  const live::LiveOutcome& live_;
  match::PointInput point_;
  std::set<std::string> devices_;  ///< Names of those that executed kernels.
};

std::vector<std::string> NotesOf(const RecordRequest& request,
                                 const std::vector<std::string>& left_out) {
  std::vector<std::string> notes;
  for (const std::string& what : left_out) notes.push_back("Not recorded: " + what + ".");
  if (request.delay_s > 0 || request.duration_s > 0)
    notes.push_back(fmt::format(
        "Recorded from second {:g}{} of the program.", request.delay_s,
        request.duration_s > 0 ? fmt::format(" for {:g} s", request.duration_s) : std::string()));
  if (request.python_rate_hz > 0)
    notes.push_back(fmt::format("Python's call stacks were sampled at {:g} Hz of wall time.",
                                request.python_rate_hz));
  if (!request.range.empty())
    notes.push_back(fmt::format("Recorded inside ranges \"{}\" only.", request.range));
  return notes;
}

/// Runs the program once more for its kernels' metrics. `recorded_s`: of the timed run.
Result<MetricsRun> MeasureMetrics(const RecordRequest& request, const ProgramRuns& runs,
                                  double recorded_s) {
  if (request.progress != nullptr)
    request.progress->Step("running it once more for its kernels' metrics", 0, -1);
  XSP_TRY(const os::ScratchFolder folder, os::ScratchFolder::Create());
  XSP_TRY(const Execution execution, runs.Measured(folder.path()));
  MetricsRun run;
  run.exit = execution.exit;
  run.seconds = execution.seconds;
  run.recorded_s = recorded_s;
  const auto recordings = RecordingsIn(folder.path());
  if (!recordings.empty()) {
    XSP_TRY(run.trace, trace_files::LoadTrace(recordings));
  }
  return run;
}

}  // namespace

Result<RecordOutcome> RecordProgram(const RecordRequest& request) {
  const std::string name =
      request.name.empty()
          ? fmt::format("{}-{}", NameOfProgram(request.program), core::NowForNames())
          : request.name;
  XSP_TRY(auto builder, experiments::ExperimentBuilder::Create(request.store, name));
  XSP_TRY(os::ScratchFolder recordings, os::ScratchFolder::Create());
  const ProgramRuns runs(request);
  if (!request.cuda_metrics.empty()) XSP_RETURN_IF_ERROR(runs.CanMeasure());
  std::vector<std::string> left_out;
  const os::Interrupts nobody;
  XSP_TRY(const auto streams,
          live::LiveStreams::Start(request.live, {.experiment = name,
                                                  .recordings = recordings.path(),
                                                  .runs = {},
                                                  .session = live::NewSession()}));
  XSP_TRY(const Execution execution, runs.Recorded(recordings.path(), &left_out));
  if (request.progress != nullptr && !request.live.empty())
    request.progress->Step("sending what is left of its spans", 0, -1);
  const live::LiveOutcome live = streams->Stop();
  RecordOutcome outcome;
  outcome.exit = execution.exit;
  outcome.seconds = execution.seconds;
  outcome.notes = NotesOf(request, left_out);
  outcome.notes.insert(outcome.notes.end(), live.notes.begin(), live.notes.end());
  if (request.overhead_pairs > 0 && execution.exit.success()) {
    outcome.interrupted = execution.told_to_stop;
    auto overhead =
        MeasureOverhead(request, runs, execution.seconds,
                        request.interrupts ? *request.interrupts : nobody, outcome.interrupted);
    if (overhead.ok()) {
      outcome.overhead = std::move(overhead).value();
      outcome.notes.push_back(OverheadSentence(*outcome.overhead));
    } else {
      outcome.notes.push_back("The overhead of recording is not known: " + overhead.error().what +
                              ".");
    }
  } else if (request.overhead_pairs > 0) {
    outcome.notes.push_back(
        fmt::format("The overhead of recording was not measured: the program failed ({}), and the "
                    "duration of a failing program varies.",
                    os::ToString(execution.exit)));
  }
  std::optional<MetricsRun> metrics;
  if (!request.cuda_metrics.empty() && !outcome.interrupted) {
    auto measured = MeasureMetrics(request, runs, execution.seconds);
    if (measured.ok()) {
      metrics = std::move(measured).value();
      for (std::string& note : MetricsNotes(*metrics, request.cuda_metrics))
        outcome.notes.push_back(std::move(note));
    } else {
      outcome.notes.push_back("Kernel metrics were not measured: " + measured.error().what + ".");
    }
  }
  if (request.progress != nullptr) request.progress->Step("reading the recording", 0, -1);
  Storing storing(request, execution, builder, outcome, metrics ? &*metrics : nullptr, live);
  outcome.stored = storing.Store(RecordingsIn(recordings.path()));
  if (!outcome.stored.ok()) {
    recordings.Keep();
    Error error = outcome.stored.error();
    error.hint =
        fmt::format("The recordings are kept: xsp import {}/*.xspr*", recordings.path().string());
    outcome.stored = error;
  }
  return outcome;
}

}  // namespace xsp::sessions
