#ifndef XSP_ANSWER_COMPARE_PAGE_SIDE_DETAILS_H_
#define XSP_ANSWER_COMPARE_PAGE_SIDE_DETAILS_H_

#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>

#include "core/result.h"
#include "store/database.h"

namespace xsp::compare_page {

/// How much of one side the page may carry.
struct SideLimits {
  std::size_t spans = 4000;  ///< Of its model call.
  std::size_t work = 1500;   ///< Kernels, and as many layers, with FLOPs and bytes.
};

/// What the page shows of one side beside its times (`SideDetails` of web/src/compare_data.ts): the
/// roofs in use, kernels and layers with known FLOPs and bytes, one model call (or step) over time,
/// and why its devices were idle. What is not known is null or empty. `run_id`: the run that the
/// times are of. Errors: those of Database::Query.
Result<nlohmann::json> SideDetails(const store::Database& database, std::int64_t point_id,
                                   std::int64_t run_id, const SideLimits& limits);

}  // namespace xsp::compare_page

#endif  // XSP_ANSWER_COMPARE_PAGE_SIDE_DETAILS_H_
