#include "api/field_names.h"

#include <algorithm>
#include <cctype>
#include <cstddef>

namespace xsp::api {
namespace {

constexpr std::string_view kDashes = "--";

bool IsInOption(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_';
}

/// The option of the command line, without its dashes, with which `text` begins; empty: none.
std::string_view OptionAt(std::string_view text) {
  if (!text.starts_with(kDashes)) return {};
  text.remove_prefix(kDashes.size());
  std::string_view name = text.substr(0, std::ranges::find_if_not(text, IsInOption) - text.begin());
  while (name.ends_with('-')) name.remove_suffix(1);
  return !name.empty() && std::islower(static_cast<unsigned char>(name.front())) != 0
             ? name
             : std::string_view();
}

}  // namespace

std::string WithFieldNames(std::string_view hint) {
  std::string text;
  bool is_command = false;
  for (std::size_t i = 0; i < hint.size();) {
    const bool may_begin = i == 0 || !IsInOption(hint[i - 1]);
    const std::string_view option =
        is_command || !may_begin ? std::string_view() : OptionAt(hint.substr(i));
    if (option.empty()) {
      is_command = is_command != (hint[i] == '`');
      text += hint[i++];
      continue;
    }
    std::string field(option);
    std::ranges::replace(field, '-', '_');
    text += "`" + field + "`";
    i += kDashes.size() + option.size();
  }
  return text;
}

}  // namespace xsp::api
