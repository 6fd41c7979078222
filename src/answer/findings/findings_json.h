#ifndef XSP_ANSWER_FINDINGS_FINDINGS_JSON_H_
#define XSP_ANSWER_FINDINGS_FINDINGS_JSON_H_

#include <nlohmann/json_fwd.hpp>

#include "answer/findings/find_all.h"

namespace xsp::findings {

/// {"id", "title", "severity", "sentence", "gain_ns": [low, expected, high] or null, "gain_share":
/// expected over the whole, "gain": null or {"text", "whole", "whole_ns", "adds_up", "alone_ns",
/// "overlaps": [{"id", "ns"}], "method", "source"}, "confidence",
/// "evidence": {"analysis" where one holds it, "sql", "columns", "rows"}, "threshold",
/// "refuted_by", "see"}.
nlohmann::json ToJson(const Finding& finding);

/// {"id", "reason"}.
nlohmann::json ToJson(const Abstention& abstention);

/// {"findings", "abstained"}: an array each, in order.
nlohmann::json ToJson(const Findings& findings);

}  // namespace xsp::findings

#endif  // XSP_ANSWER_FINDINGS_FINDINGS_JSON_H_
