#include "derive/experiments/experiment_builder.h"

#include <utility>

#include "core/step_times.h"
#include "derive/compare/latency.h"
#include "derive/compare/layer_alignment.h"
#include "derive/compare/measured_points.h"
#include "derive/experiments/timeline_rows.h"
#include "os/heap.h"

namespace xsp::experiments {

namespace fs = std::filesystem;

namespace {

store::Cell TextOrNull(const std::string& text) {
  return text.empty() ? store::Cell() : store::Cell(text);
}

void TakeFrom(const match::RunInput& input, store::RunMetadata& metadata) {
  metadata.rung = input.rung;
  metadata.status = input.status;
  metadata.message = input.message;
}

Status WriteMatched(const match::ExperimentTables& tables, store::ExperimentWriter& writer) {
  const std::pair<const char*, const store::Table*> named[] = {
      {"point", &tables.point}, {"run", &tables.run},       {"sample", &tables.sample},
      {"layer", &tables.layer}, {"kernel", &tables.kernel}, {"match", &tables.match}};
  for (const auto& [name, table] : named) XSP_RETURN_IF_ERROR(writer.AddTable(name, *table));
  if (!tables.event_count.rows.empty())
    XSP_RETURN_IF_ERROR(writer.AddTable("event_count", tables.event_count));
  return tables.energy.rows.empty() ? Status(Ok{}) : writer.AddTable("energy", tables.energy);
}

Status WriteCompared(const match::ExperimentTables& tables,
                     const std::vector<compare::PointOutputs>& outputs,
                     store::ExperimentWriter& writer) {
  const std::vector<compare::Group> groups = compare::ComparableGroups(tables);
  if (groups.empty()) return Ok{};
  XSP_RETURN_IF_ERROR(writer.AddTable("comparison", compare::CompareLatencies(groups)));
  XSP_RETURN_IF_ERROR(writer.AddTable("agreement", compare::CompareResults(groups, outputs)));
  return writer.AddTable("aligned_layer", compare::AlignLayers(groups));
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
    XSP_TRY(const match::ExperimentTables tables, [&] {
      const core::StepTimer timer("match");
      return match::Match(points, inputs_);
    }());
    const core::StepTimer timer("write experiment tables");
    XSP_RETURN_IF_ERROR(WriteMatched(tables, writer_));
    XSP_RETURN_IF_ERROR(WriteCompared(tables, outputs, writer_));
  }
  os::ReturnFreedMemory();
  for (const match::RunInput& input : inputs_)
    if (input.trace != nullptr) AddTimelineRows(input.run_id, *input.trace, timeline_rows_);
  const core::StepTimer timer("write experiment tables");
  for (const auto& [name, table] : timeline_rows_.tables())
    XSP_RETURN_IF_ERROR(writer_.AddTable(name, table));
  return Ok{};
}

Status ExperimentBuilder::AddRoofs(const roofs::RoofReport& report) {
  store::Table table;
  table.columns = {"kind", "name", "dtype", "unit", "cores", "value", "provenance", "how", "used"};
  for (const roofs::Roof& roof : report.roofs) {
    table.rows.push_back({roof.kind, roof.name, TextOrNull(roof.dtype), TextOrNull(roof.unit),
                          roof.cores > 0 ? store::Cell(std::int64_t{roof.cores}) : store::Cell(),
                          roof.value, roof.provenance, roof.how, roof.used});
  }
  return writer_.AddTable("roof", table);
}

Result<fs::path> ExperimentBuilder::Commit(const store::ExperimentMetadata& metadata) {
  for (const std::unique_ptr<TakenRun>& taken : taken_)
    XSP_RETURN_IF_ERROR(taken->pending->Finish());
  return writer_.Commit(store::ToJson(metadata));
}

}  // namespace xsp::experiments
