#ifndef XSP_ANSWER_REPORT_PATH_SENTENCES_H_
#define XSP_ANSWER_REPORT_PATH_SENTENCES_H_

#include <cstdint>
#include <vector>

#include "answer/report/summary.h"
#include "core/result.h"
#include "store/database.h"

namespace xsp::report {

/// What holds up the steps of a point on a device: the kind of work that most of the critical path
/// is, and the rank that the others wait for in collectives. Nothing where there is no path, where
/// it is of no one kind, or where no rank stands out. Errors: those of Database::Query.
Result<std::vector<Sentence>> PathSentences(const store::Database& database, std::int64_t point_id);

}  // namespace xsp::report

#endif  // XSP_ANSWER_REPORT_PATH_SENTENCES_H_
