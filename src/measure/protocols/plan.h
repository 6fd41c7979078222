#ifndef XSP_MEASURE_PROTOCOLS_PLAN_H_
#define XSP_MEASURE_PROTOCOLS_PLAN_H_

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/result.h"
#include "derive/match/match.h"
#include "measure/protocols/measurement.h"
#include "measure/requests/experiment_request.h"
#include "measure/workers/backends.h"

namespace xsp::protocols {

/// Everything that an experiment will measure.
struct Plan {
  std::vector<match::PointInput> points;        ///< point_id: index + 1.
  std::vector<std::vector<PlannedRun>> groups;  ///< One per batch size; its runs alternate.
};

/// Points and runs; job files, recordings and results will lie in `scratch`. `cores`: what the
/// machine lets the job use. Errors: as ChooseRungs.
Result<Plan> MakePlan(const requests::ExperimentRequest& request,
                      const std::vector<workers::Backend>& backends, int cores,
                      const std::filesystem::path& scratch);

/// The backend of a point: backends alternate in the points of a batch size.
const workers::Backend& BackendOf(std::int64_t point_id,
                                  const std::vector<workers::Backend>& backends);

/// Where the first run of a point has its worker write the results of a call.
std::filesystem::path OutputsFolder(const std::filesystem::path& scratch, std::int64_t point_id);

}  // namespace xsp::protocols

#endif  // XSP_MEASURE_PROTOCOLS_PLAN_H_
