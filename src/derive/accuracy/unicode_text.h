#ifndef XSP_DERIVE_ACCURACY_UNICODE_TEXT_H_
#define XSP_DERIVE_ACCURACY_UNICODE_TEXT_H_

#include <string>
#include <string_view>
#include <vector>

namespace xsp::accuracy {

// Text as Python's `str` treats it, because the published scripts are Python. Text is UTF-8; bytes
// that are none count as U+FFFD. Pure; any thread; any bytes are safe.

/// str.lower(), one character at a time: a capital sigma becomes a small sigma at a word's end, too
/// (Python: final sigma).
std::string Lowercase(std::string_view text);

/// str.split(): the parts between white space (Unicode's, and U+001C to U+001F). Views into `text`.
std::vector<std::string_view> SplitWords(std::string_view text);

/// What `re` calls a word character (\w): a letter, digit, number or underscore.
bool IsWordCharacter(char32_t character);

}  // namespace xsp::accuracy

#endif  // XSP_DERIVE_ACCURACY_UNICODE_TEXT_H_
