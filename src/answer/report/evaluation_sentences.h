#ifndef XSP_ANSWER_REPORT_EVALUATION_SENTENCES_H_
#define XSP_ANSWER_REPORT_EVALUATION_SENTENCES_H_

#include <cstdint>
#include <vector>

#include "answer/report/summary.h"
#include "core/result.h"
#include "store/database.h"

namespace xsp::report {

/// What the point's predictions for a data set are worth, and the time of a sample outside the
/// model. Nothing where no data set was taken through it. Errors: those of Database::Query.
Result<std::vector<Sentence>> EvaluationSentences(const store::Database& database,
                                                  std::int64_t point_id);

}  // namespace xsp::report

#endif  // XSP_ANSWER_REPORT_EVALUATION_SENTENCES_H_
