#ifndef XSP_PIPELINE_IMAGE_IMAGE_H_
#define XSP_PIPELINE_IMAGE_IMAGE_H_

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "pipeline/base/errors.h"

namespace xsp::pipeline {

/// Limits that keep memory bounded whatever a file declares about itself. An image of this many
/// pixels takes 192 MiB; decoding a progressive JPEG takes up to 640 MiB beside it.
inline constexpr std::int64_t kMaxPixels = std::int64_t{1} << 26;
inline constexpr int kMaxSide = 65535;
inline constexpr std::size_t kMaxEncodedBytes = std::size_t{256} << 20;

/// Rows from top to bottom, `channels` bytes per pixel, no gaps. Width and height are at least 1.
struct Image {
  int width = 0;
  int height = 0;
  int channels = 3;
  std::vector<std::uint8_t> pixels;

  std::size_t RowBytes() const { return static_cast<std::size_t>(width) * channels; }
  const std::uint8_t* Row(int y) const { return pixels.data() + RowBytes() * y; }
  std::uint8_t* Row(int y) { return pixels.data() + RowBytes() * y; }
};

/// An image of zeros. Errors: bad_input for sizes below 1, a side above kMaxSide or more than
/// kMaxPixels.
Status MakeImage(int width, int height, int channels, Image& image);

enum class Orientation {
  kIgnore,  ///< Pixels as stored, as Pillow and torchvision read them.
  kApply,   ///< Turned by the EXIF tag of a JPEG, as OpenCV reads it.
};

enum class Colour { kRgb, kGrey };

struct DecodeOptions {
  Orientation orientation = Orientation::kIgnore;
  Colour colour = Colour::kRgb;
};

/// Decodes a JPEG or a PNG, told apart by their first bytes, to 8 bit RGB, or to 8 bit grey
/// (ITU-R BT.601 weights in Pillow's fixed point). Grey is repeated, palettes are looked up, alpha
/// is dropped, of 16 bits the upper 8 stay, CMYK is taken as inverted (Adobe's way) and converted
/// as Pillow does. JPEG: accurate integer transform, smooth chroma upsampling.
/// Errors: bad_input for another format, damage (also where a lenient reader would fill in grey),
/// a size of 0 or beyond the limits; environment when memory runs out.
Status DecodeImage(std::string_view bytes, const DecodeOptions& options, Image& image);

enum class ResizeLike {
  kPil,     ///< Antialiased: a triangle as wide as the scale; Pillow's 8 bit two-pass arithmetic.
  kOpenCv,  ///< Four neighbours, half-pixel centres, no antialiasing; OpenCV's 11 bit weights.
};

/// Bilinear resize to `width` x `height`. Errors: as MakeImage.
Status Resize(const Image& from, int width, int height, ResizeLike like, Image& to);

/// The rectangle of `width` x `height` whose upper left corner is (left, top), in pixels. Errors:
/// bad_input when it is empty or not inside the image.
Status Crop(const Image& from, int left, int top, int width, int height, Image& to);

/// `from` on a canvas of `width` x `height` filled with `value`, its upper left corner at (left,
/// top). Errors: bad_input when it does not fit; as MakeImage.
Status Pad(const Image& from, int left, int top, int width, int height, std::uint8_t value,
           Image& to);

}  // namespace xsp::pipeline

#endif  // XSP_PIPELINE_IMAGE_IMAGE_H_
