#include "app/mcp/shortened_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

#include "core/json_text.h"
#include "core/utf8.h"

namespace xsp::mcp {
namespace {

using nlohmann::json;

constexpr std::string_view kEllipsis = "…";

struct ShorteningLimits {
  std::size_t string_bytes, items, members;
  int depth;  ///< Of containers in each other.
};

/// Mostly all is whole at the first level, and at the second a kernel's name, a sentence and a
/// short list; the last one keeps nothing but the outline.
constexpr std::array<ShorteningLimits, kShorteningLevels> kShortening = {{{100000, 10000, 1000, 32},
                                                                          {1000, 30, 1000, 32},
                                                                          {400, 10, 300, 16},
                                                                          {200, 4, 100, 8},
                                                                          {120, 2, 60, 6},
                                                                          {60, 1, 30, 4},
                                                                          {40, 0, 6, 2},
                                                                          {24, 0, 1, 1}}};

bool IsHiddenCharacter(char32_t c) {
  const auto in = [c](char32_t first, char32_t last) { return c >= first && c <= last; };
  const bool is_control = (c < 0x20 && c != U'\n' && c != U'\t') || in(0x7f, 0x9f);
  const bool reorders =
      c == 0x061c || in(0x200e, 0x200f) || in(0x202a, 0x202e) || in(0x2066, 0x2069);
  const bool is_invisible = c == 0x00ad || in(0x200b, 0x200d) || in(0x2028, 0x2029) ||
                            in(0x2060, 0x2064) || c == 0xfeff || in(0xe0000, 0xe007f);
  return is_control || reorders || is_invisible;
}

/// At most `limit` bytes, cut between characters.
std::string CutText(std::string text, std::size_t limit, bool& was_shortened) {
  if (text.size() <= limit) return text;
  was_shortened = true;
  std::size_t end = limit - kEllipsis.size();
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) --end;
  text.resize(end);
  text += kEllipsis;
  return text;
}

class Shortener {
 public:
  Shortener(const ShorteningLimits& limits, bool& was_shortened)
      : limits_(limits), was_shortened_(was_shortened) {}

  json Value(const json& value, int depth) const {
    if (value.is_string()) return Text(value.get_ref<const std::string&>());
    if (value.is_array()) return Array(value, depth);
    if (value.is_object()) return Object(value, depth);
    return value.is_binary() || value.is_discarded() ? json() : value;
  }

 private:
  /// Of a text far beyond the limit only the beginning is looked at.
  std::string Text(const std::string& text) const {
    const std::size_t looked_at = std::min(text.size(), limits_.string_bytes + 8);
    return CutText(VisibleText(std::string_view(text).substr(0, looked_at)), limits_.string_bytes,
                   was_shortened_);
  }

  /// How many of `size` are kept in a container at `depth`.
  std::size_t Kept(std::size_t size, std::size_t limit, int depth) const {
    const std::size_t kept = depth >= limits_.depth ? 0 : std::min(size, limit);
    if (kept < size) was_shortened_ = true;
    return kept;
  }

  json Array(const json& array, int depth) const {
    json items = json::array();
    const std::size_t kept = Kept(array.size(), limits_.items, depth);
    for (std::size_t i = 0; i < kept; ++i) items.push_back(Value(array[i], depth + 1));
    return items;
  }

  json Object(const json& object, int depth) const {
    json members = json::object();
    std::size_t left = Kept(object.size(), limits_.members, depth);
    for (auto member = object.begin(); left > 0; ++member, --left)
      members[Text(member.key())] = Value(member.value(), depth + 1);
    return members;
  }

  const ShorteningLimits& limits_;
  bool& was_shortened_;
};

}  // namespace

std::string VisibleText(std::string_view text) {
  std::string visible;
  for (std::size_t at = 0; at < text.size();) {
    const char32_t c = core::NextCharacter(text, at);
    if (IsHiddenCharacter(c)) {
      visible += fmt::format("\\u{{{:x}}}", static_cast<std::uint32_t>(c));
    } else {
      core::AppendUtf8(c, visible);
    }
  }
  return visible;
}

json ShortenedJson(const json& value, int level, bool& was_shortened) {
  return Shortener(kShortening.at(static_cast<std::size_t>(level)), was_shortened).Value(value, 0);
}

std::string CompactText(const json& value) { return core::JsonText(value); }

}  // namespace xsp::mcp
