#ifndef XSP_ANSWER_TRACE_FORMATS_JSON_TEXT_H_
#define XSP_ANSWER_TRACE_FORMATS_JSON_TEXT_H_

#include <cstdint>
#include <string>
#include <string_view>

namespace xsp::trace_formats {

/// `text` as a JSON string with its quotes, whatever bytes it holds: control characters are
/// escaped, NUL and bytes that are not UTF-8 become U+FFFD.
std::string JsonQuoted(std::string_view text);

/// `value` as a JSON number that reads back as the same value; NaN and the infinities: null.
std::string JsonNumber(double value);

/// Nanoseconds as microseconds with three decimals, exact: 1234 is "1.234".
std::string Microseconds(std::int64_t ns);

}  // namespace xsp::trace_formats

#endif  // XSP_ANSWER_TRACE_FORMATS_JSON_TEXT_H_
