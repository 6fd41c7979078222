#include "answer/suite/scaling/scaling_runs.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <nlohmann/json.hpp>
#include <system_error>
#include <utility>

#include "answer/suite/error_excerpt.h"
#include "answer/suite/operation_call.h"
#include "answer/suite/stored_experiment.h"
#include "core/counted.h"
#include "os/paths.h"
#include "os/subprocess.h"

namespace xsp::suite::scaling {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

/// What `xsp run` is asked for on so many threads.
json RequestFor(const ModelToRun& what, int threads) {
  json request = {{"model", what.model},
                  {"threads", threads},
                  {"batch", {what.batch}},
                  {"iterations", what.iterations},
                  {"depth", "model"}};
  if (!what.backend.empty()) request["backend"] = std::vector<std::string>{what.backend};
  request["name"] =
      StoreName({"scaling", fs::path(what.model).stem().string(), what.backend,
                 fmt::format("batch{}", what.batch), fmt::format("x{}", what.iterations),
                 fmt::format("threads{}", threads)});
  return request;
}

/// As CallOperation(); an earlier experiment is the backup, and comes back if there is no new one.
Result<Performed> RunInPlaceOf(const CommandContext& context, const std::string& name,
                               const json& request) {
  ExperimentBackup before(context.store / name);
  auto outcome = CallOperation(context, "run", request, context.store);
  if (!StoredStatus(context.store / name).empty()) before.Replaced();
  return outcome;
}

/// What is to be said of a run that failed, or of which a part did.
Error FailedRun(const ModelToRun& what, int threads, ErrorKind kind, const std::string& why) {
  return {kind, fmt::format("xsp run {} --threads {} failed: {}", what.model, threads, why),
          "run it alone: xsp run " + what.model};
}

}  // namespace

Result<std::vector<std::string>> RunOnThreads(const CommandContext& context, const ModelToRun& what,
                                              const std::vector<int>& threads,
                                              std::vector<std::string>* treatments) {
  std::vector<std::string> names;
  std::vector<std::string> differed;
  for (const int count : threads) {
    const json request = RequestFor(what, count);
    const std::string& name = names.emplace_back(request.at("name").get<std::string>());
    // With one rung, what is not done is not whole.
    if (StoredStatus(context.store / name) == "done") {
      const std::string difference =
          DifferenceFrom(context.store / name, context.command_line("run", request), what.model);
      if (difference.empty()) continue;
      differed.push_back(fmt::format("{}, {}", name, difference));
    }
    context.progress->Step(
        fmt::format("measuring {} on {}", what.model, core::Counted(count, "thread")), -1, -1);
    const auto done = RunInPlaceOf(context, name, request);
    if (!done.ok() && done.error().kind == ErrorKind::kInterrupted) return done.error();
    if (!done.ok()) return FailedRun(what, count, done.error().kind, TextOf(done.error()));
    if (const std::string why = FailureText(done.value()); !why.empty())
      return FailedRun(what, count, FailureKind(done.value().exit_status), why);
  }
  if (!differed.empty())
    treatments->push_back(fmt::format(
        "{} of the store {} measured anew and replaced, since {} of another model or other "
        "settings. The first: {}.",
        core::Counted(differed.size(), "experiment"),
        core::ByNumber(differed.size(), "was", "were"),
        core::ByNumber(differed.size(), "it was", "they were"), differed.front()));
  return names;
}

Result<JobTable> TrainInProcesses(const Training& what, const std::vector<int>& processes,
                                  core::Progress& progress, const os::Interrupts& interrupts) {
  const fs::path program = os::DataRoot() / "zoo" / "training" / "data_parallel.py";
  const std::string python = os::Environment("XSP_PYTHON").value_or("python3");
  JobTable table{{{"data_parallel.py", 0, {}}}, "s", "measured:data_parallel.py"};
  for (const int count : processes) {
    if (what.batch % count != 0)
      return Error{ErrorKind::kBadInput,
                   fmt::format("{} {} not divide the batch: {}",
                               core::Counted(count, "process", "processes"),
                               core::ByNumber(count, "does", "do"), what.batch),
                   "choose a --batch that each number of processes divides"};
    progress.Step(fmt::format("training in {}", core::Counted(count, "process", "processes")), -1,
                  -1);
    os::SpawnOptions run;
    run.argv = {python,    program.string(),           "--processes", std::to_string(count),
                "--steps", std::to_string(what.steps), "--batch",     std::to_string(what.batch)};
    XSP_TRY(const os::Completed done,
            os::RunToEnd(run, std::chrono::hours(1), 1 << 24, interrupts.wake_fd()));
    if (!done.exit.success())
      return Error{done.exit.code == 4 ? ErrorKind::kNotPossible : ErrorKind::kEnvironment,
                   fmt::format("training in {} failed ({}): {}",
                               core::Counted(count, "process", "processes"),
                               os::ToString(done.exit), ErrorExcerpt(done.stderr_tail)),
                   done.exit.code == 4 ? "tools/setup installs PyTorch, or name a Python that has "
                                         "it by XSP_PYTHON"
                                       : ""};
    constexpr std::string_view kMark = "seconds_per_step ";
    const std::size_t at = done.out.rfind(kMark);
    double seconds = 0;
    if (at != std::string::npos)
      std::from_chars(done.out.data() + at + kMark.size(), done.out.data() + done.out.size(),
                      seconds);
    if (!(seconds > 0))
      return Error{ErrorKind::kEnvironment, "the training program reported no time", ""};
    table.jobs.front().at.push_back({count, seconds, kMissing});
  }
  std::ranges::sort(table.jobs.front().at, {}, &WidthTime::width);
  return table;
}

}  // namespace xsp::suite::scaling
