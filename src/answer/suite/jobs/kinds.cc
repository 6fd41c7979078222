#include "answer/suite/jobs/kinds.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <set>
#include <string_view>
#include <utility>

#include "answer/suite/data_frame.h"
#include "core/counted.h"
#include "core/statistics.h"
#include "os/files.h"

namespace xsp::suite::jobs {
namespace {

using store::Cell;

/// Below this a program's single run is said to be too short: loading PyTorch alone takes longer.
constexpr double kShortSeconds = 1;

/// A list is the arguments; a text is for the shell.
std::vector<std::string> CommandOf(const YAML::Node& node) {
  if (!node) return {};
  if (node.IsSequence()) return node.as<std::vector<std::string>>();
  return {"sh", "-c", node.as<std::string>()};
}

/// A key that nobody reads is a mistake: what it should have said would be missing silently.
Status OnlyKeys(const YAML::Node& map, std::initializer_list<std::string_view> known,
                const std::string& file) {
  for (const auto& entry : map) {
    const auto key = entry.first.as<std::string>();
    if (std::ranges::find(known, key) == known.end())
      return Error{
          ErrorKind::kBadInput,
          fmt::format("{}: line {}: unknown key: {}", file, entry.first.Mark().line + 1, key),
          fmt::format("known here: {}", fmt::join(known, ", "))};
  }
  return Ok{};
}

const Job* Find(const Request& request, const std::string& name) {
  const auto it = std::ranges::find(request.jobs, name, &Job::name);
  return it == request.jobs.end() ? nullptr : &*it;
}

Status Check(const Request& request) {
  if (request.jobs.empty())
    return Error{ErrorKind::kBadInput, "there is no job", "name one: xsp suite jobs -- COMMAND"};
  std::set<std::string> known;
  for (const Job& job : request.jobs) {
    if (job.name.empty() || job.command.empty())
      return Error{ErrorKind::kBadInput, "a job has no name or no command: " + job.name,
                   "each has a name and a command"};
    if (!known.insert(job.name).second)
      return Error{ErrorKind::kBadInput, "two jobs have the same name: " + job.name,
                   "give each a name of its own"};
    if (job.distributed_width < 0 || job.distributed_width > 4096)
      return Error{ErrorKind::kBadInput,
                   fmt::format("not a number of devices of the distributed run of {}: {}", job.name,
                               job.distributed_width),
                   "it counts what a single run has one of: devices, nodes"};
    if (!(job.distributed_work > 0) || !std::isfinite(job.distributed_work))
      return Error{ErrorKind::kBadInput,
                   fmt::format("the work of the distributed run of {} is not positive: {}",
                               job.name, job.distributed_work),
                   "it is counted in single runs: 1 is the same work"};
  }
  if (request.copies < 1 || request.copies > 1024)
    return Error{ErrorKind::kBadInput,
                 fmt::format("not a number of copies from 1 to 1024: {}", request.copies),
                 "with 1 there is no uniform run"};
  for (const auto& mix : request.mixed) {
    std::set<std::string> there;
    for (const std::string& name : mix) {
      if (Find(request, name) == nullptr)
        return Error{ErrorKind::kBadInput, "the mixed run names no such job: " + name,
                     fmt::format("jobs: {}", fmt::join(known, ", "))};
      if (!there.insert(name).second)
        return Error{ErrorKind::kBadInput, "a mixed run names a job twice: " + name,
                     "copies of one job are a uniform run: copies"};
    }
  }
  return Ok{};
}

/// The names of one mixed run, a list of such, or `pairs`; of a file that has none, all jobs.
std::vector<std::vector<std::string>> MixedOf(const YAML::Node& node,
                                              const std::vector<Job>& jobs) {
  if (!node) {
    std::vector<std::string> all;
    for (const Job& job : jobs) all.push_back(job.name);
    return {std::move(all)};
  }
  if (node.IsScalar() && node.Scalar() == "pairs") return PairsOf(jobs);
  if (node.IsSequence() && node.size() > 0 && node[0].IsSequence())
    return node.as<std::vector<std::vector<std::string>>>();
  return {node.as<std::vector<std::string>>()};
}

/// A median with the least and the greatest.
struct Spread {
  double middle = kMissing, least = kMissing, most = kMissing;
};

Spread SpreadOf(const std::vector<double>& values) {
  if (values.empty()) return {};
  return {core::Median(values), std::ranges::min(values), std::ranges::max(values)};
}

double MakespanOf(const Round& round) {
  double last = 0;
  for (const Ended& one : round.ended) last = std::max(last, one.seconds);
  return last;
}

/// What the rounds of one kind come to.
struct Outcome {
  Spread makespan, throughput, slowdown;
  double cpu_seconds = kMissing;
  std::map<std::string, double> usage;
};

class Summary {
 public:
  Summary(const std::vector<Kind>& kinds, const std::vector<Round>& rounds, double rate_hz)
      : kinds_(kinds), rounds_(rounds), rate_hz_(rate_hz) {
    std::map<std::string, std::vector<double>> alone;
    for (const Round& round : rounds)
      if (kinds[round.kind].type == "single")
        alone[round.ended.front().job].push_back(round.ended.front().seconds);
    for (const auto& [job, seconds] : alone) alone_[job] = core::Median(seconds);
    for (std::size_t k = 0; k < kinds.size(); ++k) outcomes_.push_back(OutcomeOf(k));
  }

  Answer Make() const {
    Answer answer{"jobs", "The same work as one job, several, and one that is spread", {}, {}, {},
                  {}};
    answer.tables = {KindTable(), UsageTable(), ProcessTable()};
    Say(answer);
    AddCharts(answer);
    return answer;
  }

 private:
  Outcome OutcomeOf(std::size_t k) const {
    std::vector<double> makespans, throughputs, slowdowns, cpu;
    std::map<std::string, std::vector<double>> usage;
    for (const Round& round : rounds_) {
      if (round.kind != k) continue;
      double work = 0, slow = 0, used = 0;
      for (const Ended& one : round.ended) {
        work += alone_.at(one.job) * kinds_[k].work;
        slow += one.seconds / (alone_.at(one.job) * kinds_[k].work);
        used += one.cpu_seconds;
      }
      makespans.push_back(MakespanOf(round));
      throughputs.push_back(work / makespans.back());
      slowdowns.push_back(slow / static_cast<double>(round.ended.size()));
      cpu.push_back(used);
      for (const auto& [name, value] : round.usage) usage[name].push_back(value);
    }
    Outcome outcome{
        SpreadOf(makespans), SpreadOf(throughputs), SpreadOf(slowdowns), core::Median(cpu), {}};
    for (const auto& [name, values] : usage) outcome.usage[name] = core::Mean(values);
    return outcome;
  }

  Table KindTable() const {
    std::vector<analyze::Column> columns = {
        {"kind", "", "Programs that ran at once", ""},
        {"type", "", "single, uniform, distributed or mixed", ""},
        {"processes", "", "Programs that were started together", ""},
        {"makespan_s", "s", "Time from the common start to the last end, median", "measured:xsp"},
        {"makespan_least_s", "s", "The shortest of the rounds", "measured:xsp"},
        {"makespan_most_s", "s", "The longest of the rounds", "measured:xsp"},
        {"relative_throughput", "1", "Work done over makespan; 1: one after another",
         "measured:xsp"},
        {"slowdown", "1", "Time of a process over that of its single run", "measured:xsp"},
        {"cpu_s", "s", "CPU time of the processes and those they waited for", "measured:xsp"},
        {"own_cores", "1", "That over the makespan: cores that the processes themselves kept busy",
         "measured:xsp"}};
    for (const auto& [name, unit] : UsageColumns())
      columns.push_back(
          {name, unit, "Mean while it ran, as in table 6 of Verma et al.", "measured:monitor"});
    Table table = EmptyTable("kinds", "Kinds of jobs", std::move(columns));
    for (std::size_t k = 0; k < kinds_.size(); ++k) {
      const Outcome& outcome = outcomes_[k];
      std::vector<Cell> row = {kinds_[k].name,
                               kinds_[k].type,
                               static_cast<std::int64_t>(kinds_[k].launches.size()),
                               outcome.makespan.middle,
                               outcome.makespan.least,
                               outcome.makespan.most,
                               outcome.throughput.middle,
                               outcome.slowdown.middle,
                               outcome.cpu_seconds,
                               outcome.cpu_seconds / outcome.makespan.middle};
      for (const auto& [name, unit] : UsageColumns()) row.push_back(UsageCell(outcome, name));
      table.rows.rows.push_back(std::move(row));
    }
    return table;
  }

  static Cell UsageCell(const Outcome& outcome, const std::string& name) {
    const auto it = outcome.usage.find(name);
    return NumberCell(it == outcome.usage.end() ? kMissing : it->second);
  }

  Table UsageTable() const {
    Table table =
        EmptyTable("usage", "CPU, device and bus use side by side",
                   {{"kind", "", "Programs that ran at once", ""},
                    {"what", "", "The part of the machine", ""},
                    {"value", "", "Mean while it ran, in the unit of `what`", "measured:monitor"}});
    for (std::size_t k = 0; k < kinds_.size(); ++k)
      for (const auto& [name, unit] : UsageColumns())
        if (outcomes_[k].usage.contains(name))
          table.rows.rows.push_back(
              {kinds_[k].name, fmt::format("{} ({})", name, unit), outcomes_[k].usage.at(name)});
    return table;
  }

  Table ProcessTable() const {
    Table table = EmptyTable(
        "processes", "Every process",
        {{"kind", "", "Programs that ran at once", ""},
         {"round", "", "Number of the round; kinds alternate in rounds", ""},
         {"job", "", "", ""},
         {"seconds", "s", "From the common start to its end", "measured:xsp"},
         {"cpu_s", "s", "Its CPU time", "measured:xsp"},
         {"experiment", "", "The system monitor's series while it ran: xsp report NAME", ""}});
    std::map<std::size_t, std::int64_t> turn;
    for (const Round& round : rounds_) {
      const std::int64_t number = ++turn[round.kind];
      for (const Ended& one : round.ended)
        table.rows.rows.push_back({kinds_[round.kind].name, number, one.job, one.seconds,
                                   one.cpu_seconds, round.experiment});
    }
    return table;
  }

  void Say(Answer& answer) const {
    for (std::size_t k = 0; k < kinds_.size(); ++k) {
      const Kind& kind = kinds_[k];
      if (kind.type == "single") continue;
      const Outcome& outcome = outcomes_[k];
      const double gain = outcome.throughput.middle;
      answer.sentences.push_back(fmt::format(
          "{} ({} at once) ends after {:.3g} s: {:.3g} times the throughput of one after another "
          "({:.3g} to {:.3g}); a process takes {:.3g} times as long as alone.",
          kind.name, core::Counted(kind.launches.size(), "program"), outcome.makespan.middle, gain,
          outcome.throughput.least, outcome.throughput.most, outcome.slowdown.middle));
    }
    std::string cpu;
    for (std::size_t k = 0; k < kinds_.size(); ++k)
      if (outcomes_[k].usage.contains("cpu_pct"))
        cpu += fmt::format("{}{:.3g} % during {}", cpu.empty() ? "" : ", ",
                           outcomes_[k].usage.at("cpu_pct"), kinds_[k].name);
    SayShort(answer);
    if (!cpu.empty())
      answer.sentences.push_back("The CPUs of the machine, by all its programs, were used to " +
                                 cpu + ".");
    std::string unseen;
    for (const auto& column : UsageColumns()) {
      const std::string& name = column.first;  // clang 14 captures no structured binding.
      if (std::ranges::none_of(outcomes_,
                               [&](const Outcome& one) { return one.usage.contains(name); }))
        unseen += (unseen.empty() ? "" : ", ") + name;
    }
    if (!unseen.empty()) answer.method.push_back("Not visible on this machine: " + unseen + ".");
  }

  /// Of a program that ends at once most is its start, which copies do beside each other.
  void SayShort(Answer& answer) const {
    std::vector<std::string> all;
    for (const auto& [job, seconds] : alone_)
      if (seconds < kShortSeconds)
        all.push_back(fmt::format("{} ({:.2g} s, {} of the machine)", job, seconds,
                                  core::Counted(static_cast<int>(seconds * rate_hz_), "sample")));
    if (all.empty()) return;
    answer.sentences.push_back(
        fmt::format("Too short to compare: {}. Within {:g} s, starting and loading dominate a "
                    "program, and {:g} samples per second are too few for the use of the machine; "
                    "use a program that runs for some seconds.",
                    fmt::join(all, ", "), kShortSeconds, rate_hz_));
  }

  static void AddCharts(Answer& answer) {
    answer.charts.push_back(
        {"throughput", "Throughput compared with one after another", "kinds", R"({
      "encoding": {"y": {"field": "kind", "type": "nominal", "sort": null, "title": null},
                   "x": {"field": "relative_throughput", "type": "quantitative", "scale": {"zero": true},
                         "title": "throughput, one after another = 1"}},
      "layer": [{"mark": "bar"},
                {"mark": {"type": "text", "align": "left", "dx": 4},
                 "encoding": {"text": {"field": "relative_throughput", "format": ",.3~r"}}},
                {"data": {"values": [{}]}, "mark": {"type": "rule", "strokeDash": [4, 3], "tooltip": null}, "encoding": {"y": null, "x": {"datum": 1}}}],
      "height": {"step": 26}})"});
    answer.charts.push_back(
        {"usage", "CPU, device and bus use, mean while each kind ran", "usage", R"({
      "facet": {"row": {"field": "what", "type": "nominal", "title": null, "header": {"labelAngle": 0, "labelAlign": "left", "labelOrient": "top"}}},
      "spec": {"width": 260, "height": {"step": 18},
        "encoding": {"y": {"field": "kind", "type": "nominal", "sort": null, "title": null},
                     "x": {"field": "value", "type": "quantitative", "scale": {"zero": true}, "title": null, "axis": {"tickCount": 5}}},
        "layer": [{"mark": "bar"},
                  {"mark": {"type": "text", "align": "left", "dx": 4}, "encoding": {"text": {"field": "value", "format": ",.3~r"}}}]},
      "resolve": {"scale": {"x": "independent"}}})"});
  }

  const std::vector<Kind>& kinds_;
  const std::vector<Round>& rounds_;
  double rate_hz_;
  std::map<std::string, double> alone_;  ///< Seconds of a single run, by job.
  std::vector<Outcome> outcomes_;
};

}  // namespace

const std::vector<std::pair<std::string, std::string>>& UsageColumns() {
  static const std::vector<std::pair<std::string, std::string>> columns = {
      {"cpu_pct", "%"},           {"gpu_pct_sum", "%"},
      {"system_memory_mb", "MB"}, {"gpu_memory_mb_sum", "MB"},
      {"pcie_mbps", "Mbit/s"},    {"nvlink_mbps", "Mbit/s"}};
  return columns;
}

std::vector<std::vector<std::string>> PairsOf(const std::vector<Job>& jobs) {
  std::vector<std::vector<std::string>> pairs;
  for (std::size_t a = 0; a < jobs.size(); ++a)
    for (std::size_t b = a + 1; b < jobs.size(); ++b) pairs.push_back({jobs[a].name, jobs[b].name});
  return pairs;
}

Result<Request> ReadRequest(const std::string& file) {
  const auto read = os::ReadFile(file, 1 << 20);
  if (!read.ok())
    return Error{
        read.error().kind, read.error().what,
        "give a file of jobs (docs/suite/jobs.md), or a program after `--`: xsp suite jobs "
        "-- " +
            file};
  const auto broken = [&file](const std::string& what) {
    return Error{ErrorKind::kBadInput, fmt::format("{}: {}", file, what),
                 "docs/suite/jobs.md shows what it may hold; a program to run stands after `--`: "
                 "xsp suite jobs -- " +
                     file};
  };
  try {
    const YAML::Node node = YAML::Load(read.value());
    if (!node.IsMap() || !node["jobs"] || !node["jobs"].IsSequence() || node["jobs"].size() == 0)
      return broken("it has no list of jobs");
    XSP_RETURN_IF_ERROR(OnlyKeys(node, {"jobs", "copies", "mixed"}, file));
    Request request;
    for (const YAML::Node& entry : node["jobs"]) {
      if (!entry.IsMap() || !entry["name"] || !entry["command"])
        return Error{ErrorKind::kBadInput,
                     fmt::format("{}: line {}: a job has no name or no command", file,
                                 entry.Mark().line + 1),
                     "docs/suite/jobs.md shows what it may hold"};
      XSP_RETURN_IF_ERROR(OnlyKeys(
          entry, {"name", "command", "distributed", "distributed_work", "distributed_width"},
          file));
      Job job{entry["name"].as<std::string>(), CommandOf(entry["command"]),
              CommandOf(entry["distributed"])};
      if (entry["distributed_work"]) job.distributed_work = entry["distributed_work"].as<double>();
      if (entry["distributed_width"]) job.distributed_width = entry["distributed_width"].as<int>();
      request.jobs.push_back(std::move(job));
    }
    if (node["copies"]) request.copies = node["copies"].as<int>();
    request.mixed = MixedOf(node["mixed"], request.jobs);
    return request;
  } catch (const YAML::Exception& error) {
    return broken(error.what());
  }
}

Result<std::vector<Kind>> KindsOf(const Request& request) {
  XSP_RETURN_IF_ERROR(Check(request));
  std::vector<Kind> kinds;
  std::vector<Kind> together;
  for (const Job& job : request.jobs) {
    const Launch one{job.name, job.command};
    kinds.push_back({"single " + job.name, "single", {one}});
    if (request.copies > 1)
      together.push_back({fmt::format("{} x {}", request.copies, job.name), "uniform",
                          std::vector<Launch>(static_cast<std::size_t>(request.copies), one)});
    if (!job.distributed.empty())
      together.push_back({"distributed " + job.name,
                          "distributed",
                          {{job.name, job.distributed}},
                          job.distributed_work,
                          job.distributed_width});
  }
  kinds.insert(kinds.end(), together.begin(), together.end());
  for (const auto& mix : request.mixed) {
    if (mix.size() < 2) continue;
    Kind mixed{fmt::format("mixed {}", fmt::join(mix, " + ")), "mixed", {}};
    for (const std::string& name : mix)
      mixed.launches.push_back({name, Find(request, name)->command});
    kinds.push_back(std::move(mixed));
  }
  return kinds;
}

Answer Summarise(const std::vector<Kind>& kinds, const std::vector<Round>& rounds, double rate_hz) {
  return Summary(kinds, rounds, rate_hz).Make();
}

}  // namespace xsp::suite::jobs
