#ifndef XSP_ANSWER_ANALYZE_GOLDEN_TESTING_H_
#define XSP_ANSWER_ANALYZE_GOLDEN_TESTING_H_

#include <string>
#include <vector>

#include "answer/analyze/analysis.h"
#include "answer/analyze/golden_case_testing.h"
#include "core/result.h"

namespace xsp::analyze {

/// Runs every golden case of `analysis`, in order of name: `NAME.sql` fills an experiment,
/// `NAME.csv` holds the rows that the analysis must then yield. With `accept`, the result becomes
/// the expected one, so that no case differs. `experiment` is filled with one case after another.
/// Errors: kBadInput for a folder without a case, a case without its why, or SQL that fails, naming
/// the file and line.
Result<std::vector<GoldenOutcome>> RunGolden(const Analysis& analysis, bool accept,
                                             GoldenExperiment& experiment);

/// `result` as a golden file: a line of column names, a line per row (numbers to nine digits, NULL
/// empty), and a line `# missing LEVEL: how` per missing level.
std::string GoldenText(const AnalysisResult& result);

}  // namespace xsp::analyze

#endif  // XSP_ANSWER_ANALYZE_GOLDEN_TESTING_H_
