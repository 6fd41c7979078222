#include "answer/suite/topology/machines.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "answer/suite/data_frame.h"
#include "core/counted.h"
#include "core/json_text.h"
#include "os/files.h"
#include "store/database.h"

namespace xsp::suite::topology {
namespace {

using nlohmann::json;
using store::Cell;

void Flatten(const json& value, const std::string& key, Machine& machine) {
  if (value.is_object()) {
    for (const auto& [name, item] : value.items())
      Flatten(item, key.empty() ? name : key + "." + name, machine);
  } else if (value.is_string()) {
    machine.facts[key] = value.get<std::string>();
  }
}

std::string TextOf(const json& object, const char* group, const char* key) {
  if (!object.contains(group) || !object[group].is_object()) return {};
  const json value = object[group].value(key, json());
  return value.is_string() ? value.get<std::string>() : std::string();
}

std::string FactOf(const Machine& machine, const std::string& key) {
  const auto it = machine.facts.find(key);
  return it == machine.facts.end() ? std::string() : it->second;
}

/// A number that was captured as text, with its word.
std::string Told(const std::string& number, const char* one) {
  if (number.empty()) return fmt::format("unknown {}s", one);
  return fmt::format("{} {}{}", number, one, number == "1" ? "" : "s");
}

/// A way's place among Ways(): NVLink's carry the number of links.
std::string KindOf(const std::string& how) { return how.starts_with("NV") ? "NV" : how; }

/// The facts that tell machines apart, without those of single devices' names and addresses.
bool IsCompared(const std::string& key) {
  return !key.ends_with(".address") && !key.ends_with(".link_speed");
}

/// Whether all that is compared is the same: what else was captured differs from run to run.
bool AreOneMachine(const Machine& a, const Machine& b) {
  const auto compared = [](const Machine& machine) {
    std::map<std::string, std::string> facts;
    for (const auto& [key, value] : machine.facts)
      if (IsCompared(key)) facts.emplace(key, value);
    return facts;
  };
  return a.name == b.name && compared(a) == compared(b);
}

/// Experiments of one machine as one.
std::vector<Experiment> ByMachine(const std::vector<Experiment>& experiments) {
  std::vector<Experiment> machines;
  for (const Experiment& experiment : experiments) {
    const auto same = std::ranges::find_if(machines, [&](const Experiment& one) {
      return AreOneMachine(one.machine, experiment.machine);
    });
    if (same == machines.end()) {
      machines.push_back(experiment);
    } else {
      same->workloads.insert(same->workloads.end(), experiment.workloads.begin(),
                             experiment.workloads.end());
    }
  }
  // Two machines of one kind that differ in their wiring need names of their own.
  std::map<std::string, int> seen;
  for (Experiment& machine : machines)
    if (const int number = ++seen[machine.machine.name]; number > 1)
      machine.machine.name += fmt::format(" ({})", machine.name);
  return machines;
}

Table FactTable(const std::vector<Experiment>& machines) {
  Table table = EmptyTable("machines", "Interconnects side by side",
                           {{"fact", "", "docs/collectors.md describes each", ""}});
  std::set<std::string> keys;
  for (const Experiment& one : machines) {
    table.columns.push_back({one.machine.name, "", "", "measured:collect"});
    table.rows.columns.push_back(one.machine.name);
    for (const auto& [key, value] : one.machine.facts)
      if (IsCompared(key)) keys.insert(key);
    for (const auto& [key, why] : one.machine.hidden)
      if (IsCompared(key)) keys.insert(key);
  }
  table.columns.push_back({"differs", "", "Whether machines that know the fact differ in it", ""});
  table.rows.columns.emplace_back("differs");
  for (const std::string& key : keys) {
    std::vector<Cell> row = {key};
    std::set<std::string> values;
    for (const Experiment& one : machines) {
      const std::string value = FactOf(one.machine, key);
      if (!value.empty()) values.insert(value);
      if (value.empty()) {
        row.emplace_back();
      } else {
        row.emplace_back(value);
      }
    }
    row.emplace_back(values.size() > 1);
    table.rows.rows.push_back(std::move(row));
  }
  return table;
}

Table LinkTable(const std::vector<Experiment>& machines) {
  Table table =
      EmptyTable("links", "How GPUs reach each other and the network",
                 {{"machine", "", "", ""},
                  {"way", "", "Nearest first", ""},
                  {"meaning", "", "", ""},
                  {"to", "", "GPUs or network controllers", ""},
                  {"pairs", "1", "Ordered pairs that are so far apart", "measured:collect"}});
  for (const Experiment& one : machines) {
    std::map<std::pair<std::string, std::string>, std::int64_t> count;
    for (const Link& link : LinksOf(one.machine))
      ++count[{KindOf(link.how), link.to.starts_with("gpu") ? "GPUs" : "network"}];
    for (const auto& [way, meaning] : Ways())
      for (const char* to : {"GPUs", "network"})
        if (const auto it = count.find({way, to}); it != count.end())
          table.rows.rows.push_back({one.machine.name, way, meaning, std::string(to), it->second});
  }
  return table;
}

Table LatencyTable(const std::vector<Experiment>& machines) {
  Table table =
      EmptyTable("latencies", "The same workloads on each machine",
                 {{"workload", "", "", ""},
                  {"machine", "", "", ""},
                  {"latency_ns", "ns", "Model call without profiling", "measured:xsp"},
                  {"speed", "1", "Latency on the first machine that measured it over this one's",
                   "measured:xsp"}});
  std::map<std::string, std::vector<std::pair<std::string, double>>> by_workload;
  for (const Experiment& one : machines) {
    std::set<std::string> here;
    for (const Workload& workload : one.workloads)
      if (here.insert(workload.name).second)
        by_workload[workload.name].emplace_back(one.machine.name, workload.latency_ns);
  }
  for (const auto& [name, places] : by_workload) {
    if (places.size() < 2) continue;
    for (const auto& [machine, latency] : places)
      table.rows.rows.push_back({name, machine, latency, places.front().second / latency});
  }
  return table;
}

void Say(const std::vector<Experiment>& machines, Answer& answer) {
  for (const Experiment& one : machines) {
    std::map<std::string, int> count;
    for (const Link& link : LinksOf(one.machine))
      if (link.to.starts_with("gpu")) ++count[KindOf(link.how)];
    std::string ways;
    for (const auto& [way, meaning] : Ways())
      if (count.contains(way))
        ways += fmt::format("{}{} {} ({})", ways.empty() ? "" : ", ", count[way], way, meaning);
    answer.sentences.push_back(
        fmt::format("{}: {}, {}{}{}.", one.machine.name, Told(FactOf(one.machine, "gpus"), "GPU"),
                    Told(FactOf(one.machine, "networks"), "network controller"),
                    ways.empty() ? "" : "; ways between GPUs: ", ways));
  }
  std::size_t different = 0, facts = 0;
  for (const auto& row : answer.tables.at(0).rows.rows) {
    ++facts;
    if (row.back() == Cell(true)) ++different;
  }
  if (machines.size() > 1)
    answer.sentences.insert(answer.sentences.begin(),
                            fmt::format("{} machines differ in {} of {} of their interconnects.",
                                        machines.size(), different, core::Counted(facts, "fact")));
  if (machines.size() == 1)
    answer.method.push_back(
        "All experiments are of one machine: there is nothing to compare it with.");
}

}  // namespace

const std::vector<std::pair<std::string, std::string>>& Ways() {
  static const std::vector<std::pair<std::string, std::string>> ways = {
      {"NV", "NVLink"},
      {"PIX", "one PCIe bridge"},
      {"PXB", "several PCIe bridges, no host bridge"},
      {"PHB", "over a PCIe host bridge, through the CPU"},
      {"NODE", "between host bridges of one NUMA node"},
      {"SYS", "over the interconnect between NUMA nodes"}};
  return ways;
}

Machine MachineOf(const json& stack) {
  Machine machine;
  if (stack.contains("interconnect")) Flatten(stack["interconnect"], "", machine);
  if (stack.contains("hidden") && stack["hidden"].is_object())
    for (const auto& [key, why] : stack["hidden"].items())
      if (constexpr std::string_view kPart = "interconnect.";
          key.starts_with(kPart) && why.is_string())
        machine.hidden[key.substr(kPart.size())] = why.get<std::string>();
  const std::string sockets = TextOf(stack, "cpu", "sockets");
  const std::string model = TextOf(stack, "cpu", "model");
  const std::string gpus = FactOf(machine, "gpus");
  machine.name = fmt::format("{}{}", sockets.empty() ? "" : sockets + " x ",
                             model.empty() ? "unknown CPU" : model);
  if (!gpus.empty() && gpus != "0") machine.name += ", " + Told(gpus, "GPU");
  return machine;
}

std::vector<Link> LinksOf(const Machine& machine) {
  std::map<std::pair<std::string, std::string>, std::string> links;
  const auto add = [&links](const std::string& from, const std::string& row) {
    for (std::size_t at = 0; at < row.size();) {
      const std::size_t end = std::min(row.find(", ", at), row.size());
      const std::string item = row.substr(at, end - at);
      if (const auto blank = item.find(' '); blank != std::string::npos)
        links[{from, item.substr(0, blank)}] = item.substr(blank + 1);
      at = end + 2;
    }
  };
  constexpr std::string_view kReach = "reach.", kNvlink = "nvlink.", kReaches = ".reaches";
  for (const auto& [key, row] : machine.facts)
    if (key.starts_with(kReach)) add(key.substr(kReach.size()), row);
  // NVLink is the way that is taken where there is one; the tree of PCIe does not show it.
  for (const auto& [key, row] : machine.facts)
    if (key.starts_with(kNvlink) && key.ends_with(kReaches))
      add(key.substr(kNvlink.size(), key.size() - kNvlink.size() - kReaches.size()), row);
  std::vector<Link> list;
  for (const auto& [ends, how] : links) list.push_back({ends.first, ends.second, how});
  return list;
}

Result<std::optional<Experiment>> ReadExperiment(const std::filesystem::path& folder) {
  XSP_TRY(const store::Database database, store::Database::Open({folder}));
  Experiment experiment{folder.filename().string(), {}, {}};
  bool found = false;
  std::error_code error;
  std::vector<std::filesystem::path> runs = {folder};
  for (const auto& entry : std::filesystem::directory_iterator(folder, error))
    if (entry.is_directory(error)) runs.push_back(entry.path());
  std::ranges::sort(runs);
  for (const auto& run : runs) {
    if (found || !std::filesystem::exists(run / "run.json", error)) continue;
    XSP_TRY(const std::string text, os::ReadFile(run / "run.json"));
    const json document = core::ParseJson(text);
    if (!document.is_object() || !document.contains("stack") || !document["stack"].is_object())
      continue;
    if (!document["stack"].contains("interconnect")) continue;
    experiment.machine = MachineOf(document["stack"]);
    found = true;
  }
  if (!found) return std::optional<Experiment>();
  XSP_TRY(
      const store::Table points,
      database.Query("SELECT model || ' ' || backend || ' b' || coalesce(batch, 0) || ' ' || "
                     "precision, latency_ns FROM point WHERE latency_ns > 0 ORDER BY point_id"));
  // Of any type of number: the column is what wrote the file made of it.
  for (const auto& row : points.rows)
    if (const auto* name = std::get_if<std::string>(&row[0]))
      experiment.workloads.push_back({*name, NumberOf(row[1])});
  return std::optional(std::move(experiment));
}

Answer Summarise(const std::vector<Experiment>& experiments) {
  const std::vector<Experiment> machines = ByMachine(experiments);
  Answer answer{"topology", "Interconnects of the machines", {}, {}, {}, {}};
  answer.tables = {FactTable(machines), LinkTable(machines), LatencyTable(machines)};
  Say(machines, answer);
  answer.charts.push_back({"links", "Pairs of devices by how far they are apart", "links", R"json({
    "mark": "bar", "height": {"step": 26},
    "encoding": {"y": {"field": "machine", "type": "nominal", "title": null, "axis": {"labelLimit": 260}},
                 "x": {"field": "pairs", "type": "quantitative", "title": "ordered pairs"},
                 "color": {"field": "way", "type": "nominal", "sort": ["NV", "PIX", "PXB", "PHB", "NODE", "SYS"], "title": null, "legend": {"orient": "top"}},
                 "row": {"field": "to", "type": "nominal", "title": null, "header": {"labelAngle": 0, "labelAlign": "left", "labelOrient": "top"}},
                 "tooltip": [{"field": "meaning"}, {"field": "pairs"}]}})json"});
  answer.charts.push_back(
      {"latencies", "Speed of the same workloads, first machine = 1", "latencies", R"json({
    "encoding": {"y": {"field": "workload", "type": "nominal", "title": null, "axis": {"labelLimit": 260}}},
    "layer": [{"data": {"values": [{}]}, "mark": {"type": "rule", "strokeDash": [4, 3], "tooltip": null}, "encoding": {"y": null, "x": {"datum": 1}}},
              {"mark": {"type": "point", "filled": true, "size": 70, "tooltip": {"content": "data"}},
               "encoding": {"x": {"field": "speed", "type": "quantitative", "scale": {"zero": true}, "title": "speed, first machine = 1"},
                            "color": {"field": "machine", "type": "nominal", "title": null, "legend": {"orient": "top"}}}}],
    "height": {"step": 22}})json"});
  return answer;
}

}  // namespace xsp::suite::topology
