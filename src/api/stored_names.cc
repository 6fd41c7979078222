#include "api/stored_names.h"

#include <array>
#include <cctype>
#include <string>
#include <string_view>
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

bool IsOfPath(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
         std::string_view("/._-~").find(c) != std::string_view::npos;
}

/// Of every path in the sentence.
void ToNamesWithin(const Prefixes& prefixes, std::string* sentence) {
  for (const std::string& prefix : prefixes)
    for (std::size_t at = 0; (at = sentence->find(prefix, at)) != std::string::npos;) {
      if (at > 0 && IsOfPath((*sentence)[at - 1])) {
        ++at;  // Of a longer path.
      } else {
        sentence->erase(at, prefix.size());
      }
    }
}

}  // namespace

void ToStoredNames(const std::filesystem::path& store, json* document) {
  ToNames(PrefixesOf(store), 0, document);
}

void ToStoredNames(const std::filesystem::path& store, Document* document) {
  const Prefixes prefixes = PrefixesOf(store);
  for (std::string& note : document->notes) ToNamesWithin(prefixes, &note);
  if (auto* value = std::get_if<json>(&document->content)) return ToNames(prefixes, 0, value);
  for (std::vector<store::Cell>& row : std::get<store::Table>(document->content).rows)
    for (store::Cell& cell : row)
      if (auto* text = std::get_if<std::string>(&cell)) ToName(prefixes, text);
}

Error WithStoredNames(const std::filesystem::path& store, Error error) {
  const Prefixes prefixes = PrefixesOf(store);
  ToNamesWithin(prefixes, &error.what);
  ToNamesWithin(prefixes, &error.hint);
  return error;
}

}  // namespace xsp::api
