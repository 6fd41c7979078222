#include "derive/compare/machine.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <utility>

#include "core/json_text.h"

namespace xsp::compare {
namespace {

using nlohmann::json;

/// "file.12.KEY": the key of a fact of one of several files.
bool IsOfAFile(std::string_view fact, std::string_view key) {
  constexpr std::string_view kFile = "file.";
  if (!fact.starts_with(kFile) || !fact.ends_with(key)) return false;
  fact.remove_prefix(kFile.size());
  const std::size_t dot = fact.find('.');
  return dot != std::string_view::npos && dot > 0 && fact.substr(dot + 1) == key &&
         std::ranges::all_of(fact.substr(0, dot), [](char c) { return c >= '0' && c <= '9'; });
}

std::string TextOf(const json& fact) {
  return fact.is_string() ? fact.get<std::string>() : fact.is_null() ? "" : core::JsonText(fact);
}

std::string OfStack(const json& run, const char* part, const char* name) {
  const json* at = &run;
  for (const char* key : {"stack", part, name}) {
    if (!at->is_object()) return {};
    const auto member = at->find(key);
    if (member == at->end()) return {};
    at = &*member;
  }
  return at->is_string() ? at->get<std::string>() : std::string();
}

}  // namespace

std::string FactOf(const json& run, std::string_view key) {
  if (!run.is_object()) return {};
  const auto facts = run.find("facts");
  if (facts == run.end() || !facts->is_object()) return {};
  if (const auto fact = facts->find(key); fact != facts->end()) return TextOf(*fact);
  std::set<std::string> values;
  for (const auto& [name, value] : facts->items())
    if (std::string text = IsOfAFile(name, key) ? TextOf(value) : ""; !text.empty())
      values.insert(std::move(text));
  return fmt::format("{}", fmt::join(values, ", "));
}

Machine MachineOf(const json& run) {
  if (!run.is_object()) return {};
  Machine machine = {FactOf(run, "cpu.model"), FactOf(run, "deviceProperties.0.name")};
  if (machine.gpu.empty()) machine.gpu = FactOf(run, "cuda.device.0.name");
  if (machine.cpu.empty()) machine.cpu = OfStack(run, "cpu", "model");
  if (machine.gpu.empty()) machine.gpu = OfStack(run, "gpu", "models");
  return machine;
}

}  // namespace xsp::compare
