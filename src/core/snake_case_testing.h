#ifndef XSP_CORE_SNAKE_CASE_TESTING_H_
#define XSP_CORE_SNAKE_CASE_TESTING_H_

#include <algorithm>
#include <cctype>
#include <string_view>

namespace xsp::core {

/// Whether `name` is one that plugins and their diagnostics may have: "span_list".
inline bool IsSnakeCase(std::string_view name) {
  return !name.empty() && std::islower(static_cast<unsigned char>(name.front())) &&
         std::all_of(name.begin(), name.end(), [](unsigned char c) {
           return std::islower(c) || std::isdigit(c) || c == '_';
         });
}

}  // namespace xsp::core

#endif  // XSP_CORE_SNAKE_CASE_TESTING_H_
