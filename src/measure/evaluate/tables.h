#ifndef XSP_MEASURE_EVALUATE_TABLES_H_
#define XSP_MEASURE_EVALUATE_TABLES_H_

#include <vector>

#include "core/result.h"
#include "derive/compare/outputs.h"
#include "derive/match/match.h"
#include "derive/roofs/roof.h"
#include "derive/timeline/timeline.h"
#include "store/experiment_writer.h"
#include "trace/trace.h"

namespace xsp::evaluate {

/// Matches the runs and writes the tables point, run, sample, layer, kernel and match, event_count
/// where events were counted, energy where power was sampled, and, where
/// points can be compared, comparison, agreement (of `outputs`) and aligned_layer. Errors: as
/// match::Match and ExperimentWriter::AddRows.
Status WriteExperimentTables(const std::vector<match::PointInput>& points,
                             const std::vector<match::RunInput>& runs,
                             store::ExperimentWriter& writer,
                             const std::vector<compare::PointOutputs>& outputs = {});

/// Adds the tables that are made from the timeline of one run.
void AddTimelineRows(std::int64_t run_id, const trace::Trace& trace,
                     timeline::ExperimentRows& rows);

/// Writes them. Errors: as ExperimentWriter::AddRows.
Status WriteTimelineTables(const timeline::ExperimentRows& rows, store::ExperimentWriter& writer);

/// Writes the table roof.
Status WriteRoofTable(const roofs::RoofReport& report, store::ExperimentWriter& writer);

}  // namespace xsp::evaluate

#endif  // XSP_MEASURE_EVALUATE_TABLES_H_
