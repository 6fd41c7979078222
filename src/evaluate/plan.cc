#include "evaluate/plan.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace xsp::evaluate {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

constexpr std::int64_t kLargestBatch = 1 << 20;
constexpr int kMostIterations = 1'000'000;

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

/// The rung above `rung` among those that the worker offers; empty: there is none, or the times of
/// `rung` are thrown away.
std::string BaselineRung(const WorkerProgram& worker, std::string_view rung) {
  std::string above;
  for (const std::string_view candidate : {"model", "layer", "library", "kernel"}) {
    if (candidate == rung) return above;
    const auto& offered = worker.rungs;
    if (std::find(offered.begin(), offered.end(), candidate) != offered.end()) above = candidate;
  }
  return {};
}

json WarmupRule(const std::string& rung) {
  // Design, section 4. Times of the details pass are thrown away: two calls fill the caches of
  // shapes and allocators.
  if (rung == "details") return {{"window", 1}, {"tolerance", 1.0}, {"max_calls", 2}};
  return {{"window", 10}, {"tolerance", 0.02}, {"max_calls", 100}};
}

json JobOf(const ExperimentRequest& request, const Model& model, const PlannedRun& run) {
  json job = {{"version", 1},
              {"model", {{"name", model.name}, {"path", model.path.string()}}},
              {"device", request.device},
              {"precision", request.precision},
              {"graph", request.graph},
              {"batch", run.batch},
              {"threads", request.threads},
              {"seed", request.seed},
              {"rung", run.rung},
              {"warmup", WarmupRule(run.rung)},
              {"iterations", run.iterations}};
  if (!model.inputs.is_null()) job["model"]["inputs"] = model.inputs;
  return job;
}

match::PointInput PointOf(const ExperimentRequest& request, const Model& model,
                          const WorkerProgram& worker, std::int64_t batch, int cores) {
  match::PointInput point;
  point.model = model.name;
  point.backend = worker.framework;
  point.device = request.device;
  point.precision = request.precision;
  point.batch = batch;
  point.settings = json{
      {"worker", worker.name},
      {"threads", request.threads},
      {"graph", request.graph},
      {"iterations", request.iterations},
      {"seed",
       request.seed}}.dump();
  point.model_bytes = model.size_bytes;
  point.cores = request.threads > 0 ? std::min(request.threads, cores) : cores;
  return point;
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
  if (request.threads < 0)
    return Usage(fmt::format("threads are negative: {}", request.threads),
                 "0: the framework's choice.");
  if (request.deadline_s < 0)
    return Usage(fmt::format("deadline is negative: {}", request.deadline_s), "");
  if (request.memory_limit_bytes < 0)
    return Usage(fmt::format("memory limit is negative: {}", request.memory_limit_bytes), "");
  if (!request.worker.empty() && request.backends.size() > 1)
    return Usage("one worker program for several backends", "Name only one of them.");
  return Ok{};
}

Result<std::vector<WorkerProgram>> ChooseWorkers(const ExperimentRequest& request,
                                                 const Model& model) {
  std::vector<WorkerProgram> workers;
  if (!request.worker.empty()) {
    XSP_TRY(WorkerProgram worker, DescribeWorker(request.worker));
    workers.push_back(std::move(worker));
  } else if (request.backends.empty()) {
    XSP_TRY(WorkerProgram worker, ChooseWorker(model.path, model.framework));
    workers.push_back(std::move(worker));
  }
  for (const std::string& backend : request.backends) {
    if (!request.worker.empty()) break;
    const auto is_it = [&](const WorkerProgram& worker) { return worker.name == backend; };
    if (std::any_of(workers.begin(), workers.end(), is_it)) continue;
    XSP_TRY(WorkerProgram worker, FindWorker(backend));
    workers.push_back(std::move(worker));
  }
  for (const WorkerProgram& worker : workers) {
    XSP_RETURN_IF_ERROR(CheckOffered(worker, "device", request.device, worker.devices));
    XSP_RETURN_IF_ERROR(CheckOffered(worker, "graph", request.graph, worker.graphs));
    XSP_RETURN_IF_ERROR(CheckOffered(worker, "precision", request.precision, worker.precisions));
  }
  return workers;
}

Result<Plan> MakePlan(const ExperimentRequest& request, const Model& model,
                      const std::vector<WorkerProgram>& workers, int cores,
                      const fs::path& scratch) {
  Plan plan;
  std::vector<std::int64_t> batches;
  for (std::int64_t batch : request.batches)
    if (std::find(batches.begin(), batches.end(), batch) == batches.end()) batches.push_back(batch);
  for (std::int64_t batch : batches) {
    std::vector<PlannedRun> group;
    for (const WorkerProgram& worker : workers) {
      plan.points.push_back(PointOf(request, model, worker, batch, cores));
      plan.points.back().point_id = static_cast<std::int64_t>(plan.points.size());
      XSP_TRY(const auto rungs, ChooseRungs(worker, request.depth, request.only));
      for (const std::string& rung : rungs) {
        PlannedRun run;
        run.name =
            fmt::format("{}b{}-{}", workers.size() > 1 ? worker.name + "-" : "", batch, rung);
        run.rung = rung;
        run.baseline_rung = BaselineRung(worker, rung);
        run.point_id = plan.points.back().point_id;
        run.batch = batch;
        run.iterations = rung == "details" ? std::min(kDetailsIterations, request.iterations)
                                           : request.iterations;
        run.session.program = worker.path;
        run.session.job = JobOf(request, model, run);
        run.session.job_file = scratch / (run.name + ".json");
        run.session.recording = scratch / (run.name + ".xspr");
        run.session.memory_limit_bytes = request.memory_limit_bytes;
        group.push_back(std::move(run));
      }
    }
    plan.groups.push_back(std::move(group));
  }
  return plan;
}

}  // namespace xsp::evaluate
