#include "capture/collect/stack.h"

#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "core/json_text.h"

namespace xsp::collect {

using nlohmann::json;

namespace {

void Insert(json& object, std::string_view key, json value) {
  json* at = &object;
  for (;;) {
    const auto dot = key.find('.');
    json& next = (*at)[std::string(key.substr(0, dot))];
    if (dot == key.npos) {
      if (next.is_object()) {
        next["value"] = std::move(value);
      } else {
        next = std::move(value);
      }
      return;
    }
    if (!next.is_object()) {
      json found = std::exchange(next, json::object());
      if (!found.is_null()) next["value"] = std::move(found);
    }
    at = &next;
    key.remove_prefix(dot + 1);
  }
}

}  // namespace

std::vector<Fact> CaptureStack(std::span<const CollectorSpec* const> collectors) {
  std::vector<Fact> stack;
  for (const CollectorSpec* collector : collectors) {
    for (Fact& fact : collector->collect()) stack.push_back(std::move(fact));
  }
  return stack;
}

std::string ToJson(const std::vector<Fact>& stack) {
  json object = json::object();
  json hidden = json::object();
  for (const Fact& fact : stack) {
    if (fact.value.empty()) hidden[fact.key] = fact.why;
    Insert(object, fact.key, fact.value.empty() ? json() : json(fact.value));
  }
  object["hidden"] = std::move(hidden);
  return core::JsonText(object, 2);
}

}  // namespace xsp::collect
