#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <future>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string_view>
#include <thread>
#include <utility>

#include "answer/suite/error_excerpt.h"
#include "answer/suite/job_runs.h"
#include "answer/suite/jobs/kinds.h"
#include "answer/suite/operation_call.h"
#include "answer/suite/stored_experiment.h"
#include "answer/suite/suite_command.h"
#include "core/counted.h"

namespace xsp::suite::jobs {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

struct Options {
  std::string file;
  std::string distributed;
  std::optional<double> work;
  std::optional<int> width;
  std::vector<std::string> with;
  bool pairs = false;
  std::optional<int> copies;
  int rounds = 3;
  double rate_hz = 10;
  std::string name;
  std::vector<std::string> program;  ///< And its arguments.
};

/// The name of a program without its folder and ending; of a script, not of what runs it.
std::string NameOf(const std::vector<std::string>& program) {
  const std::string name = fs::path(program.front()).stem().string();
  const bool runs_scripts = name.starts_with("python") || name == "sh" || name == "bash";
  if (runs_scripts && program.size() > 1 && !program[1].starts_with("-"))
    return fs::path(program[1]).stem().string();
  return name;
}

/// A file says all of its jobs: a field beside it that nothing reads would be missed silently.
Status CheckBesideFile(const Options& options) {
  if (options.file.empty()) return Ok{};
  /// An option of a program after `--`, and the key by which a file of jobs says the same.
  const struct {
    const char* option;
    const char* key;
    bool is_given;
  } said_by_file[] = {{"--copies", "copies", options.copies.has_value()},
                      {"--distributed", "distributed", !options.distributed.empty()},
                      {"--work", "distributed_work", options.work.has_value()},
                      {"--width", "distributed_width", options.width.has_value()},
                      {"--with", "jobs", !options.with.empty()},
                      {"--pairs", "mixed", options.pairs}};
  for (const auto& [option, key, is_given] : said_by_file)
    if (is_given)
      return Error{
          ErrorKind::kUsage,
          fmt::format("{} cannot be combined with a file of jobs: {}", option, options.file),
          fmt::format("set the key `{}` in the file (docs/suite/jobs.md)", key)};
  return Ok{};
}

Result<Request> RequestOf(const Options& options) {
  XSP_RETURN_IF_ERROR(CheckBesideFile(options));
  if (!options.file.empty() && !options.program.empty())
    return Error{ErrorKind::kUsage, "both a file of jobs and a program after `--`",
                 "name one of them"};
  if (!options.file.empty()) {
    XSP_TRY(Request request, ReadRequest(options.file));
    return request;
  }
  if (options.program.empty())
    return Error{ErrorKind::kUsage, "no job to run",
                 "xsp suite jobs --copies 4 -- python3 train.py"};
  Request request;
  request.copies = options.copies.value_or(2);
  Job job{NameOf(options.program),
          options.program,
          {},
          options.work.value_or(1),
          options.width.value_or(0)};
  if (!options.distributed.empty()) job.distributed = {"sh", "-c", options.distributed};
  request.jobs.push_back(std::move(job));
  for (const std::string& other : options.with)
    request.jobs.push_back(
        {fmt::format("job{}", request.jobs.size() + 1), {"sh", "-c", other}, {}});
  if (options.pairs) {
    request.mixed = PairsOf(request.jobs);
    return request;
  }
  request.mixed.emplace_back();
  for (const Job& one : request.jobs) request.mixed.back().push_back(one.name);
  return request;
}

/// Tells when the monitor samples, or that it does not.
class StartSignal final : public core::Progress {
 public:
  void Step(std::string_view, double, double) override { Set(true); }
  void Note(std::string_view) override {}

  /// The first call counts. Any thread.
  void Set(bool has_started) {
    if (!is_set_.exchange(true)) has_started_.set_value(has_started);
  }

  /// Whether it has started, as soon as that is known. Once.
  bool Wait() { return has_started_.get_future().get(); }

 private:
  std::atomic<bool> is_set_ = false;
  std::promise<bool> has_started_;
};

/// What the monitor says of a round: Round's `usage` and `experiment`, which is not the name that
/// was asked for where the store has one of that name.
void ReadMonitor(const json& document, Round* round) {
  for (const json& row : document.value("summary", json::array()))
    if (row.value("part", "") == "" && row.contains("mean") && row["mean"].is_number())
      round->usage[row.value("name", "")] = row["mean"].get<double>();
  if (document.contains("run") && document["run"].is_string())
    round->experiment = fs::path(document["run"].get<std::string>()).filename().string();
}

/// Runs the programs of a kind while the machine is sampled, from before their start to after their
/// end. Nothing is run where the monitor does not start.
Result<Performed> Monitored(const CommandContext& context, const json& request, const Kind& kind,
                            std::vector<Ended>* ended) {
  const os::Interrupts& interrupts = context.interrupts();
  os::Interrupts have_ended;
  StartSignal sampling;
  Result<Performed> monitored = Performed{};
  std::thread monitor([&] {
    monitored = context.perform("monitor", request, context.store, sampling, have_ended);
    sampling.Set(false);
  });
  if (sampling.Wait()) *ended = StartTogether(kind.launches, interrupts);
  have_ended.Request();
  monitor.join();
  if (interrupts.stop())
    return Error{ErrorKind::kInterrupted, "interrupted", "what was measured before is kept"};
  return monitored;
}

Result<Round> RunRound(const CommandContext& context, const Options& options, const Kind& kind,
                       const std::string& name) {
  Round round;
  const auto monitored =
      Monitored(context, {{"rate", options.rate_hz}, {"name", name}}, kind, &round.ended);
  if (!monitored.ok() && monitored.error().kind == ErrorKind::kInterrupted)
    return monitored.error();
  const std::string failure =
      monitored.ok() ? FailureText(monitored.value()) : TextOf(monitored.error());
  if (!failure.empty())
    return Error{ErrorKind::kEnvironment,
                 fmt::format("the system monitor during {} failed: {}", kind.name, failure), ""};
  for (const Ended& one : round.ended)
    if (!one.success)
      return Error{ErrorKind::kBadInput,
                   fmt::format("{} of {} failed: {}", one.job, kind.name, one.exit),
                   one.stderr_tail.empty() ? "it wrote nothing to standard error"
                                           : "error excerpt: " + ErrorExcerpt(one.stderr_tail)};
  round.experiment = name;
  ReadMonitor(monitored.value().document, &round);
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
        std::string base_name)
      : context_(context), options_(options), kinds_(kinds), base_name_(std::move(base_name)) {}

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
    context_.progress->Step(fmt::format("{}: {}", of, kinds_[k].name), -1, -1);
    const std::string name = StoreName({base_name_, kinds_[k].name, std::to_string(turn)});
    Result<Round> round = RunRound(context_, options_, kinds_[k], name);
    if (round.ok()) {
      round.value().kind = k;
      Tag(kinds_[k], round.value());
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

  /// What `xsp suite schedule --stored-jobs` reads of the experiment.
  void Tag(const Kind& kind, const Round& round) {
    core::NoProgress nobody;
    JobRun run{base_name_, kind.type, kind.width, {}};
    for (const Ended& one : round.ended) run.programs.push_back({one.job, one.seconds});
    json tags = json::array();
    for (const auto& [key, value] : TagsOf(run)) tags.push_back(key + "=" + value);
    const auto tagged = context_.perform("tag", {{"name", round.experiment}, {"tags", tags}},
                                         context_.store, nobody, context_.interrupts());
    if (tagged.ok()) return;
    measured_.errors.push_back(tagged.error());
    measured_.failed.push_back(fmt::format("{} has no tags, so that schedules do not find it: {}.",
                                           round.experiment, tagged.error().what));
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
  XSP_TRY(const Request request, RequestOf(options));
  XSP_TRY(const std::vector<Kind> kinds, KindsOf(request));
  const std::string base_name =
      options.name.empty() ? "jobs-" + request.jobs.front().name : options.name;

  Measured measured = Turns(context, options, kinds, base_name).Take();
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

Action Declare(core::RequestFields& fields, const CommandContext& context) {
  auto options = std::make_shared<Options>();
  fields.Add("file", &options->file,
             {.help = "A jobs.yaml with several jobs (in place of COMMAND)",
              .value_name = "FILE",
              .refers = core::Refers::kProgram,
              .positional = true});
  fields.Add("copies", &options->copies,
             {.help = "Programs of a uniform run (1: none)",
              .value_name = "N",
              .range = core::Between(1, 1024),
              .or_default = "2"});
  fields.Add("distributed", &options->distributed,
             {.help = "The same job spread over processes: a command for the shell",
              .value_name = "COMMAND",
              .refers = core::Refers::kProgram});
  fields.Add("work", &options->work,
             {.help = "Work of the distributed run, in single runs",
              .value_name = "X",
              .range = core::kPositive,
              .or_default = "1"});
  fields.Add("width", &options->width,
             {.help = "Devices or nodes of the distributed run, for schedules",
              .value_name = "N",
              .range = core::Between(1, 4096)});
  fields.Add("with", &options->with,
             {.help = "Another job of the mixed run: a command for the shell; may be repeated",
              .value_name = "COMMAND",
              .refers = core::Refers::kProgram});
  fields.Add("pairs", &options->pairs,
             {.help = "With --with: every two jobs at once, in place of all of them"});
  fields.Add("rounds", &options->rounds,
             {.help = "Number of rounds, in each of which every kind runs once",
              .value_name = "N",
              .range = core::Between(1, 1000)});
  fields.Add("rate", &options->rate_hz,
             {.help = "Samples of the machine per second", .value_name = "HZ"});
  fields.Add("name", &options->name,
             {.help = "Prefix of the names of experiments", .value_name = "NAME"});
  fields.Add("program", &options->program,
             {.help = "After `--`: a program and its arguments",
              .refers = core::Refers::kProgram,
              .program = true});
  return [&context, options] { return Run(context, *options); };
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
    .measures = true,
};

}  // namespace xsp::suite::jobs
