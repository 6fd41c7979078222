#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "api/operation.h"
#include "derive/history/stored_points.h"

namespace xsp::api::points_operation {
namespace {

using store::Cell;

template <typename T>
Cell CellOf(const std::optional<T>& value) {
  return value ? Cell(*value) : Cell();
}

Cell TextOrNull(const std::string& text) { return text.empty() ? Cell() : Cell(text); }

/// Items per second; NULL where the batch size or the latency is not known.
Cell ThroughputOf(const store::PointRow& row) {
  if (!row.batch || !row.latency_ns || !(*row.latency_ns > 0)) return {};
  return static_cast<double>(*row.batch) * 1e9 / *row.latency_ns;
}

Result<Document> Points(const Context& context, const history::PointSelection& selection) {
  XSP_TRY(const history::StoredPoints read, history::ReadStoredPoints(context.store, selection));
  store::Table table{{"experiment", "created", "point_id", "model", "backend", "device",
                      "precision", "batch", "latency_ns", "latency_low_ns", "latency_high_ns",
                      "throughput", "peak_bytes", "status", "machine", "worker", "run"},
                     {}};
  for (const history::StoredPoint& point : read.points) {
    const store::PointRow& row = point.row;
    table.rows.push_back(
        {point.experiment, point.created, row.point_id, row.model, row.backend, row.device,
         row.precision, CellOf(row.batch), CellOf(row.latency_ns), CellOf(row.latency_low_ns),
         CellOf(row.latency_high_ns), ThroughputOf(row), CellOf(row.peak_bytes), row.status,
         TextOrNull(point.machine), TextOrNull(point.worker), TextOrNull(point.run)});
  }
  Document document{.content = std::move(table)};
  for (const history::LeftOut& experiment : read.left_out)
    document.notes.push_back("left out: " + experiment.experiment + ": " + experiment.reason);
  return document;
}

Action Declare(core::RequestFields& fields, const Context& context) {
  auto request = std::make_shared<history::PointSelection>();
  fields.Add("model", &request->model,
             {.help = "Only points of this model", .value_name = "MODEL"});
  fields.Add("machine", &request->machine,
             {.help = "Only points that were measured on this machine, as the column machine "
                      "names it",
              .value_name = "MACHINE"});
  return [&context, request] { return Points(context, *request); };
}

}  // namespace

extern const OperationSpec kOperation;
constinit const OperationSpec kOperation = {
    .name = "points",
    .summary = "Lists the points of all experiments with their latencies and machines",
    .example = "xsp points --model resnet50",
    .effect = Effect::kReads,
    .result = R"({"type": "array", "description": "Of the newest experiment first",
      "items": {"type": "object", "properties": {
      "experiment": {"type": "string"}, "created": {"type": "string"},
      "point_id": {"type": "integer"}, "model": {"type": "string"},
      "backend": {"type": "string"}, "device": {"type": "string"},
      "precision": {"type": "string"}, "batch": {"type": ["integer", "null"]},
      "latency_ns": {"type": ["number", "null"], "description": "Per model call"},
      "latency_low_ns": {"type": ["number", "null"], "description": "Of its 95 % interval"},
      "latency_high_ns": {"type": ["number", "null"]},
      "throughput": {"type": ["number", "null"],
        "description": "Items per second: batch / latency"},
      "peak_bytes": {"type": ["number", "null"],
        "description": "Peak of memory allocated by the framework"},
      "status": {"enum": ["done", "partial", "failed"]},
      "machine": {"type": ["string", "null"],
        "description": "Its processor and GPUs, as histories name it; null: its run cannot be read"},
      "worker": {"type": ["string", "null"],
        "description": "As `xsp run --backend` names it; null: the point was imported or recorded"},
      "run": {"type": ["string", "null"],
        "description": "The run of its latency: a folder of the experiment"}}}})",
    .declare = Declare,
};

}  // namespace xsp::api::points_operation
