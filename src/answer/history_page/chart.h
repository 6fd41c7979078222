#ifndef XSP_ANSWER_HISTORY_PAGE_CHART_H_
#define XSP_ANSWER_HISTORY_PAGE_CHART_H_

#include <cstddef>

#include "answer/suite/answer.h"
#include "derive/history/analysed_history.h"

namespace xsp::history_page {

/// The picture of series `index` over the table `experiments`: every experiment with its interval,
/// the levels of segments, change points as dashed rules. Experiments stand one after another,
/// equally far apart, for they come in bursts.
suite::Chart ChartOf(const history::AnalysedHistory& analysed, std::size_t index);

}  // namespace xsp::history_page

#endif  // XSP_ANSWER_HISTORY_PAGE_CHART_H_
