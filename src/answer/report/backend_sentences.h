#ifndef XSP_ANSWER_REPORT_BACKEND_SENTENCES_H_
#define XSP_ANSWER_REPORT_BACKEND_SENTENCES_H_

#include <cstdint>
#include <vector>

#include "answer/report/summary.h"
#include "core/result.h"
#include "store/database.h"

namespace xsp::report {

/// Which of the points of this one's model and batch size is fastest and how far the others are,
/// the precisions where they differ, and whether the results agree. Nothing where there is nothing
/// to compare with. Errors: those of Database::Query.
Result<std::vector<Sentence>> BackendSentences(const store::Database& database,
                                               std::int64_t point_id);

}  // namespace xsp::report

#endif  // XSP_ANSWER_REPORT_BACKEND_SENTENCES_H_
