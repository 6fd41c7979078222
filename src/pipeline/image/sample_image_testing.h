#ifndef XSP_PIPELINE_IMAGE_SAMPLE_IMAGE_TESTING_H_
#define XSP_PIPELINE_IMAGE_SAMPLE_IMAGE_TESTING_H_

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <string>

#include "pipeline/base/sample_testing.h"
#include "pipeline/image/image.h"

namespace xsp::pipeline {

/// The image in a file in sample/.
inline Image SampleImage(const std::string& name, const DecodeOptions& options = {}) {
  Image image;
  const Status status = DecodeImage(SampleBytes(name), options, image);
  EXPECT_TRUE(status.ok()) << status.error().what;
  return image;
}

/// Largest difference of two images of the same size; 256 for other sizes.
inline int Difference(const Image& a, const Image& b) {
  if (a.width != b.width || a.height != b.height || a.channels != b.channels) return 256;
  int most = 0;
  for (std::size_t i = 0; i < a.pixels.size(); ++i) {
    most = std::max(most, std::abs(a.pixels[i] - b.pixels[i]));
  }
  return most;
}

}  // namespace xsp::pipeline

#endif  // XSP_PIPELINE_IMAGE_SAMPLE_IMAGE_TESTING_H_
