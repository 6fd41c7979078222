#include "capture/collect/stack_difference.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "core/json_text.h"

namespace xsp::collect {

using nlohmann::json;

namespace {

constexpr const char* kHidden = "hidden";
constexpr std::string_view kBackend = "backend";

void Flatten(const json& value, const std::string& key, const json& hidden,
             std::vector<Fact>& facts) {
  if (value.is_object()) {
    for (const auto& [name, inner] : value.items()) {
      // ToJson() puts the value of a key that is also the beginning of another under "value".
      const bool own = name == "value" && !inner.is_object() && value.size() > 1;
      Flatten(inner, own ? key : fmt::format("{}.{}", key, name), hidden, facts);
    }
    return;
  }
  Fact fact{key, "", ""};
  if (value.is_string()) fact.value = value.get<std::string>();
  if (!value.is_string() && !value.is_null()) fact.value = core::JsonText(value);
  if (fact.value.empty()) {
    const auto why = hidden.is_object() ? hidden.find(key) : hidden.end();
    const bool said = hidden.is_object() && why != hidden.end() && why->is_string();
    fact.why = said ? why->get<std::string>() : "no reason given";
  }
  facts.push_back(std::move(fact));
}

/// Whether `text` is `pattern`, in which `*` stands for any characters.
bool Matches(std::string_view text, std::string_view pattern) {
  const auto star = pattern.find('*');
  if (star == pattern.npos) return text == pattern;
  if (!text.starts_with(pattern.substr(0, star))) return false;
  const std::string_view rest = pattern.substr(star + 1);
  for (std::size_t at = star; at <= text.size(); ++at) {
    if (Matches(text.substr(at), rest)) return true;
  }
  return false;
}

std::string_view PartOf(std::string_view key) {
  const auto dot = key.find('.');
  if (key.substr(0, dot) != kBackend || dot == key.npos) return key.substr(0, dot);
  return key.substr(0, key.find('.', dot + 1));
}

using ByKey = std::map<std::string, Fact, std::less<>>;

ByKey Index(const std::vector<Fact>& facts) {
  ByKey index;
  for (const Fact& fact : facts) index.emplace(fact.key, fact);
  return index;
}

std::set<std::string> PartsOf(const ByKey& facts) {
  std::set<std::string> parts;
  for (const auto& [key, fact] : facts) parts.emplace(PartOf(key));
  return parts;
}

/// The fact of `facts`, or one of that key without value and reason.
Fact Find(const ByKey& facts, const std::string& key) {
  const auto it = facts.find(key);
  return it == facts.end() ? Fact{key, "", ""} : it->second;
}

}  // namespace

std::vector<Fact> FromJson(const json& stack) {
  std::vector<Fact> facts;
  if (!stack.is_object()) return facts;
  const json hidden = stack.value(kHidden, json::object());
  for (const auto& [part, value] : stack.items()) {
    if (part != kHidden) Flatten(value, part, hidden, facts);
  }
  std::sort(facts.begin(), facts.end(), [](const Fact& a, const Fact& b) { return a.key < b.key; });
  return facts;
}

bool IsMomentary(std::string_view key, std::span<const CollectorSpec* const> collectors) {
  const auto dot = key.find('.');
  if (dot == key.npos) return false;
  const std::string_view name = key.substr(dot + 1);
  for (const CollectorSpec* collector : collectors) {
    if (collector->name != PartOf(key)) continue;
    std::string_view patterns = collector->momentary;
    while (!patterns.empty()) {
      const auto end = std::min(patterns.find(' '), patterns.size());
      if (Matches(name, patterns.substr(0, end))) return true;
      patterns.remove_prefix(std::min(end + 1, patterns.size()));
    }
  }
  return false;
}

StackDifference Compare(const std::vector<Fact>& a, const std::vector<Fact>& b,
                        const std::function<bool(std::string_view key)>& leave_out) {
  const ByKey facts_a = Index(a), facts_b = Index(b);
  const std::set<std::string> parts_a = PartsOf(facts_a), parts_b = PartsOf(facts_b);
  StackDifference difference;
  std::set_difference(parts_a.begin(), parts_a.end(), parts_b.begin(), parts_b.end(),
                      std::back_inserter(difference.only_in_a));
  std::set_difference(parts_b.begin(), parts_b.end(), parts_a.begin(), parts_a.end(),
                      std::back_inserter(difference.only_in_b));
  std::set<std::string> keys;
  for (const ByKey* facts : {&facts_a, &facts_b}) {
    for (const auto& [key, fact] : *facts) keys.insert(key);
  }
  for (const std::string& key : keys) {
    const std::string part(PartOf(key));
    if (!parts_a.contains(part) || !parts_b.contains(part)) continue;
    FactDifference both{Find(facts_a, key), Find(facts_b, key)};
    if (both.a.value == both.b.value) {
      difference.same += both.a.value.empty() ? 0 : 1;
    } else if (leave_out && leave_out(key)) {
      ++difference.left_out;
    } else {
      difference.differing.push_back(std::move(both));
    }
  }
  return difference;
}

}  // namespace xsp::collect
