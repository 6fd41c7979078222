#ifndef XSP_ANSWER_FINDINGS_GAIN_TEXT_H_
#define XSP_ANSWER_FINDINGS_GAIN_TEXT_H_

#include <string>

#include "answer/findings/find_all.h"

namespace xsp::findings {

/// "3.10 ms (1.60 ms to 4.00 ms), 8.20 % of the call", "at most 3.10 ms, ..." where nothing is
/// expected, "none (...)" where less than a thousandth is left; then which findings claim part of
/// the same time.
std::string GainText(const FoundGain& gain);

/// Likewise as a sentence: "Saves about 3.10 ms, 8.20 % of the call."; empty: nothing is expected.
std::string ShortGainText(const FoundGain& gain);

}  // namespace xsp::findings

#endif  // XSP_ANSWER_FINDINGS_GAIN_TEXT_H_
