#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "core/json_text.h"
#include "core/worker_error_kinds.h"
#include "harness/channel.h"
#include "harness/fact.h"
#include "harness/job.h"
#include "harness/session.h"
#include "harness/worker.h"

namespace xsp::worker {
namespace {

struct Arguments {
  std::string job;
  std::string recording;
  bool control = false;
};

std::string Usage(const xsp_worker& worker) {
  const std::string program = std::string("xsp-worker-") + worker.name;
  return "usage: " + program + " describe\n       " + program + " inputs --job JOB.json\n       " +
         program + " predict --job JOB.json --recording FILE.xspr [--control]";
}

Status ParseArguments(const std::vector<std::string>& words, const std::string& usage,
                      Arguments& arguments) {
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == "--control") {
      arguments.control = true;
    } else if ((words[i] == "--job" || words[i] == "--recording") && i + 1 < words.size()) {
      std::string& value = words[i] == "--job" ? arguments.job : arguments.recording;
      value = words[++i];
    } else {
      return Error{ErrorKind::kUsage, "unknown or incomplete argument: " + words[i], usage};
    }
  }
  return Ok{};
}

/// Whole calls are counted by the harness, whatever the worker can do.
void AddCountersRung(nlohmann::json& document) {
  nlohmann::json& rungs = document["rungs"];
  const char* const counters = RungName(XSP_RUNG_COUNTERS);
  if (rungs.is_array() && std::find(rungs.begin(), rungs.end(), counters) == rungs.end())
    rungs.push_back(counters);
}

/// Prints what the worker can do.
Status Describe(const xsp_worker& worker, Channel& channel) {
  nlohmann::json document = {{"worker", worker.name}, {"protocol", 3}};
  const nlohmann::json offers = core::ParseJson(worker.describe());
  if (!offers.is_object()) {
    return Error{ErrorKind::kInternal, "the worker's description is not a JSON object", ""};
  }
  document.update(offers);
  AddCountersRung(document);
  channel.Send(core::AsciiJsonText(document, 2));
  return Ok{};
}

struct RunLine {
  int count;
  xsp_worker_rung rung;
};

/// Reads "run N" or "run N RUNG"; nothing when it is not such a line.
std::optional<RunLine> ParseRunLine(std::string_view line, xsp_worker_rung job_rung) {
  constexpr std::string_view kRun = "run ";
  if (!line.starts_with(kRun)) return std::nullopt;
  RunLine run = {0, job_rung};
  const char* end = line.data() + line.size();
  const auto [at, error] = std::from_chars(line.data() + kRun.size(), end, run.count);
  if (error != std::errc() || run.count < 1) return std::nullopt;
  if (at == end) return run;
  const auto rung = *at == ' ' ? RungNamed({at + 1, end}) : std::nullopt;
  if (!rung) return std::nullopt;
  run.rung = *rung;
  return run;
}

struct PairsLine {
  int count = 0;
  xsp_worker_rung rung = XSP_RUNG_MODEL;
  std::uint64_t seed = 0;
};

/// Reads "pairs COUNT RUNG SEED"; nothing when it is not such a line.
std::optional<PairsLine> ParsePairsLine(const std::string& line) {
  PairsLine pairs;
  std::istringstream words(line);
  std::string command, rung, rest;
  words >> command >> pairs.count >> rung >> pairs.seed;
  const auto known = RungNamed(rung);
  if (!words || command != "pairs" || words >> rest || pairs.count < 1 || !known)
    return std::nullopt;
  pairs.rung = *known;
  return pairs;
}

struct ServeLine {
  int count = 0;
  double rate_per_s = 0;
  std::uint64_t seed = 0;
};

/// Reads "serve COUNT RATE SEED"; nothing when it is not such a line.
std::optional<ServeLine> ParseServeLine(const std::string& line) {
  ServeLine serve;
  std::istringstream words(line);
  std::string command, rest;
  words >> command >> serve.count >> serve.rate_per_s >> serve.seed;
  if (!words || command != "serve" || words >> rest) return std::nullopt;
  if (serve.count < 1 || !(serve.rate_per_s > 0) || !std::isfinite(serve.rate_per_s))
    return std::nullopt;
  return serve;
}

struct EvaluateLine {
  std::size_t first = 0, count = 0;
};

/// Reads "evaluate FIRST COUNT"; nothing when it is not such a line.
std::optional<EvaluateLine> ParseEvaluateLine(const std::string& line) {
  EvaluateLine evaluate;
  std::istringstream words(line);
  std::string command, rest;
  words >> command >> evaluate.first >> evaluate.count;
  if (!words || command != "evaluate" || words >> rest || evaluate.count < 1) return std::nullopt;
  return evaluate;
}

/// What a command answers when it is done.
struct Done {
  std::size_t iterations = 0;  ///< Calls; of `pairs`: pairs; of `evaluate`: samples.
  Session::Latencies latencies;

  nlohmann::json ToJson() const {
    nlohmann::json event = {{"event", "done"}, {"iterations", iterations}};
    if (!latencies.own_ns.empty()) event["latencies_ns"] = latencies.own_ns;
    if (!latencies.baseline_ns.empty()) event["baseline_ns"] = latencies.baseline_ns;
    return event;
  }
};

/// Does what a line asks for.
Status ObeyLine(const std::string& line, Session& session, xsp_worker_rung job_rung, Done& done) {
  if (const auto run = ParseRunLine(line, job_rung)) {
    done.iterations = static_cast<std::size_t>(run->count);
    return session.Run(run->count, run->rung, true, done.latencies);
  }
  if (const auto pairs = ParsePairsLine(line)) {
    done.iterations = static_cast<std::size_t>(pairs->count);
    return session.Pairs(pairs->count, pairs->rung, pairs->seed, done.latencies);
  }
  if (const auto serve = ParseServeLine(line)) {
    done.iterations = static_cast<std::size_t>(serve->count);
    return session.Serve(serve->count, serve->rate_per_s, serve->seed);
  }
  if (const auto evaluate = ParseEvaluateLine(line)) {
    done.iterations = evaluate->count;
    return session.Evaluate(evaluate->first, evaluate->count);
  }
  return Error{ErrorKind::kUsage, "unknown line on stdin: " + line,
               "write \"run N\", \"run N RUNG\", \"pairs N RUNG SEED\", \"serve N RATE SEED\", "
               "\"evaluate FIRST N\", \"load\" or \"stop\""};
}

/// What tells that the model is loaded and warm.
nlohmann::json Ready(const Session& session) {
  nlohmann::json ready = {{"event", "ready"},
                          {"warmup", session.warmup_calls()},
                          {"settled", session.settled()},
                          {"latency_ns", session.warm_latency_ns()},
                          {"call_ns", session.last_call_ns()}};
  if (!session.guesses().empty()) ready["guessed"] = session.guesses();
  return ready;
}

/// Obeys the lines on stdin until "stop", end of file, a signal, or a reader that is gone.
Status Obey(Session& session, xsp_worker_rung job_rung, Channel& channel) {
  if (!channel.Send(core::JsonText(Ready(session)))) return Ok{};
  while (auto line = channel.Receive()) {
    if (*line == "stop") break;
    nlohmann::json answer;
    if (*line == "load") {
      XSP_RETURN_IF_ERROR(session.LoadAnew());
      answer = Ready(session);
    } else {
      Done done;
      XSP_RETURN_IF_ERROR(ObeyLine(*line, session, job_rung, done));
      answer = done.ToJson();
    }
    if (StopRequested()) break;
    if (!channel.Send(core::JsonText(answer))) break;
  }
  return Ok{};
}

Status Measure(const xsp_worker& worker, const Job& job, bool control, Channel& channel) {
  Session session(worker, job);
  XSP_RETURN_IF_ERROR(session.Load());
  XSP_RETURN_IF_ERROR(session.WarmUp());
  if (StopRequested()) return Ok{};
  if (control) return Obey(session, job.rung, channel);
  Session::Latencies ignored;
  return session.Run(job.iterations, job.rung, false, ignored);
}

/// An input as a manifest lists it.
nlohmann::json ToJson(const InputSpec& spec) {
  nlohmann::json shape = nlohmann::json::array();
  for (const std::int64_t size : spec.shape) shape.push_back(size);
  for (const std::size_t axis : spec.batch_axes) shape[axis] = "batch";
  nlohmann::json input = {
      {"name", spec.name}, {"dtype", xsp_worker_dtype_name(spec.dtype)}, {"shape", shape}};
  if (spec.fill == Fill::kValue) {
    input["value"] = spec.value;
  } else if (spec.fill != Fill::kDefault) {
    input["fill"] = FillName(spec.fill);
  }
  if (spec.range != InputSpec().range) input["range"] = {spec.range.first, spec.range.second};
  return input;
}

/// Prints what the model would be called with, and what of that was guessed.
Status PrintInputs(const xsp_worker& worker, const Arguments& arguments, Channel& channel) {
  Job job;
  XSP_RETURN_IF_ERROR(ReadJob(arguments.job, job));
  Session session(worker, job);
  const Status loaded = session.Load();
  if (!loaded.ok() && (loaded.error().kind != ErrorKind::kBadInput || session.guesses().empty()))
    return loaded;
  nlohmann::json document = {{"inputs", nlohmann::json::array()}, {"guessed", session.guesses()}};
  if (!loaded.ok()) document["refused"] = loaded.error().what;
  for (const InputSpec& spec : session.inputs()) document["inputs"].push_back(ToJson(spec));
  channel.Send(core::AsciiJsonText(document));
  return Ok{};
}

Status Predict(const xsp_worker& worker, const Arguments& arguments, Channel& channel) {
  Job job;
  XSP_RETURN_IF_ERROR(ReadJob(arguments.job, job));
  xsp_close();  // Of `xsp record`, which may have put its libraries into the worker, too.
  if (const int error = xsp_open(arguments.recording.c_str(), nullptr)) {
    return Error{ErrorKind::kEnvironment,
                 "cannot write the recording " + arguments.recording + ": " + std::strerror(error),
                 "check the folder, its permissions and the free space of the disk"};
  }
  Status measured = Measure(worker, job, arguments.control, channel);
  if (!measured.ok()) {
    RecordFact("error.kind", core::WorkerErrorName(measured.error().kind));
    RecordFact("error.what", measured.error().what);
  }
  xsp_close();
  return measured;
}

/// Does what the command line asks for. `arguments` is filled as far as it was understood: it tells
/// where an error goes.
Status RunCommand(const xsp_worker& worker, std::string_view command,
                  const std::vector<std::string>& words, Channel& channel, Arguments& arguments) {
  const std::string usage = Usage(worker);
  if (worker.abi != XSP_WORKER_ABI)
    return Error{ErrorKind::kInternal, "the worker was built for another harness", ""};
  if (command == "describe" && words.empty()) return Describe(worker, channel);
  if (command == "inputs") {
    XSP_RETURN_IF_ERROR(ParseArguments(words, usage, arguments));
    if (arguments.job.empty()) return Error{ErrorKind::kUsage, "--job is needed", usage};
    return PrintInputs(worker, arguments, channel);
  }
  if (command == "predict") {
    XSP_RETURN_IF_ERROR(ParseArguments(words, usage, arguments));
    if (arguments.job.empty() || arguments.recording.empty())
      return Error{ErrorKind::kUsage, "--job and --recording are both needed", usage};
    return Predict(worker, arguments, channel);
  }
  return Error{ErrorKind::kUsage, "give a command: describe, inputs or predict", usage};
}

int Main(int argc, char** argv, const xsp_worker& worker) {
  Channel channel;
  CatchSignals();
  const std::vector<std::string> words(argv + std::min(argc, 2), argv + argc);
  const std::string_view command = argc > 1 ? argv[1] : "";
  if (command == "--help" || command == "-h") {
    channel.Send(Usage(worker));
    return XSP_WORKER_OK;
  }
  Arguments arguments;
  const Status done = RunCommand(worker, command, words, channel, arguments);
  if (done.ok()) return StopRequested() ? static_cast<int>(ErrorKind::kInterrupted) : XSP_WORKER_OK;
  const Error& error = done.error();
  if (arguments.control) {
    channel.SendError(error);
  } else {
    std::fprintf(stderr, "error: %s\n", error.what.c_str());
    if (!error.hint.empty()) std::fprintf(stderr, "hint: %s\n", error.hint.c_str());
  }
  return static_cast<int>(error.kind);
}

}  // namespace
}  // namespace xsp::worker

extern "C" int xsp_worker_main(int argc, char** argv, const xsp_worker* worker) {
  return xsp::worker::Main(argc, argv, *worker);
}
