#ifndef XSP_CORE_ALIGNMENT_H_
#define XSP_CORE_ALIGNMENT_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace xsp::core {

/// What an event is matched by, hashed: two events of one token may be the same event.
using Token = std::uint64_t;

/// The alignment of two sequences: which event of one is which of the other, in order.
struct Alignment {
  std::vector<std::int32_t> a_to_b;  ///< Index into b for each of a; -1: only in a.
  std::vector<std::int32_t> b_to_a;
  std::int64_t matched = 0;

  std::int64_t only_a() const { return static_cast<std::int64_t>(a_to_b.size()) - matched; }
  std::int64_t only_b() const { return static_cast<std::int64_t>(b_to_a.size()) - matched; }
  /// The first event of a, else of b, that the other lacks.
  std::optional<std::size_t> FirstOnlyA() const;
  std::optional<std::size_t> FirstOnlyB() const;
};

/// Aligns by a longest common subsequence (Myers 1986, O((|a| + |b|) D) for D differences). Beyond
/// `max_differences`, where the two have little in common anyway, by the next equal token: still in
/// order, perhaps not the longest.
Alignment Align(std::span<const Token> a, std::span<const Token> b, int max_differences = 1000);

/// The most common sequence of a run's calls, and every call aligned with it.
struct Reference {
  std::size_t call = 0;  ///< The first call that has it.
  std::vector<Token> tokens;
  std::vector<std::shared_ptr<const Alignment>> calls;  ///< a: reference, b: the call.
};

/// `sequences` of each call; only calls with `used` vote, unless none is. Not empty.
Reference FindReference(const std::vector<std::vector<Token>>& sequences,
                        const std::vector<bool>& used);

}  // namespace xsp::core

#endif  // XSP_CORE_ALIGNMENT_H_
