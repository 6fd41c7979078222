#include "harness/inputs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <numeric>

namespace xsp::worker {
namespace {

InputSpec Spec(xsp_worker_dtype dtype, std::vector<std::int64_t> shape) {
  InputSpec spec;
  spec.name = "x";
  spec.dtype = dtype;
  spec.shape = std::move(shape);
  return spec;
}

template <typename T>
std::vector<T> Values(const xsp_worker_tensor& tensor) {
  std::vector<T> values(tensor.bytes / sizeof(T));
  std::memcpy(values.data(), tensor.data, tensor.bytes);
  return values;
}

TEST(Inputs, AreFilledAsAsked) {
  InputSpec ones = Spec(XSP_INT64, {2, 3});
  ones.fill = Fill::kOnes;
  InputSpec zeros = Spec(XSP_FLOAT32, {4});
  zeros.fill = Fill::kZeros;
  InputSpec positions = Spec(XSP_INT32, {2, 3});
  positions.fill = Fill::kRange;
  InputSpec uniform = Spec(XSP_FLOAT64, {1000});
  uniform.fill = Fill::kUniform;
  Inputs inputs;
  ASSERT_TRUE(inputs.Make({ones, zeros, positions, uniform}, 1).ok());
  const auto& tensors = inputs.tensors();
  EXPECT_EQ(Values<std::int64_t>(tensors[0]), std::vector<std::int64_t>(6, 1));
  EXPECT_EQ(Values<float>(tensors[1]), std::vector<float>(4, 0));
  EXPECT_EQ(Values<std::int32_t>(tensors[2]), (std::vector<std::int32_t>{0, 1, 2, 0, 1, 2}));
  const auto values = Values<double>(tensors[3]);
  EXPECT_GT(*std::min_element(values.begin(), values.end()), 0);
  EXPECT_LE(*std::max_element(values.begin(), values.end()), 1);
  EXPECT_NEAR(std::accumulate(values.begin(), values.end(), 0.0) / 1000, 0.5, 0.05);
}

TEST(Inputs, FloatsAreStandardNormal) {
  Inputs inputs;
  ASSERT_TRUE(inputs.Make({Spec(XSP_FLOAT32, {100, 1000})}, 1).ok());
  const auto values = Values<float>(inputs.tensors()[0]);
  ASSERT_EQ(values.size(), 100'000u);
  const double n = static_cast<double>(values.size());
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / n;
  double square = 0;
  for (const float value : values) square += (value - mean) * (value - mean);
  EXPECT_NEAR(mean, 0, 0.015);
  EXPECT_NEAR(std::sqrt(square / n), 1, 0.015);
}

TEST(Inputs, SameSeedSameBytesOtherSeedOthers) {
  Inputs first, second, other;
  for (auto& [inputs, seed] : {std::pair{&first, 5}, {&second, 5}, {&other, 6}}) {
    ASSERT_TRUE(inputs->Make({Spec(XSP_FLOAT64, {16}), Spec(XSP_INT64, {16})}, seed).ok());
  }
  for (int i : {0, 1}) {
    const auto bytes = Values<char>(first.tensors()[i]);
    EXPECT_EQ(bytes, Values<char>(second.tensors()[i]));
    EXPECT_NE(bytes, Values<char>(other.tensors()[i]));
  }
}

TEST(Inputs, IntegersStayInTheirRange) {
  InputSpec spec = Spec(XSP_INT32, {1000});
  spec.range = {-3, 4};
  Inputs inputs;
  ASSERT_TRUE(inputs.Make({spec}, 1).ok());
  const auto values = Values<std::int32_t>(inputs.tensors()[0]);
  EXPECT_EQ(*std::min_element(values.begin(), values.end()), -3);
  EXPECT_EQ(*std::max_element(values.begin(), values.end()), 3);
}

// Reads an IEEE half in double precision, bit by bit.
double FromHalf(std::uint16_t half) {
  const int exponent = (half >> 10) & 31;
  const double fraction = (half & 1023) / 1024.0;
  const double magnitude =
      exponent == 0 ? std::ldexp(fraction, -14) : std::ldexp(1 + fraction, exponent - 15);
  return half & 0x8000 ? -magnitude : magnitude;
}

TEST(Inputs, HalfPrecisionIsTheFloatRounded) {
  Inputs floats, halves, brains;
  ASSERT_TRUE(floats.Make({Spec(XSP_FLOAT32, {4096})}, 3).ok());
  ASSERT_TRUE(halves.Make({Spec(XSP_FLOAT16, {4096})}, 3).ok());
  ASSERT_TRUE(brains.Make({Spec(XSP_BFLOAT16, {4096})}, 3).ok());
  const auto exact = Values<float>(floats.tensors()[0]);
  const auto half = Values<std::uint16_t>(halves.tensors()[0]);
  const auto brain = Values<std::uint16_t>(brains.tensors()[0]);
  for (std::size_t i = 0; i < exact.size(); ++i) {
    EXPECT_NEAR(FromHalf(half[i]), exact[i], std::abs(exact[i]) * 0x1p-11 + 0x1p-14);
    const auto widened = std::bit_cast<float>(static_cast<std::uint32_t>(brain[i]) << 16);
    EXPECT_NEAR(widened, exact[i], std::abs(exact[i]) * 0x1p-8);
  }
}

TEST(Inputs, SaysWhenTheyDoNotFitIntoMemory) {
  for (const std::int64_t size : {std::int64_t{1} << 62, INT64_MAX}) {
    Inputs inputs;
    const Status status = inputs.Make({Spec(XSP_FLOAT32, {size, 1})}, 1);
    ASSERT_FALSE(status.ok());
    EXPECT_EQ(status.error().kind, ErrorKind::kEnvironment);
    EXPECT_NE(status.error().hint.find("batch"), std::string::npos);
  }
}

TEST(Inputs, DescribeThemselves) {
  Inputs inputs;
  ASSERT_TRUE(inputs.Make({Spec(XSP_UINT8, {2, 3}), Spec(XSP_BOOL, {})}, 1).ok());
  EXPECT_EQ(inputs.Describe(), R"([{"dtype":"uint8","name":"x","shape":[2,3]},)"
                               R"({"dtype":"bool","name":"x","shape":[]}])");
  EXPECT_EQ(inputs.tensors()[1].bytes, 1u);
}

}  // namespace
}  // namespace xsp::worker
