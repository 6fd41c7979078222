#ifndef XSP_ANSWER_REPORT_ATTRIBUTION_H_
#define XSP_ANSWER_REPORT_ATTRIBUTION_H_

#include <optional>
#include <string>

#include "core/result.h"
#include "store/database.h"

namespace xsp::report {

/// How much of the kernel time of an experiment is tied to a layer, and by what.
struct Attribution {
  double share = 0;  ///< 0 to 1.
  /// "98.0 % of the kernel time is tied to a layer: 95.0 % by the capture of a replayed graph,
  /// 3.00 % by its launch."
  std::string sentence;
};

/// Nothing: no kernel was recorded. Errors: those of Database::Query.
Result<std::optional<Attribution>> FindAttribution(const store::Database& database);

}  // namespace xsp::report

#endif  // XSP_ANSWER_REPORT_ATTRIBUTION_H_
