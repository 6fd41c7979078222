#ifndef XSP_ANSWER_REPORT_MACHINE_SENTENCES_H_
#define XSP_ANSWER_REPORT_MACHINE_SENTENCES_H_

#include <cstdint>
#include <vector>

#include "answer/report/summary.h"
#include "core/result.h"
#include "store/database.h"

namespace xsp::report {

/// What the system monitor saw of the machine during the longest run of a point: how busy CPUs and
/// GPUs were, what was waited for, what slowed them down, memory, disks, network, power, and what
/// watching cost. Means are over time. Nothing where no monitor ran; no sentence about what the
/// machine hides, nor, beside CPUs and memory, about what stayed idle. Errors: those of
/// Database::Query.
Result<std::vector<Sentence>> MachineSentences(const store::Database& database,
                                               std::int64_t point_id);

}  // namespace xsp::report

#endif  // XSP_ANSWER_REPORT_MACHINE_SENTENCES_H_
