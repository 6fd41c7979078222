#ifndef XSP_APP_MCP_SHORTENED_JSON_H_
#define XSP_APP_MCP_SHORTENED_JSON_H_

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace xsp::mcp {

/// `text` as an agent may see it: text of traces and file names is data and must not act on a
/// terminal or hide from a reader. Bytes that are no UTF-8 become U+FFFD; control characters other
/// than newline and tab, and the invisible characters that reorder or hide text (bidirectional
/// controls, zero-width characters, tag characters), become visible, as \u{1b}.
std::string VisibleText(std::string_view text);

/// The number of levels at which ShortenedJson() shortens, from 0: the most detailed.
inline constexpr int kShorteningLevels = 8;

/// No value is larger than this at the last level, in bytes of JSON.
inline constexpr std::size_t kMaxShortestBytes = 150;

/// `value` with strings, lists, objects and nesting cut to what `level` allows. The type of every
/// value that remains is kept; numbers are never changed; a cut string ends with an ellipsis. Up to
/// level 4 every member of an object with at most 60 members is kept. Strings become VisibleText().
/// Sets `was_shortened` if something was cut; leaves it otherwise.
nlohmann::json ShortenedJson(const nlohmann::json& value, int level, bool& was_shortened);

/// The JSON text of `value` in one line; never fails.
std::string CompactText(const nlohmann::json& value);

}  // namespace xsp::mcp

#endif  // XSP_APP_MCP_SHORTENED_JSON_H_
