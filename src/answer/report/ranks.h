#ifndef XSP_ANSWER_REPORT_RANKS_H_
#define XSP_ANSWER_REPORT_RANKS_H_

#include <nlohmann/json_fwd.hpp>

#include "core/result.h"
#include "store/database.h"

namespace xsp::report {

/// The ranks of a distributed run side by side (`Ranks` of web/src/report_data.ts): what each
/// device of each rank did over one common time, in `segments` equal parts. Null for a run with
/// fewer than two ranks; more than `most_rows` rows are left out and noted in `cuts`. Errors: those
/// of Database::Query.
Result<nlohmann::json> Ranks(const store::Database& database, std::int64_t point_id,
                             std::int64_t run_id, std::size_t most_rows, nlohmann::json& cuts);

/// Ranks() of every imported run that has several, as a list.
Result<nlohmann::json> RanksOfRuns(const store::Database& database, std::size_t most_rows,
                                   nlohmann::json& cuts);

}  // namespace xsp::report

#endif  // XSP_ANSWER_REPORT_RANKS_H_
