#include "answer/suite/kernels/pattern.h"

#include <fmt/format.h>

#include <algorithm>

namespace xsp::suite::kernels {
namespace {

constexpr std::size_t kNone = std::string::npos;
// Keeps the time linear on names that are one long word.
constexpr std::size_t kLongestWord = 200;

// Names are bytes, and the locale must not decide what a letter is.
char Lower(char letter) {
  return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter + 32) : letter;
}
bool IsDigit(char letter) { return letter >= '0' && letter <= '9'; }
bool IsWord(char letter) {
  const char lower = Lower(letter);
  return IsDigit(letter) || letter == '_' || (lower >= 'a' && lower <= 'z');
}

std::uint16_t Triple(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) {
    return static_cast<std::uint32_t>(static_cast<unsigned char>(text[at + i]));
  };
  const std::uint32_t mixed = (byte(0) * 0x9E37U) ^ (byte(1) * 0x85EBU << 3U) ^ (byte(2) * 0xC2B3U);
  return static_cast<std::uint16_t>((mixed ^ mixed >> 11U) & 0x3FFFU);
}

Error Bad(const std::string& what, std::string_view pattern) {
  return {
      ErrorKind::kBadInput, fmt::format("{}: {}", what, pattern),
      "a pattern is text with *, ?, #, {name} for a number and {name:word} for a word; \\ takes "
      "the next character as it is"};
}

}  // namespace

KernelName::KernelName(std::string_view name) : text_(name), lower_(name) {
  std::ranges::transform(lower_, lower_.begin(), Lower);
  for (std::size_t i = 0; i + 3 <= lower_.size(); ++i) {
    const std::uint16_t bit = Triple(lower_, i);
    triples_[bit / 64] |= std::uint64_t{1} << (bit % 64);
  }
}

void NamePattern::AddLiteral(char letter) {
  Segment& segment = segments_.back();
  if (segment.empty() || segment.back().kind != Kind::kLiteral)
    segment.push_back({Kind::kLiteral, ""});
  segment.back().text += Lower(letter);
}

Status NamePattern::AddNamed(std::string_view text, std::size_t* at) {
  const std::size_t close = text.find('}', *at);
  if (close == kNone) return Bad("a { of the pattern is not closed (\\{ for the character)", text);
  const std::string_view inside = text.substr(*at + 1, close - *at - 1);
  const std::size_t colon = inside.find(':');
  const std::string name(inside.substr(0, colon));
  if (name.empty() || !std::ranges::all_of(name, IsWord))
    return Bad("the pattern has a {...} without a name", text);
  if (colon != kNone && inside.substr(colon + 1) != "word")
    return Bad(fmt::format("the pattern has a part of unknown kind {{{}}}", inside), text);
  if (std::ranges::find(names_, name) != names_.end())
    return Bad(fmt::format("the pattern names {{{}}} twice", name), text);
  names_.push_back(name);
  segments_.back().push_back({colon == kNone ? Kind::kDigits : Kind::kWord, name});
  *at = close;
  return Ok{};
}

Status NamePattern::Add(std::string_view text, std::size_t* at) {
  switch (text[*at]) {
    case '*':
      segments_.emplace_back();
      return Ok{};
    case '?':
      segments_.back().push_back({Kind::kAnyOne, ""});
      return Ok{};
    case '#':
      segments_.back().push_back({Kind::kDigits, ""});
      return Ok{};
    case '{':
      return AddNamed(text, at);
    case '\\':
      if (++*at == text.size()) return Bad("the pattern ends in a lone \\", text);
      AddLiteral(text[*at]);
      return Ok{};
    default:
      AddLiteral(text[*at]);
      return Ok{};
  }
}

void NamePattern::ChooseTriples() {
  for (const Segment& segment : segments_)
    for (const Token& token : segment)
      for (std::size_t i = 0; token.kind == Kind::kLiteral && i + 3 <= token.text.size(); ++i)
        triples_.push_back(Triple(token.text, i));
}

Result<NamePattern> NamePattern::Parse(std::string_view text) {
  NamePattern pattern;
  pattern.text_ = text;
  pattern.segments_.emplace_back();
  std::size_t at = 0;
  std::size_t end = text.size();
  if (text.starts_with('^')) pattern.from_start_ = true, at = 1;
  if (end > at && text.ends_with('$') && !text.ends_with("\\$")) pattern.to_end_ = true, --end;
  for (const std::string_view inner = text.substr(0, end); at < end; ++at) {
    XSP_TRY(const Ok added, pattern.Add(inner, &at));
    static_cast<void>(added);
  }
  const bool says_something = std::ranges::any_of(pattern.segments_, [](const Segment& segment) {
    return std::ranges::any_of(segment, [](const Token& t) { return t.kind == Kind::kLiteral; });
  });
  if (!says_something && text != "*") return Bad("the pattern fits every name", text);
  // "^*x" is "x"; an empty part is the "*" at an end.
  if (pattern.segments_.front().empty()) pattern.from_start_ = false;
  if (pattern.segments_.back().empty()) pattern.to_end_ = false;
  std::erase_if(pattern.segments_, [](const Segment& segment) { return segment.empty(); });
  pattern.ChooseTriples();
  return pattern;
}

std::size_t NamePattern::End(const Segment& segment, std::size_t token, const KernelName& name,
                             std::size_t at, Captures* captures) {
  const std::string& lower = name.lower();
  for (; token < segment.size(); ++token) {
    const Token& part = segment[token];
    const std::size_t start = at;
    if (part.kind == Kind::kLiteral) {
      if (lower.compare(at, part.text.size(), part.text) != 0) return kNone;
      at += part.text.size();
    } else if (part.kind == Kind::kAnyOne) {
      if (at++ >= lower.size()) return kNone;
    } else if (part.kind == Kind::kDigits) {
      while (at < lower.size() && IsDigit(lower[at])) ++at;
      if (at == start) return kNone;
      if (captures != nullptr && !part.text.empty())
        captures->emplace_back(part.text, name.text().substr(start, at - start));
    } else if (token + 1 == segment.size()) {
      // Nothing follows that could end it: all of the word.
      while (at < lower.size() && at - start < kLongestWord && IsWord(lower[at])) ++at;
      if (at == start) return kNone;
      if (captures != nullptr)
        captures->emplace_back(part.text, name.text().substr(start, at - start));
    } else {
      const std::size_t most = std::min(lower.size(), start + kLongestWord);
      for (++at; at <= most && IsWord(lower[at - 1]); ++at) {
        const std::size_t mark = captures != nullptr ? captures->size() : 0;
        if (captures != nullptr)
          captures->emplace_back(part.text, name.text().substr(start, at - start));
        const std::size_t end = End(segment, token + 1, name, at, captures);
        if (end != kNone) return end;
        if (captures != nullptr) captures->resize(mark);
      }
      return kNone;
    }
  }
  return at;
}

bool NamePattern::Matches(const KernelName& name, Captures* captures) const {
  for (const std::uint16_t bit : triples_)
    if (!name.HasTriple(bit)) return false;
  const std::string& lower = name.lower();
  const std::size_t mark = captures != nullptr ? captures->size() : 0;
  std::size_t at = 0;
  for (std::size_t i = 0; i < segments_.size(); ++i) {
    const Segment& segment = segments_[i];
    const bool here_only = i == 0 && from_start_;
    const bool to_end = i + 1 == segments_.size() && to_end_;
    std::size_t end = kNone;
    for (std::size_t start = at; start <= lower.size(); ++start) {
      if (segment.front().kind == Kind::kLiteral && !here_only) {
        start = lower.find(segment.front().text, start);
        if (start == kNone) break;
      }
      const std::size_t before = captures != nullptr ? captures->size() : 0;
      end = End(segment, 0, name, start, captures);
      if (end != kNone && to_end && end != lower.size()) end = kNone;
      if (end != kNone) break;
      if (captures != nullptr) captures->resize(before);
      if (here_only) break;
    }
    if (end == kNone) {
      if (captures != nullptr) captures->resize(mark);
      return false;
    }
    at = end;
  }
  return true;
}

}  // namespace xsp::suite::kernels
