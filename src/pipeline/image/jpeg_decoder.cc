#include <cstddef>
// jpeglib.h needs size_t and FILE declared before it.
#include <cstdio>

#include <jpeglib.h>

#include <jerror.h>

#include <csetjmp>
#include <string>
#include <vector>

#include "pipeline/image/decoders.h"

namespace xsp::pipeline {
namespace {

/// More scans than any encoder writes: a file of a few kB can make a decoder pass over a large
/// image thousands of times.
constexpr int kMaxScans = 100;

/// libjpeg's own limit on memory beside what the image takes; it has no backing store.
constexpr long kMaxDecoderBytes = 640L << 20;

/// libjpeg reports errors by a function that must not return: it jumps to where Decode waits. No
/// object with a destructor may live in the frames that are jumped over.
struct Reporter {
  jpeg_error_mgr base;
  jmp_buf escape;
  char text[JMSG_LENGTH_MAX];
  bool damaged;
};

[[noreturn]] void OnError(j_common_ptr info) {
  auto* reporter = reinterpret_cast<Reporter*>(info->err);
  reporter->base.format_message(info, reporter->text);
  std::longjmp(reporter->escape, 1);
}

/// Warnings after which pixels are invented or wrong. The others (bytes between segments, an
/// unknown Adobe transform, a new JFIF version) leave the picture whole.
bool IsDamage(int code) {
  return code == JWRN_HIT_MARKER || code == JWRN_JPEG_EOF || code == JWRN_HUFF_BAD_CODE ||
         code == JWRN_ARITH_BAD_CODE || code == JWRN_MUST_RESYNC ||
         code == JWRN_BOGUS_PROGRESSION || code == JWRN_NOT_SEQUENTIAL;
}

void OnMessage(j_common_ptr info, int level) {
  auto* reporter = reinterpret_cast<Reporter*>(info->err);
  if (level >= 0 || !IsDamage(reporter->base.msg_code) || reporter->damaged) return;
  reporter->damaged = true;
  reporter->base.format_message(info, reporter->text);
}

void OnOutput(j_common_ptr) {}

void OnProgress(j_common_ptr info) {
  auto* decoder = reinterpret_cast<j_decompress_ptr>(info);
  if (info->is_decompressor && decoder->input_scan_number > kMaxScans) {
    auto* reporter = reinterpret_cast<Reporter*>(info->err);
    std::snprintf(reporter->text, sizeof reporter->text, "more than %d scans", kMaxScans);
    std::longjmp(reporter->escape, 1);
  }
}

/// (255 - k) - c * (255 - k) / 255 with Pillow's rounding of the division (libImaging/Convert.c),
/// for samples that are stored inverted.
std::uint8_t FromInvertedCmyk(int ink, int black) {
  const int c = 255 - ink;
  const int light = black;  // 255 - k, where k = 255 - black
  const int product = c * light + 128;
  const int scaled = ((product >> 8) + product) >> 8;
  return static_cast<std::uint8_t>(light - scaled < 0 ? 0 : light - scaled);
}

struct JpegDecoding {
  std::string_view bytes;
  jpeg_decompress_struct decoder = {};
  jpeg_progress_mgr progress = {};
  Reporter reporter = {};
  Image* image = nullptr;
  std::vector<std::uint8_t> row;
  Status status = Ok{};
  int orientation = 1;
};

void ReadJpegHeader(JpegDecoding& d) {
  jpeg_create_decompress(&d.decoder);
  d.decoder.progress = &d.progress;
  d.decoder.mem->max_memory_to_use = kMaxDecoderBytes;
  jpeg_mem_src(&d.decoder, reinterpret_cast<const unsigned char*>(d.bytes.data()), d.bytes.size());
  jpeg_save_markers(&d.decoder, JPEG_APP0 + 1, 0xffff);
  jpeg_read_header(&d.decoder, TRUE);
}

/// Sets the output up; false: d.status says why not.
bool Prepare(JpegDecoding& d) {
  for (const jpeg_marker_struct* marker = d.decoder.marker_list; marker; marker = marker->next) {
    const std::string_view data(reinterpret_cast<const char*>(marker->data), marker->data_length);
    if (marker->marker == JPEG_APP0 + 1 && data.substr(0, 4) == "Exif") {
      d.orientation = ExifOrientation(data);
      break;
    }
  }
  // The format cannot declare more than 65535 x 65535. Memory that runs out must not leave by an
  // exception: the decoder would stay behind.
  d.status = WithoutExceptions([&] {
    d.row.resize(static_cast<std::size_t>(d.decoder.image_width) * 4);
    return MakeImage(static_cast<int>(d.decoder.image_width),
                     static_cast<int>(d.decoder.image_height), 3, *d.image);
  });
  if (!d.status.ok()) return false;
  const bool inks =
      d.decoder.jpeg_color_space == JCS_CMYK || d.decoder.jpeg_color_space == JCS_YCCK;
  d.decoder.out_color_space = inks ? JCS_CMYK : JCS_RGB;
  d.decoder.dct_method = JDCT_ISLOW;
  d.decoder.do_fancy_upsampling = TRUE;
  return true;
}

void ReadRows(JpegDecoding& d) {
  jpeg_start_decompress(&d.decoder);
  const bool inks = d.decoder.out_color_space == JCS_CMYK;
  while (d.decoder.output_scanline < d.decoder.output_height) {
    const int y = static_cast<int>(d.decoder.output_scanline);
    JSAMPROW out = inks ? d.row.data() : d.image->Row(y);
    jpeg_read_scanlines(&d.decoder, &out, 1);
    if (!inks) continue;
    std::uint8_t* rgb = d.image->Row(y);
    for (int x = 0; x < d.image->width; ++x) {
      for (int c = 0; c < 3; ++c) rgb[x * 3 + c] = FromInvertedCmyk(out[x * 4 + c], out[x * 4 + 3]);
    }
  }
  // Damage in the last rows is only seen here.
  jpeg_finish_decompress(&d.decoder);
}

/// The steps between which libjpeg may jump back to here.
bool RunJpegDecoder(JpegDecoding& d) {
  if (setjmp(d.reporter.escape)) return false;
  ReadJpegHeader(d);
  if (!Prepare(d)) return false;
  ReadRows(d);
  return true;
}

}  // namespace

Status DecodeJpeg(std::string_view bytes, Image& image, int& orientation) {
  JpegDecoding d;
  d.bytes = bytes;
  d.image = &image;
  d.decoder.err = jpeg_std_error(&d.reporter.base);
  d.reporter.base.error_exit = OnError;
  d.reporter.base.emit_message = OnMessage;
  d.reporter.base.output_message = OnOutput;
  d.progress.progress_monitor = OnProgress;
  const bool whole = RunJpegDecoder(d);
  jpeg_destroy_decompress(&d.decoder);
  orientation = d.orientation;
  XSP_RETURN_IF_ERROR(d.status);
  if (!whole || d.reporter.damaged) {
    return BadInput(std::string("the JPEG is damaged: ") + d.reporter.text);
  }
  return Ok{};
}

}  // namespace xsp::pipeline
