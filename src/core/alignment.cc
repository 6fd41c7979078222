#include "core/alignment.h"

#include <algorithm>
#include <map>
#include <unordered_map>

namespace xsp::core {
namespace {

std::optional<std::size_t> FirstMissing(const std::vector<std::int32_t>& indices) {
  const auto it = std::find(indices.begin(), indices.end(), -1);
  if (it == indices.end()) return std::nullopt;
  return static_cast<std::size_t>(it - indices.begin());
}

void Pair(Alignment& alignment, std::size_t a, std::size_t b) {
  alignment.a_to_b[a] = static_cast<std::int32_t>(b);
  alignment.b_to_a[b] = static_cast<std::int32_t>(a);
  ++alignment.matched;
}

/// The middle part of two sequences: what common beginning and end leave.
struct Middle {
  std::span<const Token> a, b;
  std::size_t offset;  ///< Of both, in the whole.
};

/// How far along a each diagonal k = x - y (-d ... d) had come after d differences.
class FurthestReaching {
 public:
  explicit FurthestReaching(int d) : d_(d), x_(2 * static_cast<std::size_t>(d) + 1, -1) {}
  int& at(int k) { return x_[static_cast<std::size_t>(k + d_)]; }
  /// -1: no such diagonal.
  int get(int k) const { return k < -d_ || k > d_ ? -1 : x_[static_cast<std::size_t>(k + d_)]; }

 private:
  int d_;
  std::vector<int> x_;
};

/// Where a path with one more difference enters diagonal k: from below (one of b) or from the left
/// (one of a), whichever comes further.
bool EntersFromB(const FurthestReaching& before, int k, int d) {
  return k == -d || (k != d && before.get(k - 1) < before.get(k + 1));
}

/// False: more than `max_differences`; nothing is paired then.
bool AlignMyers(const Middle& middle, int max_differences, Alignment& alignment) {
  const int n = static_cast<int>(middle.a.size()), m = static_cast<int>(middle.b.size());
  std::vector<FurthestReaching> history;
  int found = -1;
  for (int d = 0; d <= std::min(n + m, max_differences) && found < 0; ++d) {
    FurthestReaching row(d);
    for (int k = -d; k <= d; k += 2) {
      int x = 0;
      if (d > 0) {
        const FurthestReaching& before = history.back();
        x = EntersFromB(before, k, d) ? before.get(k + 1) : before.get(k - 1) + 1;
      }
      int y = x - k;  // May lie past the end of a or b, as in Myers' extended grid.
      while (x < n && y < m &&
             middle.a[static_cast<std::size_t>(x)] == middle.b[static_cast<std::size_t>(y)]) {
        ++x, ++y;
      }
      row.at(k) = x;
      if (x >= n && y >= m) found = d;
    }
    history.push_back(std::move(row));
  }
  if (found < 0) return false;

  int x = n, y = m;
  for (int d = found; d >= 0; --d) {
    const int k = x - y;
    int from_x = 0, from_y = 0, snake_x = 0;
    if (d > 0) {
      const FurthestReaching& before = history[static_cast<std::size_t>(d) - 1];
      const bool from_b = EntersFromB(before, k, d);
      const int from_k = from_b ? k + 1 : k - 1;
      from_x = before.get(from_k);
      from_y = from_x - from_k;
      snake_x = from_b ? from_x : from_x + 1;
    }
    while (x > snake_x) {
      --x, --y;
      Pair(alignment, middle.offset + static_cast<std::size_t>(x),
           middle.offset + static_cast<std::size_t>(y));
    }
    x = from_x;
    y = from_y;
  }
  return true;
}

/// Pairs each of a with the next equal of b that keeps the order.
void AlignGreedily(const Middle& middle, Alignment& alignment) {
  std::unordered_map<Token, std::vector<std::size_t>> places;
  for (std::size_t j = 0; j < middle.b.size(); ++j) places[middle.b[j]].push_back(j);
  // A far partner would shut out everything between: look ahead only so far.
  constexpr std::size_t kLookAhead = 256;
  std::size_t next = 0;
  for (std::size_t i = 0; i < middle.a.size(); ++i) {
    const auto it = places.find(middle.a[i]);
    if (it == places.end()) continue;
    const auto at = std::lower_bound(it->second.begin(), it->second.end(), next);
    if (at == it->second.end() || *at > next + kLookAhead) continue;
    Pair(alignment, middle.offset + i, middle.offset + *at);
    next = *at + 1;
  }
}

}  // namespace

std::optional<std::size_t> Alignment::FirstOnlyA() const { return FirstMissing(a_to_b); }
std::optional<std::size_t> Alignment::FirstOnlyB() const { return FirstMissing(b_to_a); }

Alignment Align(std::span<const Token> a, std::span<const Token> b, int max_differences) {
  Alignment alignment;
  alignment.a_to_b.assign(a.size(), -1);
  alignment.b_to_a.assign(b.size(), -1);
  std::size_t head = 0;
  while (head < a.size() && head < b.size() && a[head] == b[head]) {
    Pair(alignment, head, head);
    ++head;
  }
  std::size_t tail = 0;
  while (tail < a.size() - head && tail < b.size() - head &&
         a[a.size() - 1 - tail] == b[b.size() - 1 - tail]) {
    Pair(alignment, a.size() - 1 - tail, b.size() - 1 - tail);
    ++tail;
  }
  const Middle middle{a.subspan(head, a.size() - head - tail),
                      b.subspan(head, b.size() - head - tail), head};
  if (!AlignMyers(middle, max_differences, alignment)) AlignGreedily(middle, alignment);
  return alignment;
}

Reference FindReference(const std::vector<std::vector<Token>>& sequences,
                        const std::vector<bool>& used) {
  const bool any_used = std::find(used.begin(), used.end(), true) != used.end();
  struct Votes {
    std::size_t first;
    int count = 0;
  };
  std::map<std::vector<Token>, Votes> votes;
  for (std::size_t i = 0; i < sequences.size(); ++i) {
    Votes& of = votes.try_emplace(sequences[i], Votes{i}).first->second;
    if (used[i] || !any_used) ++of.count;
  }
  const auto most = std::max_element(votes.begin(), votes.end(), [](const auto& x, const auto& y) {
    return std::pair(x.second.count, y.second.first) < std::pair(y.second.count, x.second.first);
  });
  Reference reference{most->second.first, most->first, {}};
  std::map<std::vector<Token>, std::shared_ptr<const Alignment>> alignments;
  for (const auto& sequence : sequences) {
    auto& alignment = alignments[sequence];
    if (!alignment) {
      alignment = std::make_shared<const Alignment>(Align(reference.tokens, sequence));
    }
    reference.calls.push_back(alignment);
  }
  return reference;
}

}  // namespace xsp::core
