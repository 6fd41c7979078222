#ifndef XSP_DERIVE_ACCURACY_UNICODE_TABLES_H_
#define XSP_DERIVE_ACCURACY_UNICODE_TABLES_H_

#include <cstdint>
#include <span>

namespace xsp::accuracy {

struct CharacterRange {
  std::uint32_t first;
  std::uint32_t last;
};

/// Every `step`-th character from `first` to `last` becomes itself + `delta`.
struct CaseRun {
  std::uint32_t first;
  std::uint32_t last;
  std::uint32_t step;
  std::int32_t delta;
};

/// Letters, digits and numbers of Unicode 14 (Python's str.isalnum), and its lower case
/// (str.lower). Ascending and without overlap.
std::span<const CharacterRange> WordRanges();
std::span<const CaseRun> LowerRuns();

}  // namespace xsp::accuracy

#endif  // XSP_DERIVE_ACCURACY_UNICODE_TABLES_H_
