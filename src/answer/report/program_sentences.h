#ifndef XSP_ANSWER_REPORT_PROGRAM_SENTENCES_H_
#define XSP_ANSWER_REPORT_PROGRAM_SENTENCES_H_

#include <cstdint>
#include <vector>

#include "answer/report/summary.h"
#include "core/result.h"
#include "store/database.h"

namespace xsp::report {

/// What a recorded program does with its time outside of its model calls: waiting for data between
/// training steps, compiling, and what passes before the first call and after the last. Each only
/// where it is much; nothing of other points. Errors: those of the database.
Result<std::vector<Sentence>> ProgramSentences(const store::Database& database,
                                               std::int64_t point_id);

}  // namespace xsp::report

#endif  // XSP_ANSWER_REPORT_PROGRAM_SENTENCES_H_
