#include "pipeline/boxes/mask_map.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace xsp::pipeline {
namespace {

struct Tap {
  int low = 0;
  int high = 0;
  float fraction = 0;
};

Tap TapOf(std::int64_t i, const MaskAxis& axis, int from) {
  const float at = std::clamp((static_cast<float>(i) + 0.5f) * axis.step + axis.start - 0.5f, 0.0f,
                              static_cast<float>(from - 1));
  const int low = static_cast<int>(at);
  return {low, std::min(low + 1, from - 1), at - static_cast<float>(low)};
}

/// Value at the crossing of two taps.
float Interpolated(const MaskMap& map, const Tap& x, const Tap& y) {
  const auto at = [&](int column, int row) {
    return map.values[static_cast<std::size_t>(row) * map.width + column];
  };
  const float upper = at(x.low, y.low) * (1 - x.fraction) + at(x.high, y.low) * x.fraction;
  const float lower = at(x.low, y.high) * (1 - x.fraction) + at(x.high, y.high) * x.fraction;
  return upper * (1 - y.fraction) + lower * y.fraction;
}

/// The columns or rows of an image that a map is spread over.
struct Extent {
  std::int64_t first = 0;
  std::int64_t count = 0;
  MaskAxis axis;
};

core::Mask Spread(const MaskMap& map, const Extent& columns, const Extent& rows, int width,
                  int height, double threshold) {
  std::vector<std::uint8_t> bitmap(static_cast<std::size_t>(width) * height, 0);
  const std::int64_t right = std::min<std::int64_t>(columns.first + columns.count, width);
  const std::int64_t bottom = std::min<std::int64_t>(rows.first + rows.count, height);
  for (std::int64_t y = std::max<std::int64_t>(rows.first, 0); y < bottom; ++y) {
    const Tap row = TapOf(y - rows.first, rows.axis, map.height);
    for (std::int64_t x = std::max<std::int64_t>(columns.first, 0); x < right; ++x) {
      const Tap column = TapOf(x - columns.first, columns.axis, map.width);
      bitmap[static_cast<std::size_t>(y * width + x)] = Interpolated(map, column, row) > threshold;
    }
  }
  return core::MaskFromBitmap(static_cast<std::uint32_t>(height), static_cast<std::uint32_t>(width),
                              bitmap)
      .value();
}

MaskMap WithBorder(const MaskMap& map) {
  MaskMap bordered{map.width + 2, map.height + 2, {}};
  bordered.values.assign(static_cast<std::size_t>(bordered.width) * bordered.height, 0);
  for (int y = 0; y < map.height; ++y) {
    std::copy_n(map.values.begin() + static_cast<std::ptrdiff_t>(y) * map.width, map.width,
                bordered.values.begin() + static_cast<std::ptrdiff_t>(y + 1) * bordered.width + 1);
  }
  return bordered;
}

/// Truncates as a conversion to an integer does, without overflow for absurd boxes.
std::int64_t Truncated(double value) {
  return static_cast<std::int64_t>(std::clamp(std::isnan(value) ? 0 : value, -1e9, 1e9));
}

}  // namespace

core::Mask PasteMask(const MaskMap& map, const core::Box& box, int width, int height,
                     double threshold) {
  const MaskMap bordered = WithBorder(map);
  // From the centre outwards by half of the size: the far corner's pixel belongs to the box.
  const auto extent = [](double from, double to, int values, int bordered_values) {
    const double half = (to - from) / 2 * (static_cast<double>(bordered_values) / values);
    const double centre = (from + to) / 2;
    Extent result;
    result.first = Truncated(centre - half);
    result.count = std::max<std::int64_t>(Truncated(centre + half) - result.first + 1, 1);
    result.axis.step = static_cast<float>(bordered_values) / static_cast<float>(result.count);
    return result;
  };
  return Spread(bordered, extent(box.x1, box.x2, map.width, bordered.width),
                extent(box.y1, box.y2, map.height, bordered.height), width, height, threshold);
}

core::Mask StretchMask(const MaskMap& map, const MaskAxis& x, const MaskAxis& y, int width,
                       int height, double threshold) {
  return Spread(map, {0, width, x}, {0, height, y}, width, height, threshold);
}

}  // namespace xsp::pipeline
