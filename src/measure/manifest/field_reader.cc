#include "measure/manifest/field_reader.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "core/nearest_word.h"

namespace xsp::manifest {
namespace {

constexpr std::size_t kShownCharacters = 60;

/// A value for a message.
std::string Shown(const Value& value) {
  if (value.kind != Value::Kind::kScalar || value.text.empty()) return KindOf(value);
  if (value.text.size() <= kShownCharacters) return value.text;
  return value.text.substr(0, kShownCharacters) + "...";
}

std::string DidYouMean(std::string_view word, std::span<const std::string_view> known) {
  const std::string_view nearest = core::NearestWord(word, known);
  if (!nearest.empty()) return fmt::format("did you mean {}?", nearest);
  return fmt::format("known: {}", fmt::join(known, ", "));
}

}  // namespace

FieldReader::FieldReader(const Value& map, std::string where, std::vector<Problem>& problems)
    : map_(map), where_(std::move(where)), problems_(problems) {}

std::string FieldReader::Name(std::string_view key) const {
  if (where_.empty()) return std::string(key);
  return key.empty() ? where_ : fmt::format("{}.{}", where_, key);
}

void FieldReader::Wrong(Position at, std::string what, std::string hint) {
  problems_.push_back({at, std::move(what), std::move(hint)});
}

void FieldReader::NotA(std::string_view key, const Value& value, std::string_view expected) {
  Wrong(value.at, fmt::format("{} is not {}: {}", Name(key), expected, Shown(value)));
}

void FieldReader::OnlyKeys(std::span<const std::string_view> known) {
  for (const Member& member : map_.members) {
    if (std::find(known.begin(), known.end(), member.key) != known.end()) continue;
    Wrong(member.at, fmt::format("unknown key: {}", Name(member.key)),
          DidYouMean(member.key, known));
  }
}

void FieldReader::Require(std::string_view key) {
  if (Find(key) == nullptr) Wrong(map_.at, fmt::format("missing: {}", Name(key)));
}

const Value* FieldReader::Text(std::string_view key, std::string& target, bool number_too) {
  const Value* value = Find(key);
  if (value == nullptr) return nullptr;
  const bool taken = value->is_text() || (number_too && value->scalar.is_number());
  if (!taken || value->text.empty()) {
    NotA(key, *value, "text");
    if (value->scalar.is_number() || value->scalar.is_boolean())
      problems_.back().hint = "write it in quotes";
    return nullptr;
  }
  target = value->text;
  return value;
}

const Value* FieldReader::Choice(std::string_view key, std::span<const std::string_view> known,
                                 std::string& target) {
  std::string text;
  const Value* value = Text(key, text);
  if (value == nullptr) return nullptr;
  if (std::find(known.begin(), known.end(), text) == known.end()) {
    Wrong(value->at, fmt::format("unknown {}: {}", Name(key), Shown(*value)),
          DidYouMean(text, known));
    return nullptr;
  }
  target = text;
  return value;
}

const Value* FieldReader::List(std::string_view key) {
  const Value* value = Find(key);
  if (value == nullptr) return nullptr;
  if (value->is_list()) return value;
  NotA(key, *value, "a list");
  return nullptr;
}

const Value* FieldReader::Texts(std::string_view key, std::vector<std::string>& target,
                                bool single_too) {
  const Value* value = Find(key);
  if (value == nullptr) return nullptr;
  if (single_too && value->is_text() && !value->text.empty()) {
    target = {value->text};
    return value;
  }
  value = List(key);
  if (value == nullptr) return nullptr;
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < value->items.size(); ++i) {
    const Value& item = value->items[i];
    if (item.is_text() && !item.text.empty()) {
      texts.push_back(item.text);
    } else {
      NotA(fmt::format("{}[{}]", key, i), item, "text");
    }
  }
  target = std::move(texts);
  return value;
}

}  // namespace xsp::manifest
