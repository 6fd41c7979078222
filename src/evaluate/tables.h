#ifndef XSP_EVALUATE_TABLES_H_
#define XSP_EVALUATE_TABLES_H_

#include <vector>

#include "base/result.h"
#include "machine/roof.h"
#include "match/match.h"
#include "store/experiment_writer.h"

namespace xsp::evaluate {

/// Matches the runs and writes the tables point, run, sample, layer, kernel and match. Errors: as
/// match::Match and ExperimentWriter::AddTable.
Status WriteExperimentTables(const std::vector<match::PointInput>& points,
                             const std::vector<match::RunInput>& runs,
                             store::ExperimentWriter& writer);

/// Writes the table roof.
Status WriteRoofTable(const machine::RoofReport& report, store::ExperimentWriter& writer);

}  // namespace xsp::evaluate

#endif  // XSP_EVALUATE_TABLES_H_
