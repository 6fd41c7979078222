#include "measure/evaluate/plan.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>

#include "capture/attach/injection.h"
#include "capture/events/pmu_events.h"
#include "measure/evaluate/model_format.h"
#include "measure/manifest/given_input.h"

namespace xsp::evaluate {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

constexpr std::int64_t kLargestBatch = 1 << 20;
constexpr int kMostIterations = 1'000'000;
constexpr int kMostProcesses = 100;

Error Usage(std::string what, std::string hint) {
  return {ErrorKind::kUsage, std::move(what), std::move(hint)};
}

Status CheckOffered(const WorkerProgram& worker, const char* what, const std::string& asked,
                    const std::vector<std::string>& offered) {
  if (asked == "default" || std::find(offered.begin(), offered.end(), asked) != offered.end())
    return Ok{};
  return Error{ErrorKind::kNotPossible,
               fmt::format("worker {} has no {} {} (it has {})", worker.name, what, asked,
                           fmt::join(offered, ", ")),
               fmt::format("Choose one of these with --{}.", what)};
}

/// What the worker calls the device: some frameworks number theirs, others know only the kind,
/// whose first one is meant then ("cuda" for cuda:0).
std::string DeviceFor(const WorkerProgram& worker, const std::string& asked) {
  const auto has = [&](const std::string& device) {
    return std::find(worker.devices.begin(), worker.devices.end(), device) != worker.devices.end();
  };
  if (has(asked) || !asked.ends_with(":0")) return asked;
  const std::string kind = asked.substr(0, asked.size() - 2);
  return has(kind) ? kind : asked;
}

/// A device that is not there, with the worker's own reason where it has one.
Status CheckDevice(const WorkerProgram& worker, const std::string& asked) {
  const Status offered = CheckOffered(worker, "device", DeviceFor(worker, asked), worker.devices);
  if (offered.ok()) return offered;
  Error error = offered.error();
  const std::string kind = asked.substr(0, asked.find(':'));
  for (const auto& [device, why] : worker.missing_devices)
    if (device == kind && !why.empty()) error.what += ": " + why;
  return error;
}

/// The rung above `rung` among those that the worker offers; empty: there is none, or the times of
/// `rung` are discarded.
std::string BaselineRung(const WorkerProgram& worker, std::string_view rung) {
  std::string above;
  for (const std::string_view candidate : {"model", "layer", "library", "kernel"}) {
    if (candidate == rung) return above;
    const auto& offered = worker.rungs;
    if (std::find(offered.begin(), offered.end(), candidate) != offered.end()) above = candidate;
  }
  return {};
}

json WarmupRule(const std::string& rung, double limit_s) {
  // Design, section 4. Times of these passes are discarded: two calls fill the caches of shapes
  // and allocators.
  if (rung == "details" || rung == "counters")
    return {{"window", 1}, {"tolerance", 1.0}, {"max_calls", 2}};
  return {{"window", 10}, {"tolerance", 0.02}, {"max_calls", 100}, {"max_seconds", limit_s}};
}

/// An option taken apart: "onnxruntime:execution_mode=parallel".
struct NamedOption {
  std::string backend;  ///< Empty: every one.
  std::string name, value;
};

std::optional<NamedOption> ParseOption(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos) return std::nullopt;
  const std::size_t colon = text.substr(0, equals).find(':');
  NamedOption option;
  if (colon != std::string::npos) option.backend = text.substr(0, colon);
  const std::size_t name = colon == std::string::npos ? 0 : colon + 1;
  option.name = text.substr(name, equals - name);
  option.value = text.substr(equals + 1);
  return option.name.empty() ? std::nullopt : std::optional(option);
}

json OptionsFor(const ExperimentRequest& request, const std::string& backend) {
  json options = json::object();
  for (const std::string& text : request.options) {
    const auto option = ParseOption(text);
    if (option && (option->backend.empty() || option->backend == backend))
      options[option->name] = option->value;
  }
  return options;
}

json JobOf(const ExperimentRequest& request, const Backend& backend, const PlannedRun& run) {
  const Model& model = backend.model;
  json job = {{"version", 1},
              {"model", {{"name", model.name}, {"path", model.path.string()}}},
              {"device", DeviceFor(backend.worker, request.device)},
              {"precision", request.precision},
              {"graph", request.graph},
              {"batch", run.batch},
              {"threads", request.threads},
              {"seed", request.seed},
              {"rung", run.rung},
              {"warmup", WarmupRule(run.rung, request.warmup_limit_s)},
              {"iterations", run.iterations}};
  if (!model.inputs.is_null()) job["model"]["inputs"] = model.inputs;
  for (const std::string& text : request.inputs) {
    auto given = manifest::ParseGivenInput(text);  // CheckRequest() has refused what is wrong.
    if (given.ok()) job["model"]["given"].push_back(std::move(given).value());
  }
  if (const json options = OptionsFor(request, backend.name); !options.empty())
    job["options"] = options;
  return job;
}

/// What the rung `counters` counts on this machine, as a job has it.
Result<json> CountersJson() {
  XSP_TRY(const events::PmuEvents chosen, events::EventsHere());
  json list = json::array();
  for (const counters::Event& event : chosen.events) {
    list.push_back({{"name", event.name},
                    {"unit", event.unit},
                    {"type", event.type},
                    {"config", event.config},
                    {"factor", event.factor},
                    {"group", event.group}});
  }
  return list;
}

/// What a worker's process needs besides its job. Kernels of a CUDA device are recorded by a
/// library that the driver loads into the worker; a variable that the user has set stays as it is.
std::vector<std::pair<std::string, std::string>> EnvironmentOf(const ExperimentRequest& request,
                                                               const std::string& rung) {
  if (rung != "kernel" || !request.device.starts_with("cuda")) return {};
  const auto injection = attach::CudaInjection(attach::LibraryFolder());
  if (!injection || std::getenv(injection->first.c_str()) != nullptr) return {};
  return {*injection};
}

match::PointInput PlannedPoint(const ExperimentRequest& request, const Backend& backend,
                               std::int64_t batch, int cores) {
  match::PointInput point;
  point.model = backend.model.name;
  point.backend = backend.refused ? backend.name : backend.worker.framework;
  point.device = request.device;
  point.precision = request.precision;
  point.batch = batch;
  json settings = {{"worker", backend.name},
                   {"threads", request.threads},
                   {"graph", request.graph},
                   {"iterations", request.iterations},
                   {"seed", request.seed}};
  if (const json options = OptionsFor(request, backend.name); !options.empty())
    settings["options"] = options;
  point.settings = settings.dump();
  point.model_bytes = backend.model.size_bytes;
  point.cores = request.threads > 0 ? std::min(request.threads, cores) : cores;
  return point;
}

Status CheckOffers(const WorkerProgram& worker, const ExperimentRequest& request) {
  XSP_RETURN_IF_ERROR(CheckDevice(worker, request.device));
  XSP_RETURN_IF_ERROR(CheckOffered(worker, "graph", request.graph, worker.graphs));
  return CheckOffered(worker, "precision", request.precision, worker.precisions);
}

/// What is wrong with a backend although worker and model are there.
Status CheckBackend(const Backend& backend, const ExperimentRequest& request) {
  XSP_RETURN_IF_ERROR(CheckOffers(backend.worker, request));
  return CheckFrameworkVersion(backend.model.manifest, backend.worker);
}

/// The formats to make a model in when no backend is named: of a zoo model, the first in its
/// manifest's order that a worker here takes; empty: as the model is.
Result<std::vector<std::string>> FormatsHere(const ExperimentRequest& request) {
  XSP_TRY(const std::optional<ZooModel> zoo, FindInZoo(request.model));
  if (!zoo || !zoo->manifest.framework.name.empty()) return std::vector<std::string>();
  const WorkerList list = ListWorkers();
  for (const ZooFile& file : zoo->files) {
    for (const WorkerProgram& worker : list.workers) {
      const std::vector<std::string> formats = FormatsOf(worker);
      if (std::find(formats.begin(), formats.end(), file.format) != formats.end())
        return std::vector<std::string>{file.format};
    }
  }
  return std::vector<std::string>();
}

/// A worker program that was named by its path, or the one that the model asks for.
Result<Backend> OnlyBackend(const ExperimentRequest& request, Progress& progress, int wake_fd) {
  Backend backend;
  if (request.worker.empty()) {
    XSP_TRY(const std::vector<std::string> formats, FormatsHere(request));
    XSP_TRY(backend.model,
            ResolveModel(request.model, request.manifest, formats, progress, wake_fd));
    XSP_TRY(backend.worker, ChooseWorker(backend.model.path, backend.model.framework));
  } else {
    XSP_TRY(backend.worker, DescribeWorker(request.worker));
    XSP_TRY(backend.model, ResolveModel(request.model, request.manifest, FormatsOf(backend.worker),
                                        progress, wake_fd));
  }
  backend.name = backend.worker.name;
  XSP_RETURN_IF_ERROR(CheckBackend(backend, request));
  return backend;
}

Result<Backend> NamedBackend(const std::string& name, const ExperimentRequest& request,
                             Progress& progress, int wake_fd) {
  Backend backend;
  backend.name = name;
  XSP_TRY(backend.worker, FindWorker(name));
  XSP_RETURN_IF_ERROR(CheckOffers(backend.worker, request));
  XSP_TRY(backend.model, ResolveModel(request.model, request.manifest, FormatsOf(backend.worker),
                                      progress, wake_fd));
  XSP_RETURN_IF_ERROR(CheckFrameworkVersion(backend.model.manifest, backend.worker));
  return backend;
}

/// The manifest that a request's model is named by: of the zoo, or itself; nothing: a model file.
Result<std::optional<manifest::Manifest>> ManifestNamed(const std::string& model) {
  XSP_TRY(const std::optional<ZooModel> zoo, FindInZoo(model));
  if (zoo) return std::optional(zoo->manifest);
  if (fs::path(model).extension() != ".yaml") return std::optional<manifest::Manifest>();
  XSP_TRY(manifest::Manifest read, manifest::ReadManifest(model));
  return std::optional(std::move(read));
}

/// The workers here that take a format of the model.
Result<std::vector<std::string>> WorkersForModel(const ExperimentRequest& request) {
  XSP_TRY(const std::optional<manifest::Manifest> named, ManifestNamed(request.model));
  if (!named) {
    const fs::path model = ModelPath(request.model);
    std::vector<std::string> names;
    for (const WorkerProgram& worker : WorkersFor(model, ListWorkers().workers))
      names.push_back(worker.name);
    if (!names.empty()) return names;
    XSP_TRY(const WorkerProgram none, ChooseWorker(model, ""));
    return std::vector<std::string>{none.name};
  }
  // The format that the manifest names first is the model's own: its framework is the reference.
  const std::string own = !named->files.empty() ? named->files.front().format : "";
  std::vector<std::string> names;
  for (const WorkerProgram& worker : ListWorkers().workers) {
    const std::vector<std::string> formats = FormatsOf(worker);
    const bool takes = ChooseFile(*named, formats) != nullptr;
    const bool is_own = std::find(formats.begin(), formats.end(), own) != formats.end();
    if (takes) names.insert(is_own ? names.begin() : names.end(), worker.name);
  }
  if (!names.empty()) return names;
  return Error{ErrorKind::kNotPossible,
               fmt::format("no installed worker reads this model: {}", request.model),
               "`xsp doctor` lists the workers and the formats that they read."};
}

/// A misspelt backend before an option would have it ignored.
Status CheckOptionsFor(const ExperimentRequest& request, const std::vector<std::string>& backends) {
  for (const std::string& text : request.options) {
    const auto option = ParseOption(text);
    if (!option || option->backend.empty()) continue;
    if (std::find(backends.begin(), backends.end(), option->backend) == backends.end())
      return Usage(fmt::format("option is for a backend that is not measured: {}", text),
                   fmt::format("Measured are {}.", fmt::join(backends, ", ")));
  }
  return Ok{};
}

/// Each name once, `all` taken apart.
Result<std::vector<std::string>> NamesOfBackends(const ExperimentRequest& request) {
  std::vector<std::string> names;
  const auto add = [&](const std::string& name) {
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  };
  for (const std::string& name : request.backends) {
    if (name != "all") {
      add(name);
      continue;
    }
    XSP_TRY(const std::vector<std::string> takers, WorkersForModel(request));
    for (const std::string& taker : takers) add(taker);
  }
  return names;
}

/// Makes the runs of one point.
class RunFactory {
 public:
  RunFactory(const ExperimentRequest& request, const Backend& backend, std::int64_t batch,
             std::int64_t point_id, const fs::path& scratch, std::string prefix)
      : request_(request),
        backend_(backend),
        batch_(batch),
        point_id_(point_id),
        scratch_(scratch),
        prefix_(std::move(prefix)) {}

  WorkerProgram::Switch SwitchOf(std::string_view rung) const {
    const auto declared = backend_.worker.SwitchOf(rung);
    // Records of a device are delivered in buffers, long after the call.
    const bool by_call = declared == WorkerProgram::Switch::kCall &&
                         backend_.worker.protocol >= 2 &&
                         (rung != "kernel" || request_.device == "cpu");
    return declared == WorkerProgram::Switch::kCall && !by_call ? WorkerProgram::Switch::kBlock
                                                                : declared;
  }
  std::string Baseline(std::string_view rung) const { return BaselineRung(backend_.worker, rung); }

  /// `suffix`: of the name, where a rung has several processes.
  Result<PlannedRun> Make(const std::string& rung, const std::string& suffix) const {
    PlannedRun run;
    run.name = fmt::format("{}b{}-{}{}", prefix_, batch_, rung, suffix);
    run.rung = rung;
    run.baseline_rung = Baseline(rung);
    run.switching = SwitchOf(rung);
    run.point_id = point_id_;
    run.batch = batch_;
    const bool is_timed = rung != "details" && rung != "counters";
    run.iterations =
        rung == "details" ? std::min(kDetailsIterations, request_.iterations) : request_.iterations;
    run.sampling = {run.iterations, is_timed ? request_.precision_target : 0,
                    request_.time_limit_s};
    run.refused = backend_.refused;
    run.is_optional = backend_.is_optional;
    run.session.program = backend_.worker.path;
    run.session.job = JobOf(request_, backend_, run);
    if (rung == "counters") {
      XSP_TRY(run.session.job["counters"], CountersJson());
    }
    run.session.job_file = scratch_ / (run.name + ".json");
    run.session.recording = scratch_ / (run.name + ".xspr");
    run.session.memory_limit_bytes = request_.memory_limit_bytes;
    run.session.environment = EnvironmentOf(request_, rung);
    return run;
  }

 private:
  const ExperimentRequest& request_;
  const Backend& backend_;
  std::int64_t batch_, point_id_;
  const fs::path& scratch_;
  std::string prefix_;
};

/// Fewer pairs of processes have no interval worth printing (design, section 4).
constexpr int kFewestProcessPairs = 5;

int ProcessesOf(const ExperimentRequest& request, std::size_t backends) {
  constexpr int kOfSeveralBackends = 3;
  const bool is_compared =
      backends > 1 && request.scenario.kind.empty() && request.dataset.text.empty();
  return request.processes > 0 ? request.processes : is_compared ? kOfSeveralBackends : 1;
}

/// The rungs of one point, each in as many processes as it needs.
Status AddRuns(const RunFactory& runs, const std::vector<std::string>& rungs, int processes,
               std::vector<PlannedRun>& group) {
  for (const std::string& rung : rungs) {
    const int count = rung == "model" ? processes : 1;
    for (int process = 1; process <= count; ++process) {
      XSP_TRY(PlannedRun run, runs.Make(rung, process == 1 ? "" : fmt::format("-{}", process)));
      run.process = process;
      group.push_back(std::move(run));
    }
  }
  if (processes < kFewestProcessPairs) return Ok{};
  for (const std::string& rung : rungs) {
    const std::string baseline = runs.Baseline(rung);
    if (baseline.empty() || runs.SwitchOf(rung) != WorkerProgram::Switch::kProcess) continue;
    for (int pair = 1; pair <= processes; ++pair) {
      // The order within a pair changes, so that drift does not favour one of them.
      for (const bool own : {pair % 2 == 0, pair % 2 != 0}) {
        XSP_TRY(PlannedRun run,
                runs.Make(own ? rung : baseline, own ? fmt::format("-pair{}", pair)
                                                     : fmt::format("-for-{}-pair{}", rung, pair)));
        run.process_pair = pair;
        run.process_pair_of = rung;
        run.baseline_rung.clear();
        group.push_back(std::move(run));
      }
    }
  }
  return Ok{};
}

PlannedRun& FirstOf(std::vector<PlannedRun>& group, std::int64_t point_id) {
  return *std::find_if(group.begin(), group.end(),
                       [&](const PlannedRun& run) { return run.point_id == point_id; });
}

}  // namespace

Status CheckRequest(const ExperimentRequest& request) {
  if (request.batches.empty()) return Usage("no batch size", "Give one with --batch 1,2,4.");
  for (std::int64_t batch : request.batches) {
    if (batch < 1 || batch > kLargestBatch)
      return Usage(fmt::format("batch size is not between 1 and {}: {}", kLargestBatch, batch), "");
  }
  if (request.iterations < 1 || request.iterations > kMostIterations) {
    return Usage(
        fmt::format("iterations are not between 1 and {}: {}", kMostIterations, request.iterations),
        "");
  }
  if (!(request.precision_target >= 0 && request.precision_target < 1))
    return Usage(
        fmt::format("precision target is not between 0 and 100 %: {}", request.precision_target),
        "Write --precision-target 5%.");
  if (request.time_limit_s < 0)
    return Usage(fmt::format("time limit is negative: {}", request.time_limit_s), "");
  if (request.processes < 0 || request.processes > kMostProcesses)
    return Usage(
        fmt::format("processes are not between 1 and {}: {}", kMostProcesses, request.processes),
        "");
  if (request.threads < 0)
    return Usage(fmt::format("threads are negative: {}", request.threads),
                 "0: the framework's choice.");
  if (request.warmup_limit_s < 0)
    return Usage(fmt::format("warm-up limit is negative: {}", request.warmup_limit_s),
                 "0: no limit of time.");
  if (request.deadline_s < 0)
    return Usage(fmt::format("deadline is negative: {}", request.deadline_s), "");
  if (request.memory_limit_bytes < 0)
    return Usage(fmt::format("memory limit is negative: {}", request.memory_limit_bytes), "");
  for (const std::string& input : request.inputs) {
    XSP_TRY(const json given, manifest::ParseGivenInput(input));
    if (!given.contains("name") && request.inputs.size() > 1)
      return Usage(fmt::format("several inputs, and one without its name: {}", input),
                   "Write --input NAME=SHAPE for each.");
  }
  for (const std::string& option : request.options) {
    if (!ParseOption(option))
      return Usage(fmt::format("option is not NAME=VALUE: {}", option),
                   "For one of several backends write BACKEND:NAME=VALUE.");
  }
  if (!request.worker.empty() && request.backends.size() > 1)
    return Usage("one worker program for several backends", "Name only one of them.");
  return Ok{};
}

Result<std::vector<Backend>> ChooseBackends(const ExperimentRequest& request, Progress& progress,
                                            int wake_fd) {
  if (!request.worker.empty() || request.backends.empty()) {
    XSP_TRY(Backend backend, OnlyBackend(request, progress, wake_fd));
    return std::vector<Backend>{std::move(backend)};
  }
  XSP_TRY(const std::vector<std::string> names, NamesOfBackends(request));
  XSP_RETURN_IF_ERROR(CheckOptionsFor(request, names));
  std::vector<Backend> backends;
  for (const std::string& name : names) {
    auto backend = NamedBackend(name, request, progress, wake_fd);
    if (backend.ok()) {
      backends.push_back(std::move(backend).value());
    } else if (names.size() == 1 || backend.error().kind == ErrorKind::kInterrupted) {
      return backend.error();
    } else {
      backends.push_back({name, {}, {}, backend.error()});
    }
    const auto& asked = request.backends;
    backends.back().is_optional = std::find(asked.begin(), asked.end(), name) == asked.end();
  }
  for (const Backend& backend : backends)
    if (!backend.refused) return backends;
  return *backends.front().refused;
}

fs::path OutputsFolder(const fs::path& scratch, std::int64_t point_id) {
  return scratch / fmt::format("outputs-{}", point_id);
}

Result<Plan> MakePlan(const ExperimentRequest& request, const std::vector<Backend>& backends,
                      int cores, const fs::path& scratch) {
  Plan plan;
  std::vector<std::int64_t> batches;
  for (std::int64_t batch : request.batches)
    if (std::find(batches.begin(), batches.end(), batch) == batches.end()) batches.push_back(batch);
  for (std::int64_t batch : batches) {
    std::vector<PlannedRun> group;
    for (const Backend& backend : backends) {
      plan.points.push_back(PlannedPoint(request, backend, batch, cores));
      const auto point_id = static_cast<std::int64_t>(plan.points.size());
      plan.points.back().point_id = point_id;
      std::vector<std::string> rungs = {"model"};
      if (!backend.refused) {
        XSP_TRY(rungs, ChooseRungs(backend.worker, request.depth, request.only));
      }
      const RunFactory runs(request, backend, batch, point_id, scratch,
                            backends.size() > 1 ? backend.name + "-" : "");
      // What cannot run has one run, which holds the reason.
      const int processes = backend.refused ? 1 : ProcessesOf(request, backends.size());
      XSP_RETURN_IF_ERROR(AddRuns(runs, rungs, processes, group));
      if (backends.size() > 1 || !request.keep_outputs.empty())
        FirstOf(group, point_id).session.job["outputs"] = OutputsFolder(scratch, point_id).string();
    }
    plan.groups.push_back(std::move(group));
  }
  return plan;
}

}  // namespace xsp::evaluate
