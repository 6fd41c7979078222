#ifndef XSP_PIPELINE_TEXT_VOCABULARY_H_
#define XSP_PIPELINE_TEXT_VOCABULARY_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "pipeline/base/errors.h"

namespace xsp::pipeline {

/// Tokens by number and numbers by token; of a token that is there twice the last number counts, as
/// in BERT's own loader.
class Vocabulary {
 public:
  Vocabulary() = default;
  Vocabulary(const Vocabulary&) = delete;
  Vocabulary& operator=(const Vocabulary&) = delete;

  /// One token per line. Errors: as ReadLines.
  Status Load(const std::string& path);

  std::optional<std::int64_t> Find(std::string_view token) const;

  /// The token; nothing when the number is beyond the vocabulary.
  std::optional<std::string_view> Token(std::int64_t id) const;

  std::size_t size() const { return tokens_.size(); }

 private:
  std::vector<std::string> tokens_;
  std::unordered_map<std::string_view, std::int64_t> ids_;
};

/// How words are made of text before they are looked up.
struct WordRules {
  bool lower_case = true;
  bool strip_accents = true;
};

/// The words of `text` as BERT's basic tokeniser makes them (Devlin et al. 2019, tokenization.py):
/// control characters and U+FFFD out, white space separates, each Han character and each
/// punctuation mark a word of its own.
std::vector<std::string> BertWords(std::string_view text, const WordRules& rules);

/// The words of `text`, separated by white space alone.
std::vector<std::string> SpacedWords(std::string_view text, const WordRules& rules);

/// Appends the pieces of one word: greedily the longest one in the vocabulary, later ones with "##"
/// before them (WordPiece; Wu et al. 2016, section 4.1). A word that cannot be made of pieces, or
/// of more than 100 characters, is `unknown`.
void AppendPieces(const Vocabulary& vocabulary, std::string_view word, std::int64_t unknown,
                  std::vector<std::int64_t>& ids);

}  // namespace xsp::pipeline

#endif  // XSP_PIPELINE_TEXT_VOCABULARY_H_
