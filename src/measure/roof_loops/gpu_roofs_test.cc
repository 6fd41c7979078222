#include "measure/roof_loops/gpu_roofs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>

#include "measure/roof_loops/roof_cache.h"

namespace xsp::roof_loops {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

constexpr const char* kDescription =
    R"([{"device": 0, "name": "NVIDIA T", "machine": "NVIDIA T, driver 1"}])";

/// A program in place of xsp-roofs-cuda that answers what a test wants, and counts measurements.
class GpuRoofsTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = testing::TempDir() + "xsp-gpu-XXXXXX";
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
    setenv("XSP_WORKER_PATH", folder_.c_str(), 1);
    setenv("XSP_CACHE", (folder_ / "cache").c_str(), 1);
  }
  void TearDown() override {
    unsetenv("XSP_WORKER_PATH");
    unsetenv("XSP_CACHE");
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }

  void Program(const std::string& description, const std::string& report, bool fails = false) {
    const fs::path program = folder_ / "xsp-roofs-cuda";
    std::ofstream(program) << "#!/bin/sh\n"
                           << "if [ \"$1\" = --describe ]; then cat <<'E'\n"
                           << description << "\nE\nexit 0; fi\n"
                           << "echo x >> '" << (folder_ / "measured").string() << "'\n"
                           << "cat <<'E'\n"
                           << report << "\nE\n"
                           << (fails ? "echo 'error: out of memory' >&2; exit 1\n" : "");
    fs::permissions(program, fs::perms::owner_all);
  }
  std::uintmax_t Measured() const {
    std::error_code none;
    const auto bytes = fs::file_size(folder_ / "measured", none);
    return none ? 0 : bytes / 2;
  }
  static std::string Report(bool disturbed) {
    roofs::RoofReport report;
    report.measured_at = "2026-01-01T00:00:00Z";
    report.machine = "NVIDIA T, driver 1";
    report.disturbed = disturbed;
    report.roofs = {{"flops", "float16 tensor", "float16", "tensor", 0, 5e14, "measured:xsp",
                     "mma.sync", true}};
    return ToJson(report);
  }

  fs::path folder_;
};

TEST_F(GpuRoofsTest, MeasuresOnceAndKeepsWhatItMeasured) {
  Program(kDescription, Report(false));
  for (int i = 0; i < 2; ++i) {
    const auto gpus = MeasuredGpuRoofs({});
    ASSERT_TRUE(gpus.ok()) << gpus.error().what;
    ASSERT_EQ(gpus.value().size(), 1U);
    EXPECT_EQ(gpus.value()[0].name, "NVIDIA T");
    ASSERT_EQ(gpus.value()[0].report.roofs.size(), 1U);
    EXPECT_DOUBLE_EQ(gpus.value()[0].report.roofs[0].value, 5e14);
  }
  EXPECT_EQ(Measured(), 1U);
  GpuMeasureOptions again;
  again.again = true;
  EXPECT_TRUE(MeasuredGpuRoofs(again).ok());
  EXPECT_EQ(Measured(), 2U);
}

TEST_F(GpuRoofsTest, FindsThoseOfOneGpuByItsName) {
  Program(kDescription, Report(false));
  const auto found = MeasuredRoofsOfGpu("NVIDIA T", {});
  ASSERT_TRUE(found.ok()) << found.error().what;
  EXPECT_DOUBLE_EQ(found.value().roofs.at(0).value, 5e14);
  const auto other = MeasuredRoofsOfGpu("NVIDIA U", {});
  ASSERT_FALSE(other.ok());
  EXPECT_EQ(other.error().kind, ErrorKind::kNotPossible);
}

TEST_F(GpuRoofsTest, ABusyGpuIsMeasuredAgain) {
  Program(kDescription, Report(true));
  EXPECT_TRUE(MeasuredGpuRoofs({}).ok());
  EXPECT_TRUE(MeasuredGpuRoofs({}).ok());
  EXPECT_EQ(Measured(), 2U);
}

TEST_F(GpuRoofsTest, SaysHowToGetTheProgram) {
  if (fs::exists(fs::read_symlink("/proc/self/exe").parent_path() / "xsp-roofs-cuda"))
    GTEST_SKIP() << "the program stands beside the tests: it would be found";
  const auto gpus = MeasuredGpuRoofs({});
  ASSERT_FALSE(gpus.ok());
  EXPECT_EQ(gpus.error().kind, ErrorKind::kNotPossible);
  EXPECT_THAT(gpus.error().hint, HasSubstr("--cuda-compiler"));
}

TEST_F(GpuRoofsTest, WhatTheProgramSaysWhenItFailsIsPassedOn) {
  Program(kDescription, "", true);
  const auto failed = MeasuredGpuRoofs({});
  ASSERT_FALSE(failed.ok());
  EXPECT_EQ(failed.error().kind, ErrorKind::kEnvironment);
  EXPECT_THAT(failed.error().what, HasSubstr("out of memory"));
}

TEST_F(GpuRoofsTest, RefusesWhatAreNoRoofs) {
  for (const char* description : {"", "hello", "{}", "[{}]", R"([{"device": "0"}])"}) {
    Program(description, Report(false));
    ASSERT_FALSE(MeasuredGpuRoofs({}).ok()) << description;
  }
  std::string infinite = Report(false);
  infinite.replace(infinite.find("500000000000000"), 15, "-1");
  for (const std::string& report : {std::string("hello"), std::string("{}"), infinite}) {
    Program(kDescription, report);
    const auto gpus = MeasuredGpuRoofs({});
    ASSERT_FALSE(gpus.ok()) << report;
    EXPECT_EQ(gpus.error().kind, ErrorKind::kEnvironment);
  }
}

}  // namespace
}  // namespace xsp::roof_loops
