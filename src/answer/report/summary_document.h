#ifndef XSP_ANSWER_REPORT_SUMMARY_DOCUMENT_H_
#define XSP_ANSWER_REPORT_SUMMARY_DOCUMENT_H_

#include <nlohmann/json.hpp>
#include <vector>

#include "answer/findings/rule.h"
#include "core/result.h"
#include "store/database.h"

namespace xsp::report {

/// What was measured, for programs: `points` (latency with its interval, throughput), `rungs` (what
/// each costs), `badges`, `findings` (the sentences of the leading ones, with what they would save)
/// and `findings_left_out` (the number of the others).
Result<nlohmann::json> SummaryDocument(const store::Database& database,
                                       const std::vector<findings::Rule>& rules);

}  // namespace xsp::report

#endif  // XSP_ANSWER_REPORT_SUMMARY_DOCUMENT_H_
