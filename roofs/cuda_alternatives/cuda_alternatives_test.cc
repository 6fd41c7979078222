// The program itself, with fake libraries that stand for the driver, cuBLASLt and cuDNN (testing/).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "os/subprocess.h"

// cmake/Paths.cmake.
extern const char kCudaAlternatives[];
extern const char kFakeCudaFolder[];

namespace xsp::cuda_alternatives {
namespace {

using nlohmann::json;
using testing::HasSubstr;

constexpr const char* kProduct = R"({"kind": "matmul", "problem": "128x768:768x3072",
  "dtype": "float32", "post_ops": ["bias"]})";
constexpr const char* kConvolution = R"({"kind": "convolution", "dtype": "tfloat32",
  "problem": "g2mb1_ic4oc64_ih224oh112kh7sh2dh0ph3_iw224ow112kw7sw2dw0pw3"})";

/// What a run of the program printed; `mode` is that of the fake libraries.
os::Completed RunProgram(std::vector<std::string> arguments, const std::string& mode = "",
                         const std::string& folder = kFakeCudaFolder) {
  os::SpawnOptions options;
  options.argv = {kCudaAlternatives};
  options.argv.insert(options.argv.end(), arguments.begin(), arguments.end());
  options.environment = {{"XSP_CUDA_LIBRARY_PATH", folder}, {"FAKE_CUDA", mode}};
  auto done = os::RunToEnd(options, std::chrono::seconds(120));
  EXPECT_TRUE(done.ok());
  return std::move(done).value();
}

json Measure(const char* primitive, const std::string& mode = "", const char* limit_s = "100") {
  const os::Completed done = RunProgram({"0", limit_s, primitive}, mode);
  EXPECT_TRUE(done.exit.success()) << done.stderr_tail;
  json answer = json::parse(done.out, nullptr, false);
  EXPECT_TRUE(answer.is_object()) << done.out;
  return answer;
}

json FastestOf(const json& answer, const std::string& dtype) {
  json fastest;
  for (const json& one : answer["alternatives"])
    if (one["dtype"] == dtype && (fastest.is_null() || one["median_ns"] < fastest["median_ns"]))
      fastest = one;
  return fastest;
}

/// The reason why a variant is not available; empty: it is.
std::string ReasonOf(const json& answer, const std::string& dtype, const std::string& algorithm) {
  for (const json& one : answer["not_available"])
    if (one["dtype"] == dtype && one["algorithm"] == algorithm)
      return one["reason"].get<std::string>();
  return "";
}

TEST(CudaAlternatives, NamesItsLibrariesAndDevices) {
  EXPECT_EQ(RunProgram({"--version"}).out, "cuBLASLt 13.1.0, cuDNN 9.10.2\n");
  EXPECT_EQ(RunProgram({"--version"}, "no_device").out, "cuBLASLt 13.1.0, cuDNN 9.10.2\n")
      << "needs no GPU";
  EXPECT_EQ(RunProgram({"--devices"}).out, "[\"Fake H100\",\"Fake A100\"]\n");
}

TEST(CudaAlternatives, FindsTheFastestAlgorithmAndLayoutOfAProduct) {
  const json answer = Measure(kProduct);
  EXPECT_TRUE(answer["complete"].get<bool>());
  EXPECT_EQ(answer["library"], "cuBLASLt 13.1.0, cuDNN 9.10.2");
  EXPECT_EQ(answer["device"], "Fake H100");
  EXPECT_EQ(answer["alternatives"][0]["dtype"], "float32") << "that of the run comes first";
  const json fastest = FastestOf(answer, "float32");
  EXPECT_EQ(fastest["algorithm"], "heuristic 2");
  EXPECT_EQ(fastest["format"], "transposed");
  EXPECT_EQ(fastest["weights_layout"], "ba");
  EXPECT_THAT(fastest["implementation"].get<std::string>(), HasSubstr("algorithm 61"));
  // Not a tenth of it: each launch has other weights.
  EXPECT_NEAR(fastest["median_ns"].get<double>(), 9000, 1);
  EXPECT_GE(fastest["repeats"].get<int>(), 15);
}

TEST(CudaAlternatives, OtherTypesAreApart) {
  const json answer = Measure(kProduct);
  EXPECT_NEAR(FastestOf(answer, "tfloat32")["median_ns"].get<double>(), 4500, 1);
  EXPECT_NEAR(FastestOf(answer, "float16")["median_ns"].get<double>(), 2250, 1);
  EXPECT_NEAR(FastestOf(answer, "bfloat16")["median_ns"].get<double>(), 2250, 1);
  EXPECT_EQ(ReasonOf(answer, "int8", "heuristic"), "not supported by cuBLASLt");
  EXPECT_EQ(FastestOf(answer, "int8")["format"], "transposed");
}

TEST(CudaAlternatives, AFailingLaunchIsNoAlternative) {
  const json answer = Measure(kProduct);
  EXPECT_THAT(ReasonOf(answer, "float32", "heuristic 3"), HasSubstr("status 13"));
  for (const json& one : answer["alternatives"]) EXPECT_NE(one["algorithm"], "heuristic 3");
}

TEST(CudaAlternatives, BatchesHaveOneOrManyWeights) {
  for (const char* problem : {"12x64x32:12x32x16", "1x64x32:12x32x16", "12x64x32:1x32x16"}) {
    const json primitive = {{"kind", "matmul"}, {"problem", problem}, {"dtype", "float16"}};
    EXPECT_TRUE(FastestOf(Measure(primitive.dump().c_str()), "float16").is_object()) << problem;
  }
}

TEST(CudaAlternatives, FindsTheFastestFormatOfAConvolution) {
  const json answer = Measure(kConvolution);
  const json fastest = FastestOf(answer, "tfloat32");
  EXPECT_EQ(fastest["algorithm"], "implicit_precomp_gemm");
  EXPECT_EQ(fastest["format"], "channels_last");
  EXPECT_EQ(fastest["source_layout"], "acdb");
  EXPECT_NEAR(fastest["median_ns"].get<double>(), 10000, 1);
  EXPECT_NEAR(FastestOf(answer, "float32")["median_ns"].get<double>(), 20000, 1);
  for (const json& one : answer["alternatives"])
    EXPECT_FALSE(one["dtype"] == "tfloat32" && one["algorithm"] == "implicit_gemm")
        << "it has FMA only";
  EXPECT_EQ(ReasonOf(answer, "bfloat16", "heuristic"), "not supported by cuDNN");
}

TEST(CudaAlternatives, WhatCannotBeRecordedIsLaunchedOneByOne) {
  const json answer = Measure(kProduct, "no_graph");
  EXPECT_NEAR(FastestOf(answer, "float32")["median_ns"].get<double>(), 9000, 1);
}

TEST(CudaAlternatives, EarlierGpusLackTypes) {
  const json answer = Measure(kProduct, "old");
  EXPECT_EQ(ReasonOf(answer, "tfloat32", "any"), "needs compute capability 8.0");
  EXPECT_TRUE(FastestOf(answer, "tfloat32").is_null());
  EXPECT_TRUE(FastestOf(answer, "float16").is_object());
}

TEST(CudaAlternatives, KeepsItsLimitOfTime) {
  const json answer = Measure(kProduct, "", "0.000001");
  EXPECT_FALSE(answer["complete"].get<bool>());
  EXPECT_EQ(answer["alternatives"].size(), 0U);
}

TEST(CudaAlternatives, WhatWasMeasuredBeforeTheDeviceFailedCounts) {
  const json answer = Measure(kProduct, "lost");
  EXPECT_FALSE(answer["complete"].get<bool>());
  EXPECT_GT(answer["alternatives"].size(), 0U);
  EXPECT_LT(answer["alternatives"].size(), 10U);
}

TEST(CudaAlternatives, SaysWhatIsMissing) {
  const auto refused = [](std::vector<std::string> arguments, const std::string& mode,
                          const std::string& folder = kFakeCudaFolder) {
    const os::Completed done = RunProgram(std::move(arguments), mode, folder);
    EXPECT_EQ(done.exit.code, 4) << done.out;
    return done.stderr_tail;
  };
  EXPECT_THAT(refused({"--devices"}, "no_device"), HasSubstr("CUDA_ERROR_NO_DEVICE"));
  EXPECT_THAT(refused({"0", "10", kProduct}, "no_device"), HasSubstr("CUDA_ERROR_NO_DEVICE"));
  EXPECT_THAT(refused({"7", "10", kProduct}, ""), HasSubstr("no CUDA device 7 of 2"));
  EXPECT_THAT(refused({"0", "10", kProduct}, "no_memory"), HasSubstr("free memory"));
}

TEST(CudaAlternatives, RefusesWhatIsNoPrimitive) {
  for (const char* primitive :
       {"", "[]", R"({"kind": "pooling", "problem": "2x2:2x2", "dtype": "float32"})",
        R"({"kind": "matmul", "problem": "2x2:2x2", "dtype": "float64"})",
        R"({"kind": "matmul", "problem": "2x3:2x2", "dtype": "float32"})",
        R"({"kind": "matmul", "problem": "2x2:2x2", "dtype": "float32", "post_ops": ["mish"]})",
        R"({"kind": "convolution", "problem": "mb1_ic3", "dtype": "float32"})"})
    EXPECT_EQ(RunProgram({"0", "10", primitive}).exit.code, 2) << primitive;
  EXPECT_EQ(RunProgram({"0", "0", kProduct}).exit.code, 2);
  EXPECT_EQ(RunProgram({"-1", "10", kProduct}).exit.code, 2);
  EXPECT_EQ(RunProgram({"0"}).exit.code, 2);
}

}  // namespace
}  // namespace xsp::cuda_alternatives
