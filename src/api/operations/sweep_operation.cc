#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "api/operation.h"
#include "api/operations/operation_list.h"
#include "api/operations/run_request.h"
#include "api/operations/slurm_fields.h"
#include "api/operations/stack_capture.h"
#include "api/operations/sweep_document.h"
#include "api/request_json.h"
#include "core/json_text.h"
#include "measure/protocols/protocol.h"
#include "measure/requests/request_check.h"
#include "measure/sessions/run_session.h"
#include "measure/slurm/batch_job.h"
#include "measure/slurm/slurm_programs.h"
#include "measure/slurm/slurm_sweep.h"
#include "measure/slurm/submission.h"
#include "measure/sweeps/machine_fit.h"
#include "measure/sweeps/sweep.h"
#include "measure/sweeps/sweep_session.h"
#include "measure/sweeps/sweep_targets.h"
#include "measure/workers/worker_program.h"
#include "os/files.h"
#include "os/paths.h"

namespace xsp::api::sweep_operation {
namespace {

using nlohmann::json;
using sweeps::SweptPoint;

struct Request {
  std::filesystem::path file;
  bool plan = false;
  bool again = false;
  bool detach = false;
  SlurmFields slurm;
  std::filesystem::path task;
};

/// Fields of the request of `run` that are no settings: the sweep says them in another way, or they
/// are of one experiment.
const std::set<std::string>& NoSettings() {
  static const std::set<std::string> names = [] {
    std::set<std::string> known = {
        "model",         "backend",  "batch",   "precision", "name",    "report",  "keep_outputs",
        "scenario",      "worker",   "dataset", "samples",   "queries", "streams", "percentile",
        "latency_bound", "manifest", "plan",    "otlp",      "stream"};
    known.insert(SlurmFieldNames().begin(), SlurmFieldNames().end());
    return known;
  }();
  return names;
}

json RunFields() { return RequestSchema(*FindOperation("run"))["properties"]; }

std::vector<std::string> KnownSettings(const json& fields) {
  std::vector<std::string> names;
  for (const auto& [name, schema] : fields.items())
    if (!NoSettings().contains(name)) names.push_back(name);
  return names;
}

/// The request of `run` for a point. A setting that is a list there may be one text in a sweep.
json RunRequestFor(const sweeps::Sweep& sweep, const sweeps::Point& point, const json& fields) {
  json request = RunRequestOf(sweep, point);
  for (auto& [name, value] : request.items())
    if (value.is_string() && fields[name].value("type", "") == "array")
      value = json::array({value});
  return request;
}

/// What is measured of a point. Errors: as the operation `run`.
Result<SweptPoint> SweptPointOf(const Context& context, const json& request, sweeps::Point point) {
  SweptPoint swept;
  XSP_TRY(swept.request, run_operation::ReadExperimentRequest(request, context));
  XSP_TRY(swept.completed, protocols::CompleteRequest(swept.request));
  XSP_RETURN_IF_ERROR(requests::CheckRequest(swept.completed));
  swept.request.command = CommandLine(*FindOperation("run"), request);
  swept.point = std::move(point);
  return swept;
}

/// Whether there are such models and workers: a misspelt name is found before anything is measured.
/// The workers of a cluster's nodes are not known here.
Status CheckNames(const sweeps::Sweep& sweep, bool is_here) {
  for (const std::string& backend : sweep.backends) {
    if (backend == "all")
      return Error{ErrorKind::kBadInput, "the backends of a sweep are named one by one: all",
                   "`xsp doctor` lists the workers."};
    if (is_here) XSP_RETURN_IF_ERROR(workers::FindWorkerFile(backend));
  }
  for (const std::string& model : sweep.models)
    XSP_RETURN_IF_ERROR(sweeps::CheckModelExists(model));
  return Ok{};
}

/// Marks the points that are for other machines. Returns why this machine is none of the sweep;
/// empty: it is one.
std::vector<std::string> MarkElsewhere(const sweeps::Sweep& sweep,
                                       const std::vector<collect::Fact>& stack,
                                       std::vector<SweptPoint>& points) {
  std::vector<std::string> reasons;
  bool is_one = sweep.machines.empty();
  for (const sweeps::MachineConstraint& machine : sweep.machines) {
    const std::string why = sweeps::WhyNotThisMachine(machine, stack);
    is_one |= why.empty();
    if (why.empty()) continue;
    reasons.push_back(fmt::format("{}: {}", machine.name, why));
    for (SweptPoint& point : points) {
      if (point.point.machine != machine.name) continue;
      point.status = "elsewhere";
      point.why = why;
    }
  }
  if (is_one) reasons.clear();
  return reasons;
}

/// The same. Errors: kNotPossible: all are.
Status KeepThoseOfThisMachine(const sweeps::Sweep& sweep, const std::vector<collect::Fact>& stack,
                              std::vector<SweptPoint>& points) {
  const std::vector<std::string> reasons = MarkElsewhere(sweep, stack, points);
  if (reasons.empty()) return Ok{};
  return Error{ErrorKind::kNotPossible,
               fmt::format("this machine is none of the sweep: {}", fmt::join(reasons, "; ")),
               "Run the same command on such a machine, or change `machines`."};
}

/// `only`: the index of the one that is wanted; nothing: all.
Result<std::vector<SweptPoint>> PointsFor(const Context& context, const sweeps::Sweep& sweep,
                                          std::optional<std::size_t> only = std::nullopt) {
  const json fields = RunFields();
  XSP_TRY(const std::vector<sweeps::Point> points, PointsOf(sweep));
  std::vector<SweptPoint> swept;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (only && *only != i) continue;
    const sweeps::Point& point = points[i];
    const json request = RunRequestFor(sweep, point, fields);
    auto one = SweptPointOf(context, request, point);
    if (!one.ok()) {
      Error error = one.error();
      error.what = fmt::format("point {}: {}", point.name, error.what);
      return error;
    }
    swept.push_back(std::move(one).value());
  }
  return swept;
}

sweeps::SweepContext SweepContextFor(const Context& context, const Request& request,
                                     const std::string& name) {
  return {.name = name,
          .store = context.store,
          .stack = std::nullopt,
          .again = request.again,
          .progress = context.progress,
          .interrupts = &context.interrupts(),
          .measure = sessions::RunExperiment,
          .machine_lock = os::CacheFolder() / "measuring.lock"};
}

Result<Document> RunHere(const Context& context, const Request& request) {
  XSP_TRY(const sweeps::Sweep sweep, sweeps::ReadSweep(request.file, KnownSettings(RunFields())));
  sweeps::SweepContext own = SweepContextFor(context, request, sweep.name);
  XSP_TRY(std::vector<SweptPoint> points, PointsFor(context, sweep));
  XSP_RETURN_IF_ERROR(CheckNames(sweep, true));
  own.stack = CaptureThisMachine().facts;
  XSP_RETURN_IF_ERROR(KeepThoseOfThisMachine(sweep, *own.stack, points));
  os::Interrupts& interrupts = *own.interrupts;
  sweeps::SweepSession session(std::move(own), std::move(points));
  XSP_RETURN_IF_ERROR(session.Plan());
  if (request.plan) return PlanDocument(sweep.name, session.points(), session.SecondsLeft());
  session.Measure();
  return ResultDocument(sweep.name, context.store, session.points(), interrupts.stop());
}

/// Measures the one point of a task of Slurm, on the node that it runs on.
Result<Document> RunTask(const Context& context, const Request& request) {
  XSP_TRY(const slurm::Submission submission, slurm::ReadSubmission(request.task));
  const slurm::OwnTask task = slurm::ReadOwnTask();
  if (task.index < 0 || std::cmp_greater_equal(task.index, submission.points.size()))
    return Error{ErrorKind::kUsage, "not a task of this job array: " + request.task.string(),
                 "Slurm runs it: `xsp sweep FILE --executor slurm`."};
  const slurm::SubmittedPoint& submitted = submission.points[task.index];
  slurm::NameTask(task, fmt::format("xsp {}: {}", submission.sweep, submitted.name));
  XSP_TRY(const std::string text, os::ReadFile(request.file));
  XSP_TRY(sweeps::Sweep sweep,
          sweeps::ParseSweep(text, submission.file, KnownSettings(RunFields())));
  sweep.name = submission.sweep;
  sweeps::SweepContext own = SweepContextFor(context, request, sweep.name);
  XSP_TRY(std::vector<SweptPoint> points, PointsFor(context, sweep, submitted.index));
  own.stack = CaptureThisMachine().facts;
  MarkElsewhere(sweep, *own.stack, points);
  // Nodes may share the folder of the cache, and do not disturb each other.
  own.machine_lock = os::CacheFolder() / fmt::format("measuring-{}.lock", task.node);
  os::Interrupts& interrupts = *own.interrupts;
  sweeps::SweepSession session(std::move(own), std::move(points));
  XSP_RETURN_IF_ERROR(session.Plan());
  session.Measure();
  return ResultDocument(sweep.name, context.store, session.points(), interrupts.stop());
}

std::vector<SweptPoint> SweptOf(const std::vector<slurm::ClusterPoint>& points) {
  std::vector<SweptPoint> swept;
  for (const slurm::ClusterPoint& point : points) swept.push_back(point.swept);
  return swept;
}

/// What the jobs are, for people who ask Slurm about them.
Document WithJobs(Document document, const slurm::SlurmSweep& cluster) {
  json jobs = json::array();
  for (const slurm::JobOfSweep& job : cluster.jobs())
    jobs.push_back({{"job", job.id},
                    {"machine", job.machine.empty() ? json() : json(job.machine)},
                    {"points", job.points}});
  std::get<json>(document.content)["jobs"] = std::move(jobs);
  return document;
}

/// What the store has, for machines of which nothing is known here.
Result<std::vector<SweptPoint>> PlanForCluster(const Context& context, const Request& request,
                                               const sweeps::Sweep& sweep,
                                               std::vector<SweptPoint> points) {
  sweeps::SweepSession session(SweepContextFor(context, request, sweep.name), std::move(points));
  XSP_RETURN_IF_ERROR(session.Plan());
  return session.points();
}

std::vector<slurm::ClusterPoint> WithRequests(const sweeps::Sweep& sweep,
                                              std::vector<SweptPoint> planned) {
  const json fields = RunFields();
  std::vector<slurm::ClusterPoint> points;
  for (SweptPoint& point : planned) {
    json request = core::ParseJson(core::JsonText(RunRequestFor(sweep, point.point, fields)));
    points.push_back({std::move(point), std::move(request)});
  }
  return points;
}

Status CheckSlurmOptions(const sweeps::Sweep& sweep) {
  for (const sweeps::MachineConstraint& machine : sweep.machines)
    for (const std::string& option : machine.slurm) XSP_RETURN_IF_ERROR(slurm::CheckOption(option));
  return Ok{};
}

Result<Document> RunOnCluster(const Context& context, const Request& request) {
  XSP_TRY(const std::string text, os::ReadFile(request.file));
  XSP_TRY(const sweeps::Sweep sweep,
          sweeps::ParseSweep(text, request.file, KnownSettings(RunFields())));
  XSP_RETURN_IF_ERROR(CheckSlurmOptions(sweep));
  XSP_RETURN_IF_ERROR(CheckNames(sweep, false));
  XSP_RETURN_IF_ERROR(slurm::CheckInstalled());
  XSP_TRY(const std::filesystem::path store, StoreForNodes(context.store));
  const auto plan = [&](std::vector<SweptPoint> points) {
    return PlanForCluster(context, request, sweep, std::move(points));
  };
  XSP_TRY(std::vector<SweptPoint> points, PointsFor(context, sweep));
  XSP_TRY(std::vector<SweptPoint> planned, plan(std::move(points)));
  os::Interrupts& interrupts = context.interrupts();
  std::error_code error;
  slurm::SlurmContext own{.sweep = sweep.name,
                          .store = store,
                          .file = std::filesystem::absolute(request.file, error).lexically_normal(),
                          .text = text,
                          .machines = sweep.machines,
                          .options = request.slurm.options,
                          .again = request.again,
                          .program = (os::ExecutableFolder() / "xsp").string(),
                          .progress = context.progress,
                          .interrupts = &interrupts,
                          .plan = plan};
  slurm::SlurmSweep cluster(std::move(own), WithRequests(sweep, std::move(planned)));
  if (request.plan) {
    XSP_RETURN_IF_ERROR(cluster.FindQueued());
    return WithJobs(PlanDocument(sweep.name, SweptOf(cluster.points()), cluster.SecondsLeft()),
                    cluster);
  }
  XSP_RETURN_IF_ERROR(cluster.Submit());
  if (!request.detach) cluster.Follow();
  XSP_TRY(Document document,
          ResultDocument(sweep.name, context.store, SweptOf(cluster.points()), interrupts.stop()));
  if (request.detach && document.exit_status == 0)
    std::get<json>(document.content)["status"] = "submitted";
  return WithJobs(std::move(document), cluster);
}

Result<Document> Run(const Context& context, const Request& request) {
  if (!request.task.empty()) return RunTask(context, request);
  XSP_RETURN_IF_ERROR(CheckSlurmFields(request.slurm));
  if (request.slurm.is_slurm()) return RunOnCluster(context, request);
  if (request.detach)
    return Error{ErrorKind::kUsage, "only jobs of Slurm can be left to themselves",
                 "Add --executor slurm."};
  return RunHere(context, request);
}

void DeclareSlurm(core::RequestFields& fields, Request& request) {
  DeclareSlurmFields(fields, request.slurm, "points are");
  fields.Add("detach", &request.detach,
             {.help = "Of Slurm: end once the jobs are submitted; the same command without it "
                      "follows them"});
  fields.Add(
      "limit", &request.slurm.options.limit,
      {.help = "Of Slurm: how many points of a job array (one for each machine of the sweep) "
               "are measured at once; 0: as many as the cluster allows",
       .range = core::kNonNegative});
  fields.Add("task", &request.task,
             {.help = "The description of a job array that this process is a task of",
              .refers = core::Refers::kInput,
              .hidden = true});
}

Action Declare(core::RequestFields& fields, const Context& context) {
  auto request = std::make_shared<Request>();
  fields.Add("file", &request->file,
             {.help = "A YAML file that says what to measure (docs/sweeps.md)",
              .value_name = "SWEEP.yaml",
              .refers = core::Refers::kInput,
              .required = true,
              .positional = true});
  fields.Add("plan", &request->plan,
             {.help = "Measure nothing: list the points, how long each will take, and what the "
                      "store has"});
  fields.Add("again", &request->again,
             {.help = "Measure what the store has, too; earlier experiments are kept"});
  DeclareSlurm(fields, *request);
  return [&context, request] { return Run(context, *request); };
}

}  // namespace

extern const OperationSpec kOperation;
constinit const OperationSpec kOperation = {
    .name = "sweep",
    .summary =
        "Measures every combination of models, backends, batch sizes, precisions and "
        "settings; continues after an interruption",
    .example =
        "xsp sweep sweep.yaml --plan\n"
        "         xsp sweep sweep.yaml && xsp list --sweep sweep\n"
        "         xsp sweep sweep.yaml --executor slurm --partition gpu --limit 8\n"
        "         xsp sweep sweep.yaml --executor slurm --detach",
    .effect = Effect::kMeasures,
    .result = R"({"type": "object", "required": ["sweep", "points"], "properties": {
      "sweep": {"type": "string"},
      "status": {"enum": ["done", "partial", "interrupted", "submitted"],
        "description": "Not of a plan; submitted: with --detach"},
      "jobs": {"type": "array", "description": "Job arrays of Slurm that have points of the sweep",
        "items": {"type": "object", "properties": {
          "job": {"type": "string", "description": "Its id"},
          "machine": {"type": ["string", "null"], "description": "Null: any"},
          "points": {"type": "integer"}}}},
      "seconds": {"type": "number",
        "description": "Of a plan: estimate of what is missing, without what is not known"},
      "seconds_unknown": {"type": "integer",
        "description": "Of a plan: missing points whose time is not known"},
      "upper_bounds": {"type": "integer",
        "description": "Of a plan: missing points whose time is an upper bound"},
      "points": {"type": "array", "items": {"type": "object", "properties": {
        "name": {"type": "string"}, "model": {"type": "string"},
        "backend": {"type": ["string", "null"], "description": "Null: the model's own"},
        "batch": {"type": "integer"}, "precision": {"type": "string"},
        "machine": {"type": ["string", "null"], "description": "Null: any"},
        "settings": {"type": "object"},
        "status": {"enum": ["missing", "stored", "measured", "partial", "failed", "interrupted",
          "elsewhere", "queued", "running"],
          "description": "stored: by an earlier experiment; elsewhere: for another machine"},
        "experiment": {"type": ["string", "null"], "description": "Its name in the store"},
        "why": {"type": ["string", "null"],
          "description": "Why it failed or is elsewhere, or why what is stored does not count"},
        "hint": {"type": ["string", "null"], "description": "What to do about it"},
        "exit_status": {"type": ["integer", "null"],
          "description": "Of a point that failed, in whole or in part: as of `xsp run`"},
        "seconds": {"type": ["number", "null"],
          "description": "Of a plan: estimate; else what measuring took in this call"},
        "basis": {"enum": ["measured", "similar", "upper bound", "unknown"],
          "description": "Of a plan: what the estimate rests on"},
        "latency_ns": {"type": ["number", "null"], "description": "Per model call; not of a plan"},
        "latency_low_ns": {"type": ["number", "null"], "description": "Of its 95 % interval"},
        "latency_high_ns": {"type": ["number", "null"]},
        "throughput": {"type": ["number", "null"],
          "description": "Items per second: batch / latency"}}}}}})",
    .declare = Declare,
    .served_as = ServedAs::kNothing,
};

}  // namespace xsp::api::sweep_operation
