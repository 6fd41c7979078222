#include <png.h>

#include <cstring>
#include <string>
#include <vector>

#include "pipeline/image/decoders.h"

namespace xsp::pipeline {
namespace {

struct PngDecoding {
  std::string_view rest;
  png_structp reader = nullptr;
  png_infop info = nullptr;
  Image* image = nullptr;
  std::vector<png_bytep> rows;
  Status status = Ok{};
  char text[256] = {};
};

/// libpng demands that this does not return: it jumps to where RunPngDecoder waits.
[[noreturn]] void OnError(png_structp reader, png_const_charp message) {
  auto* d = static_cast<PngDecoding*>(png_get_error_ptr(reader));
  std::strncpy(d->text, message, sizeof d->text - 1);
  png_longjmp(reader, 1);
}

/// libpng warns about odd text and colour chunks, which do not touch the pixels; what does (check
/// sums of image data) is an error.
void OnWarning(png_structp, png_const_charp) {}

void OnRead(png_structp reader, png_bytep out, std::size_t count) {
  auto* d = static_cast<PngDecoding*>(png_get_io_ptr(reader));
  if (count > d->rest.size()) png_error(reader, "the file ends too early");
  std::memcpy(out, d->rest.data(), count);
  d->rest.remove_prefix(count);
}

void SetUpConversion(PngDecoding& d) {
  const png_byte type = png_get_color_type(d.reader, d.info);
  if (type == PNG_COLOR_TYPE_PALETTE) png_set_palette_to_rgb(d.reader);
  if (type == PNG_COLOR_TYPE_GRAY && png_get_bit_depth(d.reader, d.info) < 8) {
    png_set_expand_gray_1_2_4_to_8(d.reader);
  }
  png_set_strip_16(d.reader);
  if (!(type & PNG_COLOR_MASK_COLOR)) png_set_gray_to_rgb(d.reader);
  png_set_strip_alpha(d.reader);
}

/// Reads up to the pixels; false: d.status says why not.
bool ReadPngHeader(PngDecoding& d) {
  png_set_read_fn(d.reader, &d, OnRead);
  png_set_user_limits(d.reader, kMaxSide, kMaxSide);
  png_set_chunk_malloc_max(d.reader, 8 << 20);
  png_set_crc_action(d.reader, PNG_CRC_DEFAULT, PNG_CRC_DEFAULT);
  png_read_info(d.reader, d.info);
  // Memory that runs out must not leave by an exception: the reader would stay behind.
  d.status = WithoutExceptions([&]() -> Status {
    XSP_RETURN_IF_ERROR(MakeImage(static_cast<int>(png_get_image_width(d.reader, d.info)),
                                  static_cast<int>(png_get_image_height(d.reader, d.info)), 3,
                                  *d.image));
    for (int y = 0; y < d.image->height; ++y) d.rows.push_back(d.image->Row(y));
    return Ok{};
  });
  if (!d.status.ok()) return false;
  SetUpConversion(d);
  png_set_interlace_handling(d.reader);
  png_read_update_info(d.reader, d.info);
  if (png_get_rowbytes(d.reader, d.info) != d.image->RowBytes()) {
    d.status = Error{ErrorKind::kInternal, "a PNG was not converted to 8 bit RGB", ""};
    return false;
  }
  return true;
}

bool RunPngDecoder(PngDecoding& d) {
  if (setjmp(png_jmpbuf(d.reader))) return false;
  if (!ReadPngHeader(d)) return false;
  png_read_image(d.reader, d.rows.data());
  png_read_end(d.reader, nullptr);
  return true;
}

}  // namespace

Status DecodePng(std::string_view bytes, Image& image) {
  PngDecoding d;
  d.rest = bytes;
  d.image = &image;
  d.reader = png_create_read_struct(PNG_LIBPNG_VER_STRING, &d, OnError, OnWarning);
  d.info = d.reader ? png_create_info_struct(d.reader) : nullptr;
  if (!d.info) {
    png_destroy_read_struct(&d.reader, nullptr, nullptr);
    return Environment("libpng could not be started: another version than compiled for, or memory");
  }
  const bool whole = RunPngDecoder(d);
  png_destroy_read_struct(&d.reader, &d.info, nullptr);
  XSP_RETURN_IF_ERROR(d.status);
  if (!whole) return BadInput(std::string("the PNG is damaged: ") + d.text);
  return Ok{};
}

}  // namespace xsp::pipeline
