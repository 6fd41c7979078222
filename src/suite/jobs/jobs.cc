#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/counted.h"
#include "base/files.h"
#include "suite/jobs/kinds.h"
#include "suite/last_words.h"
#include "suite/suite_command.h"
#include "suite/xsp_program.h"

namespace xsp::suite::jobs {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

struct Options {
  std::string file;
  std::vector<std::string> misplaced;  ///< What should stand after `--`.
  std::string distributed;
  double work = 1;
  std::vector<std::string> with;
  int copies = 2;
  int rounds = 3;
  double rate_hz = 10;
  std::string name;
  std::string launch, launched;  ///< Files between us and the copy of us under the monitor.
};

/// The name of a program without its folder and ending; of a script, not of what runs it.
std::string NameOf(const std::vector<std::string>& program) {
  const std::string name = fs::path(program.front()).stem().string();
  const bool runs_scripts = name.starts_with("python") || name == "sh" || name == "bash";
  if (runs_scripts && program.size() > 1 && !program[1].starts_with("-"))
    return fs::path(program[1]).stem().string();
  return name;
}

Result<Request> RequestOf(const Surroundings& surroundings, const Options& options) {
  if (!options.misplaced.empty())
    return Error{ErrorKind::kUsage,
                 "program does not stand after `--`: " + options.misplaced.front(),
                 "xsp suite jobs -- " + options.misplaced.front()};
  if (!options.file.empty() && !surroundings.program.empty())
    return Error{ErrorKind::kUsage, "both a file of jobs and a program after `--`",
                 "name one of them"};
  if (!options.file.empty()) {
    XSP_TRY(Request request, ReadRequest(options.file));
    return request;
  }
  if (surroundings.program.empty())
    return Error{ErrorKind::kUsage, "no job to run",
                 "xsp suite jobs --copies 4 -- python3 train.py"};
  Request request;
  request.copies = options.copies;
  Job job{NameOf(surroundings.program), surroundings.program, {}, options.work};
  if (!options.distributed.empty()) job.distributed = {"sh", "-c", options.distributed};
  request.jobs.push_back(std::move(job));
  for (const std::string& other : options.with)
    request.jobs.push_back(
        {fmt::format("job{}", request.jobs.size() + 1), {"sh", "-c", other}, {}, 1});
  for (const Job& one : request.jobs) request.mixed.push_back(one.name);
  return request;
}

/// In the copy of xsp that runs under the monitor: starts the programs and writes how they ended.
Result<Answer> LaunchHere(const Options& options) {
  XSP_TRY(const std::string text, base::ReadFile(options.launch));
  XSP_TRY(const std::vector<Launch> launches, LaunchesOf(text));
  const std::string ended =
      ToJson(StartTogether(launches)).dump(2, ' ', false, json::error_handler_t::replace);
  XSP_RETURN_IF_ERROR(base::WriteFileAtomically(options.launched, ended));
  return Answer{"jobs", "Programs started together", {}, {}, {}, {}};
}

std::map<std::string, double> UsageOf(const std::string& summary) {
  std::map<std::string, double> usage;
  const json document = json::parse(summary, nullptr, false);
  if (!document.is_object()) return usage;
  for (const json& row : document.value("summary", json::array()))
    if (row.value("part", "") == "" && row.contains("mean") && row["mean"].is_number())
      usage[row.value("name", "")] = row["mean"].get<double>();
  return usage;
}

/// A folder for the files between processes, removed at the end.
struct Scratch {
  fs::path path;
  explicit Scratch(fs::path folder) : path(std::move(folder)) {}
  ~Scratch() {
    std::error_code ignored;
    fs::remove_all(path, ignored);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
};

Result<Round> RunRound(const Surroundings& surroundings, const Options& options,
                       const fs::path& folder, const Kind& kind, const std::string& name) {
  const std::string launch = (folder / "launch.json").string();
  const std::string launched = (folder / "launched.json").string();
  const std::string summary = (folder / "summary.json").string();
  XSP_RETURN_IF_ERROR(base::WriteFileAtomically(launch, ToJson(kind.launches).dump()));
  XSP_TRY(const XspOutcome outcome, RunXsp(surroundings,
                                           {"monitor", "--rate", fmt::format("{}", options.rate_hz),
                                            "--name", name, "--format", "json", "-o", summary},
                                           {surroundings.xsp.string(), "suite", "jobs", "--launch",
                                            launch, "--launched", launched}));
  if (!outcome.exit.success())
    return Error{ErrorKind::kEnvironment,
                 fmt::format("the system monitor beside {} failed: {}", kind.name, outcome.message),
                 ""};
  XSP_TRY(const std::string ended, base::ReadFile(launched));
  XSP_TRY(const std::string usage, base::ReadFile(summary));
  Round round;
  XSP_TRY(round.ended, EndedOf(ended));
  for (const Ended& one : round.ended)
    if (!one.success)
      return Error{ErrorKind::kBadInput,
                   fmt::format("{} of {} failed: {}", one.job, kind.name, one.exit),
                   one.stderr_tail.empty() ? "it wrote nothing to standard error"
                                           : "its last words: " + LastWords(one.stderr_tail)};
  round.usage = UsageOf(usage);
  round.experiment = name;
  return round;
}

Result<Answer> Run(const Surroundings& surroundings, const Options& options) {
  if (!options.launch.empty()) return LaunchHere(options);
  XSP_TRY(const Request request, RequestOf(surroundings, options));
  XSP_TRY(const std::vector<Kind> kinds, KindsOf(request));
  std::string pattern = (fs::temp_directory_path() / "xsp-jobs-XXXXXX").string();
  if (mkdtemp(pattern.data()) == nullptr)
    return Error{ErrorKind::kEnvironment, "no temporary folder can be made: " + pattern,
                 "set TMPDIR to a folder that can be written"};
  const Scratch scratch{pattern};
  const std::string base_name =
      options.name.empty() ? "jobs-" + request.jobs.front().name : options.name;

  std::vector<Round> rounds;
  for (int turn = 0; turn < options.rounds; ++turn) {
    for (std::size_t k = 0; k < kinds.size(); ++k) {
      surroundings.progress(
          fmt::format("round {} of {}: {}", turn + 1, options.rounds, kinds[k].name));
      const std::string name = StoreName({base_name, kinds[k].name, std::to_string(turn + 1)});
      XSP_TRY(Round round, RunRound(surroundings, options, scratch.path, kinds[k], name));
      round.kind = k;
      rounds.push_back(std::move(round));
    }
  }
  Answer answer = Summarise(kinds, rounds, options.rate_hz);
  answer.method.insert(
      answer.method.begin(),
      {fmt::format("{}; in each, every kind ran once, in turns. Times are medians, ranges the "
                   "least and the most.",
                   base::Counted(options.rounds, "round")),
       "Processes of a kind are started together. Throughput counts the work of a process as the "
       "seconds of its single run; "
       "a distributed run is taken to do the work of one single run unless its work is stated.",
       "Use of the machine is that of all its programs, sampled by xsp monitor from before the "
       "start to after the end. "
       "Each run of a kind is an experiment in the store, whose whole series `xsp analyze "
       "system_timeline NAME` draws and whose table-6 row "
       "`xsp analyze system_usage NAME` gives."});
  return answer;
}

Action Declare(CLI::App& app, const Surroundings& surroundings) {
  auto options = std::make_shared<Options>();
  app.add_option("FILE", options->file, "A jobs.yaml with several jobs (in place of COMMAND)");
  app.add_option("--copies", options->copies, "Programs of a uniform run")
      ->check(CLI::Range(2, 1024).description(""))
      ->type_name("N")
      ->capture_default_str();
  app.add_option("--distributed", options->distributed,
                 "The same job spread over processes: a command for the shell")
      ->type_name("COMMAND");
  app.add_option("--work", options->work, "Work of the distributed run, in single runs")
      ->check(CLI::PositiveNumber.description(""))
      ->type_name("X")
      ->capture_default_str();
  app.add_option("--with", options->with,
                 "Another job of the mixed run: a command for the shell; may be repeated")
      ->type_name("COMMAND");
  app.add_option("--rounds", options->rounds, "How often each kind runs")
      ->check(CLI::Range(1, 1000).description(""))
      ->type_name("N")
      ->capture_default_str();
  app.add_option("--rate", options->rate_hz, "Samples of the machine a second")
      ->type_name("HZ")
      ->capture_default_str();
  app.add_option("--name", options->name, "What names of experiments begin with")
      ->type_name("NAME");
  // By this name main() knows that a program may follow.
  app.add_option("COMMAND", options->misplaced, "After `--`: a program and its arguments")
      ->type_name("");
  app.add_option("--launch", options->launch)->group("");
  app.add_option("--launched", options->launched)->group("");
  return [&surroundings, options] { return Run(surroundings, *options); };
}

}  // namespace

extern const SuiteSpec kSpec;
constinit const SuiteSpec kSpec = {
    .name = "jobs",
    .summary =
        "One job alone, several at once, one spread over processes: time and use of the machine",
    .example = "xsp suite jobs --copies 2 --with 'gzip -kc big > /dev/null' -- python3 train.py",
    .declare = Declare,
};

}  // namespace xsp::suite::jobs
