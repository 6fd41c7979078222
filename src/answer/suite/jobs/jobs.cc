#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "answer/suite/error_excerpt.h"
#include "answer/suite/jobs/kinds.h"
#include "answer/suite/suite_command.h"
#include "answer/suite/xsp_program.h"
#include "core/counted.h"
#include "core/number_check.h"
#include "os/files.h"

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

/// Options of a program after `--`, and the key by which a file of jobs says the same.
constexpr std::pair<const char*, const char*> kSaidByFile[] = {{"--copies", "copies"},
                                                               {"--distributed", "distributed"},
                                                               {"--work", "distributed_work"},
                                                               {"--with", "jobs"}};

/// A file says all of its jobs: an option beside it that nothing reads would be missed silently.
Status CheckBesideFile(const CLI::App& app, const std::string& file) {
  if (file.empty()) return Ok{};
  for (const auto& [option, key] : kSaidByFile)
    if (app.count(option) > 0)
      return Error{ErrorKind::kUsage,
                   fmt::format("{} cannot be combined with a file of jobs: {}", option, file),
                   fmt::format("set the key `{}` in the file (docs/suite/jobs.md)", key)};
  return Ok{};
}

Result<Request> RequestOf(const CommandContext& context, const Options& options) {
  if (!options.misplaced.empty())
    return Error{ErrorKind::kUsage, "program is not after `--`: " + options.misplaced.front(),
                 "xsp suite jobs -- " + options.misplaced.front()};
  if (!options.file.empty() && !context.program.empty())
    return Error{ErrorKind::kUsage, "both a file of jobs and a program after `--`",
                 "name one of them"};
  if (!options.file.empty()) {
    XSP_TRY(Request request, ReadRequest(options.file));
    return request;
  }
  if (context.program.empty())
    return Error{ErrorKind::kUsage, "no job to run",
                 "xsp suite jobs --copies 4 -- python3 train.py"};
  Request request;
  request.copies = options.copies;
  Job job{NameOf(context.program), context.program, {}, options.work};
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
  XSP_TRY(const std::string text, os::ReadFile(options.launch));
  XSP_TRY(const std::vector<Launch> launches, LaunchesOf(text));
  const std::string ended =
      ToJson(StartTogether(launches)).dump(2, ' ', false, json::error_handler_t::replace);
  XSP_RETURN_IF_ERROR(os::WriteFileAtomically(options.launched, ended));
  return Answer{"jobs", "Programs started together", {}, {}, {}, {}};
}

/// What the monitor says of a round: Round's `usage` and `experiment`, which is not the name that
/// was asked for where the store has one of that name.
void ReadMonitor(const std::string& summary, Round* round) {
  const json document = json::parse(summary, nullptr, false);
  if (!document.is_object()) return;
  for (const json& row : document.value("summary", json::array()))
    if (row.value("part", "") == "" && row.contains("mean") && row["mean"].is_number())
      round->usage[row.value("name", "")] = row["mean"].get<double>();
  if (document.contains("run") && document["run"].is_string())
    round->experiment = fs::path(document["run"].get<std::string>()).filename().string();
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

Result<Round> RunRound(const CommandContext& context, const Options& options,
                       const fs::path& folder, const Kind& kind, const std::string& name) {
  const std::string launch = (folder / "launch.json").string();
  const std::string launched = (folder / "launched.json").string();
  const std::string summary = (folder / "summary.json").string();
  XSP_RETURN_IF_ERROR(os::WriteFileAtomically(launch, ToJson(kind.launches).dump()));
  XSP_TRY(const XspOutcome outcome, RunXsp(context,
                                           {"monitor", "--rate", fmt::format("{}", options.rate_hz),
                                            "--name", name, "--format", "json", "-o", summary},
                                           {context.xsp.string(), "suite", "jobs", "--launch",
                                            launch, "--launched", launched}));
  if (!outcome.exit.success())
    return Error{ErrorKind::kEnvironment,
                 fmt::format("the system monitor during {} failed: {}", kind.name, outcome.message),
                 ""};
  XSP_TRY(const std::string ended, os::ReadFile(launched));
  XSP_TRY(const std::string usage, os::ReadFile(summary));
  Round round;
  XSP_TRY(round.ended, EndedOf(ended));
  for (const Ended& one : round.ended)
    if (!one.success)
      return Error{ErrorKind::kBadInput,
                   fmt::format("{} of {} failed: {}", one.job, kind.name, one.exit),
                   one.stderr_tail.empty() ? "it wrote nothing to standard error"
                                           : "error excerpt: " + ErrorExcerpt(one.stderr_tail)};
  round.experiment = name;
  ReadMonitor(usage, &round);
  return round;
}

/// What was measured, and why there is no more.
struct Measured {
  std::vector<Round> rounds;
  std::vector<Error> errors;
  std::vector<std::string> failed;  ///< The same in sentences.
  bool interrupted = false;
};

class Turns {
 public:
  Turns(const CommandContext& context, const Options& options, const std::vector<Kind>& kinds,
        fs::path folder, std::string base_name)
      : context_(context),
        options_(options),
        kinds_(kinds),
        folder_(std::move(folder)),
        base_name_(std::move(base_name)) {}

  /// Every kind in turn, in every round. A kind that fails is not run again; the others go on.
  Measured Take() {
    for (int turn = 1; turn <= options_.rounds; ++turn)
      for (std::size_t k = 0; k < kinds_.size() && !measured_.interrupted; ++k)
        if (!given_up_.contains(k)) TakeOne(turn, k);
    return std::move(measured_);
  }

 private:
  void TakeOne(int turn, std::size_t k) {
    const std::string of = fmt::format("round {} of {}", turn, options_.rounds);
    context_.progress(fmt::format("{}: {}", of, kinds_[k].name));
    const std::string name = StoreName({base_name_, kinds_[k].name, std::to_string(turn)});
    Result<Round> round = RunRound(context_, options_, folder_, kinds_[k], name);
    if (round.ok()) {
      round.value().kind = k;
      measured_.rounds.push_back(std::move(round).value());
      return;
    }
    const Error& why = round.error();
    measured_.errors.push_back(why);
    measured_.interrupted = why.kind == ErrorKind::kInterrupted;
    if (measured_.interrupted) {
      measured_.failed.push_back(fmt::format(
          "Interrupted in {}, during {}: these are the results until then.", of, kinds_[k].name));
      return;
    }
    given_up_.insert(k);
    std::string said = fmt::format("In {} {}; it was not run again{}{}.", of, why.what,
                                   why.hint.empty() ? "" : "; ", why.hint);
    std::ranges::replace(said, '\n', ' ');
    measured_.failed.push_back(std::move(said));
    GiveUpWithout(k);
  }

  /// Work is counted in seconds of single runs: without one, a job's other kinds say nothing.
  void GiveUpWithout(std::size_t single) {
    if (kinds_[single].type != "single" ||
        std::ranges::find(measured_.rounds, single, &Round::kind) != measured_.rounds.end())
      return;
    const std::string& job = kinds_[single].launches.front().job;
    std::vector<std::string> without;
    for (std::size_t k = 0; k < kinds_.size(); ++k)
      if (std::ranges::find(kinds_[k].launches, job, &Launch::job) != kinds_[k].launches.end() &&
          given_up_.insert(k).second)
        without.push_back(kinds_[k].name);
    if (!without.empty())
      measured_.failed.push_back(
          fmt::format("Without a single run of {} its other runs cannot be compared; not run: {}.",
                      job, fmt::join(without, ", ")));
  }

  const CommandContext& context_;
  const Options& options_;
  const std::vector<Kind>& kinds_;
  const fs::path folder_;
  const std::string base_name_;
  Measured measured_;
  std::set<std::size_t> given_up_;  ///< Kinds that are not run again.
};

/// The kinds that have a round; rounds name them by their new places.
std::vector<Kind> WithRounds(const std::vector<Kind>& kinds, std::vector<Round>* rounds) {
  std::set<std::size_t> there;
  for (const Round& round : *rounds) there.insert(round.kind);
  std::vector<Kind> kept;
  std::map<std::size_t, std::size_t> place;
  for (const std::size_t k : there) {
    place[k] = kept.size();
    kept.push_back(kinds[k]);
  }
  for (Round& round : *rounds) round.kind = place.at(round.kind);
  return kept;
}

Result<Answer> Run(const CommandContext& context, const Options& options) {
  if (!options.launch.empty()) return LaunchHere(options);
  XSP_TRY(const Request request, RequestOf(context, options));
  XSP_TRY(const std::vector<Kind> kinds, KindsOf(request));
  std::string pattern = (fs::temp_directory_path() / "xsp-jobs-XXXXXX").string();
  if (mkdtemp(pattern.data()) == nullptr)
    return Error{ErrorKind::kEnvironment, "no temporary folder can be made: " + pattern,
                 "set TMPDIR to a writable folder"};
  const Scratch scratch{pattern};
  const std::string base_name =
      options.name.empty() ? "jobs-" + request.jobs.front().name : options.name;

  Measured measured = Turns(context, options, kinds, scratch.path, base_name).Take();
  if (measured.rounds.empty()) return measured.errors.front();
  const std::vector<Kind> with_rounds = WithRounds(kinds, &measured.rounds);
  Answer answer = Summarise(with_rounds, measured.rounds, options.rate_hz);
  if (!measured.errors.empty())
    answer.incomplete =
        measured.interrupted ? ErrorKind::kInterrupted : measured.errors.front().kind;
  answer.sentences.insert(answer.sentences.begin(), measured.failed.begin(), measured.failed.end());
  answer.method.insert(
      answer.method.begin(),
      {fmt::format(
           "{}; in each, every kind ran once{}. Times are medians, ranges are minimum and maximum.",
           core::Counted(options.rounds, "round"),
           measured.failed.empty() ? "" : ", except failed ones"),
       "Processes of a kind are started together. Throughput counts the work of a process as the "
       "seconds of its single run; "
       "a distributed run is taken to do the work of one single run unless its work is stated.",
       "Use of the machine includes all programs, sampled by xsp monitor from before the start to "
       "after the end. Each run of a kind is an experiment in the store, whose whole series `xsp "
       "analyze system_timeline NAME` draws and whose table-6 row `xsp analyze system_usage NAME` "
       "gives."});
  return answer;
}

Action Declare(CLI::App& app, const CommandContext& context) {
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
      ->check(core::PositiveNumber)
      ->type_name("X")
      ->capture_default_str();
  app.add_option("--with", options->with,
                 "Another job of the mixed run: a command for the shell; may be repeated")
      ->type_name("COMMAND");
  app.add_option("--rounds", options->rounds,
                 "Number of rounds, in each of which every kind runs once")
      ->check(CLI::Range(1, 1000).description(""))
      ->type_name("N")
      ->capture_default_str();
  app.add_option("--rate", options->rate_hz, "Samples of the machine per second")
      ->type_name("HZ")
      ->capture_default_str();
  app.add_option("--name", options->name, "Prefix of the names of experiments")->type_name("NAME");
  // By this name main() knows that a program may follow.
  app.add_option("COMMAND", options->misplaced, "After `--`: a program and its arguments")
      ->type_name("");
  app.add_option("--launch", options->launch)->group("");
  app.add_option("--launched", options->launched)->group("");
  return [&app, &context, options]() -> Result<Answer> {
    XSP_RETURN_IF_ERROR(CheckBesideFile(app, options->file));
    return Run(context, *options);
  };
}

}  // namespace

extern const SuiteSpec kSpec;
constinit const SuiteSpec kSpec = {
    .name = "jobs",
    .summary =
        "Compares one job alone, several at once, and one spread over processes: time and use of "
        "the machine",
    .example = "xsp suite jobs --copies 2 --with 'gzip -kc big > /dev/null' -- python3 train.py",
    .declare = Declare,
};

}  // namespace xsp::suite::jobs
