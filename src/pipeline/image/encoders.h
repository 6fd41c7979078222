#ifndef XSP_PIPELINE_IMAGE_ENCODERS_H_
#define XSP_PIPELINE_IMAGE_ENCODERS_H_

#include <string>

#include "pipeline/base/errors.h"
#include "pipeline/image/image.h"

namespace xsp::pipeline {

/// Encodes an RGB image as a baseline JPEG (4:2:0) of `quality` 1 to 100: for synthetic samples.
/// The same pixels give the same bytes with the same libjpeg. Errors: environment, internal.
Status EncodeJpeg(const Image& image, int quality, std::string& bytes);

/// The same as a PNG of 8 bit RGB.
Status EncodePng(const Image& image, std::string& bytes);

}  // namespace xsp::pipeline

#endif  // XSP_PIPELINE_IMAGE_ENCODERS_H_
