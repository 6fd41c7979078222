#include "pipeline/image/encoders.h"

#include <png.h>

#include <cstddef>
// jpeglib.h needs size_t and FILE declared before it.
#include <cstdio>

#include <jpeglib.h>

#include <csetjmp>
#include <cstdlib>

namespace xsp::pipeline {
namespace {

struct JpegReporter {
  jpeg_error_mgr base;
  jmp_buf escape;
  char text[JMSG_LENGTH_MAX];
};

[[noreturn]] void OnJpegError(j_common_ptr info) {
  auto* reporter = reinterpret_cast<JpegReporter*>(info->err);
  reporter->base.format_message(info, reporter->text);
  std::longjmp(reporter->escape, 1);
}

struct Encoding {
  jpeg_compress_struct encoder = {};
  JpegReporter reporter = {};
  unsigned char* bytes = nullptr;
  unsigned long size = 0;
};

/// Nothing with a destructor lives in here: libjpeg may jump out.
bool RunEncoder(const Image& image, int quality, Encoding& e) {
  if (setjmp(e.reporter.escape)) return false;
  jpeg_create_compress(&e.encoder);
  jpeg_mem_dest(&e.encoder, &e.bytes, &e.size);
  e.encoder.image_width = static_cast<JDIMENSION>(image.width);
  e.encoder.image_height = static_cast<JDIMENSION>(image.height);
  e.encoder.input_components = 3;
  e.encoder.in_color_space = JCS_RGB;
  jpeg_set_defaults(&e.encoder);
  jpeg_set_quality(&e.encoder, quality, TRUE);
  jpeg_start_compress(&e.encoder, TRUE);
  while (e.encoder.next_scanline < e.encoder.image_height) {
    auto* row = const_cast<std::uint8_t*>(image.Row(static_cast<int>(e.encoder.next_scanline)));
    jpeg_write_scanlines(&e.encoder, &row, 1);
  }
  jpeg_finish_compress(&e.encoder);
  return true;
}

}  // namespace

Status EncodeJpeg(const Image& image, int quality, std::string& bytes) {
  Encoding e;
  e.encoder.err = jpeg_std_error(&e.reporter.base);
  e.reporter.base.error_exit = OnJpegError;
  const bool done = RunEncoder(image, quality, e);
  jpeg_destroy_compress(&e.encoder);
  Status status = Ok{};
  if (done) {
    status = WithoutExceptions([&]() -> Status {
      bytes.assign(reinterpret_cast<const char*>(e.bytes), e.size);
      return Ok{};
    });
  } else {
    status = Environment(std::string("a JPEG could not be made: ") + e.reporter.text);
  }
  std::free(e.bytes);
  return status;
}

Status EncodePng(const Image& image, std::string& bytes) {
  png_image writer = {};
  writer.version = PNG_IMAGE_VERSION;
  writer.width = static_cast<png_uint_32>(image.width);
  writer.height = static_cast<png_uint_32>(image.height);
  writer.format = PNG_FORMAT_RGB;
  return WithoutExceptions([&]() -> Status {
    png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(writer);
    bytes.resize(size);
    if (!png_image_write_to_memory(&writer, bytes.data(), &size, 0, image.pixels.data(), 0,
                                   nullptr)) {
      return Environment(std::string("a PNG could not be made: ") + writer.message);
    }
    bytes.resize(size);
    return Ok{};
  });
}

}  // namespace xsp::pipeline
