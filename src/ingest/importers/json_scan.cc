#include "ingest/importers/json_scan.h"

#include <bit>

namespace xsp::importers::scan {
namespace {

/// How deep brackets are open, and whether a string is.
struct Nesting {
  std::size_t depth = 0;
  bool in_string = false;
  bool escaped = false;  ///< The next character is behind a backslash.

  /// True: `c` closes the outermost bracket.
  bool Pass(char c) {
    if (in_string) {
      if (escaped) {
        escaped = false;
      } else if (c == '\\') {
        escaped = true;
      } else if (c == '"') {
        in_string = false;
      }
      return false;
    }
    if (c == '"') {
      in_string = true;
    } else if (c == '{' || c == '[') {
      ++depth;
    } else if (c == '}' || c == ']') {
      return --depth == 0;
    }
    return false;
  }
};

#if defined(__SSE2__)

constexpr int kBlock = 64;

/// Where in 64 characters what counts stands.
struct Block {
  std::uint64_t quotes = 0, backslashes = 0, opening = 0, closing = 0;

  explicit Block(const char* at) {
    for (int part = 0; part < 4; ++part) {
      const __m128i bytes = Load(at + 16 * part);
      // The brackets of one kind differ in this bit only.
      const __m128i folded = _mm_or_si128(bytes, _mm_set1_epi8(0x20));
      const auto put = [&](std::uint64_t& bits, __m128i found) {
        bits |= static_cast<std::uint64_t>(Bits(found)) << (16 * part);
      };
      put(quotes, Equal(bytes, '"'));
      put(backslashes, Equal(bytes, '\\'));
      put(opening, Equal(folded, '{'));
      put(closing, Equal(folded, '}'));
    }
  }
};

/// Passes 64 characters without backslashes; returns after the bracket that closes the outermost
/// one, nullptr when they do not.
const char* PassBlock(const char* at, const Block& block, Nesting& nesting) {
  // Bit i: whether character i lies in a string.
  std::uint64_t inside = block.quotes;
  for (int shift = 1; shift < kBlock; shift *= 2) inside ^= inside << shift;
  if (nesting.in_string) inside = ~inside;
  nesting.in_string = (inside >> (kBlock - 1)) != 0;
  const std::uint64_t opening = block.opening & ~inside, closing = block.closing & ~inside;
  for (std::uint64_t left = opening | closing; left != 0; left &= left - 1) {
    const int i = std::countr_zero(left);
    if ((opening >> i & 1) != 0) {
      ++nesting.depth;
    } else if (--nesting.depth == 0) {
      return at + i + 1;
    }
  }
  return nullptr;
}

#endif

}  // namespace

const char* PassNested(const char* at, const char* end) {
  Nesting nesting;
#if defined(__SSE2__)
  while (end - at >= kBlock) {
    const Block block(at);
    if (block.backslashes == 0 && !nesting.escaped) {
      if (const char* after = PassBlock(at, block, nesting)) return after;
      at += kBlock;
      continue;
    }
    for (const char* block_end = at + kBlock; at < block_end;)
      if (nesting.Pass(*at++)) return at;
  }
#endif
  while (at < end)
    if (nesting.Pass(*at++)) return at;
  return nullptr;
}

}  // namespace xsp::importers::scan
