#include "core/list_product.h"

#include <algorithm>
#include <charconv>
#include <cstddef>

namespace xsp::core {
namespace {

std::string_view WithoutSpaceBefore(std::string_view text) {
  return text.substr(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
}

}  // namespace

std::optional<std::int64_t> ListProduct(std::string_view list) {
  constexpr std::int64_t kMost = std::int64_t{1} << 62;
  if (!list.starts_with('[')) return std::nullopt;
  std::int64_t volume = 1;
  for (;;) {
    list = WithoutSpaceBefore(list.substr(1));
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(list.data(), list.data() + list.size(), number);
    if (error != std::errc() || number <= 0 || number > kMost / volume) return std::nullopt;
    volume *= number;
    list = WithoutSpaceBefore(list.substr(static_cast<std::size_t>(end - list.data())));
    if (list == "]") return volume;
    if (!list.starts_with(',')) return std::nullopt;
  }
}

}  // namespace xsp::core
