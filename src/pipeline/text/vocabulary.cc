#include "pipeline/text/vocabulary.h"

#include "core/unicode.h"
#include "core/utf8.h"
#include "pipeline/base/text_file.h"
#include "pipeline/text/bert_characters.h"

namespace xsp::pipeline {
namespace {

std::u32string Plain(std::u32string_view codes, const WordRules& rules) {
  std::u32string plain(codes);
  if (rules.strip_accents) plain = WithoutAccents(plain);
  if (rules.lower_case) plain = core::Lower(plain);
  return plain;
}

}  // namespace

Status Vocabulary::Load(const std::string& path) {
  XSP_RETURN_IF_ERROR(ReadLines(path, tokens_));
  ids_.reserve(tokens_.size());
  for (std::size_t i = 0; i < tokens_.size(); ++i) {
    ids_[tokens_[i]] = static_cast<std::int64_t>(i);
  }
  return Ok{};
}

std::optional<std::int64_t> Vocabulary::Find(std::string_view token) const {
  const auto found = ids_.find(token);
  if (found == ids_.end()) return std::nullopt;
  return found->second;
}

std::optional<std::string_view> Vocabulary::Token(std::int64_t id) const {
  if (id < 0 || static_cast<std::size_t>(id) >= tokens_.size()) return std::nullopt;
  return tokens_[static_cast<std::size_t>(id)];
}

std::vector<std::string> BertWords(std::string_view text, const WordRules& rules) {
  std::u32string clean;
  for (const char32_t code : core::FromUtf8(text)) {
    if (code == 0 || code == 0xfffd || IsControl(code)) continue;
    if (IsHan(code)) {
      clean += {U' ', code, U' '};
    } else {
      clean += IsSpace(code) ? U' ' : code;
    }
  }
  std::vector<std::string> words;
  std::u32string word;
  const auto finish = [&] {
    if (!word.empty()) words.push_back(core::ToUtf8(word));
    word.clear();
  };
  for (const char32_t code : Plain(clean, rules)) {
    const bool alone = IsPunctuation(code);
    if (alone || IsSpace(code)) finish();
    if (IsSpace(code)) continue;
    word += code;
    if (alone) finish();
  }
  finish();
  return words;
}

std::vector<std::string> SpacedWords(std::string_view text, const WordRules& rules) {
  std::vector<std::string> words;
  std::u32string word;
  for (const char32_t code : core::FromUtf8(text)) {
    if (!IsSpace(code)) {
      word += code;
      continue;
    }
    if (!word.empty()) words.push_back(core::ToUtf8(Plain(word, rules)));
    word.clear();
  }
  if (!word.empty()) words.push_back(core::ToUtf8(Plain(word, rules)));
  return words;
}

void AppendPieces(const Vocabulary& vocabulary, std::string_view word, std::int64_t unknown,
                  std::vector<std::int64_t>& ids) {
  constexpr std::size_t kMostCharacters = 100;
  // Where characters begin, and the end.
  std::vector<std::size_t> starts;
  for (std::size_t i = 0; i < word.size(); ++i) {
    if ((static_cast<std::uint8_t>(word[i]) & 0xc0) != 0x80) starts.push_back(i);
  }
  if (starts.size() > kMostCharacters) {
    ids.push_back(unknown);
    return;
  }
  starts.push_back(word.size());
  const std::size_t before = ids.size();
  std::string piece;
  for (std::size_t begin = 0; begin + 1 < starts.size();) {
    std::optional<std::int64_t> id;
    std::size_t end = starts.size() - 1;
    for (; end > begin; --end) {
      piece = begin > 0 ? "##" : "";
      piece += word.substr(starts[begin], starts[end] - starts[begin]);
      if ((id = vocabulary.Find(piece))) break;
    }
    if (!id) {
      ids.resize(before);
      ids.push_back(unknown);
      return;
    }
    ids.push_back(*id);
    begin = end;
  }
}

}  // namespace xsp::pipeline
