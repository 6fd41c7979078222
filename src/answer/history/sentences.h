#ifndef XSP_ANSWER_HISTORY_SENTENCES_H_
#define XSP_ANSWER_HISTORY_SENTENCES_H_

#include <cstddef>
#include <string>
#include <vector>

#include "derive/history/analysed_history.h"

namespace xsp::history {

/// What series `index` shows, for people: one sentence for the whole, then one for each change
/// point.
std::vector<std::string> SentencesOf(const AnalysedHistory& analysed, std::size_t index);

/// How it was computed.
std::vector<std::string> MethodOf(const AnalysedHistory& analysed);

}  // namespace xsp::history

#endif  // XSP_ANSWER_HISTORY_SENTENCES_H_
