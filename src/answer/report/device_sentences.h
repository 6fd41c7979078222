#ifndef XSP_ANSWER_REPORT_DEVICE_SENTENCES_H_
#define XSP_ANSWER_REPORT_DEVICE_SENTENCES_H_

#include <cstdint>
#include <vector>

#include "answer/report/summary.h"
#include "core/result.h"
#include "store/database.h"

namespace xsp::report {

/// What the devices of a point did with their time: what ran alone, launches that take longer than
/// their kernels, streams that do not overlap. Nothing without a device, and
/// no sentence where there is nothing to gain. Errors: those of Database::Query.
Result<std::vector<Sentence>> DeviceSentences(const store::Database& database,
                                              std::int64_t point_id);

}  // namespace xsp::report

#endif  // XSP_ANSWER_REPORT_DEVICE_SENTENCES_H_
