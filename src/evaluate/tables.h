#ifndef XSP_EVALUATE_TABLES_H_
#define XSP_EVALUATE_TABLES_H_

#include <vector>

#include "base/result.h"
#include "compare/outputs.h"
#include "machine/roof.h"
#include "match/match.h"
#include "store/experiment_writer.h"
#include "timeline/timeline.h"
#include "trace/trace.h"

namespace xsp::evaluate {

/// Matches the runs and writes the tables point, run, sample, layer, kernel and match, event_count
/// where events were counted, energy where power was sampled, and, where
/// points can be compared, comparison, agreement (of `outputs`) and aligned_layer. Errors: as
/// match::Match and ExperimentWriter::AddTable.
Status WriteExperimentTables(const std::vector<match::PointInput>& points,
                             const std::vector<match::RunInput>& runs,
                             store::ExperimentWriter& writer,
                             const std::vector<compare::PointOutputs>& outputs = {});

/// Adds the tables that are made from the timeline of one run.
void AddTimelineRows(std::int64_t run_id, const trace::Trace& trace,
                     timeline::ExperimentRows& rows);

/// Writes them. Errors: as ExperimentWriter::AddTable.
Status WriteTimelineTables(const timeline::ExperimentRows& rows, store::ExperimentWriter& writer);

/// Writes the table roof.
Status WriteRoofTable(const machine::RoofReport& report, store::ExperimentWriter& writer);

}  // namespace xsp::evaluate

#endif  // XSP_EVALUATE_TABLES_H_
