#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <optional>

#include "api/operation.h"
#include "capture/attach/injection.h"
#include "capture/counters/counter_set.h"
#include "capture/events/pmu_events.h"
#include "capture/monitor/sampler.h"
#include "core/json_text.h"
#include "measure/models/zoo.h"
#include "measure/models/zoo_python.h"
#include "measure/workers/worker_facts.h"
#include "measure/workers/worker_program.h"
#include "os/paths.h"
#include "os/subprocess.h"
#include "store/database.h"

namespace xsp::api::doctor_operation {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using workers::WorkerProgram;

constexpr std::chrono::seconds kPatience{60};

struct Request {
  std::vector<std::string> workers;
};

/// One optional part: found, with version and path, or missing, with the command that installs it.
struct Part {
  std::string name;
  bool found = false;
  std::string version;
  std::string where;                           // Path when found, else what to do.
  std::optional<WorkerProgram> worker = {};    // Of a worker that is found.
  std::optional<models::ZooMaker> maker = {};  // Of a maker of zoo models.
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
std::string HowToGetModules(const models::ZooMaker& maker) {
  if (maker.python.empty()) return "no Python runs: tools/setup";
  std::string setup = "tools/setup";
  std::error_code error;
  for (const std::string& module : maker.Missing())
    if (fs::exists(os::DataRoot() / "workers" / module / "install.sh", error))
      setup += " --backends=" + module;
  return fmt::format("no {} in {}: {}, or install it there", fmt::join(maker.Missing(), ", no "),
                     maker.python, setup);
}

Part PartOf(models::ZooMaker maker) {
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
  for (models::ZooMaker& maker : models::AskForZooMakers(zoo.models))
    parts.push_back(PartOf(std::move(maker)));
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

json ToJson(const workers::WorkerFacts& facts) {
  return {{"devices", facts.devices},       {"models", facts.models}, {"graphs", facts.graphs},
          {"precisions", facts.precisions}, {"rungs", facts.rungs},   {"options", facts.options}};
}

json ToJson(const Part& part) {
  json object = {{"part", part.name},
                 {"found", part.found},
                 {"version", part.version},
                 {"where_or_how", part.where}};
  if (part.worker) {
    object["worker"] = part.worker->name;
    object["describe"] = core::ParseJson(part.worker->description);
    object["facts"] = ToJson(workers::FactsOf(*part.worker));
  }
  if (!part.maker) return object;
  object["modules"] = json::object();
  for (const auto& [module, version] : part.maker->modules) {
    json& entry = object["modules"][module];
    if (version) entry = *version;
  }
  return object;
}

Result<Document> Doctor(const Request& request) {
  std::vector<Part> parts;
  if (request.workers.empty()) {
    parts = EveryPart();
  } else {
    XSP_TRY(parts, NamedWorkers(request.workers));
  }
  json list = json::array();
  std::string remedies;
  for (const Part& part : parts) {
    list.push_back(ToJson(part));
    if (!part.found) remedies += part.where;
  }
  Document document{.content = std::move(list)};
  if (std::string more = os::SourceTreeHint(remedies); !more.empty())
    document.notes.push_back(std::move(more));
  return document;
}

Action Declare(core::RequestFields& fields, const Context&) {
  auto request = std::make_shared<Request>();
  fields.Add("worker", &request->workers,
             {.help = "Show the capabilities of these workers instead of the parts; all: every "
                      "worker",
              .positional = true});
  return [request] { return Doctor(*request); };
}

}  // namespace

extern const OperationSpec kOperation;
constinit const OperationSpec kOperation = {
    .name = "doctor",
    .summary =
        "Lists optional parts, found (version, path) or missing (with the command that installs "
        "them), and the capabilities of workers",
    .example = "xsp doctor all",
    .effect = Effect::kReads,
    .result = R"({"type": "array", "items": {"type": "object",
      "required": ["part", "found", "version", "where_or_how"], "properties": {
        "part": {"type": "string"}, "found": {"type": "boolean"}, "version": {"type": "string"},
        "where_or_how": {"type": "string", "description": "Path if found, else how to get it"},
        "worker": {"type": "string", "description": "Of a worker that is found: its name"},
        "describe": {"type": "object", "description": "Of a worker: what it reports of itself"},
        "facts": {"type": "object", "description": "Of a worker: the same in words", "properties": {
          "devices": {"type": "string"}, "graphs": {"type": "string"},
          "precisions": {"type": "string"}, "rungs": {"type": "string"},
          "models": {"type": "array", "items": {"type": "string"}},
          "options": {"type": "array", "items": {"type": "string"}}}},
        "modules": {"type": "object", "additionalProperties": {"type": ["string", "null"]},
          "description": "Of a format of zoo models: versions of Python modules; null: missing"}}}})",
    .declare = Declare,
    .served_as = ServedAs::kFreshAnswer,
};

}  // namespace xsp::api::doctor_operation
