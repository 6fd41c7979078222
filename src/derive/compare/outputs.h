#ifndef XSP_DERIVE_COMPARE_OUTPUTS_H_
#define XSP_DERIVE_COMPARE_OUTPUTS_H_

#include <cstdint>
#include <filesystem>
#include <vector>

#include "derive/compare/measured_points.h"
#include "store/rows/agreement_row.h"

namespace xsp::compare {

/// Where a worker wrote the results of one call of a point (docs/worker-protocol.md).
struct PointOutputs {
  std::int64_t point_id = 0;
  std::filesystem::path folder;
};

/// Rows of the table `agreement`: the results of each group's points compared with those of the
/// group's first that has any. `outputs` are of points of experiment 0, the one being written:
/// results are not stored, so points of other experiments have none. Outputs are compared in the
/// model's order; rows are of the last dimension. What cannot be compared (another number of
/// outputs, another shape, a damaged file) is a row with a message.
std::vector<store::AgreementRow> CompareResults(const std::vector<Group>& groups,
                                                const std::vector<PointOutputs>& outputs);

}  // namespace xsp::compare

#endif  // XSP_DERIVE_COMPARE_OUTPUTS_H_
