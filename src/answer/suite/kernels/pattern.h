#ifndef XSP_ANSWER_SUITE_KERNELS_PATTERN_H_
#define XSP_ANSWER_SUITE_KERNELS_PATTERN_H_

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/result.h"

namespace xsp::suite::kernels {

/// A kernel's name, prepared so that hundreds of patterns can be tried on it in microseconds.
class KernelName {
 public:
  explicit KernelName(std::string_view name);

  const std::string& text() const { return text_; }
  const std::string& lower() const { return lower_; }

  /// False: no three bytes in a row of the name hash to `bit`.
  bool HasTriple(std::uint16_t bit) const { return (triples_[bit / 64] >> (bit % 64) & 1U) != 0; }

 private:
  friend class NamePattern;
  static constexpr std::size_t kBits = 1 << 14;

  std::string text_;
  std::string lower_;  ///< ASCII letters lowered, so of the same length.
  std::array<std::uint64_t, kBits / 64> triples_{};
};

/// What a pattern's named parts stood for: {"m", "128"}.
using Captures = std::vector<std::pair<std::string, std::string>>;

/// A pattern on kernel names: text that the name must hold, anywhere, letters of either case. In it
///   *         any characters, also none
///   ?         any one character
///   #         one or more digits, as many as there are
///   {m}       the same, named
///   {op:word} letters, digits and "_", as few as will do (1 to 200; before a "*" or the pattern's
///             end: all there are), named
///   ^ $       at its start or end: the name's start or end
///   \c        the character c itself
/// Parts between "*" are found one after another, each at the first place that fits: time grows
/// with the length of the name, never with a power of it.
class NamePattern {
 public:
  /// "*" alone fits every name. Errors: kBadInput (empty, nothing else but wildcards, an open or
  /// unknown {...}, a name twice), what is wrong first and the pattern last.
  static Result<NamePattern> Parse(std::string_view text);

  /// Whether `name` fits; if so, and `captures` is not null, what the named parts stood for is
  /// appended to it. Any thread.
  bool Matches(const KernelName& name, Captures* captures = nullptr) const;

  const std::string& text() const { return text_; }
  /// Names of the named parts, in order.
  const std::vector<std::string>& names() const { return names_; }

 private:
  enum class Kind { kLiteral, kAnyOne, kDigits, kWord };
  struct Token {
    Kind kind;
    std::string text;  ///< A literal in lower case; the name of a named part, else empty.
  };
  using Segment = std::vector<Token>;  ///< What stands between two "*".

  Status Add(std::string_view text, std::size_t* at);
  Status AddNamed(std::string_view text, std::size_t* at);
  void AddLiteral(char letter);
  void ChooseTriples();
  /// The end of `segment` from `token` on, matched at exactly `at`; npos: it does not fit.
  static std::size_t End(const Segment& segment, std::size_t token, const KernelName& name,
                         std::size_t at, Captures* captures);

  std::string text_;
  std::vector<std::string> names_;
  std::vector<Segment> segments_;
  bool from_start_ = false;
  bool to_end_ = false;
  std::vector<std::uint16_t> triples_;  ///< Every name that fits has them all.
};

}  // namespace xsp::suite::kernels

#endif  // XSP_ANSWER_SUITE_KERNELS_PATTERN_H_
