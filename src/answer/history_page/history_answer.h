#ifndef XSP_ANSWER_HISTORY_PAGE_HISTORY_ANSWER_H_
#define XSP_ANSWER_HISTORY_PAGE_HISTORY_ANSWER_H_

#include <string>

#include "answer/suite/answer.h"
#include "derive/history/analysed_history.h"

namespace xsp::history_page {

/// A history as sentences, tables and charts: series with change points first, then the longest.
/// The first twelve series of several experiments have a chart.
suite::Answer AnswerOf(const std::string& model, const history::AnalysedHistory& analysed);

}  // namespace xsp::history_page

#endif  // XSP_ANSWER_HISTORY_PAGE_HISTORY_ANSWER_H_
