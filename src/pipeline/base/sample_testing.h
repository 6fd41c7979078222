#ifndef XSP_PIPELINE_BASE_SAMPLE_TESTING_H_
#define XSP_PIPELINE_BASE_SAMPLE_TESTING_H_

#include <gtest/gtest.h>

#include <string>

#include "pipeline/base/text_file.h"
#include "source_dir.h"

namespace xsp::pipeline {

inline const std::string kSamples = std::string(XSP_SOURCE_DIR) + "/src/pipeline/sample";

/// The bytes of a file in sample/.
inline std::string SampleBytes(const std::string& name) {
  std::string bytes;
  const Status status = ReadFile(kSamples + "/" + name, 1 << 20, bytes);
  EXPECT_TRUE(status.ok()) << status.error().what;
  return bytes;
}

}  // namespace xsp::pipeline

#endif  // XSP_PIPELINE_BASE_SAMPLE_TESTING_H_
