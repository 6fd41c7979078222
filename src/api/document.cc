#include "api/operation.h"
#include "core/json_text.h"
#include "store/export.h"

namespace xsp::api {

using nlohmann::json;

std::string_view NameOf(Effect effect) {
  switch (effect) {
    case Effect::kReads:
      return "reads";
    case Effect::kMeasures:
      return "measures";
    case Effect::kChanges:
      return "changes";
  }
  return "";
}

std::string JsonText(const Document& document) {
  if (const auto* table = std::get_if<store::Table>(&document.content))
    return store::ToJson(*table);
  return core::JsonText(std::get<json>(document.content), document.is_compact ? -1 : 2);
}

json ToJson(const Document& document) {
  if (const auto* table = std::get_if<store::Table>(&document.content))
    return core::ParseJson(store::ToJson(*table));
  return std::get<json>(document.content);
}

}  // namespace xsp::api
