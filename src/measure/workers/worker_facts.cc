#include "measure/workers/worker_facts.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>

#include "core/json_text.h"

namespace xsp::workers {
namespace {

using nlohmann::json;

/// A text as it is, a number or a truth value as JSON writes it; else nothing.
std::string TextOf(const json& value) {
  if (value.is_string()) return value.get<std::string>();
  return value.is_number() || value.is_boolean() ? core::JsonText(value) : std::string();
}

std::string TextAt(const json& object, const char* key) {
  const auto it = object.find(key);
  return it == object.end() ? std::string() : TextOf(*it);
}

std::string Joined(const std::vector<std::string>& texts, const char* between = ", ") {
  return fmt::format("{}", fmt::join(texts, between));
}

std::string ListAt(const json& object, const char* key, const char* between = ", ") {
  std::vector<std::string> texts;
  const auto it = object.find(key);
  if (it == object.end() || !it->is_array()) return {};
  for (const json& item : *it)
    if (std::string text = TextOf(item); !text.empty()) texts.push_back(std::move(text));
  return Joined(texts, between);
}

/// The objects of a list that have a text `name`.
std::vector<json> NamedAt(const json& object, const char* key, const char* name) {
  std::vector<json> named;
  const auto it = object.find(key);
  if (it == object.end() || !it->is_array()) return named;
  for (const json& item : *it)
    if (item.is_object() && !TextAt(item, name).empty()) named.push_back(item);
  return named;
}

void Append(std::string& text, std::string_view before, const std::string& more) {
  if (!more.empty()) text += fmt::format("{}{}", before, more);
}

std::string ModelText(const json& model) {
  std::string text = TextAt(model, "format");
  const std::string extensions = ListAt(model, "extensions", " ");
  if (!extensions.empty()) text += fmt::format(" ({})", extensions);
  Append(text, ", levels ", ListAt(model, "levels"));
  Append(text, ": ", TextAt(model, "note"));
  return text;
}

std::string OptionText(const json& option) {
  std::string values = ListAt(option, "values");
  if (values.empty()) values = TextAt(option, "type");
  Append(values, values.empty() ? "unless given: " : "; unless given: ", TextAt(option, "default"));
  std::string text = TextAt(option, "name");
  if (!values.empty()) text += fmt::format(" ({})", values);
  Append(text, ": ", TextAt(option, "meaning"));
  return text;
}

}  // namespace

WorkerFacts FactsOf(const WorkerProgram& worker) {
  WorkerFacts facts;
  facts.devices = Joined(worker.devices);
  facts.graphs = Joined(worker.graphs);
  facts.precisions = Joined(worker.precisions);
  facts.rungs = Joined(worker.rungs);
  const json description = core::ParseJson(worker.description);
  if (!description.is_object()) return facts;
  for (const json& model : NamedAt(description, "models", "format"))
    facts.models.push_back(ModelText(model));
  for (const json& option : NamedAt(description, "options", "name"))
    facts.options.push_back(OptionText(option));
  return facts;
}

}  // namespace xsp::workers
