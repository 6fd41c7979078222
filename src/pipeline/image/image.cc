#include "pipeline/image/image.h"

#include <cstring>
#include <string>

namespace xsp::pipeline {

Status MakeImage(int width, int height, int channels, Image& image) {
  const std::string size = std::to_string(width) + " x " + std::to_string(height);
  if (width < 1 || height < 1) return BadInput("an image needs a size above 0: " + size);
  if (width > kMaxSide || height > kMaxSide || std::int64_t{width} * height > kMaxPixels) {
    return BadInput("an image is too large, more than " + std::to_string(kMaxPixels) +
                    " pixels or a side of more than " + std::to_string(kMaxSide) + ": " + size);
  }
  image.width = width;
  image.height = height;
  image.channels = channels;
  image.pixels.assign(image.RowBytes() * static_cast<std::size_t>(height), 0);
  return Ok{};
}

Status Crop(const Image& from, int left, int top, int width, int height, Image& to) {
  // In 64 bits: left + width may exceed an int.
  if (left < 0 || top < 0 || width < 1 || height < 1 || std::int64_t{left} + width > from.width ||
      std::int64_t{top} + height > from.height) {
    return BadInput("the crop is not inside the image: " + std::to_string(width) + " x " +
                        std::to_string(height) + " at (" + std::to_string(left) + ", " +
                        std::to_string(top) + ") of " + std::to_string(from.width) + " x " +
                        std::to_string(from.height),
                    "resize or pad first");
  }
  XSP_RETURN_IF_ERROR(MakeImage(width, height, from.channels, to));
  for (int y = 0; y < height; ++y) {
    std::memcpy(to.Row(y), from.Row(top + y) + static_cast<std::size_t>(left) * from.channels,
                to.RowBytes());
  }
  return Ok{};
}

Status Pad(const Image& from, int left, int top, int width, int height, std::uint8_t value,
           Image& to) {
  if (left < 0 || top < 0 || std::int64_t{left} + from.width > width ||
      std::int64_t{top} + from.height > height) {
    return BadInput(
        "the image does not fit into what it is padded to: " + std::to_string(from.width) + " x " +
            std::to_string(from.height) + " at (" + std::to_string(left) + ", " +
            std::to_string(top) + ") of " + std::to_string(width) + " x " + std::to_string(height),
        "resize first, or use letterbox");
  }
  XSP_RETURN_IF_ERROR(MakeImage(width, height, from.channels, to));
  std::memset(to.pixels.data(), value, to.pixels.size());
  for (int y = 0; y < from.height; ++y) {
    std::memcpy(to.Row(top + y) + static_cast<std::size_t>(left) * from.channels, from.Row(y),
                from.RowBytes());
  }
  return Ok{};
}

}  // namespace xsp::pipeline
