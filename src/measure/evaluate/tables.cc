#include "measure/evaluate/tables.h"

#include "core/step_times.h"
#include "derive/compare/latency.h"
#include "derive/compare/layer_alignment.h"
#include "derive/compare/measured_points.h"
#include "derive/timeline/timeline.h"
#include "os/heap.h"
#include "store/nullable.h"
#include "store/rows/roof_row.h"

namespace xsp::evaluate {

Status WriteExperimentTables(const std::vector<match::PointInput>& points,
                             const std::vector<match::RunInput>& runs,
                             store::ExperimentWriter& writer,
                             const std::vector<compare::PointOutputs>& outputs) {
  XSP_TRY(const match::ExperimentTables tables, [&] {
    const core::StepTimer timer("match");
    return match::Match(points, runs);
  }());
  const core::StepTimer timer("write experiment tables");
  XSP_RETURN_IF_ERROR(writer.AddRows(tables.point));
  XSP_RETURN_IF_ERROR(writer.AddRows(tables.run));
  XSP_RETURN_IF_ERROR(writer.AddRows(tables.sample));
  XSP_RETURN_IF_ERROR(writer.AddRows(tables.layer));
  XSP_RETURN_IF_ERROR(writer.AddRows(tables.kernel));
  XSP_RETURN_IF_ERROR(writer.AddRows(tables.match));
  if (!tables.event_count.empty()) XSP_RETURN_IF_ERROR(writer.AddRows(tables.event_count));
  if (!tables.energy.empty()) XSP_RETURN_IF_ERROR(writer.AddRows(tables.energy));
  const std::vector<compare::Group> groups = compare::ComparableGroups(tables);
  if (groups.empty()) return Ok{};
  XSP_RETURN_IF_ERROR(writer.AddRows(compare::CompareLatencies(groups)));
  XSP_RETURN_IF_ERROR(writer.AddRows(compare::CompareResults(groups, outputs)));
  return writer.AddRows(compare::AlignLayers(groups));
}

void AddTimelineRows(std::int64_t run_id, const trace::Trace& trace,
                     timeline::ExperimentRows& rows) {
  const core::StepTimer timer("make timeline");
  const timeline::Timeline timeline(trace);
  rows.SetRun(run_id);
  for (const TimelineSpec* spec : timeline::AllTimelines()) {
    spec->add_rows(timeline, rows);
    os::ReturnFreedMemory();
  }
}

Status WriteTimelineTables(const timeline::ExperimentRows& rows, store::ExperimentWriter& writer) {
  const core::StepTimer timer("write experiment tables");
  return rows.Write(writer);
}

Status WriteRoofTable(const roofs::RoofReport& report, store::ExperimentWriter& writer) {
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
  return writer.AddRows(rows);
}

}  // namespace xsp::evaluate
