#include "capture/record/cuda/activity/capture_file.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <string>

#include "capture/record/cuda/metrics/capture_file.h"

namespace xsp::record::cuda {
namespace {

constexpr std::uint32_t kVersion = 130002;

/// Bytes of the file that `Writer` begins, after a child that was forked then has ended by exit().
template <typename Writer>
std::uintmax_t BytesAfterFork() {
  const std::string path =
      (std::filesystem::temp_directory_path() / ("capture_files_test." + std::to_string(getpid())))
          .string();
  std::uintmax_t bytes = 0;
  {
    const Writer writer(path.c_str(), kVersion);
    const pid_t child = fork();
    // What exit() does to streams, and nothing of the test's.
    if (child == 0) {
      std::fflush(nullptr);
      _exit(0);
    }
    waitpid(child, nullptr, 0);
  }
  bytes = std::filesystem::file_size(path);
  std::filesystem::remove(path);
  return bytes;
}

TEST(CaptureFilesTest, HaveOneHeaderThoughAChildWasForkedBeforeTheirFirstBlock) {
  EXPECT_EQ(BytesAfterFork<CaptureFileWriter>(), sizeof kCaptureMagic + 8);
  EXPECT_EQ(BytesAfterFork<MetricCaptureWriter>(), sizeof kMetricCaptureMagic + 8);
}

}  // namespace
}  // namespace xsp::record::cuda
