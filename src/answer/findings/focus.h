#ifndef XSP_ANSWER_FINDINGS_FOCUS_H_
#define XSP_ANSWER_FINDINGS_FOCUS_H_

#include <cstdint>
#include <string>

#include "core/result.h"
#include "store/database.h"

namespace xsp::findings {

/// The point that findings are about, and how sentences refer to it.
struct Focus {
  std::int64_t point_id = 0;  ///< 0: the experiment has no point.
  std::string where;          ///< " (batch 8)", with its backend among several; else empty.
  std::string of;             ///< " of PyTorch 2.15.0" among several; else empty.
  std::string backend;        ///< "PyTorch 2.15.0" among several; empty: the only one.
};

/// The point with the highest throughput, which a summary is about; 0 without points. Errors: those
/// of Database::Query.
Result<std::int64_t> BestPoint(const store::Database& database);

/// The point `point_id` of one experiment; of a point that is not there all is empty. Errors: those
/// of Database::Query.
Result<Focus> FocusOn(const store::Database& database, std::int64_t point_id);

}  // namespace xsp::findings

#endif  // XSP_ANSWER_FINDINGS_FOCUS_H_
