#ifndef XSP_ANSWER_FINDINGS_GOLDEN_TESTING_H_
#define XSP_ANSWER_FINDINGS_GOLDEN_TESTING_H_

#include <string>
#include <vector>

#include "answer/analyze/golden_case_testing.h"
#include "answer/findings/rule.h"
#include "core/result.h"

namespace xsp::findings {

/// Runs every golden case of `rule`, one of `rules`, in order of name: `NAME.sql` fills an
/// experiment, `NAME.json` holds what the rule must answer about its best point:
/// {"found": {"sentence", "gain_ns" where it is known, "rows"}}, {"abstained": REASON} or {}. Rules
/// that withhold it are asked, too. With `accept`, the answer becomes the expected one.
/// `experiment` is filled with one case after another. Errors: as of analyze::GoldenExperiment; SQL
/// of the rule that fails, naming the file.
Result<std::vector<analyze::GoldenOutcome>> RunGolden(const std::vector<Rule>& rules,
                                                      const Rule& rule, bool accept,
                                                      analyze::GoldenExperiment& experiment);

}  // namespace xsp::findings

#endif  // XSP_ANSWER_FINDINGS_GOLDEN_TESTING_H_
