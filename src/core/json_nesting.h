#ifndef XSP_CORE_JSON_NESTING_H_
#define XSP_CORE_JSON_NESTING_H_

#include <string_view>

namespace xsp::core {

/// How deep lists and objects of a request may lie in each other: parsers and what reads their
/// values call themselves once for each level.
inline constexpr int kMaxJsonNesting = 64;

/// Whether lists and objects lie in each other more than `max_depth` deep, looking at the text
/// alone: it need not be JSON. Brackets within strings do not count.
bool IsJsonNestedDeeper(std::string_view text, int max_depth = kMaxJsonNesting);

}  // namespace xsp::core

#endif  // XSP_CORE_JSON_NESTING_H_
