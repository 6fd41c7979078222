#include <algorithm>
#include <cstring>
#include <string>

#include "pipeline/image/decoders.h"

namespace xsp::pipeline {
namespace {

constexpr std::string_view kPngMark("\x89PNG\r\n\x1a\n", 8);
constexpr std::string_view kJpegMark("\xff\xd8\xff", 3);

/// Reads integers of EXIF's TIFF structure; 0 beyond the end.
class Tiff {
 public:
  explicit Tiff(std::string_view bytes) : bytes_(bytes), big_(bytes.substr(0, 2) == "MM") {}

  bool valid() const { return (big_ || bytes_.substr(0, 2) == "II") && Number(2, 2) == 42; }

  std::uint32_t Number(std::size_t offset, int size) const {
    if (offset > bytes_.size() || bytes_.size() - offset < static_cast<std::size_t>(size)) return 0;
    std::uint32_t value = 0;
    for (int i = 0; i < size; ++i) {
      const auto byte = static_cast<std::uint8_t>(bytes_[offset + (big_ ? i : size - 1 - i)]);
      value = value << 8 | byte;
    }
    return value;
  }

 private:
  std::string_view bytes_;
  bool big_;
};

/// 8 bit grey as Pillow's mode L: ITU-R BT.601 in 16 bit fixed point (libImaging/Convert.c, rgb2l).
Status ToGrey(const Image& rgb, Image& grey) {
  XSP_RETURN_IF_ERROR(MakeImage(rgb.width, rgb.height, 1, grey));
  const std::uint8_t* in = rgb.pixels.data();
  for (std::uint8_t& out : grey.pixels) {
    out = static_cast<std::uint8_t>((in[0] * 19595 + in[1] * 38470 + in[2] * 7471 + 0x8000) >> 16);
    in += 3;
  }
  return Ok{};
}

}  // namespace

int ExifOrientation(std::string_view app1) {
  constexpr std::string_view kMark("Exif\0\0", 6);
  constexpr std::uint32_t kTag = 0x0112;
  constexpr std::uint32_t kShort = 3;
  if (app1.substr(0, kMark.size()) != kMark) return 1;
  const Tiff tiff(app1.substr(kMark.size()));
  if (!tiff.valid()) return 1;
  const std::size_t directory = tiff.Number(4, 4);
  const std::uint32_t entries = tiff.Number(directory, 2);
  for (std::uint32_t i = 0; i < entries; ++i) {
    const std::size_t entry = directory + 2 + std::size_t{12} * i;
    if (tiff.Number(entry, 2) != kTag || tiff.Number(entry + 2, 2) != kShort) continue;
    const std::uint32_t value = tiff.Number(entry + 8, 2);
    return value >= 1 && value <= 8 ? static_cast<int>(value) : 1;
  }
  return 1;
}

Status Upright(const Image& image, int orientation, Image& upright) {
  const bool turned = orientation >= 5;
  XSP_RETURN_IF_ERROR(MakeImage(turned ? image.height : image.width,
                                turned ? image.width : image.height, image.channels, upright));
  const int right = image.width - 1;
  const int bottom = image.height - 1;
  for (int y = 0; y < upright.height; ++y) {
    for (int x = 0; x < upright.width; ++x) {
      int from_x = turned ? y : x;
      int from_y = turned ? x : y;
      if (orientation == 2 || orientation == 3 || orientation == 7 || orientation == 8) {
        from_x = right - from_x;
      }
      if (orientation == 3 || orientation == 4 || orientation == 6 || orientation == 7) {
        from_y = bottom - from_y;
      }
      std::memcpy(upright.Row(y) + static_cast<std::size_t>(x) * image.channels,
                  image.Row(from_y) + static_cast<std::size_t>(from_x) * image.channels,
                  static_cast<std::size_t>(image.channels));
    }
  }
  return Ok{};
}

Status DecodeImage(std::string_view bytes, const DecodeOptions& options, Image& image) {
  if (bytes.empty()) return BadInput("the file is empty");
  if (bytes.size() > kMaxEncodedBytes) {
    return BadInput("the file is too large, more than " + std::to_string(kMaxEncodedBytes) +
                    " bytes: " + std::to_string(bytes.size()));
  }
  return WithoutExceptions([&]() -> Status {
    int orientation = 1;
    Image decoded;
    if (bytes.substr(0, kPngMark.size()) == kPngMark) {
      XSP_RETURN_IF_ERROR(DecodePng(bytes, decoded));
    } else if (bytes.substr(0, kJpegMark.size()) == kJpegMark) {
      XSP_RETURN_IF_ERROR(DecodeJpeg(bytes, decoded, orientation));
    } else {
      return BadInput("the file is neither a JPEG nor a PNG", "convert it to one of them");
    }
    if (options.orientation == Orientation::kApply && orientation != 1) {
      Image upright;
      XSP_RETURN_IF_ERROR(Upright(decoded, orientation, upright));
      decoded = std::move(upright);
    }
    if (options.colour == Colour::kGrey) return ToGrey(decoded, image);
    image = std::move(decoded);
    return Ok{};
  });
}

}  // namespace xsp::pipeline
