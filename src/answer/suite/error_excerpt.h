#ifndef XSP_ANSWER_SUITE_ERROR_EXCERPT_H_
#define XSP_ANSWER_SUITE_ERROR_EXCERPT_H_

#include <string>
#include <string_view>

namespace xsp::suite {

/// What a program that failed said last, for an error of ours: from its last "error: " on, else the
/// end of `standard_error`, at most 600 bytes, without the blanks around it. Line feeds stay; every
/// other control character, which could command a terminal, becomes a blank.
std::string ErrorExcerpt(std::string_view standard_error);

}  // namespace xsp::suite

#endif  // XSP_ANSWER_SUITE_ERROR_EXCERPT_H_
