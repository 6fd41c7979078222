#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <variant>

#include "api/operation.h"
#include "api/operations/ideal_document.h"
#include "api/operations/ideal_picture.h"
#include "api/operations/run_field.h"
#include "os/files.h"
#include "store/catalogue.h"

namespace xsp::api::ideal_operation {
namespace {

struct Request {
  std::string run;
  bool with_disturbed = false;
  bool alternatives = false;
  AlternativesOptions options;
  std::filesystem::path picture;
};

Result<Document> Ideal(const Context& context, const Request& request) {
  if (!request.picture.empty() && request.picture.extension() != ".svg")
    return Error{ErrorKind::kUsage, "a chart is an .svg file: " + request.picture.string(),
                 "xsp ideal latest -o ideal.svg"};
  IdealRequest ideal;
  ideal.with_disturbed = request.with_disturbed;
  if (request.alternatives) {
    ideal.alternatives = request.options;
    ideal.alternatives->interrupts = &context.interrupts();
  }
  XSP_TRY(ideal.experiment, store::Resolve(context.store, request.run));
  XSP_TRY(ideal.others, store::ExperimentFolders(context.store));
  XSP_TRY(nlohmann::json body, IdealDocument(ideal, *context.progress));
  Document document{.content = std::move(body)};
  if (request.picture.empty()) return document;
  XSP_RETURN_IF_ERROR(os::WriteFileAtomically(
      request.picture, IdealSvg(std::get<nlohmann::json>(document.content))));
  document.notes.push_back("wrote " + request.picture.string());
  return document;
}

Action Declare(core::RequestFields& fields, const Context& context) {
  auto request = std::make_shared<Request>();
  AddRun(fields, &request->run);
  fields.Add("with_disturbed", &request->with_disturbed,
             {.help = "Also take times of runs of whose calls more than half had interference "
                      "(other programs took more than 5 % of them)"});
  fields.Add(
      "alternatives", &request->alternatives,
      {.help = "First measure the alternatives of primitives on this machine: memory formats, "
               "algorithms, implementations and data types, of oneDNN and MKL on a CPU, of "
               "cuBLAS and cuDNN on a GPU"});
  fields.Add("time_limit", &request->options.time_limit_s,
             {.help = "Limit of seconds for measuring alternatives; what is left is measured next "
                      "time",
              .value_name = "S",
              .unit = "s",
              .range = core::kPositive,
              .needs = "alternatives"});
  fields.Add(
      "again", &request->options.again,
      {.help = "Measure alternatives again even if they are cached", .needs = "alternatives"});
  fields.Add("output", &request->picture,
             {.help = "Write a chart of the longest layers: measured, best known, bound",
              .value_name = "FILE.svg",
              .refers = core::Refers::kOutput,
              .letter = 'o'});
  return [&context, request] { return Ideal(context, *request); };
}

}  // namespace

extern const OperationSpec kOperation;
constinit const OperationSpec kOperation = {
    .name = "ideal",
    .summary = "Compares each layer with the limits of the machine and with the best time known",
    .example =
        "xsp ideal latest --alternatives\n"
        "         xsp ideal latest -o ideal.svg",
    .effect = Effect::kMeasures,
    .result = R"({"type": "object", "required": ["experiment", "points"], "properties": {
      "experiment": {"type": "string"},
      "cpu": {"type": ["string", "null"], "description": "null: not known"},
      "gpu": {"type": ["string", "null"]},
      "experiments": {"type": "object", "description": "Others in the store", "properties": {
        "same_machine": {"type": "integer", "description": "Same CPU or GPU: they were searched"},
        "other_machine": {"type": "integer", "description": "Of another, or an unknown one"},
        "unreadable": {"type": "integer"}}},
      "with_disturbed": {"type": "boolean", "description": "As asked for"},
      "points": {"type": "array", "items": {"type": "object", "properties": {
        "point_id": {"type": "integer"}, "model": {"type": "string"},
        "backend": {"type": "string"}, "batch": {"type": ["integer", "null"]},
        "precision": {"type": "string"},
        "on_device": {"type": "boolean", "description": "Times are those of a device"},
        "threads": {"type": ["integer", "null"],
          "description": "Of a layer; those of best_known have at most as many"},
        "latency_ns": {"type": ["number", "null"], "description": "Of a model call"},
        "critical_path": {"type": ["object", "null"],
          "description": "Of the mean step; null: no timeline of a device",
          "properties": {"measured_ns": {"type": "number"},
            "compute_ns": {"type": "number", "description": "Kernels on it"},
            "best_known_ns": {"type": "number",
              "description": "Its kernels take the best known time of their layers, all else as measured"},
            "bound_ns": {"type": ["number", "null"],
              "description": "Its kernels take the bound of their layers, all else nothing"}}},
        "measured_ns": {"type": "number", "description": "Sum of all layers, as are the next two"},
        "best_known_ns": {"type": "number"},
        "bound_ns": {"type": ["number", "null"], "description": "Sum of the known bounds"},
        "bounded_ns": {"type": "number", "description": "Measured time of the layers with a bound"},
        "busiest": {"type": ["object", "null"],
          "description": "The resource with the largest sum of bounds: holds if layers overlap",
          "properties": {"resource": {"type": "string"}, "bound_ns": {"type": "number"}}},
        "improved_layers": {"type": "integer", "description": "Faster elsewhere"},
        "improved_by_alternatives": {"type": "integer",
          "description": "Of these, by an alternative of a primitive"},
        "exceeded_layers": {"type": "integer",
          "description": "Faster than their bound: a cost, a roof or a time is wrong"},
        "alternatives": {"type": "object", "description": "Numbers of distinct primitives",
          "properties": {"known": {"type": "integer"}, "measured_now": {"type": "integer"},
            "left": {"type": "integer", "description": "Not measured yet"},
            "refused": {"type": "integer", "description": "By the library"}}},
        "primitives": {"type": "array", "description": "Distinct ones, on a GPU with their helpers",
          "items": {"type": "object", "properties": {
            "kind": {"type": "string"}, "problem": {"type": "string"}, "dtype": {"type": "string"},
            "layer": {"type": "string", "description": "Of the longest"},
            "kernels": {"type": "integer", "description": "How often it was computed"},
            "implementation": {"type": "string", "description": "That ran"},
            "measured_ns": {"type": "number", "description": "Mean of these"},
            "total_ns": {"type": "number"},
            "post_ops": {"type": ["array", "null"], "items": {"type": "string"}},
            "reason": {"type": ["string", "null"],
              "description": "Why no alternatives can be measured"},
            "library": {"type": ["string", "null"], "description": "null: not measured"},
            "measured_at": {"type": ["string", "null"]},
            "complete": {"type": ["boolean", "null"],
              "description": "false: the time did not suffice for every alternative"},
            "fastest": {"type": ["object", "null"], "description": "Of the same data type"},
            "alternatives": {"type": ["array", "null"], "items": {"type": "object", "properties": {
              "dtype": {"type": "string"}, "format": {"type": "string",
                "description": "Of source and result: plain, channels_last, transposed (weights), any"},
              "algorithm": {"type": "string"}, "implementation": {"type": "string"},
              "source_layout": {"type": "string"}, "weights_layout": {"type": "string"},
              "result_layout": {"type": "string"}, "best_ns": {"type": "number"},
              "median_ns": {"type": "number"}, "repeats": {"type": "integer"},
              "speedup": {"type": "number", "description": "measured_ns / median_ns"}}}}}}},
        "layers": {"type": "array", "items": {"type": "object", "properties": {
          "layer_index": {"type": "integer"}, "name": {"type": "string"},
          "type": {"type": "string"},
          "measured_ns": {"type": "number"},
          "best_known_ns": {"type": "number", "description": "At most measured_ns"},
          "best_known": {"type": ["object", "null"], "description": "null: the layer itself",
            "properties": {"experiment": {"type": ["string", "null"],
                "description": "null: an alternative of a primitive"},
              "point_id": {"type": ["integer", "null"]},
              "backend": {"type": "string", "description": "Or the library of the alternative"},
              "layer": {"type": ["string", "null"]},
              "implementation": {"type": ["string", "null"]},
              "format": {"type": ["string", "null"]},
              "algorithm": {"type": ["string", "null"]}}},
          "bound_ns": {"type": ["number", "null"], "description": "null: no cost is known"},
          "resource": {"type": ["string", "null"], "description": "What bounds it"},
          "exceeded": {"type": "boolean"}}}}}}}}})",
    .declare = Declare,
    .served_as = ServedAs::kJob,
};

}  // namespace xsp::api::ideal_operation
