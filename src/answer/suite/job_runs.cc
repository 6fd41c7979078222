#include "answer/suite/job_runs.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <utility>

#include "answer/suite/data_frame.h"
#include "core/counted.h"
#include "core/json_text.h"
#include "core/statistics.h"
#include "derive/compare/machine.h"
#include "os/files.h"
#include "store/catalogue.h"
#include "store/many_experiments.h"

namespace xsp::suite {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr const char* kSetTag = "jobs.set";
constexpr const char* kKindTag = "jobs.kind";
constexpr const char* kWidthTag = "jobs.width";
constexpr const char* kSecondsTag = "jobs.seconds";
constexpr int kMostWidth = 4096;
constexpr std::uintmax_t kMostRunJson = 64 << 20;

/// What tags say of a run, or nothing where they are not those of one.
std::optional<JobRun> RunOf(const std::map<std::string, std::string>& tags) {
  const auto text = [&](const char* key) {
    const auto tag = tags.find(key);
    return tag == tags.end() ? std::string() : tag->second;
  };
  JobRun run{text(kSetTag), text(kKindTag), 1, {}};
  const json width = core::ParseJson(text(kWidthTag));
  if (!width.is_number_unsigned() || width > kMostWidth) return std::nullopt;
  run.width = width.get<int>();
  const json programs = core::ParseJson(text(kSecondsTag));
  if (!programs.is_array()) return std::nullopt;
  for (const json& program : programs) {
    if (!program.is_array() || program.size() != 2 || !program[0].is_string() ||
        !program[1].is_number() || !(program[1].get<double>() > 0))
      return std::nullopt;
    run.programs.push_back({program[0].get<std::string>(), program[1].get<double>()});
  }
  if (run.programs.empty()) return std::nullopt;
  return run;
}

/// A run, and what the monitor saw meanwhile.
struct Seen {
  JobRun run;
  std::string name;
  fs::path folder;
  MachineUsage usage = {kMissing, kMissing, kMissing, kMissing};
};

Error NothingMeasured(const fs::path& store) {
  return {ErrorKind::kBadInput, "the store has no run of xsp suite jobs: " + store.string(),
          "measure jobs alone and in pairs: xsp suite jobs jobs.yaml, with `mixed: pairs`"};
}

Result<std::vector<Seen>> FindRuns(const fs::path& store, const std::vector<std::string>& sets,
                                   std::vector<std::string>* treatments) {
  XSP_TRY(const auto entries, store::List(store));
  std::vector<Seen> runs;
  std::set<std::string> known;
  std::vector<std::string> unread;
  for (const store::CatalogueEntry& entry : entries) {
    if (!entry.tags.contains(kKindTag)) continue;
    const std::optional<JobRun> run = RunOf(entry.tags);
    if (!run) {
      unread.push_back(entry.name);
      continue;
    }
    known.insert(run->set);
    if (!sets.empty() && std::ranges::find(sets, run->set) == sets.end()) continue;
    XSP_TRY(fs::path folder, store::Resolve(store, entry.name));
    runs.push_back({*run, entry.name, std::move(folder)});
  }
  for (const std::string& set : sets)
    if (!known.contains(set))
      return Error{ErrorKind::kBadInput, "the store has no runs of jobs with the name: " + set,
                   known.empty() ? NothingMeasured(store).hint
                                 : fmt::format("it has: {}", fmt::join(known, ", "))};
  if (!unread.empty())
    treatments->push_back(fmt::format("The tags of {} are not those of a run and {} left out.",
                                      fmt::join(unread, ", "),
                                      core::ByNumber(unread.size(), "is", "are")));
  if (runs.empty()) return NothingMeasured(store);
  return runs;
}

/// "Xeon, A100"; empty: not known.
Result<std::string> MachineOf(const Seen& seen) {
  XSP_TRY(const std::string text, os::ReadFile(seen.folder / "monitor" / "run.json", kMostRunJson));
  const compare::Machine machine = compare::MachineOf(core::ParseJson(text));
  return machine.gpu.empty() ? machine.cpu : machine.cpu + ", " + machine.gpu;
}

Status CheckOneMachine(const std::vector<Seen>& runs) {
  std::map<std::string, std::set<std::string>> sets;
  for (const Seen& seen : runs) {
    XSP_TRY(const std::string machine, MachineOf(seen));
    if (!machine.empty()) sets[machine].insert(seen.run.set);
  }
  if (sets.size() < 2) return Ok{};
  std::vector<std::string> said;
  for (const auto& [machine, of] : sets)
    said.push_back(fmt::format("{} on {}", fmt::join(of, ", "), machine));
  return Error{
      ErrorKind::kBadInput,
      fmt::format("the jobs were measured on different machines: {}", fmt::join(said, "; ")),
      "name measurements of one machine"};
}

Status ReadUsage(std::vector<Seen>* runs) {
  std::vector<fs::path> folders;
  for (const Seen& seen : *runs) folders.push_back(seen.folder);
  XSP_TRY(store::ManyExperiments experiments, store::ManyExperiments::Open(std::move(folders)));
  XSP_TRY(const store::Table usage,
          experiments.Query({"system_usage"},
                            "SELECT experiment, cpu_pct::DOUBLE, gpu_pct_sum::DOUBLE, "
                            "system_memory_mb_most::DOUBLE, gpu_memory_mb_sum_most::DOUBLE "
                            "FROM system_usage"));
  const auto number = [](const store::Cell& cell) {
    const auto* value = std::get_if<double>(&cell);
    return value == nullptr ? kMissing : *value;
  };
  for (const auto& row : usage.rows) {
    Seen& seen = runs->at(static_cast<std::size_t>(std::get<std::int64_t>(row[0])));
    seen.usage = {number(row[1]), number(row[2]), number(row[3]), number(row[4])};
  }
  return Ok{};
}

/// Of the values of several rounds.
struct Rounds {
  std::vector<double> seconds, second_seconds, cpu, gpu;
  double memory = kMissing, gpu_memory = kMissing;

  void Add(const MachineUsage& usage) {
    if (!std::isnan(usage.cpu)) cpu.push_back(usage.cpu);
    if (!std::isnan(usage.gpu)) gpu.push_back(usage.gpu);
    memory = std::fmax(memory, usage.memory);  // Of a number and none: the number.
    gpu_memory = std::fmax(gpu_memory, usage.gpu_memory);
  }

  MachineUsage Usage() const {
    const auto mean = [](const std::vector<double>& of) {
      return of.empty() ? kMissing : core::Mean(of);
    };
    return {mean(cpu), mean(gpu), memory, gpu_memory};
  }
};

class RunsOfJobs {
 public:
  explicit RunsOfJobs(const std::vector<Seen>& runs) {
    for (const Seen& seen : runs) Add(seen);
  }

  MeasuredJobs Make(std::vector<std::string>* treatments) const {
    MeasuredJobs jobs{{{}, "s", "measured:xsp"}, {}};
    std::map<std::string, std::size_t> place;
    for (const auto& [job, widths] : widths_) {
      place[job] = jobs.table.jobs.size();
      JobTimes& times = jobs.table.jobs.emplace_back();
      times.job = job;
      for (const auto& [width, rounds] : widths)
        times.at.push_back({width, core::Median(rounds.seconds), rounds.Usage().DeviceMemory()});
    }
    for (const auto& [names, rounds] : pairs_) {
      const auto first = place.find(names.first), second = place.find(names.second);
      if (first == place.end() || second == place.end()) continue;
      jobs.pairs.push_back({first->second, second->second, core::Median(rounds.seconds),
                            core::Median(rounds.second_seconds), rounds.Usage()});
    }
    if (!without_width_.empty())
      treatments->push_back(
          fmt::format("Distributed runs that do not say their devices (xsp suite jobs --width) are "
                      "left out: {}.",
                      fmt::join(without_width_, ", ")));
    if (of_more_ > 0)
      treatments->push_back(fmt::format("{} of three jobs or more {} left out: two share a device.",
                                        core::Counted(of_more_, "mixed run"),
                                        core::ByNumber(of_more_, "is", "are")));
    return jobs;
  }

 private:
  void Add(const Seen& seen) {
    const std::vector<ProgramTime>& programs = seen.run.programs;
    if (seen.run.kind == "single" || seen.run.kind == "distributed") {
      if (seen.run.width < 1) {
        without_width_.insert(programs.front().job);
        return;
      }
      Rounds& rounds = widths_[programs.front().job][seen.run.width];
      rounds.seconds.push_back(programs.front().seconds);
      rounds.Add(seen.usage);
      return;
    }
    if (seen.run.kind != "mixed") return;
    if (programs.size() != 2) {
      ++of_more_;
      return;
    }
    const bool in_order = programs[0].job < programs[1].job;
    const ProgramTime& first = programs[in_order ? 0 : 1];
    const ProgramTime& second = programs[in_order ? 1 : 0];
    Rounds& rounds = pairs_[{first.job, second.job}];
    rounds.seconds.push_back(first.seconds);
    rounds.second_seconds.push_back(second.seconds);
    rounds.Add(seen.usage);
  }

  std::map<std::string, std::map<int, Rounds>> widths_;  ///< By job; in the order of the table.
  std::map<std::pair<std::string, std::string>, Rounds> pairs_;
  std::set<std::string> without_width_;
  std::size_t of_more_ = 0;
};

}  // namespace

double MachineUsage::DeviceMemory() const { return std::isnan(gpu_memory) ? memory : gpu_memory; }

std::map<std::string, std::string> TagsOf(const JobRun& run) {
  json programs = json::array();
  for (const ProgramTime& program : run.programs)
    programs.push_back(json::array({program.job, std::round(program.seconds * 1e6) / 1e6}));
  return {{kSetTag, run.set},
          {kKindTag, run.kind},
          {kWidthTag, std::to_string(run.width)},
          {kSecondsTag, core::JsonText(programs)}};
}

Result<MeasuredJobs> MeasuredJobsOf(const fs::path& store, const std::vector<std::string>& sets,
                                    std::vector<std::string>* treatments) {
  XSP_TRY(std::vector<Seen> runs, FindRuns(store, sets, treatments));
  XSP_RETURN_IF_ERROR(CheckOneMachine(runs));
  XSP_RETURN_IF_ERROR(ReadUsage(&runs));
  const RunsOfJobs gathered(runs);
  MeasuredJobs jobs = gathered.Make(treatments);
  if (jobs.table.jobs.empty()) return NothingMeasured(store);
  treatments->push_back(fmt::format("Times are medians of {} of `xsp suite jobs` in the store.",
                                    core::Counted(runs.size(), "run")));
  return jobs;
}

}  // namespace xsp::suite
