#include "store/metadata.h"

#include "core/json_text.h"

namespace xsp::store {

using nlohmann::json;

namespace {

json ObjectOf(const json& details) { return details.is_object() ? details : json::object(); }

void AddText(json& object, const char* key, const std::string& text) {
  if (!text.empty()) object[key] = text;
}

std::string ReplacingBadUtf8(const json& object) { return core::JsonText(object); }

}  // namespace

std::string ToJson(const ExperimentMetadata& metadata) {
  json object = ObjectOf(metadata.details);
  AddText(object, "kind", metadata.kind);
  AddText(object, "model", metadata.model);
  AddText(object, "backend", metadata.backend);
  AddText(object, "status", metadata.status);
  AddText(object, "command", metadata.command);
  if (!metadata.conditions.empty()) object["conditions"] = metadata.conditions;
  return ReplacingBadUtf8(object);
}

std::string ToJson(const RunMetadata& metadata) {
  json object = ObjectOf(metadata.details);
  AddText(object, "rung", metadata.rung);
  AddText(object, "status", metadata.status);
  AddText(object, "message", metadata.message);
  AddText(object, "started", metadata.started);
  if (!metadata.conditions.empty()) object["conditions"] = metadata.conditions;
  if (!metadata.stack.is_null()) object["stack"] = metadata.stack;
  return ReplacingBadUtf8(object);
}

}  // namespace xsp::store
