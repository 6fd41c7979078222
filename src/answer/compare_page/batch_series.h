#ifndef XSP_ANSWER_COMPARE_PAGE_BATCH_SERIES_H_
#define XSP_ANSWER_COMPARE_PAGE_BATCH_SERIES_H_

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/result.h"
#include "derive/compare/side.h"
#include "store/database.h"

namespace xsp::compare_page {

/// The experiments that the compared sides are of, opened once each.
using Experiments = std::map<std::filesystem::path, store::Database>;

/// Latency and device time over batch sizes: one series for each experiment and each model,
/// backend, device, precision and settings of which a point is compared, with all points of it
/// (`series` and `ranks` of web/src/compare_data.ts). At each batch size the points of one model
/// are ranked by latency: 1 plus the number of those that are surely faster (at 5 %, Welch's t over
/// processes, adjusted by Holm for all pairs), so that points without a known difference have one
/// rank; null where a point has one process. Points that did not alternate, of which one was
/// measured on a busy machine, are never told apart. Errors: those of Database::Query.
Result<nlohmann::json> BatchSeries(const std::vector<compare::SideSource>& sides,
                                   const Experiments& experiments);

}  // namespace xsp::compare_page

#endif  // XSP_ANSWER_COMPARE_PAGE_BATCH_SERIES_H_
