#include "measure/sessions/record_session.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <csignal>
#include <memory>
#include <nlohmann/json.hpp>
#include <thread>

#include "capture/attach/injection.h"
#include "capture/attach/level_switch.h"
#include "capture/events/cuda_metric_sets.h"
#include "capture/monitor/monitor.h"
#include "capture/monitor/sampler.h"
#include "capture/monitor/series_rows.h"
#include "capture/sampling/stack_sampler.h"
#include "core/clock_text.h"
#include "core/counted.h"
#include "core/estimate.h"
#include "derive/experiments/experiment_builder.h"
#include "derive/experiments/trace_point.h"
#include "ingest/trace_files/load_trace.h"
#include "measure/executors/captured_stack.h"
#include "measure/roof_loops/measured_roofs.h"
#include "measure/sessions/metrics_run.h"
#include "measure/sessions/monitor_session.h"
#include "os/foreground_program.h"
#include "os/interrupt.h"
#include "os/paths.h"
#include "os/scratch_folder.h"

namespace xsp::sessions {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

constexpr const char* kRecordedRun = "recorded";
constexpr const char* kRung = "recorded";
constexpr const char* kImporter = "xsp_recording";
constexpr const char* kSwitchFile = "switch";

double SecondsSince(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// One execution of the program, with what ran beside it.
struct Execution {
  os::ExitStatus exit;
  double seconds = 0;
  monitor::Series series;
  std::optional<sampling::StackSamples> stacks;
  bool told_to_stop = false;  ///< We were sent SIGINT or SIGTERM, which the program had, too.
};

bool AsksToStop(int signal) { return signal == SIGINT || signal == SIGTERM; }

/// Runs a program with or without our libraries in it.
class Runner {
 public:
  explicit Runner(const RecordRequest& request) : request_(request) {}

  Result<Execution> Bare() const {
    os::ForegroundProgram program;
    const auto start = std::chrono::steady_clock::now();
    XSP_RETURN_IF_ERROR(program.Start(request_.program));
    Execution made;
    made.exit = program.Wait([&](int signal) {
      made.told_to_stop |= AsksToStop(signal);
      return false;
    });
    made.seconds = SecondsSince(start);
    return made;
  }

  /// Whether a run for metrics could be made. Errors: kUsage, kNotPossible, kEnvironment.
  Status CanMeasure() const {
    XSP_RETURN_IF_ERROR(events::CheckCudaMetrics(request_.cuda_metrics));
    auto wanted = Wanted({});
    wanted.cuda_metrics = request_.cuda_metrics;
    const auto injection = attach::PlanInjection(wanted, Read);
    return injection.ok() ? Status(Ok{}) : Status(injection.error());
  }

  /// Runs it for its kernels' metrics and nothing beside: replay distorts all else.
  Result<Execution> Measured(const fs::path& folder) const {
    auto wanted = Wanted(folder);
    wanted.cuda_metrics = request_.cuda_metrics;
    wanted.python_rate_hz = 0;
    wanted.switch_page.clear();
    XSP_TRY(const attach::Injection injection, attach::PlanInjection(wanted, Read));
    os::ForegroundProgram program;
    const auto start = std::chrono::steady_clock::now();
    XSP_RETURN_IF_ERROR(
        program.Start(request_.program, {.environment = injection.environment, .before_exec = {}}));
    Execution made;
    made.exit = program.Wait();
    made.seconds = SecondsSince(start);
    return made;
  }

  /// Records into `folder`, which is there and empty.
  Result<Execution> Recorded(const fs::path& folder, std::vector<std::string>* left_out) const {
    // Signals are the program's from here on; threads that are made below must not take them.
    os::ForegroundProgram program;
    std::unique_ptr<attach::LevelSwitch> control;
    if (IsSwitched()) {
      const bool on = request_.delay_s == 0 && !request_.starts_off;
      XSP_TRY(control, attach::LevelSwitch::Create(folder / kSwitchFile, on));
    }
    XSP_TRY(const attach::Injection injection, attach::PlanInjection(Wanted(folder), Read));
    *left_out = injection.left_out;
    std::unique_ptr<monitor::Monitor> beside;
    if (request_.monitor_rate_hz > 0) {
      XSP_TRY(beside, monitor::Monitor::Start(monitor::AllSamplers(),
                                              {.rate_hz = request_.monitor_rate_hz}));
    }
    const auto start = std::chrono::steady_clock::now();
    std::unique_ptr<sampling::StackSampler> sampler;
    const auto sample = [&](int pid) -> Status {
      if (request_.stack_rate_hz <= 0) return Ok{};
      XSP_TRY(sampler, sampling::StackSampler::Start(pid, {.rate_hz = request_.stack_rate_hz}));
      return Ok{};
    };
    XSP_RETURN_IF_ERROR(program.Start(
        request_.program, {.environment = injection.environment, .before_exec = sample}));
    if (request_.delay_s > 0 || request_.duration_s > 0)
      control->Schedule(request_.delay_s, request_.duration_s);
    Execution made;
    made.exit = program.Wait([&](int signal) {
      if (signal != request_.toggle_signal) {
        made.told_to_stop |= AsksToStop(signal);
        return false;
      }
      control->Toggle();
      return true;
    });
    made.seconds = SecondsSince(start);
    if (beside != nullptr) made.series = beside->Stop();
    if (sampler != nullptr) made.stacks = sampler->Stop();
    return made;
  }

 private:
  static std::optional<std::string> Read(const char* name) { return os::Environment(name); }

  bool IsSwitched() const {
    return request_.delay_s > 0 || request_.duration_s > 0 || request_.toggle_signal != 0;
  }

  attach::InjectionRequest Wanted(const fs::path& folder) const {
    return {.libraries = attach::LibraryFolder(),
            .recordings = folder,
            .switch_page = IsSwitched() ? folder / kSwitchFile : fs::path(),
            .depth = request_.depth,
            .range = request_.range,
            .python_rate_hz = request_.python_rate_hz};
  }

  const RecordRequest& request_;
};

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
          const MetricsRun* metrics)
      : request_(request),
        execution_(execution),
        builder_(builder),
        outcome_(outcome),
        metrics_(metrics) {}

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
    XSP_RETURN_IF_ERROR(builder_.TakeRun(
        run, {.stack = stack, .details = {{"program", ProgramJson(execution_.exit)}}},
        std::move(trace)));
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
  match::PointInput point_;
};

/// A run that failed or was ended took a time of its own.
Status MustHaveSucceeded(const Execution& execution) {
  if (execution.exit.success()) return Ok{};
  return Error{ErrorKind::kNotPossible,
               execution.exit.signal != 0
                   ? fmt::format("a repeated run of the program was ended by signal {}",
                                 execution.exit.signal)
                   : fmt::format("a repeated run of the program failed with exit status {}",
                                 execution.exit.code),
               "--overhead needs a program that can be run again and again."};
}

/// Runs the program again and again, bare and recorded, alternating. `first_s`: of the recorded run
/// that was made already.
///
/// SIGINT or SIGTERM, also between two runs, ends it: then `interrupted`, and with what was
/// measured until then. Errors: kInterrupted when no bare run had ended.
Result<RecordOverhead> MeasureOverhead(const RecordRequest& request, const Runner& runner,
                                       double first_s, const os::Interrupts& interrupts,
                                       bool& interrupted) {
  RecordOverhead overhead;
  overhead.pairs_asked = request.overhead_pairs;
  // A run that was told to stop took a time of its own, however it ended.
  const auto stopped_now = [&] { return interrupted |= interrupts.stop(); };
  const auto stopped = [&](const Execution& made) {
    interrupted |= made.told_to_stop;
    return stopped_now();
  };
  for (int pair = 0; pair < request.overhead_pairs; ++pair) {
    if (request.progress != nullptr)
      request.progress->Step("running it bare and recorded, alternately",
                             static_cast<double>(pair) / request.overhead_pairs, -1);
    // The first recorded run was made already; the order of the others changes from pair to pair,
    // so that drift favours neither.
    double bare_s = 0, recorded_s = pair == 0 ? first_s : 0;
    for (const bool bare : {pair % 2 != 0, pair % 2 == 0}) {
      if (!bare && pair == 0) continue;
      if (stopped_now()) break;
      XSP_TRY(const os::ScratchFolder unread, os::ScratchFolder::Create());
      std::vector<std::string> left_out;
      XSP_TRY(const Execution made,
              bare ? runner.Bare() : runner.Recorded(unread.path(), &left_out));
      if (stopped(made)) break;
      XSP_RETURN_IF_ERROR(MustHaveSucceeded(made));
      (bare ? bare_s : recorded_s) = made.seconds;
    }
    if (bare_s == 0 || recorded_s == 0) break;
    overhead.bare_s.push_back(bare_s);
    overhead.recorded_s.push_back(recorded_s);
  }
  if (overhead.bare_s.empty())
    return Error{ErrorKind::kInterrupted, "interrupted before a run without recording had ended",
                 ""};
  const core::Estimate ratio = core::PairedRatio(overhead.recorded_s, overhead.bare_s);
  overhead.ratio = ratio.centre;
  overhead.interval = ratio.interval;
  return overhead;
}

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
Result<MetricsRun> MeasureMetrics(const RecordRequest& request, const Runner& runner,
                                  double recorded_s) {
  if (request.progress != nullptr)
    request.progress->Step("running it once more for its kernels' metrics", 0, -1);
  XSP_TRY(const os::ScratchFolder folder, os::ScratchFolder::Create());
  XSP_TRY(const Execution execution, runner.Measured(folder.path()));
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
  const Runner runner(request);
  if (!request.cuda_metrics.empty()) XSP_RETURN_IF_ERROR(runner.CanMeasure());
  std::vector<std::string> left_out;
  // Between two runs nobody else takes signals, and what was recorded must not be lost by one.
  std::optional<os::Interrupts> interrupts;
  if (request.overhead_pairs > 0) interrupts.emplace();
  XSP_TRY(const Execution execution, runner.Recorded(recordings.path(), &left_out));
  RecordOutcome outcome;
  outcome.exit = execution.exit;
  outcome.seconds = execution.seconds;
  outcome.notes = NotesOf(request, left_out);
  if (request.overhead_pairs > 0 && execution.exit.success()) {
    outcome.interrupted = execution.told_to_stop;
    auto overhead =
        MeasureOverhead(request, runner, execution.seconds, *interrupts, outcome.interrupted);
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
  interrupts.reset();
  std::optional<MetricsRun> metrics;
  if (!request.cuda_metrics.empty() && !outcome.interrupted) {
    auto measured = MeasureMetrics(request, runner, execution.seconds);
    if (measured.ok()) {
      metrics = std::move(measured).value();
      for (std::string& note : MetricsNotes(*metrics, request.cuda_metrics))
        outcome.notes.push_back(std::move(note));
    } else {
      outcome.notes.push_back("Kernel metrics were not measured: " + measured.error().what + ".");
    }
  }
  if (request.progress != nullptr) request.progress->Step("reading the recording", 0, -1);
  Storing storing(request, execution, builder, outcome, metrics ? &*metrics : nullptr);
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

std::string NameOfProgram(const std::vector<std::string>& argv) {
  const auto file_name = [](const std::string& path) {
    const std::string name = fs::path(path).filename().string();
    return name.empty() ? std::string("program") : name;
  };
  const std::string program = file_name(argv.front());
  if (!program.starts_with("python")) return program;
  for (std::size_t i = 1; i < argv.size(); ++i) {
    if (argv[i] == "-m" && i + 1 < argv.size()) return argv[i + 1];
    if (argv[i] == "-c") return program;
    if (argv[i] == "-W" || argv[i] == "-X")
      ++i;  // Options with a value of their own.
    else if (!argv[i].starts_with('-'))
      return file_name(argv[i]);
  }
  return program;
}

std::string OverheadSentence(const RecordOverhead& overhead) {
  const auto percent = [](double ratio) { return 100 * (ratio - 1); };
  const auto pairs = static_cast<int>(overhead.bare_s.size());
  const std::string made =
      fmt::format("{}, alternating{}", core::Counted(pairs, "pair of runs", "pairs of runs"),
                  pairs < overhead.pairs_asked
                      ? fmt::format(", of {} requested: interrupted", overhead.pairs_asked)
                      : std::string());
  if (std::isnan(overhead.interval.low)) {
    return fmt::format(
        "Recording changed the program's wall time by {:+.1f} % ({}); for an interval, use "
        "--overhead 6 or more.",
        percent(overhead.ratio), made);
  }
  return fmt::format(
      "Recording changed the program's wall time by {:+.1f} % (95 % interval {:+.1f} to {:+.1f} %; "
      "{}).",
      percent(overhead.ratio), percent(overhead.interval.low), percent(overhead.interval.high),
      made);
}

json OverheadJson(const RecordOverhead& overhead) {
  return {{"bare_s", overhead.bare_s},           {"recorded_s", overhead.recorded_s},
          {"pairs_asked", overhead.pairs_asked}, {"ratio", overhead.ratio},
          {"ratio_low", overhead.interval.low},  {"ratio_high", overhead.interval.high}};
}

}  // namespace xsp::sessions
