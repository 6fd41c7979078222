#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <utility>

#include "answer/suite/run/workloads.h"
#include "answer/suite/stored_experiment.h"
#include "answer/suite/suite_command.h"
#include "answer/suite/xsp_program.h"
#include "core/number_check.h"
#include "os/paths.h"

namespace xsp::suite::run {
namespace {

namespace fs = std::filesystem;
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
  XSP_TRY(const XspOutcome zoo, RunXsp(context, {"zoo", "list", "--format", "json"}));
  const auto list = nlohmann::json::parse(zoo.out, nullptr, false);
  if (!list.is_array())
    return Error{ErrorKind::kEnvironment, "xsp zoo list gave no answer: " + zoo.message, ""};
  Selection selection = options.selection;
  selection.python = Python();
  std::vector<Workload> workloads =
      WorkloadsOf(selection, list, os::DataRoot() / "zoo" / "training");
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

/// Measures what is in the store already once more; the old one goes when the new one is stored.
Result<std::string> MeasureAgain(const CommandContext& context, const std::string& experiment,
                                 const std::vector<std::string>& arguments,
                                 const Workload& workload, XspOutcome* ran) {
  StagingStore beside(context.store, experiment);
  CommandContext there = context;
  there.store = beside.path();
  XSP_TRY(*ran, RunXsp(there, arguments, workload.program));
  const std::string before = StoredStatus(context.store / experiment);
  const std::string after = StoredStatus(beside.path() / experiment);
  if (after.empty()) return std::string("; the earlier experiment is kept");
  if (after != "done" && before == "done")
    return fmt::format("; the new experiment is {}, and the complete earlier one is kept", after);
  XSP_RETURN_IF_ERROR(beside.Replace());
  return std::string();
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

/// What `xsp run` says of its failures; `xsp record` ends as the program that it recorded.
ErrorKind FailureOf(const Workload& workload, const os::ExitStatus& exit) {
  if (!workload.program.empty()) return ErrorKind::kBadInput;
  const bool says_kind = exit.signal == 0 && exit.code >= static_cast<int>(ErrorKind::kBadInput) &&
                         exit.code <= static_cast<int>(ErrorKind::kEnvironment);
  return says_kind ? static_cast<ErrorKind>(exit.code) : ErrorKind::kEnvironment;
}

Result<Outcome> Measure(const CommandContext& context, const Options& options,
                        const Workload& workload) {
  Outcome outcome{workload, "kept", 0, ExperimentOf(options, workload), ""};
  const fs::path folder = context.store / outcome.experiment;
  if (IsKept(context, options, workload)) {
    outcome.why = DifferenceFrom(folder, workload.arguments);
    return outcome;
  }
  std::vector<std::string> arguments = workload.arguments;
  arguments.insert(arguments.end(), {"--name", outcome.experiment});
  const auto begin = Clock::now();
  XspOutcome ran;
  std::string kept;
  if (StoredStatus(folder).empty()) {
    XSP_TRY(ran, RunXsp(context, arguments, workload.program));
  } else {
    XSP_TRY(kept, MeasureAgain(context, outcome.experiment, arguments, workload, &ran));
  }
  outcome.seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  const std::string stored = kept.empty() ? StoredStatus(folder) : "";
  const bool failed = stored.empty() || stored == "failed";
  outcome.status = failed ? "failed" : "measured";
  outcome.failure = FailureOf(workload, ran.exit);
  if (failed || !ran.exit.success())
    outcome.why = (ran.message.empty() ? os::ToString(ran.exit) : ran.message) + kept;
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
    context.progress(fmt::format("{} of {}: {}, about {:.0f} min left", i + 1, workloads.size(),
                                 workloads[i].name, std::max(1.0, left / 60)));
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

Action Declare(CLI::App& app, const CommandContext& context) {
  auto options = std::make_shared<Options>();
  Selection& selection = options->selection;
  app.add_option("SUITE", options->set, "zoo: the models and training programs of XSP")->required();
  app.add_flag("--quick", selection.quick,
               "A few small workloads with few calls, for continuous integration");
  app.add_option("--kind", selection.kinds, "inference, kernel, training (default: all)")
      ->delimiter(',')
      ->type_name("KIND,...");
  app.add_option("--only", selection.names, "Only these workloads: names of the zoo, or train_NAME")
      ->delimiter(',')
      ->type_name("NAME,...");
  app.add_option("--backend", selection.backends,
                 "Frameworks of the models (default: each one's own)")
      ->delimiter(',')
      ->type_name("NAME,...");
  app.add_option("--batch", selection.batches, "Batch sizes")
      ->delimiter(',')
      ->check(core::PositiveNumber)
      ->type_name("N,...")
      ->default_str("1");
  app.add_option("--iterations", selection.iterations, "Model calls per rung")
      ->check(core::PositiveNumber)
      ->type_name("N")
      ->capture_default_str();
  app.add_option("--name", options->name, "Prefix of the names of experiments")
      ->type_name("NAME")
      ->capture_default_str();
  app.add_flag("--again", options->again,
               "Measure again what is already in the store; the old experiment is kept until the "
               "new one is stored");
  return [&context, options] { return Run(context, *options); };
}

}  // namespace

extern const SuiteSpec kSpec;
constinit const SuiteSpec kSpec = {
    .name = "run",
    .summary = "Measures a suite of workloads on this machine; continues after an interruption",
    .example = "xsp suite run zoo --quick",
    .declare = Declare,
};

}  // namespace xsp::suite::run
