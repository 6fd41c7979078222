#include "core/mask.h"

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>

namespace xsp::core {
namespace {

std::string SizeText(std::uint32_t height, std::uint32_t width) {
  return std::to_string(height) + " x " + std::to_string(width);
}

}  // namespace

Result<Mask> MaskFromRuns(std::uint32_t height, std::uint32_t width,
                          std::vector<std::uint32_t> runs) {
  const std::uint64_t pixels = std::uint64_t{height} * width;
  const std::uint64_t sum = std::accumulate(runs.begin(), runs.end(), std::uint64_t{0});
  if (sum != pixels)
    return Error{ErrorKind::kBadInput,
                 "a mask's run lengths do not fill its image: " + std::to_string(sum) + " of " +
                     SizeText(height, width) + " pixels",
                 "check the mask's size and its counts"};
  return Mask{height, width, std::move(runs)};
}

Result<Mask> MaskFromText(std::uint32_t height, std::uint32_t width, std::string_view text) {
  const auto damaged = [&](std::size_t at) {
    return Error{ErrorKind::kBadInput,
                 "a mask's compressed run lengths are damaged: byte " + std::to_string(at) +
                     " of " + std::to_string(text.size()),
                 "export the mask again, for instance with pycocotools.mask.encode"};
  };
  std::vector<std::uint32_t> runs;
  for (std::size_t at = 0; at < text.size();) {
    std::int64_t value = 0;
    for (int shift = 0;; shift += 5) {
      // 35 bits hold every 32-bit length and its sign.
      if (at == text.size() || shift > 30) return damaged(at);
      const int bits = static_cast<unsigned char>(text[at]) - 48;
      if (bits < 0 || bits > 63) return damaged(at);
      ++at;
      value |= std::int64_t{bits & 0x1f} << shift;
      if ((bits & 0x20) != 0) continue;
      if ((bits & 0x10) != 0) value -= std::int64_t{1} << (shift + 5);
      break;
    }
    if (runs.size() > 2) value += runs[runs.size() - 2];
    if (value < 0 || value > UINT32_MAX) return damaged(at);
    runs.push_back(static_cast<std::uint32_t>(value));
  }
  return MaskFromRuns(height, width, std::move(runs));
}

Result<Mask> MaskFromBitmap(std::uint32_t height, std::uint32_t width,
                            std::span<const std::uint8_t> pixels) {
  if (pixels.size() != std::uint64_t{height} * width)
    return Error{ErrorKind::kBadInput,
                 "a bitmap does not fill its image: " + std::to_string(pixels.size()) +
                     " pixels for " + SizeText(height, width),
                 "give one byte for each pixel"};
  Mask mask{height, width, {0}};
  bool inside = false;
  for (std::uint32_t x = 0; x < width; ++x) {
    for (std::uint32_t y = 0; y < height; ++y) {
      const bool set = pixels[std::size_t{y} * width + x] != 0;
      if (set != inside) mask.runs.push_back(0);
      inside = set;
      ++mask.runs.back();
    }
  }
  return mask;
}

std::vector<std::uint8_t> BitmapOf(const Mask& mask) {
  const std::size_t height = mask.height, count = height * mask.width;
  std::vector<std::uint8_t> bitmap(count, 0);
  std::size_t at = 0;
  bool inside = false;
  for (const std::uint32_t run : mask.runs) {
    for (std::uint32_t i = 0; i < run && at < count; ++i, ++at)
      bitmap[at % height * mask.width + at / height] = inside;
    inside = !inside;
  }
  return bitmap;
}

std::uint64_t MaskArea(const Mask& mask) {
  std::uint64_t area = 0;
  for (std::size_t i = 1; i < mask.runs.size(); i += 2) area += mask.runs[i];
  return area;
}

std::uint64_t MaskIntersection(const Mask& a, const Mask& b) {
  std::uint64_t shared = 0, end_a = 0, end_b = 0, position = 0;
  std::size_t i = 0, j = 0;  // Runs that have ended so far: odd within ones.
  while (true) {
    while (i < a.runs.size() && end_a <= position) end_a += a.runs[i++];
    while (j < b.runs.size() && end_b <= position) end_b += b.runs[j++];
    const std::uint64_t next = std::min(end_a, end_b);
    if (next <= position) return shared;
    if (i % 2 == 0 && j % 2 == 0) shared += next - position;
    position = next;
  }
}

}  // namespace xsp::core
