#include "answer/wording/shape_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "core/json_text.h"

namespace xsp::wording {
namespace {

using nlohmann::json;

constexpr std::size_t kMostShown = 5;

using NamedSizes = std::vector<std::pair<std::string, int>>;

void Collect(const json& value, NamedSizes& found) {
  if (!value.is_array() || value.empty()) return;
  if (std::any_of(value.begin(), value.end(), [](const json& item) { return item.is_array(); })) {
    for (const json& item : value) Collect(item, found);
    return;
  }
  std::vector<std::string> extents;
  for (const json& item : value) extents.push_back(core::JsonText(item));
  std::string shape = fmt::format("[{}]", fmt::join(extents, ", "));
  if (!found.empty() && found.back().first == shape) {
    ++found.back().second;
  } else {
    found.emplace_back(std::move(shape), 1);
  }
}

}  // namespace

std::string ShapeText(std::string_view text) {
  // A document of this depth cannot be deep enough to hurt a parser that recurses.
  constexpr std::size_t kLongest = 4000;
  if (!text.starts_with('[') || text.size() > kLongest ||
      text.find_first_not_of("[]0123456789, -") != std::string_view::npos)
    return std::string(text);
  const json value = core::ParseJson(text);
  if (!value.is_array()) return std::string(text);
  NamedSizes found;
  Collect(value, found);
  std::vector<std::string> shown;
  for (const auto& [shape, times] : found) {
    if (shown.size() == kMostShown) break;
    shown.push_back(times == 1 ? shape : fmt::format("{} \u00d7 {}", shape, times));
  }
  std::string all = fmt::format("{}", fmt::join(shown, ", "));
  if (found.size() > kMostShown) all += fmt::format(", \u2026 {} more", found.size() - kMostShown);
  return all;
}

}  // namespace xsp::wording
