#include "measure/roof_loops/roof_measurement.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <vector>

#include "measure/roof_loops/peak_kernels.h"
#include "os/files.h"

namespace xsp::roof_loops {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

constexpr Effort kTiny{10'000, 300'000, 100'000};
constexpr std::int64_t kLittle = 16 << 20;

TEST(PeakKernelsTest, FallsBackToPortableLoops) {
  const auto kernels = UsablePeakKernels(os::Processor{});
  ASSERT_EQ(kernels.size(), 2U);
  EXPECT_STREQ(kernels[0].dtype, "float32");
  EXPECT_STREQ(kernels[1].dtype, "float64");
  EXPECT_THAT(kernels[0].how, HasSubstr("128-bit"));
  EXPECT_STREQ(UsableBandwidthKernel(os::Processor{})->how, "128-bit");
}

TEST(PeakKernelsTest, EachThatThisCpuHasCountsItsOperations) {
  for (const PeakKernel& kernel : UsablePeakKernels(os::ReadProcessor())) {
    if (kernel.enter_thread != nullptr) kernel.enter_thread();
    const double one = kernel.run(1);
    EXPECT_GT(one, 0) << kernel.how;
    EXPECT_DOUBLE_EQ(kernel.run(1000), 1000 * one) << kernel.how;
  }
}

TEST(PeakKernelsTest, NeedsEveryFlag) {
  os::Processor processor;
  processor.flags = {"avx2", "sse2"};
  EXPECT_TRUE(HasAll(processor, "sse2 avx2"));
  EXPECT_FALSE(HasAll(processor, "avx2 fma"));
  EXPECT_TRUE(HasAll(processor, ""));
}

TEST(BandwidthKernelsTest, ComputeWhatTheySay) {
  constexpr long kFloats = kBandwidthStep / 4 * 3;
  for (const BandwidthKernel* kernel :
       {UsableBandwidthKernel(os::ReadProcessor()), UsableBandwidthKernel(os::Processor{})}) {
    alignas(64) float a[kFloats] = {}, b[kFloats], c[kFloats];
    for (int i = 0; i < kFloats; ++i)
      b[i] = static_cast<float>(i), c[i] = static_cast<float>(2 * i);
    for (auto* triad : {kernel->triad, kernel->triad_streaming}) {
      std::memset(a, 0, sizeof a);
      triad(a, b, c, sizeof a, 2);
      for (int i = 0; i < kFloats; ++i) ASSERT_EQ(a[i], b[i] + 3 * c[i]) << kernel->how;
    }
    for (auto* write : {kernel->write, kernel->write_streaming}) {
      std::memset(a, 0, sizeof a);
      write(a, sizeof a, 1);
      for (const float value : a) ASSERT_EQ(value, 1.0F) << kernel->how;
    }
    kernel->read(a, sizeof a, 3);
  }
}

TEST(MeasureRoofsTest, GivesEveryKindForOneCoreAndForAll) {
  const os::Processor processor = os::ReadProcessor();
  const std::vector<int> cpus = os::AllowedCpus();
  std::vector<double> fractions;
  const MeasurePlan plan{cpus, kTiny, kLittle,
                         [&](std::string_view, double fraction) { fractions.push_back(fraction); }};
  const roofs::RoofReport report = MeasureRoofs(processor, plan);
  const int all = static_cast<int>(cpus.size());
  int used_float32 = 0, used_bandwidth = 0, one_core = 0;
  for (const roofs::Roof& roof : report.roofs) {
    EXPECT_GT(roof.value, 0) << roof.name;
    EXPECT_EQ(roof.provenance, "measured:xsp");
    EXPECT_THAT(roof.how, HasSubstr("best of"));
    EXPECT_TRUE(!roof.used || roof.cores == all) << roof.name;
    used_float32 += roof.used && roof.name == "float32 vector" ? 1 : 0;
    used_bandwidth += roof.used && roof.kind == "bandwidth" ? 1 : 0;
    one_core += roof.cores == 1 && roof.name == "DRAM triad" ? 1 : 0;
  }
  EXPECT_EQ(used_float32, 1);
  EXPECT_EQ(used_bandwidth, 1);
  EXPECT_EQ(one_core, 1);
  EXPECT_THAT(report.conditions, HasSubstr(os::FormatCpuList(cpus)));
  EXPECT_EQ(fractions.size(), report.roofs.size());
  EXPECT_TRUE(std::is_sorted(fractions.begin(), fractions.end()));
  EXPECT_LT(fractions.back(), 1.0);
}

TEST(MarkUsedTest, TakesTheBetterOfReadAndTriadOfAllCores) {
  std::vector<roofs::Roof> roofs(5);
  const char* const names[] = {"DRAM read", "DRAM triad", "DRAM read", "DRAM triad", "DRAM write"};
  const double values[] = {9, 9, 5, 6, 8};
  for (std::size_t i = 0; i < roofs.size(); ++i) {
    roofs[i].kind = "bandwidth";
    roofs[i].name = names[i];
    roofs[i].value = values[i];
    roofs[i].cores = i < 2 ? 1 : 4;
  }
  MarkUsed(roofs, 4);
  std::vector<bool> used;
  for (const roofs::Roof& roof : roofs) used.push_back(roof.used);
  EXPECT_EQ(used, (std::vector<bool>{false, false, false, true, false}));
}

class CacheTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(testing::TempDir()) /
              testing::UnitTest::GetInstance()->current_test_info()->name();
    fs::remove_all(folder_);
    setenv("XSP_CACHE", folder_.c_str(), 1);
  }
  void TearDown() override {
    unsetenv("XSP_CACHE");
    fs::remove_all(folder_);
  }
  static roofs::RoofReport Roofs(bool again = false) {
    MeasureOptions options;
    options.again = again;
    return MeasuredRoofsWith(options, kTiny, kLittle).value();
  }
  fs::path File() const {
    for (const auto& entry : fs::directory_iterator(folder_ / "roofs")) {
      if (entry.path().extension() == ".json") return entry.path();
    }
    return {};
  }
  /// Lets the cached figures be told from measured ones.
  void Rewrite(const std::string& from, const std::string& to) const {
    std::string text = os::ReadFile(File()).value();
    const auto at = text.find(from);
    ASSERT_NE(at, std::string::npos) << text;
    text.replace(at, from.size(), to);
    ASSERT_TRUE(os::WriteFileAtomically(File(), text).ok());
  }
  fs::path folder_;
};

TEST_F(CacheTest, KeepsWhatWasMeasuredUntilAskedAgain) {
  const roofs::RoofReport first = Roofs();
  Rewrite(first.roofs[0].how, "from the cache");
  EXPECT_EQ(Roofs().roofs[0].how, "from the cache");
  EXPECT_EQ(Roofs(true).roofs[0].how.substr(0, 5), first.roofs[0].how.substr(0, 5));
}

TEST_F(CacheTest, MeasuresAnewOverADamagedFile) {
  ASSERT_FALSE(Roofs().roofs.empty());
  for (const char* damage : {"", "{", "[]", "{\"roofs\": 3}"}) {
    std::ofstream(File()) << damage;
    const roofs::RoofReport report = Roofs();
    EXPECT_FALSE(report.roofs.empty());
    EXPECT_THAT(os::ReadFile(File()).value(), HasSubstr("float32 vector"));
  }
}

TEST_F(CacheTest, MeasuresAnewForAnotherMachineOrAnImpossibleFigure) {
  const roofs::RoofReport first = Roofs();
  Rewrite(first.machine, "another machine");
  EXPECT_EQ(Roofs().machine, first.machine);
  Rewrite("\"kind\": \"flops\"", "\"kind\": \"flips\"");
  EXPECT_EQ(Roofs().roofs[0].kind, "flops");
}

TEST_F(CacheTest, KeepsFiguresOfABusyMachineForMinutesOnly) {
  const roofs::RoofReport first = Roofs();
  Rewrite(first.roofs[0].how, "from the cache");
  if (!first.disturbed) Rewrite("\"disturbed\": false", "\"disturbed\": true");
  EXPECT_EQ(Roofs().roofs[0].how, "from the cache");
  fs::last_write_time(File(), fs::file_time_type::clock::now() - std::chrono::hours(1));
  EXPECT_NE(Roofs().roofs[0].how, "from the cache");
}

TEST_F(CacheTest, SaysWhenItCannotKeepThem) {
  std::ofstream(folder_) << "a file where the folder should be";
  EXPECT_THAT(Roofs().conditions, HasSubstr("not cached"));
}

}  // namespace
}  // namespace xsp::roof_loops
