#ifndef XSP_ANSWER_HISTORY_PAGE_SENTENCES_H_
#define XSP_ANSWER_HISTORY_PAGE_SENTENCES_H_

#include <cstddef>
#include <string>
#include <vector>

#include "derive/history/analysed_history.h"

namespace xsp::history_page {

/// What series `index` shows, for people: one sentence for the whole, then one for each change
/// point.
std::vector<std::string> SentencesOf(const history::AnalysedHistory& analysed, std::size_t index);

/// How it was computed.
std::vector<std::string> MethodOf(const history::AnalysedHistory& analysed);

}  // namespace xsp::history_page

#endif  // XSP_ANSWER_HISTORY_PAGE_SENTENCES_H_
