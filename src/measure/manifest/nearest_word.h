#ifndef XSP_MEASURE_MANIFEST_NEAREST_WORD_H_
#define XSP_MEASURE_MANIFEST_NEAREST_WORD_H_

#include <span>
#include <string_view>

namespace xsp::manifest {

/// The word of `known` that was most likely meant by `word`: the one with the fewest changed,
/// missing, added or swapped neighbouring letters (optimal string alignment, Damerau 1964; upper
/// and lower case are alike), if these are at most a third of its letters, at least one. Empty:
/// none is near. Of equally near ones the first.
std::string_view NearestWord(std::string_view word, std::span<const std::string_view> known);

}  // namespace xsp::manifest

#endif  // XSP_MEASURE_MANIFEST_NEAREST_WORD_H_
