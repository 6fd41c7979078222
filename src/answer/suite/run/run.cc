#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <sstream>
#include <utility>

#include "answer/suite/error_excerpt.h"
#include "answer/suite/operation_call.h"
#include "answer/suite/run/workloads.h"
#include "answer/suite/stored_experiment.h"
#include "answer/suite/suite_command.h"
#include "os/paths.h"
#include "os/scratch_folder.h"
#include "os/subprocess.h"

namespace xsp::suite::run {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using Clock = std::chrono::steady_clock;

struct Options {
  std::string set;
  Selection selection;
  std::string name = "zoo";
  bool again = false;
};

/// The Python that has the frameworks: the user's, that of tools/setup, the system's.
std::string Python() {
  if (const auto python = os::Environment("XSP_PYTHON")) return *python;
  const fs::path ours = os::DataRoot() / ".deps" / "python" / "bin" / "python3";
  std::error_code ignored;
  return fs::exists(ours, ignored) ? ours.string() : "python3";
}

Result<std::vector<Workload>> ChosenWorkloads(const CommandContext& context,
                                              const Options& options) {
  if (options.set != "zoo")
    return Error{ErrorKind::kUsage, "no such suite: " + options.set, "there is one: zoo"};
  for (const std::string& kind : options.selection.kinds)
    if (kind != "inference" && kind != "kernel" && kind != "training")
      return Error{ErrorKind::kUsage, "no such kind of workload: " + kind,
                   "inference, kernel or training"};
  XSP_TRY(const Performed zoo, CallOperation(context, "zoo/list", json::object(), context.store));
  Selection selection = options.selection;
  selection.python = Python();
  std::vector<Workload> workloads =
      WorkloadsOf(selection, zoo.document, os::DataRoot() / "zoo" / "training");
  for (const std::string& name : selection.names)
    if (std::ranges::find(workloads, name, &Workload::name) == workloads.end())
      return Error{ErrorKind::kUsage, "no such workload: " + name,
                   "xsp zoo list lists the models; a training program is train_NAME"};
  return workloads;
}

/// A store of its own beside what it shall replace, hidden from readers; removed at the end.
class StagingStore {
 public:
  StagingStore(const fs::path& store, const std::string& experiment)
      : place_(store / experiment), path_(store / ("." + experiment + ".again")) {
    Remove();  // What a call left that was killed.
  }
  ~StagingStore() {
    if (!holds_old_) Remove();
  }
  StagingStore(const StagingStore&) = delete;
  StagingStore& operator=(const StagingStore&) = delete;

  const fs::path& path() const { return path_; }

  /// Puts the new experiment in the place of the old one, which is lost only then: at once where
  /// the file system can exchange two folders.
  Status Replace() {
    const fs::path made = path_ / place_.filename();
    if (renameat2(AT_FDCWD, made.c_str(), AT_FDCWD, place_.c_str(), RENAME_EXCHANGE) == 0)
      return Ok{};
    const fs::path old = path_ / ".old";
    std::error_code error;
    fs::rename(place_, old, error);
    if (!error) {
      fs::rename(made, place_, error);
      std::error_code unrestored;
      if (error) fs::rename(old, place_, unrestored);
      holds_old_ = static_cast<bool>(unrestored);
    }
    if (!error) return Ok{};
    return Error{
        ErrorKind::kEnvironment,
        fmt::format("the experiment cannot be replaced: {}: {}", place_.string(), error.message()),
        fmt::format("the earlier one is kept{}; make the store writable",
                    holds_old_ ? " as " + old.string() : "")};
  }

 private:
  void Remove() const {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }

  fs::path place_, path_;
  bool holds_old_ = false;  ///< It could not be put back.
};

/// How measuring went.
struct Measurement {
  std::string failure;  ///< The reason, also where only a part failed; empty: nothing failed.
  ErrorKind kind = ErrorKind::kEnvironment;
};

/// The end of what a recorded program wrote to `file`.
std::string ExcerptOf(const fs::path& file) {
  std::ifstream in(file, std::ios::binary | std::ios::ate);
  constexpr std::streamoff kEnd = 1 << 16;
  in.seekg(std::max<std::streamoff>(0, in.tellg() - kEnd));
  std::ostringstream text;
  text << in.rdbuf();
  return ErrorExcerpt(text.str());
}

/// The end of a recorded program in words, where it did not end well.
std::string EndOf(const json& document) {
  const json program = document.value("program", json::object());
  if (!program.is_object()) return {};
  os::ExitStatus exit;
  exit.code = program.value("exit_code", 0);
  exit.signal = program.value("signal", 0);
  return exit.success() ? "" : os::ToString(exit);
}

/// How recording a program went that wrote to `output`.
Measurement FailureOfProgram(const Performed& performed, const fs::path& output) {
  if (performed.exit_status == 0) return {};
  const std::string end = EndOf(performed.document);
  if (end.empty()) return {FailureText(performed), FailureKind(performed.exit_status)};
  const std::string words = ExcerptOf(output);
  return {words.empty() ? end : words, ErrorKind::kBadInput};
}

/// Measures `workload` as `experiment` of `store`. Errors: kInterrupted; what else fails is in the
/// measurement, and the other workloads go on.
Result<Measurement> MeasureInto(const CommandContext& context, const fs::path& store,
                                const std::string& experiment, const Workload& workload) {
  json request = workload.request;
  request["name"] = experiment;
  // What a program writes is not our answer.
  XSP_TRY(const os::ScratchFolder scratch, os::ScratchFolder::Create());
  const fs::path output = scratch.path() / "output";
  if (workload.IsProgram()) request["program_output"] = output.string();
  const auto performed = CallOperation(context, workload.operation, request, store);
  if (!performed.ok()) {
    const Error& error = performed.error();
    if (error.kind == ErrorKind::kInterrupted) return error;
    return Measurement{TextOf(error), FailureKind(static_cast<int>(error.kind))};
  }
  if (workload.IsProgram()) return FailureOfProgram(performed.value(), output);
  return Measurement{FailureText(performed.value()), FailureKind(performed.value().exit_status)};
}

/// Measures what is in the store already once more; the old one goes when the new one is stored.
/// Appends to the failure what is kept instead; returns whether there is a new one.
Result<bool> MeasureAgain(const CommandContext& context, const std::string& experiment,
                          const Workload& workload, Measurement* measurement) {
  StagingStore beside(context.store, experiment);
  XSP_TRY(*measurement, MeasureInto(context, beside.path(), experiment, workload));
  const std::string before = StoredStatus(context.store / experiment);
  const std::string after = StoredStatus(beside.path() / experiment);
  std::string kept;
  if (after.empty()) {
    kept = "; the earlier experiment is kept";
  } else if (after != "done" && before == "done") {
    kept = fmt::format("; the new experiment is {}, and the complete earlier one is kept", after);
  } else {
    XSP_RETURN_IF_ERROR(beside.Replace());
    return true;
  }
  if (measurement->failure.empty()) measurement->failure = "nothing was measured";
  measurement->failure += kept;
  return false;
}

std::string ExperimentOf(const Options& options, const Workload& workload) {
  return StoreName({options.name, options.selection.quick ? "quick" : "", workload.name});
}

/// Whether what is in the store of it counts. What was interrupted or failed is kept until it is
/// whole, and does not.
bool IsKept(const CommandContext& context, const Options& options, const Workload& workload) {
  if (options.again) return false;
  const std::string status = StoredStatus(context.store / ExperimentOf(options, workload));
  return !status.empty() && status != "interrupted" && status != "failed";
}

/// The command that `workload` would be measured by, as far as it is one: a program has the name of
/// its workload, and its arguments are ours.
std::string CommandOf(const CommandContext& context, const Workload& workload) {
  json request = workload.request;
  request.erase("program");
  return context.command_line(workload.operation, request);
}

Result<Outcome> Measure(const CommandContext& context, const Options& options,
                        const Workload& workload) {
  Outcome outcome{workload, "kept", 0, ExperimentOf(options, workload), ""};
  const fs::path folder = context.store / outcome.experiment;
  if (IsKept(context, options, workload)) {
    outcome.why = DifferenceFrom(folder, CommandOf(context, workload));
    return outcome;
  }
  const auto begin = Clock::now();
  Measurement measurement;
  bool is_new = true;
  if (StoredStatus(folder).empty()) {
    XSP_TRY(measurement, MeasureInto(context, context.store, outcome.experiment, workload));
  } else {
    XSP_TRY(is_new, MeasureAgain(context, outcome.experiment, workload, &measurement));
  }
  outcome.seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  const std::string stored = is_new ? StoredStatus(folder) : "";
  const bool failed = stored.empty() || stored == "failed";
  outcome.status = failed ? "failed" : "measured";
  outcome.failure = measurement.kind;
  outcome.why = std::move(measurement.failure);
  if (failed && outcome.why.empty()) outcome.why = "nothing was measured";
  return outcome;
}

Result<Answer> Run(const CommandContext& context, const Options& options) {
  XSP_TRY(const std::vector<Workload> workloads, ChosenWorkloads(context, options));
  if (workloads.empty())
    return Error{ErrorKind::kUsage, "no workload is of these kinds", "xsp zoo list lists them"};
  std::vector<Outcome> outcomes;
  for (std::size_t i = 0; i < workloads.size(); ++i) {
    std::vector<Workload> rest(workloads.begin() + static_cast<std::ptrdiff_t>(i), workloads.end());
    std::erase_if(rest, [&](const Workload& each) { return IsKept(context, options, each); });
    const double left = SecondsLeft(outcomes, rest);
    context.progress->Step(
        fmt::format("{} of {}: {}, about {:.0f} min left", i + 1, workloads.size(),
                    workloads[i].name, std::max(1.0, left / 60)),
        -1, -1);
    XSP_TRY(Outcome outcome, Measure(context, options, workloads[i]));
    outcomes.push_back(std::move(outcome));
  }
  Answer answer = Summarise(outcomes);
  answer.method.push_back(
      "Models by `xsp run` (all rungs), training programs of zoo/training by `xsp record`, each an "
      "experiment of its own. Experiments of the same name in the store are kept: an interrupted "
      "call continues where it ended; --again measures them again.");
  if (options.selection.quick)
    answer.method.push_back(
        "--quick: a few small workloads and 5 calls of each, as a smoke test; do not compare these "
        "figures.");
  answer.method.push_back("`xsp suite report` answers what these have in common.");
  return answer;
}

Action Declare(core::RequestFields& fields, const CommandContext& context) {
  auto options = std::make_shared<Options>();
  Selection& selection = options->selection;
  fields.Add("suite", &options->set,
             {.help = "zoo: the models and training programs of XSP",
              .value_name = "SUITE",
              .required = true,
              .positional = true});
  fields.Add("quick", &selection.quick,
             {.help = "A few small workloads with few calls, for continuous integration"});
  fields.Add("kind", &selection.kinds,
             {.help = "inference, kernel, training (default: all)",
              .value_name = "KIND,...",
              .list = core::ListStyle::kCommas});
  fields.Add("only", &selection.names,
             {.help = "Only these workloads: names of the zoo, or train_NAME",
              .value_name = "NAME,...",
              .list = core::ListStyle::kCommas});
  fields.Add("backend", &selection.backends,
             {.help = "Frameworks of the models (default: each one's own)",
              .value_name = "NAME,...",
              .list = core::ListStyle::kCommas});
  fields.Add("batch", &selection.batches,
             {.help = "Batch sizes",
              .value_name = "N,...",
              .range = core::kPositive,
              .list = core::ListStyle::kCommas,
              .or_default = "1"});
  fields.Add("iterations", &selection.iterations,
             {.help = "Model calls per rung", .value_name = "N", .range = core::kPositive});
  fields.Add("name", &options->name,
             {.help = "Prefix of the names of experiments", .value_name = "NAME"});
  fields.Add(
      "again", &options->again,
      {.help = "Measure again what is already in the store; the old experiment is kept until the "
               "new one is stored"});
  return [&context, options] { return Run(context, *options); };
}

}  // namespace

extern const SuiteSpec kSpec;
constinit const SuiteSpec kSpec = {
    .name = "run",
    .summary = "Measures a suite of workloads on this machine; continues after an interruption",
    .example = "xsp suite run zoo --quick",
    .declare = Declare,
    .measures = true,
};

}  // namespace xsp::suite::run
