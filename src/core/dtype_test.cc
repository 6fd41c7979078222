#include "core/dtype.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace xsp::core {
namespace {

TEST(Dtype, HasOneNameForEach) {
  for (int i = 0; i <= static_cast<int>(Dtype::kBool); ++i) {
    const auto dtype = static_cast<Dtype>(i);
    EXPECT_EQ(DtypeNamed(DtypeName(dtype)), dtype);
  }
  EXPECT_FALSE(DtypeNamed("float"));
  EXPECT_STREQ(DtypeName(Dtype::kUint8), "uint8");
}

TEST(Dtype, KnowsItsSize) {
  EXPECT_EQ(DtypeBytes(Dtype::kFloat64), 8u);
  EXPECT_EQ(DtypeBytes(Dtype::kBfloat16), 2u);
  EXPECT_EQ(DtypeBytes(Dtype::kBool), 1u);
  // NumPy's names end in the size, bfloat16's excepted.
  for (int i = 0; i <= static_cast<int>(Dtype::kBool); ++i) {
    const auto dtype = static_cast<Dtype>(i);
    const std::size_t bytes = dtype == Dtype::kBfloat16 ? 4 : DtypeBytes(dtype);
    EXPECT_EQ(std::string(1, NpyName(dtype)[2]), std::to_string(bytes)) << DtypeName(dtype);
  }
}

TEST(Dtype, RefusesWhatIsNone) {
  EXPECT_THROW(DtypeBytes(static_cast<Dtype>(10)), std::out_of_range);
}

TEST(Dtype, NamesAllInOneText) {
  EXPECT_EQ(DtypeNamesText(),
            "float32, float64, float16, bfloat16, int64, int32, int16, int8, uint8, bool");
  EXPECT_EQ(DtypeNamesText(" or "),
            "float32, float64, float16, bfloat16, int64, int32, int16, int8, uint8 or bool");
}

}  // namespace
}  // namespace xsp::core
