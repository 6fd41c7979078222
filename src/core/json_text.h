#ifndef XSP_CORE_JSON_TEXT_H_
#define XSP_CORE_JSON_TEXT_H_

#include <istream>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

/// JSON between documents and texts. Every file that calls the library's own parser and writer
/// compiles them again, for 1 to 2 s.
namespace xsp::core {

/// The document of a text, or a discarded one (`is_discarded()`) where the text is not JSON.
nlohmann::json ParseJson(std::string_view text);
nlohmann::json ParseJson(std::istream& text);
inline nlohmann::json ParseJson(std::istream&& text) { return ParseJson(text); }

/// Whether a text is JSON, without a document of it.
bool IsJson(std::string_view text);

/// The text of a document, in UTF-8: on one line, or with `indent` spaces for each level. What is
/// not UTF-8 in its strings becomes U+FFFD.
std::string JsonText(const nlohmann::json& document, int indent = -1);

/// The same in ASCII: other characters as `\uXXXX`.
std::string AsciiJsonText(const nlohmann::json& document, int indent = -1);

}  // namespace xsp::core

#endif  // XSP_CORE_JSON_TEXT_H_
