#include "evaluate/recorded.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <nlohmann/json.hpp>
#include <thread>

#include "attach/injection.h"
#include "attach/level_switch.h"
#include "base/foreground_program.h"
#include "base/paths.h"
#include "evaluate/clock_text.h"
#include "evaluate/documents.h"
#include "evaluate/import.h"
#include "evaluate/monitored.h"
#include "evaluate/scratch_folder.h"
#include "evaluate/tables.h"
#include "evaluate/trace_point.h"
#include "machine/roof.h"
#include "monitor/monitor.h"
#include "monitor/series_rows.h"
#include "registry/registry.h"
#include "sampling/stack_sampler.h"
#include "store/experiment_writer.h"

namespace xsp::evaluate {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

constexpr const char* kRunName = "recorded";
constexpr const char* kRung = "recorded";
constexpr const char* kImporter = "xsp_recording";
constexpr const char* kSwitchFile = "switch";

double SecondsSince(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

std::string Dump(const json& document) {
  return document.dump(-1, ' ', false, json::error_handler_t::replace);
}

/// One execution of the program, with what ran beside it.
struct Execution {
  base::ExitStatus exit;
  double seconds = 0;
  monitor::Series series;
  std::optional<sampling::StackSamples> stacks;
};

/// Runs a program with or without our libraries in it.
class Runner {
 public:
  explicit Runner(const RecordRequest& request) : request_(request) {}

  Result<Execution> Bare() const {
    base::ForegroundProgram program;
    const auto start = std::chrono::steady_clock::now();
    XSP_RETURN_IF_ERROR(program.Start(request_.program));
    Execution made;
    made.exit = program.Wait();
    made.seconds = SecondsSince(start);
    return made;
  }

  /// Records into `folder`, which is there and empty.
  Result<Execution> Recorded(const fs::path& folder, std::vector<std::string>* left_out) const {
    // Signals are the program's from here on; threads that are made below must not take them.
    base::ForegroundProgram program;
    std::unique_ptr<attach::LevelSwitch> control;
    if (IsSwitched()) {
      const bool on = request_.delay_s == 0 && !request_.starts_off;
      XSP_TRY(control, attach::LevelSwitch::Create(folder / kSwitchFile, on));
    }
    XSP_TRY(const attach::Injection injection, attach::PlanInjection(Wanted(folder), Read));
    *left_out = injection.left_out;
    std::unique_ptr<monitor::Monitor> beside;
    if (request_.monitor_rate_hz > 0) {
      XSP_TRY(beside, monitor::Monitor::Start(registry::AllSamplers(),
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
      if (signal != request_.toggle_signal) return false;
      control->Toggle();
      return true;
    });
    made.seconds = SecondsSince(start);
    if (beside != nullptr) made.series = beside->Stop();
    if (sampler != nullptr) made.stacks = sampler->Stop();
    return made;
  }

 private:
  static std::optional<std::string> Read(const char* name) { return base::Environment(name); }

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

std::vector<RecognisedFile> RecordingsIn(const fs::path& folder) {
  std::vector<RecognisedFile> files;
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

json ExitJson(const base::ExitStatus& exit) {
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
  Storing(const RecordRequest& request, const Execution& execution, store::ExperimentWriter& writer,
          RecordOutcome& outcome)
      : request_(request), execution_(execution), writer_(writer), outcome_(outcome) {}

  Result<fs::path> Store(const std::vector<RecognisedFile>& recordings) {
    outcome_.processes = static_cast<int>(recordings.size());
    if (recordings.empty())
      outcome_.notes.push_back(
          "No process of the program left a recording: a statically linked or "
          "set-user-id program cannot be entered.");
    trace::Trace trace;
    if (!recordings.empty()) {
      XSP_TRY(trace, LoadTrace(recordings));
    }
    outcome_.spans = CountSpans(trace);
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
    XSP_RETURN_IF_ERROR(WriteRun(trace));
    UsageTables usage;
    usage.Add(1, execution_.series, rows);
    XSP_RETURN_IF_ERROR(usage.Write(writer_));
    XSP_RETURN_IF_ERROR(WriteRoofs(trace));
    return writer_.Commit(Dump(ExperimentDocument()));
  }

 private:
  Status WriteRun(const trace::Trace& trace) {
    point_ = PointOf(trace, NameOfProgram(request_.program), "program");
    if (point_.cores == 0) point_.cores = std::thread::hardware_concurrency();
    const json run = {
        {"rung", kRung},
        {"status", "done"},
        {"program", {{"argv", request_.program}, {"exit", ExitJson(execution_.exit)}}},
        {"stack", CaptureStackJson()}};
    XSP_RETURN_IF_ERROR(writer_.AddRun(kRunName, trace, Dump(run)));
    match::RunInput input{1, 1, kRung, "done", writer_.folder() / kRunName, kRunName, ""};
    input.trace = &trace;
    input.peak_resident_bytes = execution_.exit.peak_rss_bytes;
    if (const auto& overhead = outcome_.overhead)
      input.whole_cost = {1e9 * base::TrimmedMean(overhead->bare_s), overhead->ratio,
                          overhead->interval.low, overhead->interval.high};
    XSP_RETURN_IF_ERROR(WriteExperimentTables({point_}, {input}, writer_));
    timeline::ExperimentRows rows;
    AddTimelineRows(1, trace, rows);
    return WriteTimelineTables(rows, writer_);
  }

  Status WriteRoofs(const trace::Trace& trace) {
    const auto& levels = trace.spans.level;
    const bool has_kernels =
        std::find(levels.begin(), levels.end(), trace::Level::kKernel) != levels.end();
    if (!request_.roofs || !has_kernels) return Ok{};
    const auto roofs = machine::MeasuredRoofs(
        {.cores = static_cast<int>(point_.cores), .again = false, .progress = {}});
    if (roofs.ok()) return WriteRoofTable(roofs.value(), writer_);
    outcome_.notes.push_back("The machine's roofs are not known: " + roofs.error().what + ".");
    return Ok{};
  }

  json ExperimentDocument() const {
    return {{"kind", "record"},
            {"model", point_.model},
            {"backend", point_.backend},
            {"status", "done"},
            {"command", request_.command},
            {"xsp_version", XSP_VERSION},
            {"depth", request_.depth},
            {"program", request_.program},
            {"overhead", outcome_.overhead ? OverheadJson(*outcome_.overhead) : json()},
            {"conditions", outcome_.notes}};
  }

  const RecordRequest& request_;
  const Execution& execution_;
  store::ExperimentWriter& writer_;
  RecordOutcome& outcome_;
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

/// Runs the program again and again, bare and recorded in turns. `first_s`: of the recorded run
/// that was made already.
Result<RecordOverhead> MeasureOverhead(const RecordRequest& request, const Runner& runner,
                                       double first_s) {
  RecordOverhead overhead;
  overhead.recorded_s.push_back(first_s);
  for (int pair = 0; pair < request.overhead_pairs; ++pair) {
    if (request.progress != nullptr)
      request.progress->Step("running it bare and recorded in turns",
                             static_cast<double>(pair) / request.overhead_pairs, -1);
    XSP_TRY(const Execution bare, runner.Bare());
    XSP_RETURN_IF_ERROR(MustHaveSucceeded(bare));
    overhead.bare_s.push_back(bare.seconds);
    if (pair + 1 == request.overhead_pairs) break;
    XSP_TRY(const ScratchFolder unread, ScratchFolder::Create());
    std::vector<std::string> left_out;
    XSP_TRY(const Execution recorded, runner.Recorded(unread.path(), &left_out));
    XSP_RETURN_IF_ERROR(MustHaveSucceeded(recorded));
    overhead.recorded_s.push_back(recorded.seconds);
  }
  overhead.ratio = base::TrimmedMean(overhead.recorded_s) / base::TrimmedMean(overhead.bare_s);
  overhead.interval = base::TrimmedMeanRatioInterval(overhead.recorded_s, overhead.bare_s);
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
    notes.push_back(fmt::format("Python's call stacks were sampled at {:g} Hz of the clock.",
                                request.python_rate_hz));
  if (!request.range.empty())
    notes.push_back(fmt::format("Recorded inside ranges \"{}\" only.", request.range));
  return notes;
}

}  // namespace

Result<RecordOutcome> RecordProgram(const RecordRequest& request) {
  const std::string name = request.name.empty()
                               ? fmt::format("{}-{}", NameOfProgram(request.program), NowForNames())
                               : request.name;
  XSP_TRY(store::ExperimentWriter writer, store::ExperimentWriter::Create(request.store, name));
  XSP_TRY(ScratchFolder recordings, ScratchFolder::Create());
  const Runner runner(request);
  std::vector<std::string> left_out;
  XSP_TRY(const Execution execution, runner.Recorded(recordings.path(), &left_out));
  RecordOutcome outcome;
  outcome.exit = execution.exit;
  outcome.seconds = execution.seconds;
  outcome.notes = NotesOf(request, left_out);
  if (request.overhead_pairs > 0 && execution.exit.success()) {
    auto overhead = MeasureOverhead(request, runner, execution.seconds);
    if (overhead.ok()) {
      outcome.overhead = std::move(overhead).value();
      outcome.notes.push_back(OverheadSentence(*outcome.overhead));
    } else {
      outcome.notes.push_back("What recording costs is not known: " + overhead.error().what + ".");
    }
  }
  if (request.progress != nullptr) request.progress->Step("reading what it recorded", 0, -1);
  Storing storing(request, execution, writer, outcome);
  outcome.stored = storing.Store(RecordingsIn(recordings.path()));
  if (!outcome.stored.ok()) {
    recordings.Keep();
    Error error = outcome.stored.error();
    error.hint =
        fmt::format("What was recorded is kept: xsp import {}/*.xspr*", recordings.path().string());
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
  return fmt::format(
      "Recording changed the program's wall time by {:+.1f} % (95 % interval {:+.1f} to {:+.1f} %; "
      "{} "
      "runs each way, in turns).",
      percent(overhead.ratio), percent(overhead.interval.low), percent(overhead.interval.high),
      overhead.bare_s.size());
}

json OverheadJson(const RecordOverhead& overhead) {
  return {{"bare_s", overhead.bare_s},
          {"recorded_s", overhead.recorded_s},
          {"ratio", overhead.ratio},
          {"ratio_low", overhead.interval.low},
          {"ratio_high", overhead.interval.high}};
}

}  // namespace xsp::evaluate
