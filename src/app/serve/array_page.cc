#include "app/serve/array_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <string_view>

#include "os/sha256.h"

namespace xsp::serve {
namespace {

constexpr std::size_t kMarkLength = 12;

std::string MarkOf(const std::string& request) {
  return os::Sha256(request).substr(0, kMarkLength);
}

}  // namespace

Result<ArrayPage> PageOf(const nlohmann::json& array, std::size_t limit, const std::string& cursor,
                         const std::string& request) {
  const Error refused{.kind = ErrorKind::kUsage,
                      .what = "not a cursor of this list",
                      .hint = "Take the address of the header Link, or begin without a cursor.",
                      .field = "cursor"};
  std::size_t first = 0;
  if (!cursor.empty()) {
    const std::string mark = MarkOf(request) + "-";
    if (!cursor.starts_with(mark)) return refused;
    const std::string_view number = std::string_view(cursor).substr(mark.size());
    const auto read = std::from_chars(number.data(), number.data() + number.size(), first);
    if (read.ec != std::errc() || read.ptr != number.data() + number.size()) return refused;
  }
  ArrayPage page{.items = nlohmann::json::array(), .total = array.size(), .next_cursor = {}};
  first = std::min(first, array.size());
  const std::size_t end = first + std::min(limit, array.size() - first);
  for (std::size_t i = first; i < end; ++i) page.items.push_back(array[i]);
  if (end < array.size()) page.next_cursor = fmt::format("{}-{}", MarkOf(request), end);
  return page;
}

}  // namespace xsp::serve
