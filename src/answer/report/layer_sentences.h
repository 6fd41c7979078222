#ifndef XSP_ANSWER_REPORT_LAYER_SENTENCES_H_
#define XSP_ANSWER_REPORT_LAYER_SENTENCES_H_

#include <cstdint>
#include <string>
#include <vector>

#include "answer/report/summary.h"
#include "core/result.h"
#include "store/database.h"

namespace xsp::report {

/// Says that an imported file or a recorded program shows neither layers nor kernels, and what
/// would show more; no sentence where it shows one. Errors: those of Database::Query.
Result<std::vector<Sentence>> NothingToSeeSentences(const store::Database& database,
                                                    std::int64_t point_id);

/// Says that runs of the point disagree by more than their noise allows, with the two latencies
/// that are furthest apart; no sentence where they agree. Errors: those of Database::Query.
Result<std::vector<Sentence>> DisagreementSentences(const store::Database& database,
                                                    std::int64_t point_id);

/// Says that profiling makes a call of the run that shows the layers much longer, and what rests on
/// that; no sentence where it does not (view point_time, layers_distorted). Errors: likewise.
Result<std::vector<Sentence>> DistortionSentences(const store::Database& database,
                                                  std::int64_t point_id);

/// The layer with the most time and the share of the five longest, by the same time.
Result<std::vector<Sentence>> TopLayerSentences(const store::Database& database,
                                                std::int64_t point_id);

/// How much of the layers' time is spent outside kernels and how much of the call between layers.
/// None where a device did the work: it runs beside the host.
Result<std::vector<Sentence>> OutsideKernelSentences(const store::Database& database,
                                                     std::int64_t point_id);

/// How long the host waits for a device in calls that wait, where that is much of the time.
Result<std::vector<Sentence>> HostWaitSentences(const store::Database& database,
                                                std::int64_t point_id);

}  // namespace xsp::report

#endif  // XSP_ANSWER_REPORT_LAYER_SENTENCES_H_
