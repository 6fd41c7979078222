#include "derive/experiments/experiment_builder.h"

#include <utility>

#include "core/step_times.h"
#include "derive/compare/latency.h"
#include "derive/compare/layer_alignment.h"
#include "derive/compare/measured_points.h"
#include "derive/compare/measured_tables.h"
#include "derive/experiments/timeline_rows.h"
#include "os/heap.h"
#include "store/nullable.h"
#include "store/rows/roof_row.h"

namespace xsp::experiments {

namespace fs = std::filesystem;

namespace {

void TakeFrom(const match::RunInput& input, store::RunMetadata& metadata) {
  metadata.rung = input.rung;
  metadata.status = input.status;
  metadata.message = input.message;
}

Status WriteMatched(const match::ExperimentTables& tables, store::ExperimentWriter& writer) {
  XSP_RETURN_IF_ERROR(writer.AddRows(tables.point));
  XSP_RETURN_IF_ERROR(writer.AddRows(tables.run));
  XSP_RETURN_IF_ERROR(writer.AddRows(tables.sample));
  XSP_RETURN_IF_ERROR(writer.AddRows(tables.layer));
  XSP_RETURN_IF_ERROR(writer.AddRows(tables.kernel));
  XSP_RETURN_IF_ERROR(writer.AddRows(tables.match));
  if (!tables.event_count.empty()) XSP_RETURN_IF_ERROR(writer.AddRows(tables.event_count));
  return tables.energy.empty() ? Status(Ok{}) : writer.AddRows(tables.energy);
}

Status WriteCompared(const compare::MeasuredTables& tables,
                     const std::vector<compare::PointOutputs>& outputs,
                     store::ExperimentWriter& writer) {
  const std::vector<compare::Group> groups = compare::ComparableGroups(tables);
  if (groups.empty()) return Ok{};
  XSP_RETURN_IF_ERROR(writer.AddRows(compare::CompareLatencies(groups)));
  XSP_RETURN_IF_ERROR(writer.AddRows(compare::CompareResults(groups, outputs)));
  return writer.AddRows(compare::AlignLayers(groups));
}

}  // namespace

ExperimentBuilder::ExperimentBuilder(store::ExperimentWriter writer) : writer_(std::move(writer)) {}
ExperimentBuilder::~ExperimentBuilder() = default;

Result<ExperimentBuilder> ExperimentBuilder::Create(const fs::path& store, std::string_view name) {
  XSP_TRY(store::ExperimentWriter writer, store::ExperimentWriter::Create(store, name));
  return ExperimentBuilder(std::move(writer));
}

Status ExperimentBuilder::AddRun(match::RunInput input, store::RunMetadata metadata,
                                 const trace::Trace& trace, bool has_timeline) {
  TakeFrom(input, metadata);
  input.run_id = next_run_id();
  if (trace.spans.size() > 0) input.folder = writer_.folder() / input.path;
  if (has_timeline) AddTimelineRows(input.run_id, trace, timeline_rows_);
  inputs_.push_back(std::move(input));
  return writer_.AddRun(inputs_.back().path, trace, store::ToJson(metadata));
}

Status ExperimentBuilder::TakeRun(match::RunInput input, store::RunMetadata metadata,
                                  trace::Trace trace) {
  TakeFrom(input, metadata);
  auto& taken = *taken_.emplace_back(std::make_unique<TakenRun>());
  taken.trace = std::move(trace);
  input.run_id = next_run_id();
  input.folder = writer_.folder() / input.path;
  input.trace = &taken.trace;
  inputs_.push_back(std::move(input));
  XSP_TRY(taken.pending,
          writer_.StartRun(inputs_.back().path, taken.trace, store::ToJson(metadata)));
  return Ok{};
}

Status ExperimentBuilder::MakeTables(const std::vector<match::PointInput>& points,
                                     const std::vector<compare::PointOutputs>& outputs) {
  {
    XSP_TRY(match::ExperimentTables tables, [&] {
      const core::StepTimer timer("match");
      return match::Match(points, inputs_);
    }());
    const core::StepTimer timer("write experiment tables");
    XSP_RETURN_IF_ERROR(WriteMatched(tables, writer_));
    // The rows that were just written: reading them again would open the SQL engine.
    XSP_RETURN_IF_ERROR(WriteCompared({std::move(tables.point), std::move(tables.run),
                                       std::move(tables.sample), std::move(tables.layer)},
                                      outputs, writer_));
  }
  os::ReturnFreedMemory();
  for (const match::RunInput& input : inputs_)
    if (input.trace != nullptr && input.trace->role != trace::Role::kKernelMetrics)
      AddTimelineRows(input.run_id, *input.trace, timeline_rows_);
  const core::StepTimer timer("write experiment tables");
  return timeline_rows_.Write(writer_);
}

Status ExperimentBuilder::AddRoofs(const roofs::RoofReport& report) {
  std::vector<store::RoofRow> rows;
  for (const roofs::Roof& roof : report.roofs) {
    rows.push_back({.kind = roof.kind,
                    .name = roof.name,
                    .dtype = store::TextOrNull(roof.dtype),
                    .unit = store::TextOrNull(roof.unit),
                    .cores = store::PositiveOrNull(roof.cores),
                    .value = roof.value,
                    .provenance = roof.provenance,
                    .how = roof.how,
                    .used = roof.used});
  }
  return writer_.AddRows(rows);
}

Result<fs::path> ExperimentBuilder::Commit(const store::ExperimentMetadata& metadata) {
  for (const std::unique_ptr<TakenRun>& taken : taken_)
    XSP_RETURN_IF_ERROR(taken->pending->Finish());
  return writer_.Commit(store::ToJson(metadata));
}

}  // namespace xsp::experiments
