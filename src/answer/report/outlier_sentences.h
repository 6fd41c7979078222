#ifndef XSP_ANSWER_REPORT_OUTLIER_SENTENCES_H_
#define XSP_ANSWER_REPORT_OUTLIER_SENTENCES_H_

#include <cstdint>
#include <vector>

#include "answer/report/summary.h"
#include "core/result.h"
#include "store/database.h"

namespace xsp::report {

/// Layers that stay far further below their roof than others of their type, and hold time that
/// matters: something is wrong with these, not with the type. No sentence without roofs, or where
/// fewer than four layers of the type tell what is usual. Errors: those of Database::Query.
Result<std::vector<Sentence>> OutlierSentences(const store::Database& database,
                                               std::int64_t point_id);

}  // namespace xsp::report

#endif  // XSP_ANSWER_REPORT_OUTLIER_SENTENCES_H_
