#include "core/json_text.h"

namespace xsp::core {

using nlohmann::json;

json ParseJson(std::string_view text) { return json::parse(text, nullptr, false); }

json ParseJson(std::istream& text) { return json::parse(text, nullptr, false); }

bool IsJson(std::string_view text) { return json::accept(text); }

std::string JsonText(const json& document, int indent) {
  return document.dump(indent, ' ', false, json::error_handler_t::replace);
}

std::string AsciiJsonText(const json& document, int indent) {
  return document.dump(indent, ' ', true, json::error_handler_t::replace);
}

}  // namespace xsp::core
