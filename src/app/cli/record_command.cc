#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <csignal>
#include <nlohmann/json.hpp>

#include "app/cli/command.h"
#include "app/cli/output.h"
#include "app/cli/program_arguments.h"
#include "app/cli/progress_line.h"
#include "app/cli/started_program.h"
#include "app/cli/summary_output.h"
#include "core/number_check.h"
#include "measure/sessions/record_session.h"

namespace xsp::cli::record {
namespace {

using nlohmann::json;
using sessions::RecordOutcome;

struct Options {
  sessions::RecordRequest request;
  std::vector<std::string> misplaced;  ///< What should stand after `--`.
  std::string toggle_signal;
  std::filesystem::path summary;
  bool report = false;
  bool no_roofs = false;
  Format format = Format::kTable;
};

/// By name, with or without SIG in front, or by number. Errors: kUsage for those that cannot be
/// taken from the program.
Result<int> SignalNumber(std::string name) {
  if (name.starts_with("SIG")) name.erase(0, 3);
  const std::pair<const char*, int> known[] = {{"USR1", SIGUSR1},
                                               {"USR2", SIGUSR2},
                                               {"HUP", SIGHUP},
                                               {"ALRM", SIGALRM},
                                               {"WINCH", SIGWINCH}};
  for (const auto& [text, number] : known)
    if (name == text || name == std::to_string(number)) return number;
  return Error{ErrorKind::kUsage, fmt::format("signal cannot toggle recording: {}", name),
               "Use one of USR1, USR2, HUP, ALRM and WINCH that the program does not need."};
}

std::string SummaryText(const RecordOutcome& outcome, const std::string& report) {
  std::string spans;
  for (const auto& [level, count] : outcome.spans)
    if (count > 0) spans += fmt::format("{}{} {}", spans.empty() ? "" : ", ", count, level);
  std::string text = fmt::format(
      "\nrecorded    {:.3g} s, {} process{}, spans: {}\n", outcome.seconds, outcome.processes,
      outcome.processes == 1 ? "" : "es", spans.empty() ? "none" : spans);
  const int width = xsp::report::StyleOfStandardOutput().width;
  for (const std::string& note : outcome.notes) text += xsp::report::Wrap(note, width, 0) + "\n";
  if (!outcome.stored.ok()) return text;
  text += fmt::format("experiment  {}\n", outcome.stored.value().string());
  return text + fmt::format("report      {}\n", report.empty() ? "xsp report" : report);
}

std::string SummaryJson(const RecordOutcome& outcome, const std::string& report) {
  json spans = json::object();
  for (const auto& [level, count] : outcome.spans) spans[level] = count;
  json document = {
      {"experiment", outcome.stored.ok() ? json(outcome.stored.value().string()) : json()},
      {"seconds", outcome.seconds},
      {"processes", outcome.processes},
      {"spans", std::move(spans)},
      {"program", {{"exit_code", outcome.exit.code}, {"signal", outcome.exit.signal}}},
      {"overhead", outcome.overhead ? sessions::OverheadJson(*outcome.overhead) : json()},
      {"notes", outcome.notes}};
  if (!report.empty()) document["report"] = report;
  return document.dump(2, ' ', false, json::error_handler_t::replace);
}

Result<sessions::RecordRequest> RequestOf(const Session& session, const Options& options) {
  sessions::RecordRequest request = options.request;
  request.program = ProgramArguments();
  if (!options.misplaced.empty()) {
    return Error{ErrorKind::kUsage,
                 fmt::format("program is not after `--`: {}", options.misplaced.front()),
                 fmt::format("xsp record -- {}", fmt::join(options.misplaced, " "))};
  }
  if (request.program.empty()) {
    return Error{ErrorKind::kUsage, "no program to record",
                 "Name it after `--`: xsp record -- python3 train.py"};
  }
  if (!options.toggle_signal.empty()) {
    XSP_TRY(request.toggle_signal, SignalNumber(options.toggle_signal));
  } else if (request.starts_off) {
    return Error{ErrorKind::kUsage, "recording would never start: --start-off",
                 "Name the signal that starts it: --toggle-signal USR1"};
  }
  if (!request.cuda_metrics.empty() &&
      (request.delay_s > 0 || request.duration_s > 0 || request.toggle_signal != 0)) {
    return Error{ErrorKind::kUsage, "kernel metrics cannot be limited by time",
                 "Replay takes many times as long, so the same seconds contain different work. "
                 "Limit both runs to a range: --range NAME"};
  }
  if (!request.cuda_metrics.empty() && request.depth != "kernel") {
    return Error{
        ErrorKind::kUsage,
        fmt::format("kernel metrics need kernels to be recorded: --depth {}", request.depth),
        "Omit --depth, or use --depth kernel."};
  }
  if (request.python_rate_hz == 0) request.python_rate_hz = request.stack_rate_hz;
  if (options.format == Format::kCsv) {
    return Error{ErrorKind::kUsage, "summary of a recording is not a table: --format csv",
                 "Use json; `xsp export` writes the experiment's tables as CSV."};
  }
  request.roofs = !options.no_roofs;
  request.store = session.store;
  request.command = session.command_line;
  return request;
}

Result<int> Record(const Session& session, const Options& options) {
  XSP_TRY(sessions::RecordRequest request, RequestOf(session, options));
  ProgressLine progress;
  request.progress = &progress;
  XSP_TRY(const RecordOutcome outcome, sessions::RecordProgram(request));
  Status delivered = Ok{};
  std::string report;
  if (!outcome.stored.ok()) {
    delivered = outcome.stored.error();
  } else if (options.report) {
    const auto file = MakeReport(session, outcome.stored.value(), {});
    if (file.ok()) report = file.value().string();
    if (!file.ok()) delivered = file.error();
  }
  progress.Step("", 1, -1);
  const Status told = DeliverBeside(options.summary, options.format == Format::kJson
                                                         ? SummaryJson(outcome, report)
                                                         : SummaryText(outcome, report));
  if (outcome.interrupted) {
    // The program ended well; it was the repeating of it that was cut short.
    XSP_RETURN_IF_ERROR(delivered);
    XSP_RETURN_IF_ERROR(told);
    return static_cast<int>(ErrorKind::kInterrupted);
  }
  return EndAsTheProgram(outcome.exit, delivered.ok() ? told : delivered);
}

void AddWhen(CLI::App& app, Options& options) {
  app.add_option("--delay", options.request.delay_s,
                 "Start recording after this many seconds of the program")
      ->type_name("S")
      ->check(core::NonNegativeNumber);
  app.add_option("--duration", options.request.duration_s,
                 "Stop recording after this duration; the program continues")
      ->type_name("S")
      ->check(core::NonNegativeNumber);
  app.add_option("--range", options.request.range,
                 "Record only inside ranges (NVTX, ITT, record_function) with this name")
      ->type_name("NAME");
  app.add_option("--toggle-signal", options.toggle_signal,
                 "Signal that, sent to xsp, stops and starts recording; xsp does not forward it")
      ->type_name("USR1|USR2|HUP|ALRM|WINCH");
  app.add_flag("--start-off", options.request.starts_off,
               "Record nothing before the first --toggle-signal");
}

Action Declare(CLI::App& app, const Session& session) {
  auto options = std::make_shared<Options>();
  app.add_option(
         "--depth", options->request.depth,
         "Deepest level: model (steps, phases, calls), layer (framework operators), library, "
         "or kernel (default: all)")
      ->type_name("LEVEL");
  app.add_option("-o,--name", options->request.name,
                 "Name of the experiment in the store (default: COMMAND's name and the time)")
      ->type_name("NAME");
  AddWhen(app, *options);
  app.add_option("--stacks", options->request.stack_rate_hz,
                 "Sample call stacks of native code and of Python at this rate per second (99 "
                 "without a number; see xsp analyze flame_graph)")
      ->type_name("HZ")
      ->expected(0, 1)
      ->default_str("99")
      ->check(CLI::Range(1.0, 10000.0));
  app.add_option(
         "--python-stacks", options->request.python_rate_hz,
         "Sample call stacks of Python only, which needs no kernel support (default: as --stacks)")
      ->type_name("HZ")
      ->check(CLI::Range(0.1, 10000.0));
  app.add_option("--monitor-rate", options->request.monitor_rate_hz,
                 "Samples of the whole machine per second (see xsp monitor); 0: none")
      ->type_name("HZ")
      ->capture_default_str();
  app.add_option("--overhead", options->request.overhead_pairs,
                 "Run the program N times bare and N times recorded, alternately, and print the "
                 "overhead of recording. Ctrl-C ends it with the result so far, exit status 130")
      ->type_name("N")
      ->check(CLI::Range(0, 1000));
  app.add_option("--cuda-metrics", options->request.cuda_metrics,
                 "Run the program once more and measure its CUDA kernels by replaying each: flops, "
                 "dram, l2, occupancy, roofline (flops and dram), or raw names, separated by "
                 "commas; times come from the first run (docs/cuda.md)")
      ->type_name("SETS");
  app.add_flag("--no-roofs", options->no_roofs, "Do not measure this machine's roofs");
  app.add_flag("--report", options->report, "Also write the HTML report");
  app.add_option("--summary", options->summary,
                 "Write the summary to this file (default: standard error)")
      ->type_name("FILE");
  // By this name main() knows that a program may follow.
  app.add_option("COMMAND", options->misplaced,
                 "After `--`: any program and its arguments, unchanged. Its input, output, exit "
                 "status and signals do not change. Processes that it starts are recorded, too")
      ->type_name("");
  AddFormatOption(app, &options->format);
  return [&session, options] { return Record(session, *options); };
}

}  // namespace

extern const CommandSpec kCommand;
constinit const CommandSpec kCommand = {
    .name = "record",
    .summary = "Records any program without changing it",
    .example =
        "xsp record -- python3 train.py\n"
        "         xsp record --stacks --report -- python3 serve.py\n"
        "         xsp record --delay 60 --duration 10 --depth layer -- torchrun train.py\n"
        "         xsp record --overhead 5 -- ./inference\n"
        "         xsp record --cuda-metrics roofline,occupancy -- ./inference",
    .declare = Declare,
};

}  // namespace xsp::cli::record
