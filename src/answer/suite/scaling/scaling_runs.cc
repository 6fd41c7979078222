#include "answer/suite/scaling/scaling_runs.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <system_error>
#include <utility>

#include "answer/suite/data_frame.h"
#include "answer/suite/error_excerpt.h"
#include "answer/suite/operation_call.h"
#include "answer/suite/stored_experiment.h"
#include "core/counted.h"
#include "core/statistics.h"
#include "os/paths.h"
#include "os/subprocess.h"
#include "store/catalogue.h"
#include "store/database.h"

namespace xsp::suite::scaling {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using store::Cell;

/// Of one job: the latencies in ns by number of threads.
using Latencies = std::map<int, std::vector<double>>;

/// The settings without those that do not make another job: threads, and what is random.
std::string OtherSettings(json settings) {
  for (const char* key : {"threads", "seed", "rung"}) settings.erase(key);
  return settings.dump();
}

/// Names for jobs: model and backend, and what else is needed to tell them apart.
std::string NameOf(const std::vector<Cell>& row) {
  std::string name = TextOf(row[0]) + " " + TextOf(row[1]);
  if (const std::string device = TextOf(row[2]); device != "cpu") name += " " + device;
  name += " " + TextOf(row[3]);
  if (const std::string batch = TextOf(row[4]); !batch.empty()) name += " batch " + batch;
  return name;
}

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

Result<JobTable> ThreadTimes(const fs::path& store, const std::vector<std::string>& experiments,
                             std::vector<std::string>* treatments) {
  std::vector<fs::path> folders;
  for (const std::string& experiment : experiments) {
    XSP_TRY(const fs::path folder, store::Resolve(store, experiment));
    folders.push_back(folder);
  }
  XSP_TRY(const store::Database database, store::Database::Open(folders));
  XSP_TRY(const store::Table points,
          database.Query("SELECT model, backend, device, precision, batch, settings, latency_ns "
                         "FROM point WHERE latency_ns > 0"));
  std::map<std::pair<std::string, std::string>, Latencies> jobs;
  std::size_t unsaid = 0;
  for (const auto& row : points.rows) {
    const json settings = json::parse(TextOf(row[5]), nullptr, false);
    const int threads = settings.is_object() && settings.contains("threads") &&
                                settings["threads"].is_number_integer()
                            ? settings["threads"].get<int>()
                            : 0;
    // 0 is the framework's own choice, which nobody wrote down.
    if (threads < 1) {
      ++unsaid;
    } else {
      jobs[{NameOf(row), OtherSettings(settings)}][threads].push_back(std::get<double>(row[6]));
    }
  }
  if (jobs.empty())
    return Error{ErrorKind::kBadInput,
                 fmt::format("none of {} has a number of threads",
                             core::Counted(points.rows.size(), "point")),
                 "measure with xsp run MODEL --threads N, or xsp suite scaling --run MODEL "
                 "--threads 1,2"};
  if (unsaid > 0)
    treatments->push_back(fmt::format(
        "{} of {} {} not say how many threads {} used and {} left out.", unsaid,
        core::Counted(points.rows.size(), "point"), core::ByNumber(unsaid, "does", "do"),
        core::ByNumber(unsaid, "it", "they"), core::ByNumber(unsaid, "is", "are")));
  JobTable table{{}, "ns", "measured:xsp"};
  std::map<std::string, int> named;
  for (const auto& [key, latencies] : jobs) {
    const int count = ++named[key.first];
    JobTimes& job = table.jobs.emplace_back();
    job.job = count == 1 ? key.first : fmt::format("{} ({})", key.first, count);
    for (const auto& [threads, values] : latencies) {
      job.at.push_back({threads, core::Median(values), kMissing});
      if (values.size() > 1)
        treatments->push_back(fmt::format("{} on {} was measured {}: the median.", job.job,
                                          core::Counted(threads, "thread"),
                                          core::Counted(values.size(), "time")));
    }
  }
  return table;
}

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
