#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>

#include "app/cli/command.h"
#include "app/cli/output.h"
#include "app/cli/worker_facts.h"
#include "app/cli/zoo_python.h"
#include "capture/attach/injection.h"
#include "capture/counters/counter_set.h"
#include "capture/events/pmu_events.h"
#include "capture/monitor/sampler.h"
#include "measure/models/zoo.h"
#include "measure/workers/worker_program.h"
#include "os/paths.h"
#include "os/subprocess.h"
#include "store/database.h"

namespace xsp::cli::doctor {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;
using workers::WorkerProgram;

constexpr std::chrono::seconds kPatience{60};

struct Options {
  std::vector<std::string> workers;
  Format format = Format::kTable;
};

/// One optional part: found, with version and path, or missing, with the command that installs it.
struct Part {
  std::string name;
  bool found = false;
  std::string version;
  std::string where;                         // Path when found, else what to do.
  std::optional<WorkerProgram> worker = {};  // Of a worker that is found.
  std::optional<ZooMaker> maker = {};        // Of a maker of zoo models.
};

Part PartOf(WorkerProgram worker) {
  return {"worker " + worker.name, true, worker.framework, worker.path.string(), std::move(worker)};
}

Part BrokenWorker(const std::string& name, const Error& error) {
  const std::string where = fmt::format("{}. {}", error.what, error.hint);
  return {"worker " + name, false, "", where};
}

/// What a worker of the source tree that is not built says it lacks; nothing lacking, it only has
/// to be built.
std::string WhatIsLacking(const fs::path& requires_program) {
  os::SpawnOptions options;
  options.argv = {requires_program.string()};
  const auto done = os::RunToEnd(options, kPatience);
  if (!done.ok()) return "tools/setup && tools/build";
  std::string lacking = done.value().out + done.value().stderr_tail;
  while (lacking.ends_with('\n')) lacking.pop_back();
  std::replace(lacking.begin(), lacking.end(), '\n', ' ');
  return done.value().exit.success() || lacking.empty() ? "not built: tools/build" : lacking;
}

/// Workers that can be run, those that cannot say what they can do, and those of the source tree
/// that are not built; by name.
std::vector<Part> Workers() {
  std::map<std::string, Part> parts;
  workers::WorkerList list = workers::ListWorkers();
  for (WorkerProgram& worker : list.workers) {
    const std::string name = worker.name;
    parts.emplace(name, PartOf(std::move(worker)));
  }
  for (const auto& [name, error] : list.broken) parts.emplace(name, BrokenWorker(name, error));
  std::error_code error;
  for (fs::directory_iterator it(os::DataRoot() / "workers", error), end; !error && it != end;
       it.increment(error)) {
    const std::string name = it->path().filename().string();
    const fs::path asks = it->path() / "requires.sh";
    std::error_code ignored;
    if (parts.contains(name) || !fs::exists(asks, ignored)) continue;
    Part part{"worker " + name, false, "", WhatIsLacking(asks)};
    parts.emplace(name, std::move(part));
  }
  std::vector<Part> sorted;
  for (auto& [name, part] : parts) sorted.push_back(std::move(part));
  return sorted;
}

/// The workers of these names; all that can be run for "all". Errors: as workers::FindWorker.
Result<std::vector<Part>> NamedWorkers(const std::vector<std::string>& names) {
  std::vector<Part> parts;
  for (const std::string& name : names) {
    if (name == "all") {
      for (WorkerProgram& worker : workers::ListWorkers().workers)
        parts.push_back(PartOf(std::move(worker)));
    } else {
      XSP_TRY(WorkerProgram worker, workers::FindWorker(name));
      parts.push_back(PartOf(std::move(worker)));
    }
  }
  return parts;
}

/// What gets the modules that `maker` misses: some come with the framework of their name.
std::string HowToGetModules(const ZooMaker& maker) {
  if (maker.python.empty()) return "no Python runs: tools/setup";
  std::string setup = "tools/setup";
  std::error_code error;
  for (const std::string& module : maker.Missing())
    if (fs::exists(os::DataRoot() / "workers" / module / "install.sh", error))
      setup += " --backends=" + module;
  return fmt::format("no {} in {}: {}, or install it there", fmt::join(maker.Missing(), ", no "),
                     maker.python, setup);
}

Part PartOf(ZooMaker maker) {
  std::vector<std::string> versions;
  for (const auto& [module, version] : maker.modules)
    if (version) versions.push_back(version->empty() ? module : module + " " + *version);
  const bool found = maker.Missing().empty();
  return {"zoo models as " + maker.makes,
          found,
          fmt::format("{}", fmt::join(versions, ", ")),
          found ? maker.python : HowToGetModules(maker),
          std::nullopt,
          std::move(maker)};
}

/// Whether models of the zoo can be made, format by format; manifests that cannot be read.
std::vector<Part> Zoo() {
  const models::ZooList zoo = models::ListZoo();
  std::vector<Part> parts;
  for (ZooMaker& maker : AskForZooMakers(zoo.models)) parts.push_back(PartOf(std::move(maker)));
  for (const Error& error : zoo.broken) parts.push_back({"zoo model", false, "", error.what});
  if (parts.empty()) {
    parts.push_back(
        {"zoo models", false, "", fmt::format("none in {}", (os::DataRoot() / "zoo").string())});
  }
  return parts;
}

Part ReportPage() {
  const fs::path page = os::DataRoot() / "web" / "dist" / "report.html";
  std::error_code error;
  const bool found = fs::exists(page, error);
  return {"report page", found, "", found ? page.string() : "tools/setup && tools/build"};
}

Part Engine() {
  const auto database = store::Database::OpenEmpty();
  const auto version = database.ok() ? database.value().Query("SELECT version() AS v")
                                     : Result<store::Table>(database.error());
  if (!version.ok()) return {"DuckDB", false, "", "tools/setup"};
  return {"DuckDB", true, std::get<std::string>(version.value().rows.at(0).at(0)), "linked"};
}

/// What `xsp record` can see inside programs.
std::vector<Part> Recorders() {
  std::vector<Part> parts;
  for (attach::RecorderPart& part : attach::RecorderParts(attach::LibraryFolder()))
    parts.push_back(
        {"recording " + part.what, part.is_there, std::move(part.version), std::move(part.where)});
  return parts;
}

/// What the rung `counters` can count here: the kernel's own events, and the CPU's.
std::vector<Part> Counters() {
  const auto chosen = events::EventsHere();
  if (!chosen.ok()) return {{"event counters", false, "", chosen.error().what}};
  std::vector<Part> parts;
  for (const bool software : {true, false}) {
    std::vector<counters::Event> events;
    for (const counters::Event& event : chosen.value().events)
      if (IsSoftware(event) == software) events.push_back(event);
    const counters::CounterSet set(events, counters::Scope::kThread);
    const std::size_t counted = events.size() - set.refusals().size();
    const std::string& known = chosen.value().set;
    std::string where = counters::RefusalSentence(set.refusals(), counters::ReadParanoid());
    if (where.empty()) where = "xsp run MODEL --depth counters";
    std::string version = fmt::format("{} of {} events", counted, events.size());
    if (!software && known.empty()) version += "; no FLOP events are known for this CPU";
    parts.push_back({software ? "event counters of the kernel" : "event counters of the CPU",
                     counted > 0, std::move(version), std::move(where)});
  }
  return parts;
}

/// Whether the energy of CPUs and GPUs is visible, by the monitor's own samplers.
std::vector<Part> Energy() {
  std::vector<Part> parts;
  const collect::MachineFiles files;
  for (const SamplerSpec* spec : monitor::AllSamplers()) {
    const std::string_view name = spec->name;
    if (name != "rapl" && name != "nvml") continue;
    const auto sampler = spec->open(files);
    std::vector<std::string> seen, hidden;
    for (const monitor::Channel& channel : sampler->channels())
      // A GPU has its power in more than one series.
      if (channel.unit == "watt" && (seen.empty() || seen.back() != channel.part))
        seen.push_back(channel.part);
    for (const monitor::Hidden& what : sampler->hidden())
      if (what.name.ends_with("power_watts") || seen.empty()) hidden.push_back(what.why);
    std::sort(hidden.begin(), hidden.end());
    hidden.erase(std::unique(hidden.begin(), hidden.end()), hidden.end());
    std::string where = fmt::format("{}", fmt::join(hidden, "; "));
    if (where.empty()) where = seen.empty() ? "no part reports its power" : "beside every run";
    if (name == "rapl" && seen.empty())
      where +=
          ". Measure on bare metal; sudo chmod a+r /sys/class/powercap/intel-rapl:*/energy_uj lets "
          "other users read it";
    parts.push_back({fmt::format("energy ({})", name == "rapl" ? "RAPL, CPUs" : "NVML, GPUs"),
                     !seen.empty(), fmt::format("{}", fmt::join(seen, ", ")), std::move(where)});
  }
  return parts;
}

std::vector<Part> EveryPart() {
  std::vector<Part> parts = {Engine()};
  for (Part& recorder : Recorders()) parts.push_back(std::move(recorder));
  for (Part& counted : Counters()) parts.push_back(std::move(counted));
  for (Part& energy : Energy()) parts.push_back(std::move(energy));
  for (Part& worker : Workers()) parts.push_back(std::move(worker));
  for (Part& maker : Zoo()) parts.push_back(std::move(maker));
  parts.push_back(ReportPage());
  return parts;
}

void PrintWorker(const Part& part) {
  const WorkerFacts facts = FactsOf(*part.worker);
  PrintLine(fmt::format("{}: {}, {}", part.name, part.version, part.where));
  Rows rows = {{"devices", facts.devices}};
  for (const std::string& model : facts.models) rows.emplace_back("model", model);
  rows.emplace_back("graphs", facts.graphs);
  rows.emplace_back("precisions", facts.precisions);
  rows.emplace_back("rungs", facts.rungs);
  for (const std::string& option : facts.options) rows.emplace_back("option", option);
  std::erase_if(rows, [](const auto& row) { return row.second.empty(); });
  PrintRows(rows);
}

/// A line for each part; then what is too long for a line: how to get what is missing, and the
/// devices of the workers.
void PrintForPeople(const std::vector<Part>& parts) {
  store::Table table{{"part", "found", "version", "where_or_how"}, {}};
  Rows missing, devices;
  for (const Part& part : parts) {
    table.rows.push_back({part.name, std::string(part.found ? "found" : "missing"), part.version,
                          part.found ? part.where : std::string("see below")});
    if (!part.found) missing.emplace_back(part.name, part.where);
    if (part.worker) devices.emplace_back(part.worker->name, FactsOf(*part.worker).devices);
  }
  // Whole paths: they are there to be copied.
  xsp::report::TerminalStyle style = xsp::report::StyleOfStandardOutput();
  style.fits_tables = false;
  std::vector<xsp::report::TerminalColumn> columns;
  for (const std::string& name : table.columns) columns.push_back({name, ""});
  PrintLine(xsp::report::RenderTable(columns, table, style));
  if (!missing.empty()) PrintLine("Missing, with the remedy:");
  PrintRows(missing);
  if (devices.empty()) return;
  PrintLine("Devices that workers can use:");
  PrintRows(devices);
  PrintLine("`xsp doctor NAME` (or all): its models, graphs, precisions, rungs and options.");
}

ordered_json ToJson(const Part& part) {
  ordered_json object = {{"part", part.name},
                         {"found", part.found},
                         {"version", part.version},
                         {"where_or_how", part.where}};
  if (part.worker) object["describe"] = ordered_json::parse(part.worker->description);
  if (!part.maker) return object;
  object["modules"] = ordered_json::object();
  for (const auto& [module, version] : part.maker->modules) {
    ordered_json& entry = object["modules"][module];
    if (version) entry = *version;
  }
  return object;
}

void PrintCsv(const std::vector<Part>& parts) {
  store::Table table{{"part", "found", "version", "where_or_how", "devices", "models", "graphs",
                      "precisions", "rungs", "options"},
                     {}};
  for (const Part& part : parts) {
    const WorkerFacts facts = part.worker ? FactsOf(*part.worker) : WorkerFacts();
    table.rows.push_back({part.name, part.found, part.version, part.where, facts.devices,
                          fmt::format("{}", fmt::join(facts.models, "; ")), facts.graphs,
                          facts.precisions, facts.rungs,
                          fmt::format("{}", fmt::join(facts.options, "; "))});
  }
  Print(table, {}, Format::kCsv);
}

Result<int> Doctor(const Options& options) {
  const bool named = !options.workers.empty();
  std::vector<Part> parts;
  if (named) {
    XSP_TRY(parts, NamedWorkers(options.workers));
  } else {
    parts = EveryPart();
  }
  if (options.format == Format::kCsv) PrintCsv(parts);
  if (options.format == Format::kJson) {
    ordered_json list = ordered_json::array();
    for (const Part& part : parts) list.push_back(ToJson(part));
    PrintLine(list.dump(2, ' ', false, ordered_json::error_handler_t::replace));
  }
  if (options.format == Format::kTable) {
    if (named) {
      for (const Part& part : parts) PrintWorker(part);
    } else {
      PrintForPeople(parts);
    }
  }
  return 0;
}

Action Declare(CLI::App& app, const Session&) {
  auto options = std::make_shared<Options>();
  app.add_option("WORKER", options->workers,
                 "Show the capabilities of these workers instead of the parts; all: every worker");
  AddFormatOption(app, &options->format);
  return [options] { return Doctor(*options); };
}

}  // namespace

extern const CommandSpec kCommand;
constinit const CommandSpec kCommand = {
    .name = "doctor",
    .summary =
        "Lists optional parts, found (version, path) or missing (with the command that installs "
        "them), and the capabilities of workers",
    .example = "xsp doctor all",
    .declare = Declare,
};

}  // namespace xsp::cli::doctor
