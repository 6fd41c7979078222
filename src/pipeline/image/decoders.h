#ifndef XSP_PIPELINE_IMAGE_DECODERS_H_
#define XSP_PIPELINE_IMAGE_DECODERS_H_

#include <string_view>

#include "pipeline/base/errors.h"
#include "pipeline/image/image.h"

namespace xsp::pipeline {

/// Decodes a JPEG to RGB. `orientation`: the EXIF tag, 1 to 8; 1 without one. Errors: as
/// DecodeImage.
Status DecodeJpeg(std::string_view bytes, Image& image, int& orientation);

/// Decodes a PNG to RGB. Errors: as DecodeImage.
Status DecodePng(std::string_view bytes, Image& image);

/// The orientation tag of EXIF data (JPEG marker APP1, "Exif\0\0" first), 1 when there is none or
/// the data is damaged.
int ExifOrientation(std::string_view app1);

/// The image upright: turned and mirrored as EXIF orientation 1 to 8 demands.
Status Upright(const Image& image, int orientation, Image& upright);

}  // namespace xsp::pipeline

#endif  // XSP_PIPELINE_IMAGE_DECODERS_H_
