#include "measure/protocols/plan.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "core/json_text.h"
#include "measure/manifest/given_input.h"
#include "measure/requests/backend_option.h"

namespace xsp::protocols {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

/// The rung above `rung` among those that the worker offers; empty: there is none, or the times of
/// `rung` are discarded.
std::string BaselineRung(const workers::WorkerProgram& worker, std::string_view rung) {
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

json JobOf(const requests::ExperimentRequest& request, const workers::Backend& backend,
           const PlannedRun& run) {
  const models::Model& model = backend.model;
  json job = {{"version", 1},
              {"model", {{"name", model.name}, {"path", model.path.string()}}},
              {"device", workers::DeviceFor(backend.worker, request.device)},
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
  if (const json options = requests::OptionsFor(request, backend.name); !options.empty())
    job["options"] = options;
  return job;
}

match::PointInput PlannedPoint(const requests::ExperimentRequest& request,
                               const workers::Backend& backend, std::int64_t batch, int cores) {
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
  if (const json options = requests::OptionsFor(request, backend.name); !options.empty())
    settings["options"] = options;
  point.settings = core::JsonText(settings);
  point.model_bytes = backend.model.size_bytes;
  point.cores = request.threads > 0 ? std::min(request.threads, cores) : cores;
  return point;
}

/// Makes the runs of one point.
class RunFactory {
 public:
  RunFactory(const requests::ExperimentRequest& request, const workers::Backend& backend,
             std::int64_t batch, std::int64_t point_id, const fs::path& scratch, std::string prefix)
      : request_(request),
        backend_(backend),
        batch_(batch),
        point_id_(point_id),
        scratch_(scratch),
        prefix_(std::move(prefix)) {}

  workers::WorkerProgram::Switch SwitchOf(std::string_view rung) const {
    const auto declared = backend_.worker.SwitchOf(rung);
    // Records of a device are delivered in buffers, long after the call.
    const bool by_call = declared == workers::WorkerProgram::Switch::kCall &&
                         backend_.worker.protocol >= 2 &&
                         (rung != "kernel" || request_.device == "cpu");
    return declared == workers::WorkerProgram::Switch::kCall && !by_call
               ? workers::WorkerProgram::Switch::kBlock
               : declared;
  }
  std::string Baseline(std::string_view rung) const { return BaselineRung(backend_.worker, rung); }

  /// `suffix`: of the name, where a rung has several processes; `processes`: those that share the
  /// limit of time of a rung.
  PlannedRun Make(const std::string& rung, const std::string& suffix, int processes) const {
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
                    request_.time_limit_s / processes, is_timed ? request_.loads : 1};
    run.refused = backend_.refused;
    run.is_optional = backend_.is_optional;
    run.session.program = backend_.worker.path;
    run.session.job = JobOf(request_, backend_, run);
    run.session.job_file = scratch_ / (run.name + ".json");
    run.session.recording = scratch_ / (run.name + ".xspr");
    run.session.memory_limit_bytes = request_.memory_limit_bytes;
    return run;
  }

 private:
  const requests::ExperimentRequest& request_;
  const workers::Backend& backend_;
  std::int64_t batch_, point_id_;
  const fs::path& scratch_;
  std::string prefix_;
};

/// Fewer pairs of processes have no interval worth printing (design, section 4).
constexpr int kFewestProcessPairs = 5;

int ProcessesOf(const requests::ExperimentRequest& request, std::size_t backends) {
  constexpr int kOfSeveralBackends = 3, kOfSession = 5;
  if (request.processes > 0) return request.processes;
  if (!request.session.empty()) return kOfSession;
  const bool is_compared =
      backends > 1 && request.scenario.kind.empty() && request.dataset.text.empty();
  return is_compared ? kOfSeveralBackends : 1;
}

/// Whether a rung has as many processes as the point: those that comparisons take their times from.
/// Where profiling cannot be switched within a process, pairs of processes follow instead.
bool IsRepeated(const RunFactory& runs, std::string_view rung, std::string_view compared_rung) {
  if (rung == "model") return true;
  return rung == compared_rung && runs.SwitchOf(rung) != workers::WorkerProgram::Switch::kProcess;
}

/// The rungs of one point, each in as many processes as it needs. `all_pairs`: pairs of processes
/// also of rungs that comparisons do not take their times from.
void AddRuns(const RunFactory& runs, const std::vector<std::string>& rungs, int processes,
             bool all_pairs, bool on_device, std::vector<PlannedRun>& group) {
  const std::string_view compared_rung = on_device ? "kernel" : "layer";
  for (const std::string& rung : rungs) {
    const int count = IsRepeated(runs, rung, compared_rung) ? processes : 1;
    for (int process = 1; process <= count; ++process) {
      PlannedRun run = runs.Make(rung, process == 1 ? "" : fmt::format("-{}", process), count);
      run.process = process;
      group.push_back(std::move(run));
    }
  }
  if (processes < kFewestProcessPairs) return;
  for (const std::string& rung : rungs) {
    if (!all_pairs && rung != compared_rung) continue;
    const std::string baseline = runs.Baseline(rung);
    if (baseline.empty() || runs.SwitchOf(rung) != workers::WorkerProgram::Switch::kProcess)
      continue;
    for (int pair = 1; pair <= processes; ++pair) {
      // The order within a pair changes, so that drift does not favour one of them.
      for (const bool own : {pair % 2 == 0, pair % 2 != 0}) {
        PlannedRun run = runs.Make(
            own ? rung : baseline,
            own ? fmt::format("-pair{}", pair) : fmt::format("-for-{}-pair{}", rung, pair),
            2 * processes);
        run.process_pair = pair;
        run.process_pair_of = rung;
        run.baseline_rung.clear();
        group.push_back(std::move(run));
      }
    }
  }
}

Status CheckLoads(const requests::ExperimentRequest& request,
                  const workers::WorkerProgram& worker) {
  if (request.loads == 1 || worker.protocol >= 3) return Ok{};
  return Error{ErrorKind::kNotPossible,
               fmt::format("the worker {} cannot load its model anew", worker.name),
               "Rebuild it (protocol 3 of docs/worker-protocol.md), or leave out --loads."};
}

PlannedRun& FirstOf(std::vector<PlannedRun>& group, std::int64_t point_id) {
  return *std::find_if(group.begin(), group.end(),
                       [&](const PlannedRun& run) { return run.point_id == point_id; });
}

}  // namespace

const workers::Backend& BackendOf(std::int64_t point_id,
                                  const std::vector<workers::Backend>& backends) {
  return backends[static_cast<std::size_t>(point_id - 1) % backends.size()];
}

fs::path OutputsFolder(const fs::path& scratch, std::int64_t point_id) {
  return scratch / fmt::format("outputs-{}", point_id);
}

Result<Plan> MakePlan(const requests::ExperimentRequest& request,
                      const std::vector<workers::Backend>& backends, int cores,
                      const fs::path& scratch) {
  Plan plan;
  std::vector<std::int64_t> batches;
  for (std::int64_t batch : request.batches)
    if (std::find(batches.begin(), batches.end(), batch) == batches.end()) batches.push_back(batch);
  for (std::int64_t batch : batches) {
    std::vector<PlannedRun> group;
    for (const workers::Backend& backend : backends) {
      plan.points.push_back(PlannedPoint(request, backend, batch, cores));
      const auto point_id = static_cast<std::int64_t>(plan.points.size());
      plan.points.back().point_id = point_id;
      std::vector<std::string> rungs = {"model"};
      if (!backend.refused) {
        XSP_RETURN_IF_ERROR(CheckLoads(request, backend.worker));
        XSP_TRY(rungs, workers::ChooseRungs(backend.worker, request.depth, request.only));
      }
      const RunFactory runs(request, backend, batch, point_id, scratch,
                            backends.size() > 1 ? backend.name + "-" : "");
      // What cannot run has one run, which holds the reason.
      const int processes = backend.refused ? 1 : ProcessesOf(request, backends.size());
      AddRuns(runs, rungs, processes, request.processes > 0, request.device != "cpu", group);
      if (backends.size() > 1 || !request.session.empty() || !request.keep_outputs.empty())
        FirstOf(group, point_id).session.job["outputs"] = OutputsFolder(scratch, point_id).string();
    }
    plan.groups.push_back(std::move(group));
  }
  return plan;
}

}  // namespace xsp::protocols
