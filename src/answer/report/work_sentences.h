#ifndef XSP_ANSWER_REPORT_WORK_SENTENCES_H_
#define XSP_ANSWER_REPORT_WORK_SENTENCES_H_

#include <cstdint>
#include <vector>

#include "answer/report/summary.h"
#include "core/result.h"
#include "store/database.h"

namespace xsp::report {

/// What stands out in a point's steps, operators, kernel sequences and memory over time: slow steps
/// and what changed in them, the operator with most of the device's time, short kernels that wait
/// for each other, who holds the memory at the peak. No sentence where nothing does. Errors: those
/// of Database::Query.
Result<std::vector<Sentence>> WorkSentences(const store::Database& database, std::int64_t point_id);

}  // namespace xsp::report

#endif  // XSP_ANSWER_REPORT_WORK_SENTENCES_H_
