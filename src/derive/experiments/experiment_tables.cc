#include "derive/experiments/experiment_tables.h"

#include <utility>

#include "core/step_times.h"
#include "derive/compare/latency.h"
#include "derive/compare/layer_alignment.h"
#include "derive/compare/measured_points.h"
#include "derive/timeline/timeline.h"
#include "os/heap.h"

namespace xsp::experiments {

namespace {

store::Cell TextOrNull(const std::string& text) {
  return text.empty() ? store::Cell() : store::Cell(text);
}

}  // namespace

Status WriteExperimentTables(const std::vector<match::PointInput>& points,
                             const std::vector<match::RunInput>& runs,
                             store::ExperimentWriter& writer,
                             const std::vector<compare::PointOutputs>& outputs) {
  XSP_TRY(const match::ExperimentTables tables, [&] {
    const core::StepTimer timer("match");
    return match::Match(points, runs);
  }());
  const core::StepTimer timer("write experiment tables");
  const std::pair<const char*, const store::Table*> named[] = {
      {"point", &tables.point}, {"run", &tables.run},       {"sample", &tables.sample},
      {"layer", &tables.layer}, {"kernel", &tables.kernel}, {"match", &tables.match}};
  for (const auto& [name, table] : named) XSP_RETURN_IF_ERROR(writer.AddTable(name, *table));
  if (!tables.event_count.rows.empty())
    XSP_RETURN_IF_ERROR(writer.AddTable("event_count", tables.event_count));
  if (!tables.energy.rows.empty()) XSP_RETURN_IF_ERROR(writer.AddTable("energy", tables.energy));
  const std::vector<compare::Group> groups = compare::ComparableGroups(tables);
  if (groups.empty()) return Ok{};
  XSP_RETURN_IF_ERROR(writer.AddTable("comparison", compare::CompareLatencies(groups)));
  XSP_RETURN_IF_ERROR(writer.AddTable("agreement", compare::CompareResults(groups, outputs)));
  return writer.AddTable("aligned_layer", compare::AlignLayers(groups));
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
  for (const auto& [name, table] : rows.tables()) XSP_RETURN_IF_ERROR(writer.AddTable(name, table));
  return Ok{};
}

Status WriteRoofTable(const roofs::RoofReport& report, store::ExperimentWriter& writer) {
  store::Table table;
  table.columns = {"kind", "name", "dtype", "unit", "cores", "value", "provenance", "how", "used"};
  for (const roofs::Roof& roof : report.roofs) {
    table.rows.push_back({roof.kind, roof.name, TextOrNull(roof.dtype), TextOrNull(roof.unit),
                          roof.cores > 0 ? store::Cell(std::int64_t{roof.cores}) : store::Cell(),
                          roof.value, roof.provenance, roof.how, roof.used});
  }
  return writer.AddTable("roof", table);
}

}  // namespace xsp::experiments
