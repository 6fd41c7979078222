#include "answer/suite/error_excerpt.h"

#include <algorithm>

namespace xsp::suite {

std::string ErrorExcerpt(std::string_view standard_error) {
  constexpr std::string_view kError = "error: ", kBlank = " \t\r\n";
  constexpr std::size_t kMost = 600;
  if (const auto at = standard_error.rfind(kError); at != std::string_view::npos)
    standard_error.remove_prefix(at + kError.size());
  const auto end = standard_error.find_last_not_of(kBlank);
  if (end == std::string_view::npos) return {};
  standard_error = standard_error.substr(0, end + 1);
  standard_error.remove_prefix(standard_error.find_first_not_of(kBlank));
  std::string words(standard_error.size() > kMost ? "..." : "");
  words += standard_error.substr(standard_error.size() - std::min(kMost, standard_error.size()));
  std::ranges::replace_if(
      words, [](char c) { return c != '\n' && (static_cast<unsigned char>(c) < 32 || c == 127); },
      ' ');
  return words;
}

}  // namespace xsp::suite
