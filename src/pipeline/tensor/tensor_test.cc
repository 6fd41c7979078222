#include "pipeline/tensor/tensor.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

namespace xsp::pipeline {
namespace {

using testing::HasSubstr;

template <typename T>
Tensor Of(Dtype dtype, const std::vector<T>& values) {
  Tensor tensor{"t", dtype, {static_cast<std::int64_t>(values.size())}, {}};
  tensor.data.resize(values.size() * sizeof(T));
  std::memcpy(tensor.data.data(), values.data(), tensor.data.size());
  return tensor;
}

std::vector<double> FloatsOf(const Tensor& tensor) {
  std::vector<double> values;
  for (std::int64_t i = 0; i < tensor.shape[0]; ++i) {
    values.push_back(ElementAt(tensor.data.data(), tensor.dtype, i));
  }
  return values;
}

TEST(Cast, ToIntegersRoundsToEvenAndSaturates) {
  const Tensor from =
      Of<float>(Dtype::kFloat32, {0.5f, 1.5f, -2.5f, 300, -300, std::nanf(""), INFINITY});
  EXPECT_EQ(FloatsOf(Cast(from, Dtype::kUint8)), (std::vector<double>{0, 2, 0, 255, 0, 0, 255}));
  EXPECT_EQ(FloatsOf(Cast(from, Dtype::kInt8)), (std::vector<double>{0, 2, -2, 127, -128, 0, 127}));
  std::int64_t largest;
  std::memcpy(&largest, Cast(from, Dtype::kInt64).data.data() + 6 * 8, 8);
  EXPECT_EQ(largest, std::numeric_limits<std::int64_t>::max());
}

TEST(Cast, ToFloat16CoversSubnormalsAndInfinity) {
  // Largest normal, rounds to infinity, smallest subnormal, half of it (to even: 0), 1 + 2^-11
  // (tie: to even), NaN.
  const Tensor half = Cast(Of<float>(Dtype::kFloat32, {65504, 65520, 0x1p-24f, 0x1p-25f,
                                                       1 + 0x1p-11f, -0x1.8p-24f, std::nanf("")}),
                           Dtype::kFloat16);
  std::vector<std::uint16_t> bits(7);
  std::memcpy(bits.data(), half.data.data(), half.data.size());
  EXPECT_EQ(bits,
            (std::vector<std::uint16_t>{0x7bff, 0x7c00, 0x0001, 0x0000, 0x3c00, 0x8002, 0x7e00}));
  EXPECT_EQ(ElementAt(half.data.data(), Dtype::kFloat16, 0), 65504);
  EXPECT_EQ(ElementAt(half.data.data(), Dtype::kFloat16, 2), 0x1p-24);
}

TEST(Cast, EveryFloat16SurvivesTheWayThroughFloat32) {
  std::vector<std::uint16_t> bits;
  for (int i = 0; i < 65536; ++i) {
    if ((i & 0x7c00) != 0x7c00 || (i & 0x3ff) == 0) bits.push_back(static_cast<std::uint16_t>(i));
  }
  const Tensor half = Of(Dtype::kFloat16, bits);
  EXPECT_EQ(Cast(Cast(half, Dtype::kFloat32), Dtype::kFloat16).data, half.data);
}

TEST(ElementCount, RefusesWhatOverflows) {
  EXPECT_EQ(ElementCount(std::vector<std::int64_t>{}), 1);
  EXPECT_EQ(ElementCount(std::vector<std::int64_t>{2, 0, 3}), 0);
  EXPECT_FALSE(ElementCount(std::vector<std::int64_t>{-1, 3}));
  EXPECT_FALSE(ElementCount(std::vector<std::int64_t>{1ll << 40, 1ll << 40}));
}

TEST(StackInto, PutsSamplesOneAfterTheOther) {
  const Tensor a = Of<std::uint8_t>(Dtype::kUint8, {1, 2});
  const Tensor b = Of<std::uint8_t>(Dtype::kUint8, {3, 4});
  std::vector<std::uint8_t> batch(4);
  ASSERT_TRUE(StackInto(std::vector{&a, &b}, batch.data(), batch.size()).ok());
  EXPECT_EQ(batch, (std::vector<std::uint8_t>{1, 2, 3, 4}));
}

TEST(StackInto, RefusesWhatDoesNotFit) {
  const Tensor a = Of<std::uint8_t>(Dtype::kUint8, {1, 2});
  const Tensor b = Of<std::uint8_t>(Dtype::kUint8, {3, 4, 5});
  std::vector<std::uint8_t> batch(8);
  EXPECT_THAT(StackInto(std::vector{&a, &b}, batch.data(), 5).error().what, HasSubstr("differ"));
  EXPECT_THAT(StackInto(std::vector{&a, &a}, batch.data(), 3).error().what,
              HasSubstr("do not fill"));
  EXPECT_FALSE(StackInto(std::vector{&a}, batch.data(), 8).ok());
  EXPECT_FALSE(StackInto({}, batch.data(), 8).ok());
}

}  // namespace
}  // namespace xsp::pipeline
