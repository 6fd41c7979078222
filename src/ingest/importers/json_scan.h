#ifndef XSP_INGEST_IMPORTERS_JSON_SCAN_H_
#define XSP_INGEST_IMPORTERS_JSON_SCAN_H_

// Private to json_text.h: finding characters, sixteen at a time where the processor can.

#include <cstddef>
#include <cstdint>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace xsp::importers::scan {

inline bool IsSpace(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; }
inline bool IsDigit(char c) { return c >= '0' && c <= '9'; }

/// A character that ends a number or literal.
inline bool EndsBareValue(char c) {
  return c == ',' || c == '}' || c == ']' || c == ':' || c == '"' || c == '{' || c == '[' ||
         IsSpace(c);
}

#if defined(__SSE2__)

inline __m128i Load(const char* at) {
  return _mm_loadu_si128(reinterpret_cast<const __m128i*>(at));
}
/// Bit i: whether byte i is `c`.
inline __m128i Equal(__m128i bytes, char c) { return _mm_cmpeq_epi8(bytes, _mm_set1_epi8(c)); }
inline unsigned Bits(__m128i found) { return static_cast<unsigned>(_mm_movemask_epi8(found)); }

/// The first of [at, end) whose bit `stops(16 bytes)` sets, or that is `Stop` where fewer are left.
template <typename Stops, typename Stop>
inline const char* Find(const char* at, const char* end, Stops stops, Stop stop) {
  for (; end - at >= 16; at += 16) {
    const unsigned found = Bits(stops(Load(at)));
    if (found != 0) return at + __builtin_ctz(found);
  }
  while (at < end && !stop(*at)) ++at;
  return at;
}

/// The first quote or backslash in [at, end); `end`: none.
inline const char* FindQuote(const char* at, const char* end) {
  return Find(
      at, end, [](__m128i bytes) { return _mm_or_si128(Equal(bytes, '"'), Equal(bytes, '\\')); },
      [](char c) { return c == '"' || c == '\\'; });
}

/// The first character that is no space.
inline const char* PassSpace(const char* at, const char* end) {
  return Find(
      at, end,
      [](__m128i bytes) {
        const __m128i space = _mm_or_si128(_mm_or_si128(Equal(bytes, ' '), Equal(bytes, '\n')),
                                           _mm_or_si128(Equal(bytes, '\t'), Equal(bytes, '\r')));
        return _mm_cmpeq_epi8(space, _mm_setzero_si128());
      },
      [](char c) { return !IsSpace(c); });
}

/// The first character that is none of a number's usual ones (digits, "-", "+", ".").
inline const char* PassNumber(const char* at, const char* end) {
  const auto usual = [](char c) { return c > '*' && c < ':' && c != ',' && c != '/'; };
  return Find(
      at, end,
      [](__m128i bytes) {
        const __m128i outside = _mm_or_si128(_mm_cmplt_epi8(bytes, _mm_set1_epi8('+')),
                                             _mm_cmpgt_epi8(bytes, _mm_set1_epi8('9')));
        return _mm_or_si128(outside, _mm_or_si128(Equal(bytes, ','), Equal(bytes, '/')));
      },
      [&](char c) { return !usual(c); });
}

#else

inline const char* FindQuote(const char* at, const char* end) {
  while (at < end && *at != '"' && *at != '\\') ++at;
  return at;
}
inline const char* PassSpace(const char* at, const char* end) {
  while (at < end && IsSpace(*at)) ++at;
  return at;
}
inline const char* PassNumber(const char* at, const char* end) {
  const auto usual = [](char c) { return c > '*' && c < ':' && c != ',' && c != '/'; };
  while (at < end && usual(*at)) ++at;
  return at;
}

#endif

/// `at` after the opening quote; returns after the closing one, nullptr when it is not there.
inline const char* PassString(const char* at, const char* end, bool& escaped) {
  for (;;) {
    at = FindQuote(at, end);
    if (at >= end) return nullptr;
    if (*at == '"') return at + 1;
    escaped = true;
    if (end - at < 2) return nullptr;
    at += 2;
  }
}

/// `at` before a number or literal; returns before what ends it, `end` when nothing does.
inline const char* PassBareValue(const char* at, const char* end) {
  at = PassNumber(at, end);
  while (at < end && !EndsBareValue(*at)) ++at;
  return at;
}

/// `at` before the opening bracket; returns after the matching one, nullptr when it is not there.
/// What lies between is not checked: only strings and brackets count.
const char* PassNested(const char* at, const char* end);

}  // namespace xsp::importers::scan

#endif  // XSP_INGEST_IMPORTERS_JSON_SCAN_H_
