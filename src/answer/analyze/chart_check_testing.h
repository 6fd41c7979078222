#ifndef XSP_ANSWER_ANALYZE_CHART_CHECK_TESTING_H_
#define XSP_ANSWER_ANALYZE_CHART_CHECK_TESTING_H_

#include <string>
#include <vector>

#include "answer/analyze/analysis.h"

namespace xsp::analyze {

/// What is wrong with an analysis's chart, one sentence each; empty: nothing. The chart must be a
/// JSON object that reads the data named "rows" and no other, use only fields that the analysis
/// yields or that the chart computes, give each quantitative axis a title and start it at zero
/// unless it is logarithmic, and leave colours to the page's theme. An analysis without a chart has
/// nothing wrong with it.
std::vector<std::string> CheckChart(const Analysis& analysis);

}  // namespace xsp::analyze

#endif  // XSP_ANSWER_ANALYZE_CHART_CHECK_TESTING_H_
