#ifndef XSP_ANSWER_PUBLISH_SCRIPT_TEXT_H_
#define XSP_ANSWER_PUBLISH_SCRIPT_TEXT_H_

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace xsp::publish {

/// A script that gives `text` to the page under `key`: xspDocument("KEY", "TEXT"). A page that was
/// opened from a folder may load scripts, but fetch no file. Bytes that are no UTF-8 become U+FFFD.
std::string ScriptOf(std::string_view key, std::string_view text);

/// The same of a document. Its text is parsed by JSON.parse: no key can act as `__proto__` does in
/// an object literal.
std::string ScriptOf(std::string_view key, const nlohmann::json& document);

/// The first `digits` of the SHA-256 of `text`, hexadecimal.
std::string ShortHash(std::string_view text, std::size_t digits = 16);

/// `text` for text and attributes of HTML and XML; control characters that XML forbids become
/// U+FFFD.
std::string EscapedForMarkup(std::string_view text);

/// A part of a file's name and of an address that stands for `name` and for no other: plain
/// characters only, with a hash where `name` has others.
std::string FileNameOf(std::string_view name);

}  // namespace xsp::publish

#endif  // XSP_ANSWER_PUBLISH_SCRIPT_TEXT_H_
