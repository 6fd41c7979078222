#ifndef XSP_ANSWER_REPORT_FUNCTION_SENTENCES_H_
#define XSP_ANSWER_REPORT_FUNCTION_SENTENCES_H_

#include <cstdint>
#include <vector>

#include "answer/report/summary.h"
#include "core/result.h"
#include "store/database.h"

namespace xsp::report {

/// The functions that most samples of call stacks were taken in (self time, whatever called them):
/// of native code, else of Python. None without samples, or too few to tell. Errors: those of
/// Database::Query.
Result<std::vector<Sentence>> FunctionSentences(const store::Database& database,
                                                std::int64_t point_id);

}  // namespace xsp::report

#endif  // XSP_ANSWER_REPORT_FUNCTION_SENTENCES_H_
