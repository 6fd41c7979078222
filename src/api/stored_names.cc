#include "api/stored_names.h"

#include <array>
#include <string>
#include <system_error>
#include <variant>
#include <vector>

namespace xsp::api {
namespace {

using nlohmann::json;

/// The ways in which documents begin the path of something in a store.
using Prefixes = std::array<std::string, 2>;

constexpr int kMaxDepth = 40;

Prefixes PrefixesOf(const std::filesystem::path& store) {
  std::error_code error;
  const auto real = std::filesystem::weakly_canonical(store, error);
  return {(store / "").string(), ((error ? store : real) / "").string()};
}

void ToName(const Prefixes& prefixes, std::string* text) {
  for (const std::string& prefix : prefixes)
    if (text->starts_with(prefix)) text->erase(0, prefix.size());
}

void ToNames(const Prefixes& prefixes, int depth, json* value) {
  if (value->is_string()) {
    ToName(prefixes, value->get_ptr<std::string*>());
  } else if (value->is_structured() && depth < kMaxDepth) {
    for (json& item : *value) ToNames(prefixes, depth + 1, &item);
  }
}

}  // namespace

void ToStoredNames(const std::filesystem::path& store, json* document) {
  ToNames(PrefixesOf(store), 0, document);
}

void ToStoredNames(const std::filesystem::path& store, Document* document) {
  if (auto* value = std::get_if<json>(&document->content)) return ToStoredNames(store, value);
  const Prefixes prefixes = PrefixesOf(store);
  for (std::vector<store::Cell>& row : std::get<store::Table>(document->content).rows)
    for (store::Cell& cell : row)
      if (auto* text = std::get_if<std::string>(&cell)) ToName(prefixes, text);
}

}  // namespace xsp::api
