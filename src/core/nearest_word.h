#ifndef XSP_CORE_NEAREST_WORD_H_
#define XSP_CORE_NEAREST_WORD_H_

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

namespace xsp::core {

/// The number of changed, missing, added or swapped neighbouring letters between two words (optimal
/// string alignment, Damerau 1964); upper and lower case are alike.
std::size_t EditDistance(std::string_view a, std::string_view b);

/// The word of `known` that was most likely meant by `word`: the one at the smallest distance, if
/// that is at most a third of its letters, at least one; else the shortest that begins with `word`,
/// if that has three letters. Empty: none is near. Of equally near ones the first.
std::string_view NearestWord(std::string_view word, std::span<const std::string_view> known);

/// The `count` words of `known` nearest to `word`, or all if there are fewer, nearest first: those
/// that begin with it, if it has three letters, and each by its distance. Equally near ones keep
/// their order.
std::vector<std::string_view> NearestWords(std::string_view word,
                                           std::span<const std::string_view> known,
                                           std::size_t count);

}  // namespace xsp::core

#endif  // XSP_CORE_NEAREST_WORD_H_
