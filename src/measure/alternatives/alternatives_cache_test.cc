#include "measure/alternatives/alternatives_cache.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <fstream>

#include "core/json_text.h"

namespace xsp::alternatives {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

Processor Cpu(const std::string& name, std::int64_t cores) {
  return {.name = name, .cores = cores, .threads = 1};
}

Measured Sample(double median_ns = 2000) {
  Measured measured;
  measured.library = "oneDNN 3.2.0";
  measured.measured_at = "2026-01-01T00:00:00Z";
  measured.complete = true;
  measured.alternatives = {
      {"float32", "plain", "auto", "gemm:jit", "abcd", "abcd", "abcd", 4000, 5000, 15},
      {"float32", "any", "auto", "jit", "aBcd16b", "ABcd16b16a", "aBcd16b", 1900, median_ns, 30},
      {"int8", "any", "auto", "jit_int8", "acdb", "ABcd4b16a4b", "acdb", 480, 500, 80}};
  return measured;
}

class AlternativesCacheTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = testing::TempDir() + "xsp-alternatives-XXXXXX";
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
    setenv("XSP_CACHE", folder_.c_str(), 1);
  }
  void TearDown() override {
    unsetenv("XSP_CACHE");
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }

  fs::path folder_;
};

TEST_F(AlternativesCacheTest, KeepsWhatWasAdded) {
  AlternativesCache cache = AlternativesCache::Read(Cpu("EPYC", 2));
  EXPECT_EQ(cache.Find("a"), nullptr);
  ASSERT_TRUE(cache.Add("a", Sample()).ok());
  const AlternativesCache later = AlternativesCache::Read(Cpu("EPYC", 2));
  const Measured* found = later.Find("a");
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(ToJson(*found), ToJson(Sample()));
}

TEST_F(AlternativesCacheTest, MachinesAreApart) {
  AlternativesCache cache = AlternativesCache::Read(Cpu("EPYC", 2));
  ASSERT_TRUE(cache.Add("a", Sample()).ok());
  EXPECT_EQ(AlternativesCache::Read(Cpu("EPYC", 4)).Find("a"), nullptr);
  EXPECT_EQ(AlternativesCache::Read(Cpu("Xeon", 2)).Find("a"), nullptr);
}

TEST_F(AlternativesCacheTest, AGpuIsAnotherMachine) {
  const Processor gpu{.is_gpu = true, .name = "EPYC"};
  AlternativesCache cache = AlternativesCache::Read(gpu);
  ASSERT_TRUE(cache.Add("a", Sample()).ok());
  EXPECT_EQ(AlternativesCache::Read(Cpu("EPYC", 2)).Find("a"), nullptr);
  EXPECT_EQ(AlternativesCache::Read(Cpu("EPYC", 0)).Find("a"), nullptr);
  EXPECT_NE(AlternativesCache::Read(gpu).Find("a"), nullptr);
  Processor other = gpu;
  other.ordinal = 3;
  EXPECT_NE(AlternativesCache::Read(other).Find("a"), nullptr) << "GPUs of a name are alike";
}

TEST_F(AlternativesCacheTest, KeepsWhatAnotherProcessAdded) {
  AlternativesCache one = AlternativesCache::Read(Cpu("EPYC", 2));
  AlternativesCache other = AlternativesCache::Read(Cpu("EPYC", 2));
  ASSERT_TRUE(one.Add("a", Sample()).ok());
  ASSERT_TRUE(other.Add("b", Sample()).ok());
  const AlternativesCache later = AlternativesCache::Read(Cpu("EPYC", 2));
  EXPECT_NE(later.Find("a"), nullptr);
  EXPECT_NE(later.Find("b"), nullptr);
}

TEST_F(AlternativesCacheTest, LeavesOutWhatIsDamaged) {
  AlternativesCache cache = AlternativesCache::Read(Cpu("EPYC", 2));
  ASSERT_TRUE(cache.Add("a", Sample()).ok());
  json object = core::ParseJson(std::ifstream(cache.file()));
  object["primitives"]["b"] = object["primitives"]["a"];
  object["primitives"]["b"]["alternatives"][0]["median_ns"] = -1;
  std::ofstream(cache.file()) << core::JsonText(object);
  const AlternativesCache later = AlternativesCache::Read(Cpu("EPYC", 2));
  EXPECT_NE(later.Find("a"), nullptr);
  EXPECT_EQ(later.Find("b"), nullptr);
  object["version"] = 0;
  for (const std::string& text : {core::JsonText(object), std::string("{"), std::string("[]")}) {
    std::ofstream(cache.file()) << text;
    EXPECT_EQ(AlternativesCache::Read(Cpu("EPYC", 2)).Find("a"), nullptr) << text;
  }
}

TEST_F(AlternativesCacheTest, TheFastestIsOneOfTheSameDataType) {
  const Measured measured = Sample();
  EXPECT_EQ(FastestOf(measured, "float32")->implementation, "jit");
  EXPECT_EQ(FastestOf(measured, "int8")->implementation, "jit_int8");
  EXPECT_EQ(FastestOf(measured, "bfloat16"), nullptr);
}

}  // namespace
}  // namespace xsp::alternatives
