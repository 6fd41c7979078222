#include "trace/compact_json.h"

#include <bit>
#include <cstdint>
#include <cstring>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace xsp::trace {
namespace {

bool IsJsonSpace(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; }

/// Copies text to `out` without space outside strings, and knows between calls whether it is inside
/// one.
class Compactor {
 public:
  explicit Compactor(char* out) : out_(out) {}

  char* out() const { return out_; }
  bool in_string() const { return in_string_; }

  void Put(char c) {
    if (in_string_) {
      *out_++ = c;
      if (escaped_) {
        escaped_ = false;
      } else if (c == '\\') {
        escaped_ = true;
      } else if (c == '"') {
        in_string_ = false;
      }
      return;
    }
    if (IsJsonSpace(c)) return;
    in_string_ = c == '"';
    *out_++ = c;
  }

#if defined(__SSE2__)
  static constexpr int kBlock = 64;

  /// The same of kBlock characters.
  void PutBlock(const char* at) {
    std::uint64_t quotes = 0, spaces = 0, backslashes = 0;
    for (int part = 0; part < 4; ++part) {
      const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at + 16 * part));
      const auto equal = [&](char c) { return _mm_cmpeq_epi8(bytes, _mm_set1_epi8(c)); };
      const auto mask = [&](__m128i found) {
        return static_cast<std::uint64_t>(static_cast<unsigned>(_mm_movemask_epi8(found)))
               << (16 * part);
      };
      quotes |= mask(equal('"'));
      backslashes |= mask(equal('\\'));
      spaces |= mask(_mm_or_si128(_mm_or_si128(equal(' '), equal('\n')),
                                  _mm_or_si128(equal('\t'), equal('\r'))));
    }
    if (backslashes != 0 || escaped_) {
      for (int i = 0; i < kBlock; ++i) Put(at[i]);
      return;
    }
    // Bit i: whether character i lies in a string (the closing quote does not).
    std::uint64_t inside = quotes;
    for (int shift = 1; shift < kBlock; shift *= 2) inside ^= inside << shift;
    if (in_string_) inside = ~inside;
    in_string_ = (inside >> (kBlock - 1)) != 0;
    CopyExcept(at, spaces & ~inside);
  }

 private:
  /// Copies the characters whose bits are not in `dropped`.
  void CopyExcept(const char* at, std::uint64_t dropped) {
    int from = 0;
    while (dropped != 0) {
      const int run = std::countr_zero(dropped);
      Copy(at + from, run - from);
      const std::uint64_t kept = ~dropped & (~std::uint64_t{0} << run);
      if (kept == 0) return;
      from = std::countr_zero(kept);
      dropped &= ~std::uint64_t{0} << from;
    }
    Copy(at + from, kBlock - from);
  }

  void Copy(const char* from, int count) {
    std::memcpy(out_, from, static_cast<std::size_t>(count));
    out_ += count;
  }
#endif

 private:
  char* out_;
  bool in_string_ = false;
  bool escaped_ = false;
};

/// What a block that is filled up may write beyond the text's own length.
constexpr std::size_t kSlack = 64;

}  // namespace

void CompactJson(std::string_view json, std::string& out) {
  out.resize(json.size() + kSlack);
  Compactor compactor(out.data());
  std::size_t at = 0;
#if defined(__SSE2__)
  for (; at + Compactor::kBlock <= json.size(); at += Compactor::kBlock)
    compactor.PutBlock(json.data() + at);
  if (const std::size_t left = json.size() - at; left > Compactor::kBlock / 8) {
    // Filled up with space, which goes, unless a string is open there.
    char block[Compactor::kBlock];
    std::memset(block, ' ', sizeof block);
    std::memcpy(block, json.data() + at, left);
    Compactor whole = compactor;
    whole.PutBlock(block);
    if (!whole.in_string()) {
      compactor = whole;
      at = json.size();
    }
  }
#endif
  for (; at < json.size(); ++at) compactor.Put(json[at]);
  out.resize(static_cast<std::size_t>(compactor.out() - out.data()));
}

}  // namespace xsp::trace
