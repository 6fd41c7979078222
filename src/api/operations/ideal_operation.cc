#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "api/operation.h"
#include "api/operations/ideal_document.h"
#include "api/operations/run_field.h"
#include "store/catalogue.h"

namespace xsp::api::ideal_operation {
namespace {

struct Request {
  std::string run;
  bool with_disturbed = false;
};

/// The folders of a store, by name. What is none of an experiment is found out when it is read:
/// store::List, which describes each, takes longer than all the rest.
std::vector<std::filesystem::path> FoldersOf(const std::filesystem::path& store) {
  std::vector<std::filesystem::path> folders;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(store, error))
    if (entry.is_directory(error) && !entry.path().filename().string().starts_with('.'))
      folders.push_back(entry.path());
  std::ranges::sort(folders);
  return folders;
}

Result<Document> Ideal(const Context& context, const Request& request) {
  IdealRequest ideal;
  ideal.with_disturbed = request.with_disturbed;
  XSP_TRY(ideal.experiment, store::Resolve(context.store, request.run));
  ideal.others = FoldersOf(context.store);
  XSP_TRY(nlohmann::json body, IdealDocument(ideal, *context.progress));
  return Document{.content = std::move(body)};
}

Action Declare(core::RequestFields& fields, const Context& context) {
  auto request = std::make_shared<Request>();
  AddRun(fields, &request->run);
  fields.Add("with_disturbed", &request->with_disturbed,
             {.help = "Also take times of runs of whose calls more than half had interference "
                      "(other programs took more than 5 % of them)"});
  return [&context, request] { return Ideal(context, *request); };
}

}  // namespace

extern const OperationSpec kOperation;
constinit const OperationSpec kOperation = {
    .name = "ideal",
    .summary = "Compares each layer with the limits of the machine and with the best time known",
    .example = "xsp ideal latest",
    .effect = Effect::kReads,
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
        "critical_path_ns": {"type": ["number", "null"],
          "description": "Measured, of the mean step; null: no timeline of a device"},
        "measured_ns": {"type": "number", "description": "Sum of all layers, as are the next two"},
        "best_known_ns": {"type": "number"},
        "bound_ns": {"type": ["number", "null"], "description": "Sum of the known bounds"},
        "bounded_ns": {"type": "number", "description": "Measured time of the layers with a bound"},
        "busiest": {"type": ["object", "null"],
          "description": "The resource with the largest sum of bounds: holds if layers overlap",
          "properties": {"resource": {"type": "string"}, "bound_ns": {"type": "number"}}},
        "improved_layers": {"type": "integer", "description": "Faster elsewhere"},
        "exceeded_layers": {"type": "integer",
          "description": "Faster than their bound: a cost, a roof or a time is wrong"},
        "layers": {"type": "array", "items": {"type": "object", "properties": {
          "layer_index": {"type": "integer"}, "name": {"type": "string"},
          "type": {"type": "string"},
          "measured_ns": {"type": "number"},
          "best_known_ns": {"type": "number", "description": "At most measured_ns"},
          "best_known": {"type": ["object", "null"], "description": "null: the layer itself",
            "properties": {"experiment": {"type": "string"}, "point_id": {"type": "integer"},
              "backend": {"type": "string"}, "layer": {"type": "string"},
              "implementation": {"type": ["string", "null"]}}},
          "bound_ns": {"type": ["number", "null"], "description": "null: no cost is known"},
          "resource": {"type": ["string", "null"], "description": "What bounds it"},
          "exceeded": {"type": "boolean"}}}}}}}}})",
    .declare = Declare,
};

}  // namespace xsp::api::ideal_operation
