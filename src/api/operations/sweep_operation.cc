#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "api/operation.h"
#include "api/operations/operation_list.h"
#include "api/operations/run_request.h"
#include "api/operations/stack_capture.h"
#include "api/operations/sweep_document.h"
#include "api/request_json.h"
#include "measure/protocols/protocol.h"
#include "measure/requests/request_check.h"
#include "measure/sessions/run_session.h"
#include "measure/sweeps/machine_fit.h"
#include "measure/sweeps/sweep.h"
#include "measure/sweeps/sweep_session.h"
#include "measure/sweeps/sweep_targets.h"
#include "measure/workers/worker_program.h"
#include "os/paths.h"

namespace xsp::api::sweep_operation {
namespace {

using nlohmann::json;
using sweeps::SweptPoint;

struct Request {
  std::filesystem::path file;
  bool plan = false;
  bool again = false;
};

/// Fields of the request of `run` that are no settings: the sweep says them in another way, or they
/// are of one experiment.
const std::set<std::string>& NoSettings() {
  static const std::set<std::string> names = {
      "model",         "backend",  "batch",   "precision", "name",    "report",  "keep_outputs",
      "scenario",      "worker",   "dataset", "samples",   "queries", "streams", "percentile",
      "latency_bound", "manifest", "plan",    "otlp",      "stream"};
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
Status CheckNames(const sweeps::Sweep& sweep) {
  for (const std::string& backend : sweep.backends) {
    if (backend == "all")
      return Error{ErrorKind::kBadInput, "the backends of a sweep are named one by one: all",
                   "`xsp doctor` lists the workers."};
    XSP_RETURN_IF_ERROR(workers::FindWorkerFile(backend));
  }
  for (const std::string& model : sweep.models)
    XSP_RETURN_IF_ERROR(sweeps::CheckModelExists(model));
  return Ok{};
}

/// Marks the points that are for other machines. Errors: kNotPossible: all are.
Status KeepThoseOfThisMachine(const sweeps::Sweep& sweep, const std::vector<collect::Fact>& stack,
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
  if (is_one) return Ok{};
  return Error{ErrorKind::kNotPossible,
               fmt::format("this machine is none of the sweep: {}", fmt::join(reasons, "; ")),
               "Run the same command on such a machine, or change `machines`."};
}

Result<std::vector<SweptPoint>> PointsFor(const Context& context, const sweeps::Sweep& sweep,
                                          const json& fields) {
  XSP_TRY(const std::vector<sweeps::Point> points, PointsOf(sweep));
  std::vector<SweptPoint> swept;
  for (const sweeps::Point& point : points) {
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

Result<Document> Run(const Context& context, const Request& request) {
  const json fields = RunFields();
  XSP_TRY(const sweeps::Sweep sweep, sweeps::ReadSweep(request.file, KnownSettings(fields)));
  os::Interrupts& interrupts = context.interrupts();
  XSP_TRY(std::vector<SweptPoint> points, PointsFor(context, sweep, fields));
  XSP_RETURN_IF_ERROR(CheckNames(sweep));
  sweeps::SweepContext own{.name = sweep.name,
                           .store = context.store,
                           .stack = CaptureThisMachine().facts,
                           .again = request.again,
                           .progress = context.progress,
                           .interrupts = &interrupts,
                           .measure = sessions::RunExperiment,
                           .machine_lock = os::CacheFolder() / "measuring.lock"};
  XSP_RETURN_IF_ERROR(KeepThoseOfThisMachine(sweep, own.stack, points));
  sweeps::SweepSession session(std::move(own), std::move(points));
  XSP_RETURN_IF_ERROR(session.Plan());
  if (request.plan) return PlanDocument(sweep.name, session.points(), session.SecondsLeft());
  session.Measure();
  return ResultDocument(sweep.name, context.store, session.points(), interrupts.stop());
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
        "         xsp sweep sweep.yaml && xsp list --sweep sweep",
    .effect = Effect::kMeasures,
    .result = R"({"type": "object", "required": ["sweep", "points"], "properties": {
      "sweep": {"type": "string"},
      "status": {"enum": ["done", "partial", "interrupted"], "description": "Not of a plan"},
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
          "elsewhere"],
          "description": "stored: by an earlier experiment; elsewhere: for another machine"},
        "experiment": {"type": ["string", "null"], "description": "Its name in the store"},
        "why": {"type": ["string", "null"],
          "description": "Why it failed or is elsewhere, or why what is stored does not count"},
        "hint": {"type": ["string", "null"], "description": "What to do about it"},
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
