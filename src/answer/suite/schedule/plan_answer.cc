#include "answer/suite/schedule/plan_answer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string_view>
#include <utility>

#include "answer/suite/data_frame.h"
#include "core/counted.h"

namespace xsp::suite::schedule {
namespace {

Table PlanTable(const NamedPlan& named, bool has_pairs) {
  std::vector<analyze::Column> columns = {
      {"job", "", "The job", ""},
      {"width", "", "Devices that it runs on", ""},
      {"start", named.unit, "From the start of the schedule", ""},
      {"end", named.unit, "From the start of the schedule", ""},
      {"devices", "", "Counted from 0", ""}};
  if (has_pairs) columns.push_back({"beside", "", "The job that shares its device", ""});
  Table table = EmptyTable("plan", "The plan", std::move(columns));
  for (const PlanRow& row : RowsOf(named)) {
    std::vector<store::Cell>& cells = table.rows.rows.emplace_back();
    cells = {row.job, static_cast<std::int64_t>(row.width), row.start, row.end,
             DeviceList(row.devices)};
    if (has_pairs) cells.push_back(row.beside.empty() ? store::Cell() : store::Cell(row.beside));
  }
  return table;
}

Table RuleTable(const Planned& planned) {
  const std::string& unit = planned.shown->unit;
  const Solution& solution = planned.found->solution;
  Table table =
      EmptyTable("plans", "Compared with simpler plans",
                 {{"plan", "", "Construction of the plan", ""},
                  {"makespan", unit, "When the last job ends", ""},
                  {"longer_percent", "%", "Longer than the plan found", ""},
                  {"turnaround", unit, "Mean time from the release of a job to its end", ""},
                  {"used_percent", "%", "Devices' time in use until the makespan", ""}});
  const auto add = [&](const Problem& problem, const std::string& name, const Plan& plan) {
    table.rows.rows.push_back({name, plan.makespan,
                               100 * (plan.makespan / solution.plan.makespan - 1),
                               MeanTurnaround(problem, plan),
                               100 * UsedArea(problem, plan) / (problem.devices * plan.makespan)});
  };
  const bool shares = !planned.found->pairs.empty();
  add(planned.found->shared.problem, solution.optimal && !shares ? "the optimum" : "the plan found",
      solution.plan);
  if (shares) add(*planned.alone, "without sharing", planned.found->alone.plan);
  for (const RulePlan& rule : planned.found->alone.rules) add(*planned.alone, rule.name, rule.plan);
  for (const PolicyPlan& policy : *planned.policies)
    add(*planned.alone, std::string(policy.words), policy.plan);
  return table;
}

Table BoundTable(const Planned& planned) {
  const Solution& solution = planned.found->solution;
  Table table =
      EmptyTable("bounds",
                 planned.found->pairs.empty() ? "No plan is shorter than"
                                              : "No plan with these pairs is shorter than",
                 {{"bound", "", "What says so", ""},
                  {"makespan", planned.shown->unit, "The bound", ""},
                  {"gap_percent", "%", "The plan found over it", ""}});
  const auto add = [&](const std::string& name, double bound) {
    // What the arithmetic leaves of a gap that is none.
    const double gap = solution.plan.makespan / bound - 1;
    table.rows.rows.push_back({name, bound, gap < 1e-9 ? 0.0 : 100 * gap});
  };
  add("best: " + solution.bound_from, solution.bound);
  add("longest job at its fastest", solution.critical_job_bound);
  add("area", solution.area_bound);
  return table;
}

/// One row for each device that a job runs on: what the Gantt chart draws.
Table GanttTable(const NamedPlan& named) {
  Table table = EmptyTable("gantt", "Who runs where",
                           {{"device", "", "Counted from 0", ""},
                            {"job", "", "The job", ""},
                            {"start", named.unit, "From the start of the schedule", ""},
                            {"end", named.unit, "From the start of the schedule", ""},
                            {"label", "", "The job, on its first device", ""}});
  for (const Placed& placed : named.plan->placed) {
    const std::string name = NameOf(named, placed.job);
    for (const int device : placed.devices)
      table.rows.rows.push_back({static_cast<std::int64_t>(device), name, placed.start, placed.end,
                                 device == placed.devices.front() ? name : std::string()});
  }
  return table;
}

std::string WhetherShared(const Planned& planned, const MeasuredPair& pair, double saved_share) {
  if (!pair.excluded.empty()) return "no: " + pair.excluded;
  const std::vector<PairTimes>& shared = planned.found->pairs;
  const auto is_of = [](const PairTimes& one, std::size_t job) {
    return one.first == job || one.second == job;
  };
  if (std::ranges::any_of(shared, [&](const PairTimes& one) {
        return is_of(one, pair.times.first) && is_of(one, pair.times.second);
      }))
    return "yes";
  if (saved_share < kLeastSaving)
    return fmt::format("no: saves less than {:g} %", 100 * kLeastSaving);
  return std::ranges::any_of(shared,
                             [&](const PairTimes& one) {
                               return is_of(one, pair.times.first) || is_of(one, pair.times.second);
                             })
             ? "no: another pair was chosen"
             : "no: the plan is not shorter with it";
}

Table PairTable(const Planned& planned) {
  const std::string& unit = planned.shown->unit;
  Table table = EmptyTable(
      "pairs", "Jobs that were measured beside each other on a device",
      {{"job", "", "", ""},
       {"beside", "", "", ""},
       {"shared", "", "Whether they share a device in the plan found", ""},
       {"together", unit, "From the common start until both have ended", "measured:xsp"},
       {"alone", unit, "One after another, each on its width of least work", "measured:xsp"},
       {"saved_percent", "%", "Together, less than one after another", "measured:xsp"},
       {"slowdown", "1", "Time of the job over that on the device alone", "measured:xsp"},
       {"slowdown_beside", "1", "The same of the other", "measured:xsp"},
       {"cpu_pct", "%", "Use of the CPUs of the machine, mean", "measured:monitor"},
       {"gpu_pct", "%", "Use of the GPUs of the machine, summed, mean", "measured:monitor"},
       {"memory_mb", "MB", "Memory of the machine in use, the most", "measured:monitor"},
       {"gpu_memory_mb", "MB", "Memory of its GPUs in use, summed, the most", "measured:monitor"}});
  for (const MeasuredPair& pair : *planned.pairs) {
    const double together = pair.times.Together();
    const double alone = together + SavedBy(*planned.alone, pair.times);
    const auto slowdown = [&](std::size_t job, double end) {
      for (const Choice& choice : planned.alone->jobs[job].choices)
        if (choice.width == 1) return NumberCell(end / choice.time);
      return store::Cell();
    };
    table.rows.rows.push_back(
        {NameOf(*planned.named, pair.times.first), NameOf(*planned.named, pair.times.second),
         WhetherShared(planned, pair, 1 - together / alone), together, alone,
         100 * (1 - together / alone), slowdown(pair.times.first, pair.times.first_end),
         slowdown(pair.times.second, pair.times.second_end), NumberCell(pair.usage.cpu),
         NumberCell(pair.usage.gpu), NumberCell(pair.usage.memory),
         NumberCell(pair.usage.gpu_memory)});
  }
  return table;
}

Chart GanttChart(const std::string& unit) {
  // A name is cut to its bar, and left out where the bar is too short for a few letters.
  constexpr const char* kSpec = R"json({
  "data": {"name": "rows"}, "width": "container", "height": {"step": 22},
  "encoding": {
    "y": {"field": "device", "type": "ordinal", "title": "device"},
    "x": {"field": "start", "type": "quantitative", "title": "time@UNIT@", "axis": {"tickCount": 8}},
    "x2": {"field": "end"},
    "tooltip": [{"field": "job"}, {"field": "start", "format": ".4~g"}, {"field": "end", "format": ".4~g"}]
  },
  "layer": [
    {"mark": {"type": "bar", "stroke": "currentColor", "strokeOpacity": 0.35, "strokeWidth": 0.5, "opacity": 0.5},
     "encoding": {"color": {"field": "job", "type": "nominal", "legend": null}}},
    {"mark": {"type": "text", "align": "left", "dx": 4, "tooltip": null,
              "opacity": {"expr": "scale('x', datum.end) - scale('x', datum.start) > 34 ? 1 : 0"},
              "limit": {"expr": "max(1, scale('x', datum.end) - scale('x', datum.start) - 6)"}},
     "encoding": {"text": {"field": "label"}, "x2": null}}
  ]
})json";
  std::string spec = kSpec;
  spec.replace(spec.find("@UNIT@"), 6, unit.empty() ? "" : " (" + unit + ")");
  return {"gantt", "The plan, a row for each device", "gantt", std::move(spec)};
}

/// "6 jobs on 2 devices take 23.1 min", "in which 2 pairs share a device".
std::string Found(const Planned& planned) {
  const Solution& solution = planned.found->solution;
  const std::size_t jobs = planned.alone->jobs.size();
  const std::size_t pairs = planned.found->pairs.size();
  const std::string take = fmt::format(
      "{} on {} {} {}", core::Counted(jobs, "job"), core::Counted(planned.alone->devices, "device"),
      core::ByNumber(jobs, "takes", "take"), WithUnit(solution.plan.makespan, planned.shown->unit));
  const std::string bound = WithUnit(solution.bound, planned.shown->unit);
  if (pairs > 0) {
    const std::string sharing =
        fmt::format("{} by the best plan found, in which {} a device", take,
                    pairs == 1 ? "1 pair shares" : fmt::format("{} pairs share", pairs));
    return solution.optimal ? sharing + "; with the same pairs no plan is shorter."
                            : fmt::format(
                                  "{}; with the same pairs no plan takes less than {}, so "
                                  "it is at most {:.2f} % too long.",
                                  sharing, bound, 100 * solution.gap());
  }
  if (solution.optimal) return take + " at best, which is proven.";
  return fmt::format(
      "{} by the best plan found; no plan takes less than {}, so it is at most {:.2f} % too long.",
      take, bound, 100 * solution.gap());
}

std::vector<std::string> Sentences(const Planned& planned) {
  const Solution& solution = planned.found->solution;
  const std::string& unit = planned.shown->unit;
  std::vector<std::string> said = {Found(planned)};
  if (solution.stopped && !solution.optimal)
    said.push_back(fmt::format(
        "{} after {:.1f} s; a longer --time-limit may find a shorter plan.",
        planned.interrupted ? "Interrupted"
                            : fmt::format("The limit of {:g} s was reached", planned.time_limit_s),
        planned.found->seconds));
  const auto than = [&](double makespan) { return 100 * (1 - solution.plan.makespan / makespan); };
  if (!planned.found->pairs.empty()) {
    const double alone = planned.found->alone.plan.makespan;
    said.push_back(fmt::format("Without sharing they take {}: the plan is {:.1f} % shorter.",
                               WithUnit(alone, unit), than(alone)));
  } else if (planned.found->tried) {
    said.push_back("No plan was found that is shorter because jobs share a device.");
  }
  if (!planned.found->pairs_are_best)
    said.push_back(
        "Too many jobs can share devices with each other to try all choices of pairs: another "
        "choice may save more.");
  const double serial = planned.found->alone.rules.front().plan.makespan;
  if (planned.alone->jobs.size() > 1)
    said.push_back(
        than(serial) > 0.05
            ? fmt::format("One after another on all devices they take {}: the plan is {:.1f} % "
                          "shorter.",
                          WithUnit(serial, unit), than(serial))
            : fmt::format("One after another on all devices they take no longer: {}.",
                          WithUnit(serial, unit)));
  return said;
}

std::string TitleOf(const Planned& planned) {
  const std::string on = core::Counted(planned.alone->devices, "device");
  const auto policy = std::ranges::find(*planned.policies, planned.policy, &PolicyPlan::name);
  if (policy != planned.policies->end()) return fmt::format("A plan for {}: {}", on, policy->words);
  const bool shares = !planned.found->pairs.empty();
  if (planned.policy == "exclusive" && shares)
    return fmt::format("{} plan for {} without sharing",
                       planned.found->alone.optimal ? "The shortest" : "A", on);
  return fmt::format("{} plan for {}{}",
                     planned.found->solution.optimal && !shares ? "The shortest" : "A", on,
                     shares ? ", on which jobs share" : "");
}

}  // namespace

std::string WithUnit(double time, const std::string& unit) {
  return fmt::format("{:.1f}{}{}", time, unit.empty() ? "" : " ", unit);
}

Answer PlanAnswer(const Planned& planned, std::vector<std::string> method) {
  Answer answer{"schedule",
                TitleOf(planned),
                Sentences(planned),
                std::move(method),
                {PlanTable(*planned.shown, !planned.pairs->empty()), RuleTable(planned),
                 BoundTable(planned), GanttTable(*planned.shown)},
                {GanttChart(planned.shown->unit)}};
  if (!planned.pairs->empty()) answer.tables.push_back(PairTable(planned));
  return answer;
}

}  // namespace xsp::suite::schedule
