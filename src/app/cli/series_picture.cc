#include "app/cli/series_picture.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string_view>
#include <vector>

#include "core/statistics.h"

namespace xsp::cli {
namespace {

constexpr std::string_view kBlocks[] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
constexpr std::string_view kBar = "│";

/// Medians of [begin, end) in `count` parts of nearly equal size.
void AddParts(std::span<const double> values, std::size_t count, std::vector<double>& parts) {
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t from = values.size() * i / count, to = values.size() * (i + 1) / count;
    parts.push_back(core::Median(values.subspan(from, to - from)));
  }
}

}  // namespace

std::string SeriesPicture(std::span<const double> values, std::span<const std::size_t> changes,
                          std::size_t width) {
  if (values.empty()) return {};
  // Parts never reach over a change.
  std::vector<double> parts;
  std::vector<std::size_t> bars;
  const std::size_t room = width > changes.size() ? width - changes.size() : 1;
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= changes.size(); ++i) {
    const std::size_t end = i < changes.size() ? changes[i] : values.size();
    const std::size_t size = end - begin;
    const std::size_t fitting =
        values.size() <= room ? size : std::max<std::size_t>(1, size * room / values.size());
    AddParts(values.subspan(begin, size), fitting, parts);
    bars.push_back(parts.size());
    begin = end;
  }
  bars.pop_back();
  const auto [low, high] = std::minmax_element(parts.begin(), parts.end());
  const double range = std::log(*high / *low);
  std::string picture;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (std::find(bars.begin(), bars.end(), i) != bars.end()) picture += kBar;
    const double height = range > 0 ? std::log(parts[i] / *low) / range : 0;
    constexpr std::size_t kHighest = std::size(kBlocks) - 1;
    picture += kBlocks[static_cast<std::size_t>(std::lround(height * kHighest))];
  }
  return picture;
}

}  // namespace xsp::cli
