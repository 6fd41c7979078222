#include "derive/compare/anchored_alignment.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

namespace xsp::compare {
namespace {

using core::Token;

/// Anchors within anchors: each level costs O(n), so that this bounds the whole.
constexpr int kDeepest = 24;
/// Steps that core::Align may take for one part, about 10 ms.
constexpr std::size_t kMostSteps = 20'000'000;
constexpr std::size_t kFewestDifferences = 8, kMostDifferences = 1000;

/// Part of both sequences that is not aligned yet.
struct Part {
  std::size_t a_begin, a_end, b_begin, b_end;
  int depth;

  bool empty() const { return a_begin == a_end || b_begin == b_end; }
};

using Pairs = std::vector<std::pair<std::size_t, std::size_t>>;

/// Of pairs in the order of their first numbers, the most whose second numbers increase, too.
Pairs LongestIncreasing(const Pairs& pairs) {
  constexpr std::size_t kNone = static_cast<std::size_t>(-1);
  std::vector<std::size_t> tails, before(pairs.size(), kNone);  // Indexes of pairs.
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const auto at = std::lower_bound(
        tails.begin(), tails.end(), pairs[i].second,
        [&](std::size_t tail, std::size_t second) { return pairs[tail].second < second; });
    if (at != tails.begin()) before[i] = *(at - 1);
    if (at == tails.end()) {
      tails.push_back(i);
    } else {
      *at = i;
    }
  }
  Pairs longest;
  for (std::size_t i = tails.empty() ? kNone : tails.back(); i != kNone; i = before[i])
    longest.push_back(pairs[i]);
  std::reverse(longest.begin(), longest.end());
  return longest;
}

class Aligner {
 public:
  Aligner(std::span<const Token> a, std::span<const Token> b) : a_(a), b_(b) {
    found_.a_to_b.assign(a.size(), -1);
    found_.b_to_a.assign(b.size(), -1);
  }

  core::Alignment Align() {
    parts_.push_back({0, a_.size(), 0, b_.size(), 0});
    while (!parts_.empty()) {
      Part part = parts_.back();
      parts_.pop_back();
      Trim(part);
      if (part.empty()) continue;
      const Pairs anchors = part.depth < kDeepest ? AnchorsOf(part) : Pairs();
      if (anchors.empty()) {
        AlignPart(part);
      } else {
        Divide(part, anchors);
      }
    }
    return std::move(found_);
  }

 private:
  void Pair(std::size_t i, std::size_t j) {
    found_.a_to_b[i] = static_cast<std::int32_t>(j);
    found_.b_to_a[j] = static_cast<std::int32_t>(i);
    ++found_.matched;
  }

  /// Pairs what both begin and end with.
  void Trim(Part& part) {
    while (!part.empty() && a_[part.a_begin] == b_[part.b_begin])
      Pair(part.a_begin++, part.b_begin++);
    while (!part.empty() && a_[part.a_end - 1] == b_[part.b_end - 1])
      Pair(--part.a_end, --part.b_end);
  }

  Pairs AnchorsOf(const Part& part) const {
    struct Places {
      std::size_t in_a = 0, in_b = 0, at_b = 0;
    };
    std::unordered_map<Token, Places> places;
    for (std::size_t i = part.a_begin; i < part.a_end; ++i) ++places[a_[i]].in_a;
    for (std::size_t j = part.b_begin; j < part.b_end; ++j) {
      const auto it = places.find(b_[j]);
      if (it == places.end()) continue;
      ++it->second.in_b;
      it->second.at_b = j;
    }
    Pairs unique;
    for (std::size_t i = part.a_begin; i < part.a_end; ++i) {
      const Places& of = places.at(a_[i]);
      if (of.in_a == 1 && of.in_b == 1) unique.emplace_back(i, of.at_b);
    }
    return LongestIncreasing(unique);
  }

  void Divide(const Part& part, const Pairs& anchors) {
    std::size_t a_begin = part.a_begin, b_begin = part.b_begin;
    for (const auto& [i, j] : anchors) {
      Pair(i, j);
      parts_.push_back({a_begin, i, b_begin, j, part.depth + 1});
      a_begin = i + 1;
      b_begin = j + 1;
    }
    parts_.push_back({a_begin, part.a_end, b_begin, part.b_end, part.depth + 1});
  }

  void AlignPart(const Part& part) {
    const std::size_t size = part.a_end - part.a_begin + part.b_end - part.b_begin;
    const std::size_t differences =
        std::clamp(kMostSteps / size, kFewestDifferences, kMostDifferences);
    const core::Alignment own = core::Align(a_.subspan(part.a_begin, part.a_end - part.a_begin),
                                            b_.subspan(part.b_begin, part.b_end - part.b_begin),
                                            static_cast<int>(differences));
    for (std::size_t i = 0; i < own.a_to_b.size(); ++i)
      if (own.a_to_b[i] >= 0)
        Pair(part.a_begin + i, part.b_begin + static_cast<std::size_t>(own.a_to_b[i]));
  }

  std::span<const Token> a_, b_;
  core::Alignment found_;
  std::vector<Part> parts_;
};

}  // namespace

core::Alignment AlignAnchored(std::span<const core::Token> a, std::span<const core::Token> b) {
  return Aligner(a, b).Align();
}

}  // namespace xsp::compare
