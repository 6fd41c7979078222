#include "answer/report/experiment_facts.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdlib>

#include "answer/report/rows.h"
#include "answer/wording/quantity.h"
#include "core/clock_text.h"
#include "core/json_text.h"
#include "derive/compare/machine.h"
#include "os/files.h"

namespace xsp::report {

namespace fs = std::filesystem;

namespace {

using nlohmann::json;

/// The value at `pointer` of `document` as text, or "" when it is absent.
std::string Text(const json& document, const char* pointer) {
  const json::json_pointer at(pointer);
  if (!document.contains(at)) return {};
  const json& value = document[at];
  if (value.is_string()) return value.get<std::string>();
  return value.is_null() ? std::string() : core::JsonText(value);
}

std::vector<std::string> Texts(const json& document, const char* pointer) {
  std::vector<std::string> texts;
  const json::json_pointer at(pointer);
  if (!document.contains(at)) return texts;
  if (document[at].is_string() && !document[at].get<std::string>().empty())
    texts.push_back(document[at]);
  if (document[at].is_array())
    for (const json& item : document[at])
      if (item.is_string()) texts.push_back(item);
  return texts;
}

Result<json> ReadJson(const fs::path& path) {
  XSP_TRY(const std::string text, os::ReadFile(path));
  json document = core::ParseJson(text);
  if (!document.is_object()) {
    return Error{ErrorKind::kBadInput, fmt::format("not a JSON object: {}", path.string()),
                 "The experiment is damaged; measure or import it again."};
  }
  return document;
}

/// A fact for people: sizes with a prefix, and for what the machine hides, why (`hidden`: by key).
json FactJson(std::string name, const std::string& key, const json& value, const json& hidden) {
  std::string text = value.is_string() ? value.get<std::string>() : core::JsonText(value);
  if (value.is_null()) text = fmt::format("not visible: {}", hidden.value(key, "no reason given"));
  constexpr std::string_view kBytes = "_bytes";
  if (name.ends_with(kBytes) && text.find_first_not_of("0123456789") == std::string::npos &&
      !text.empty()) {
    name.resize(name.size() - kBytes.size());
    text = wording::FormatQuantity(std::strtod(text.c_str(), nullptr), "byte");
  }
  return {{"name", std::move(name)}, {"value", std::move(text)}};
}

/// Nested facts as flat ones: {"caches": {"l2": "2 MB"}} gives ("caches.l2", "2 MB").
void Flatten(const json& value, const std::string& group, const std::string& name,
             const json& hidden, json& facts) {
  if (value.is_object()) {
    for (const auto& [key, inner] : value.items())
      Flatten(inner, group, name.empty() ? key : name + "." + key, hidden, facts);
  } else {
    facts.push_back(FactJson(name, group + "." + name, value, hidden));
  }
}

/// run.json of the deepest run that is there: it has the most to say.
json DeepestRun(const fs::path& experiment, const store::Database& database) {
  const auto rows = Rows::Of(
      database,
      "SELECT path FROM run WHERE status <> 'failed' AND rung <> 'details' ORDER BY run_id DESC");
  if (!rows.ok()) return json::object();
  for (std::size_t i = 0; i < rows.value().size(); ++i) {
    auto run = ReadJson(experiment / rows.value().Text(i, "path") / "run.json");
    if (run.ok()) return std::move(run).value();
  }
  return json::object();
}

/// "CPU, 2 cores of Intel(R) Xeon(R) Processor", "GPU, NVIDIA H100 80GB HBM3".
std::string DeviceForPeople(const std::string& device, std::int64_t cores, const json& run) {
  if (device.starts_with("gpu")) {
    const std::string gpu = compare::MachineOf(run).gpu;
    return gpu.empty() ? device : "GPU, " + gpu;
  }
  const std::string model = Text(run, "/stack/cpu/model");
  if (device != "cpu" || model.empty()) return device;
  return cores > 0 ? fmt::format("CPU, {} {} of {}", cores, cores == 1 ? "core" : "cores", model)
                   : "CPU, " + model;
}

}  // namespace

json StackGroups(const json& run) {
  const json stack = run.value("stack", json::object());
  const json hidden = stack.value("hidden", json::object());
  json groups = json::array();
  for (const auto& [name, value] : stack.items()) {
    if (name == "hidden") continue;
    json facts = json::array();
    Flatten(value, name, "", hidden, facts);
    if (!facts.empty()) groups.push_back({{"name", name}, {"facts", std::move(facts)}});
  }
  json facts = json::array();
  const json recorded = run.value("facts", json::object());
  for (const auto& [name, value] : recorded.items())
    facts.push_back(FactJson(name, name, value, hidden));
  if (!facts.empty()) groups.push_back({{"name", "recording"}, {"facts", std::move(facts)}});
  return groups;
}

Result<ExperimentFacts> ReadExperimentFacts(const fs::path& experiment,
                                            const store::Database& database) {
  XSP_TRY(const json document, ReadJson(experiment / "experiment.json"));
  const json run = DeepestRun(experiment, database);
  XSP_TRY(const Rows points, Rows::Of(database, R"(
      SELECT any_value(model) AS model, string_agg(DISTINCT backend, ', ' ORDER BY backend) AS backend, any_value(device) AS device, max(cores) AS cores,
             string_agg(DISTINCT precision, ', ') AS precision FROM point)"));
  XSP_TRY(const Rows batches,
          Rows::Of(database,
                   "SELECT DISTINCT batch FROM point WHERE batch IS NOT NULL ORDER BY batch"));
  ExperimentFacts facts;
  facts.name = experiment.filename().string();
  facts.model = points.Text(0, "model");
  facts.backend = points.Text(0, "backend");
  facts.device = DeviceForPeople(points.Text(0, "device"), points.Integer(0, "cores"), run);
  facts.precision = points.Text(0, "precision");
  facts.precision_asked = Text(document, "/request/precision");
  for (std::size_t i = 0; i < batches.size(); ++i)
    facts.batches.push_back(batches.Integer(i, "batch"));
  facts.measured_at = Text(document, "/created");
  if (Text(document, "/kind") == "import" && Text(run, "/clock/origin") == "epoch") {
    XSP_TRY(const Rows first,
            Rows::Of(database, "SELECT min(start_ns) // 1000000000 AS s FROM span"));
    if (!first.IsNull(0, "s")) facts.recorded_at = core::Rfc3339(first.Integer(0, "s"));
  }
  facts.command = Text(document, "/command");
  facts.imported_from = Texts(document, "/imported_from");
  facts.recorded = Text(document, "/kind") == "record";
  facts.conditions = Texts(document, "/conditions");
  if (const auto seed = Text(document, "/request/seed"); !seed.empty())
    facts.seed = std::stoll(seed);
  facts.stack = StackGroups(run);
  return facts;
}

json TitleJson(const ExperimentFacts& facts) {
  const bool asked_otherwise = !facts.precision_asked.empty() &&
                               facts.precision_asked != "default" &&
                               facts.precision_asked != facts.precision;
  return {{"model", facts.model},
          {"backend", facts.backend},
          {"device", facts.device},
          {"precision", facts.precision},
          {"precision_asked", asked_otherwise ? json(facts.precision_asked) : json(nullptr)},
          {"batches", facts.batches},
          {"measured_at", facts.measured_at.empty() ? json(nullptr) : json(facts.measured_at)},
          {"recorded_at", facts.recorded_at.empty() ? json(nullptr) : json(facts.recorded_at)},
          {"command", facts.command},
          {"experiment", facts.name},
          {"imported_from", facts.imported_from}};
}

json MethodJson(const ExperimentFacts& facts) {
  std::vector<std::string> notes;
  if (facts.recorded) {
    notes = {
        "An unchanged program, recorded in one run with all levels at once: the times of a level "
        "include the overhead of recording the levels below it. `xsp record --overhead N` measures "
        "the overhead on the whole program, by alternating with bare runs."};
  } else if (facts.imported_from.empty()) {
    notes = {
        "Each rung is a run of its own process, and a number is taken from the least profiled run "
        "that shows it: model latency from `model`, layer times from `layer`, kernel times from "
        "`kernel`. Shapes and memory are read in a pass `details` whose times are discarded.",
        "The rungs of one batch size are measured in alternating blocks of shuffled order, so that "
        "a drift of the machine affects all of them equally.",
        "The overhead of a rung is measured within one process: it makes the same number of calls "
        "in the rung above, in blocks that alternate with its own. Two processes of the same work "
        "can differ by themselves.",
        "Warm-up ends when two windows of 10 calls have medians within 2 %, at most after 100 "
        "calls. Means are trimmed: a fifth of the samples is cut off at each end. Calls are made "
        "in blocks of 0.3 s, in which the runs of a batch size alternate in random order; the 95 % "
        "interval of a latency is Student's, of the blocks' means, because consecutive calls are "
        "correlated.",
        "The overhead of a rung is measured in pairs of calls with and without it, in random order "
        "in one process (Hodges-Lehmann estimate and interval of the log ratios), or, where a "
        "backend does not switch so finely, in pairs of blocks or of processes.",
        "A sample is disturbed when the call lost more than 5 % of its latency to others: waiting "
        "for "
        "a core, or to the hypervisor. Disturbed samples are kept, shown, and left out of means."};
  } else {
    notes = {fmt::format(
        "Imported from {}. Times are as that profiler wrote them; what it cost is not known.",
        fmt::join(facts.imported_from, ", "))};
  }
  notes.insert(notes.end(), facts.conditions.begin(), facts.conditions.end());
  return {{"notes", notes},
          {"reproduce", facts.command},
          {"seed", facts.seed ? json(*facts.seed) : json(nullptr)}};
}

}  // namespace xsp::report
