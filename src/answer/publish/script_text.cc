#include "answer/publish/script_text.h"

#include <fmt/format.h>

#include "core/json_text.h"
#include "core/utf8.h"
#include "os/sha256.h"

namespace xsp::publish {

using nlohmann::json;

std::string ScriptOf(std::string_view key, std::string_view text) {
  const auto quoted = [](std::string_view value) { return core::JsonText(json(value)); };
  return fmt::format("xspDocument({},{})\n", quoted(key), quoted(text));
}

std::string ScriptOf(std::string_view key, const json& document) {
  return ScriptOf(key, std::string_view(core::JsonText(document)));
}

std::string ShortHash(std::string_view text, std::size_t digits) {
  return os::Sha256(text).substr(0, digits);
}

std::string EscapedForMarkup(std::string_view text) {
  std::string escaped;
  for (const char c : core::ToCleanUtf8(text)) {
    switch (c) {
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '&':
        escaped += "&amp;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      case '\'':
        escaped += "&#39;";
        break;
      default: {
        const bool is_control = static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t';
        escaped += is_control ? std::string("\xEF\xBF\xBD") : std::string(1, c);
      }
    }
  }
  return escaped;
}

std::string FileNameOf(std::string_view name) {
  constexpr std::size_t kMaxBytes = 80;
  constexpr std::string_view kPlain = "._-";
  std::string plain;
  for (const char c : name.substr(0, kMaxBytes)) {
    const bool is_letter =
        (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
    plain += is_letter || kPlain.find(c) != std::string_view::npos ? c : '-';
  }
  // No hidden file, and neither "." nor "..".
  if (plain.starts_with('.')) plain[0] = '-';
  return plain == name && !plain.empty() ? plain : fmt::format("{}-{}", plain, ShortHash(name, 12));
}

}  // namespace xsp::publish
