#include "core/nearest_word.h"

#include <algorithm>
#include <cctype>
#include <utility>

namespace xsp::core {
namespace {

/// Nobody means a known word by more than that; bounds the work.
constexpr std::size_t kLongest = 64;

/// So many letters may be meant as the beginning of a word.
constexpr std::size_t kBeginning = 3;

char Lower(char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); }

/// Whether `word` may stand for the beginning of `known`.
bool Begins(std::string_view word, std::string_view known) {
  return word.size() >= kBeginning && word.size() <= known.size() &&
         std::ranges::equal(word, known.substr(0, word.size()),
                            [](char a, char b) { return Lower(a) == Lower(b); });
}

}  // namespace

std::size_t EditDistance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> older, last(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const bool same = Lower(a[i - 1]) == Lower(b[j - 1]);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (same ? 0 : 1)});
      if (i > 1 && j > 1 && Lower(a[i - 1]) == Lower(b[j - 2]) &&
          Lower(a[i - 2]) == Lower(b[j - 1]))
        row[j] = std::min(row[j], older[j - 2] + 1);
    }
    older = last;
    last = row;
  }
  return last[b.size()];
}

std::string_view NearestWord(std::string_view word, std::span<const std::string_view> known) {
  if (word.size() > kLongest) return {};
  std::string_view nearest;
  std::size_t fewest = kLongest;
  for (const std::string_view candidate : known) {
    const std::size_t changes = EditDistance(word, candidate);
    const std::size_t allowed = std::max<std::size_t>(1, candidate.size() / 3);
    if (changes > allowed || changes >= fewest) continue;
    fewest = changes;
    nearest = candidate;
  }
  if (!nearest.empty()) return nearest;
  for (const std::string_view candidate : known)
    if (Begins(word, candidate) && (nearest.empty() || candidate.size() < nearest.size()))
      nearest = candidate;
  return nearest;
}

std::vector<std::string_view> NearestWords(std::string_view word,
                                           std::span<const std::string_view> known,
                                           std::size_t count) {
  struct Ranked {
    bool is_other;  ///< Does not begin with the word.
    std::size_t distance;
    std::string_view candidate;
  };
  std::vector<Ranked> ranked;
  for (const std::string_view candidate : known)
    ranked.push_back({!Begins(word, candidate), EditDistance(word, candidate), candidate});
  std::ranges::stable_sort(ranked, {},
                           [](const Ranked& one) { return std::pair(one.is_other, one.distance); });
  std::vector<std::string_view> nearest;
  for (std::size_t i = 0; i < std::min(ranked.size(), count); ++i)
    nearest.push_back(ranked[i].candidate);
  return nearest;
}

}  // namespace xsp::core
