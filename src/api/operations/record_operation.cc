#include <fmt/format.h>

#include <csignal>
#include <optional>

#include "api/operation.h"
#include "api/operations/program_status.h"
#include "api/operations/report_file.h"
#include "measure/sessions/record_session.h"

namespace xsp::api::record_operation {
namespace {

using nlohmann::json;
using sessions::RecordOutcome;

struct Request {
  sessions::RecordRequest program;
  std::string toggle_signal;
  std::optional<double> stacks, python_stacks;
  bool report = false;
  bool no_roofs = false;
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

Result<sessions::RecordRequest> Complete(const Context& context, const Request& request) {
  sessions::RecordRequest program = request.program;
  if (program.program.empty()) {
    return Error{ErrorKind::kUsage, "no program to record",
                 "Name it after `--`: xsp record -- python3 train.py"};
  }
  if (!request.toggle_signal.empty()) {
    XSP_TRY(program.toggle_signal, SignalNumber(request.toggle_signal));
  } else if (program.starts_off) {
    return Error{ErrorKind::kUsage, "recording would never start: --start-off",
                 "Name the signal that starts it: --toggle-signal USR1"};
  }
  if (!program.cuda_metrics.empty() &&
      (program.delay_s > 0 || program.duration_s > 0 || program.toggle_signal != 0)) {
    return Error{ErrorKind::kUsage, "kernel metrics cannot be limited by time",
                 "Replay takes many times as long, so the same seconds contain different work. "
                 "Limit both runs to a range: --range NAME"};
  }
  if (!program.cuda_metrics.empty() && program.depth != "kernel") {
    return Error{
        ErrorKind::kUsage,
        fmt::format("kernel metrics need kernels to be recorded: --depth {}", program.depth),
        "Omit --depth, or use --depth kernel."};
  }
  program.stack_rate_hz = request.stacks.value_or(0);
  program.python_rate_hz = request.python_stacks.value_or(program.stack_rate_hz);
  program.roofs = !request.no_roofs;
  program.store = context.store;
  program.command = context.command_line;
  program.progress = context.progress;
  // Otherwise signals are the program's.
  if (program.overhead_pairs > 0 || !program.program_output.empty())
    program.interrupts = &context.interrupts();
  return program;
}

json DocumentOf(const RecordOutcome& outcome) {
  json spans = json::object();
  for (const auto& [level, count] : outcome.spans) spans[level] = count;
  return {{"experiment", outcome.stored.ok() ? json(outcome.stored.value().string()) : json()},
          {"seconds", outcome.seconds},
          {"processes", outcome.processes},
          {"spans", std::move(spans)},
          {"program", {{"exit_code", outcome.exit.code}, {"signal", outcome.exit.signal}}},
          {"overhead", outcome.overhead ? sessions::OverheadJson(*outcome.overhead) : json()},
          {"notes", outcome.notes}};
}

Result<Document> Record(const Context& context, const Request& request) {
  XSP_TRY(const sessions::RecordRequest program, Complete(context, request));
  XSP_TRY(const RecordOutcome outcome, sessions::RecordProgram(program));
  Document document;
  json body = DocumentOf(outcome);
  // Ended by a request, the program ended well: it was the repeating of it that was cut short.
  document.exit_status = outcome.interrupted ? static_cast<int>(ErrorKind::kInterrupted)
                                             : StatusOfProgram(outcome.exit);
  if (!outcome.stored.ok()) {
    NoteFailure(outcome.stored.error(), document);
  } else if (request.report) {
    const auto file = WriteReport(context, outcome.stored.value(), {});
    if (file.ok()) body["report"] = file.value().string();
    if (!file.ok()) NoteFailure(file.error(), document);
  }
  document.content = std::move(body);
  return document;
}

void DeclareWhen(core::RequestFields& fields, Request& request) {
  fields.Add("delay", &request.program.delay_s,
             {.help = "Start recording after this many seconds of the program",
              .value_name = "S",
              .unit = "s",
              .range = core::kNonNegative});
  fields.Add("duration", &request.program.duration_s,
             {.help = "Stop recording after this duration; the program continues",
              .value_name = "S",
              .unit = "s",
              .range = core::kNonNegative});
  fields.Add("range", &request.program.range,
             {.help = "Record only inside ranges (NVTX, ITT, record_function) with this name",
              .value_name = "NAME"});
  fields.Add("toggle_signal", &request.toggle_signal,
             {.help = "Signal that, sent to xsp, stops and starts recording; xsp does not forward "
                      "it",
              .value_name = "USR1|USR2|HUP|ALRM|WINCH"});
  fields.Add("start_off", &request.program.starts_off,
             {.help = "Record nothing before the first --toggle-signal"});
}

Action Declare(core::RequestFields& fields, const Context& context) {
  auto request = std::make_shared<Request>();
  sessions::RecordRequest& program = request->program;
  fields.Add("depth", &program.depth,
             {.help = "Deepest level: model (steps, phases, calls), layer (framework operators), "
                      "library, or kernel (default: all)",
              .value_name = "LEVEL"});
  fields.Add("name", &program.name,
             {.help = "Name of the experiment in the store (default: COMMAND's name and the time)",
              .value_name = "NAME",
              .letter = 'o'});
  DeclareWhen(fields, *request);
  fields.Add("stacks", &request->stacks,
             {.help = "Sample call stacks of native code and of Python at this rate per second (99 "
                      "without a number; see xsp analyze flame_graph)",
              .value_name = "HZ",
              .unit = "Hz",
              .range = core::Between(1, 10000),
              .if_bare = "99"});
  fields.Add("python_stacks", &request->python_stacks,
             {.help = "Sample call stacks of Python only, which needs no kernel support (default: "
                      "as --stacks)",
              .value_name = "HZ",
              .unit = "Hz",
              .range = core::Between(0.1, 10000)});
  fields.Add("monitor_rate", &program.monitor_rate_hz,
             {.help = "Samples of the whole machine per second (see xsp monitor); 0: none",
              .value_name = "HZ",
              .unit = "Hz"});
  fields.Add("overhead", &program.overhead_pairs,
             {.help = "Run the program N times bare and N times recorded, alternately, and print "
                      "the overhead of recording. Ctrl-C ends it with the result so far, exit "
                      "status 130",
              .value_name = "N",
              .range = core::Between(0, 1000)});
  fields.Add("cuda_metrics", &program.cuda_metrics,
             {.help = "Run the program once more and measure its CUDA kernels by replaying each: "
                      "flops, dram, l2, occupancy, roofline (flops and dram), or raw names, "
                      "separated by commas; times come from the first run (docs/cuda.md)",
              .value_name = "SETS"});
  fields.Add("otlp", &program.live.otlp,
             {.help = "Send spans to an OpenTelemetry server while the program runs, over "
                      "OTLP/HTTP; headers from OTEL_EXPORTER_OTLP_HEADERS (docs/otlp.md)",
              .value_name = "URL",
              .refers = core::Refers::kProgram,
              .if_bare = "default"});
  fields.Add("stream", &program.live.folder,
             {.help = "Append spans, tracks, metrics and attributes to Parquet tables in this "
                      "folder while the program runs (docs/otlp.md)",
              .value_name = "DIR",
              .refers = core::Refers::kOutput});
  fields.Add("no_roofs", &request->no_roofs, {.help = "Do not measure this machine's roofs"});
  fields.Add("report", &request->report, {.help = "Also write the HTML report"});
  fields.Add("program_output", &program.program_output,
             {.help = "Append what the program writes to this file; it reads nothing then",
              .value_name = "FILE",
              .refers = core::Refers::kOutput});
  fields.Add("program", &program.program,
             {.help = "After `--`: any program and its arguments, unchanged. Its input, output, "
                      "exit status and signals do not change. Processes that it starts are "
                      "recorded, too",
              .refers = core::Refers::kProgram,
              .program = true});
  return [&context, request] { return Record(context, *request); };
}

}  // namespace

extern const OperationSpec kOperation;
constinit const OperationSpec kOperation = {
    .name = "record",
    .summary = "Records any program without changing it",
    .example =
        "xsp record -- python3 train.py\n"
        "         xsp record --stacks --report -- python3 serve.py\n"
        "         xsp record --delay 60 --duration 10 --depth layer -- torchrun train.py\n"
        "         xsp record --overhead 5 -- ./inference\n"
        "         xsp record --otlp http://localhost:4318 --stream live -- python3 serve.py\n"
        "         xsp record --cuda-metrics roofline,occupancy -- ./inference",
    .effect = Effect::kMeasures,
    .result = R"({"type": "object", "required": ["experiment", "seconds", "program"],
      "properties": {
        "experiment": {"type": ["string", "null"],
          "description": "Path of the experiment; null: it could not be stored"},
        "seconds": {"type": "number", "description": "Duration of the program"},
        "processes": {"type": "integer", "description": "Processes that were recorded"},
        "spans": {"type": "object", "additionalProperties": {"type": "integer"},
          "description": "Number of spans by level"},
        "program": {"type": "object", "properties": {
          "exit_code": {"type": "integer"}, "signal": {"type": "integer"}}},
        "overhead": {"type": ["object", "null"], "description": "With overhead"},
        "notes": {"type": "array", "items": {"type": "string"}},
        "report": {"type": "string", "description": "With report: path of the page"}}})",
    .declare = Declare,
    .served_as = ServedAs::kNothing,
};

}  // namespace xsp::api::record_operation
