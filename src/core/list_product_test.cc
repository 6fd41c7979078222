#include "core/list_product.h"

#include <gtest/gtest.h>

namespace xsp::core {
namespace {

TEST(ListProductTest, IsThatOfAListOfPositiveNumbers) {
  EXPECT_EQ(ListProduct("[64, 1, 2]"), 128);
  EXPECT_EQ(ListProduct("[ 3 ,\n5 ]"), 15);
  EXPECT_EQ(ListProduct("[7]"), 7);
  EXPECT_EQ(ListProduct("[2147483647, 65535, 65535]"), std::nullopt) << "above 2^62";
  EXPECT_EQ(ListProduct("[2147483647,65535,32767]"), 2147483647LL * 65535 * 32767);
}

TEST(ListProductTest, AnyOtherTextHasNone) {
  for (const char* text : {"", "[", "[]", "64", "[0, 1, 1]", "[-1,2]", "[1,]", "[1 2]", "[1,2",
                           "[a]", "[1.5]", "[1,2]x", "[99999999999999999999]"})
    EXPECT_EQ(ListProduct(text), std::nullopt) << text;
}

}  // namespace
}  // namespace xsp::core
